func.func @f(%a: tensor<*xf32>, %b: tensor<*xf32>) {
  %0 = arith.addf %a, %b : tensor<*xf32>
  return
}
// -----
func.func @f(%a: tensor<*xf32>, %b: tensor<*xf32>) {
  %0 = arith.subf %a, %b : tensor<*xf32>
  return
}
// -----
func.func @f(%a: tensor<*xf32>, %b: tensor<*xf32>) {
  %0 = arith.mulf %a, %b : tensor<*xf32>
  return
}
// -----
func.func @f(%a: tensor<*xf32>, %b: tensor<*xf32>) {
  %0 = arith.divf %a, %b : tensor<*xf32>
  return
}
// -----
func.func @f(%a: tensor<*xf32>, %b: tensor<*xf32>) {
  %0 = arith.remf %a, %b : tensor<*xf32>
  return
}
// -----
func.func @f(%a: tensor<*xf32>, %b: tensor<*xf32>) {
  %0 = arith.maximumf %a, %b : tensor<*xf32>
  return
}
// -----
func.func @f(%a: tensor<*xf32>, %b: tensor<*xf32>) {
  %0 = arith.minimumf %a, %b : tensor<*xf32>
  return
}
// -----
func.func @f(%a: tensor<*xf32>, %b: tensor<*xf32>) {
  %0 = arith.maxnumf %a, %b : tensor<*xf32>
  return
}
// -----
func.func @f(%a: tensor<*xf32>, %b: tensor<*xf32>) {
  %0 = arith.minnumf %a, %b : tensor<*xf32>
  return
}
// -----
func.func @f(%a: tensor<*xf32>) {
  %0 = arith.negf %a : tensor<*xf32>
  return
}
// -----
func.func @f(%a: tensor<*xf32>, %b: tensor<*xf32>) {
  %0 = arith.cmpf olt, %a, %b : tensor<*xf32>
  return
}
// -----
func.func @f(%a: tensor<*xi32>, %b: tensor<*xi32>) {
  %0 = arith.addi %a, %b : tensor<*xi32>
  return
}
// -----
func.func @f(%a: tensor<*xi32>, %b: tensor<*xi32>) {
  %0 = arith.subi %a, %b : tensor<*xi32>
  return
}
// -----
func.func @f(%a: tensor<*xi32>, %b: tensor<*xi32>) {
  %0 = arith.muli %a, %b : tensor<*xi32>
  return
}
// -----
func.func @f(%a: tensor<*xi32>, %b: tensor<*xi32>) {
  %0 = arith.divsi %a, %b : tensor<*xi32>
  return
}
// -----
func.func @f(%a: tensor<*xi32>, %b: tensor<*xi32>) {
  %0 = arith.divui %a, %b : tensor<*xi32>
  return
}
// -----
func.func @f(%a: tensor<*xi32>, %b: tensor<*xi32>) {
  %0 = arith.remsi %a, %b : tensor<*xi32>
  return
}
// -----
func.func @f(%a: tensor<*xi32>, %b: tensor<*xi32>) {
  %0 = arith.remui %a, %b : tensor<*xi32>
  return
}
// -----
func.func @f(%a: tensor<*xi32>, %b: tensor<*xi32>) {
  %0 = arith.ceildivsi %a, %b : tensor<*xi32>
  return
}
// -----
func.func @f(%a: tensor<*xi32>, %b: tensor<*xi32>) {
  %0 = arith.ceildivui %a, %b : tensor<*xi32>
  return
}
// -----
func.func @f(%a: tensor<*xi32>, %b: tensor<*xi32>) {
  %0 = arith.floordivsi %a, %b : tensor<*xi32>
  return
}
// -----
func.func @f(%a: tensor<*xi32>, %b: tensor<*xi32>) {
  %0 = arith.andi %a, %b : tensor<*xi32>
  return
}
// -----
func.func @f(%a: tensor<*xi32>, %b: tensor<*xi32>) {
  %0 = arith.ori %a, %b : tensor<*xi32>
  return
}
// -----
func.func @f(%a: tensor<*xi32>, %b: tensor<*xi32>) {
  %0 = arith.xori %a, %b : tensor<*xi32>
  return
}
// -----
func.func @f(%a: tensor<*xi32>, %b: tensor<*xi32>) {
  %0 = arith.shli %a, %b : tensor<*xi32>
  return
}
// -----
func.func @f(%a: tensor<*xi32>, %b: tensor<*xi32>) {
  %0 = arith.shrsi %a, %b : tensor<*xi32>
  return
}
// -----
func.func @f(%a: tensor<*xi32>, %b: tensor<*xi32>) {
  %0 = arith.shrui %a, %b : tensor<*xi32>
  return
}
// -----
func.func @f(%a: tensor<*xi32>, %b: tensor<*xi32>) {
  %0 = arith.maxsi %a, %b : tensor<*xi32>
  return
}
// -----
func.func @f(%a: tensor<*xi32>, %b: tensor<*xi32>) {
  %0 = arith.maxui %a, %b : tensor<*xi32>
  return
}
// -----
func.func @f(%a: tensor<*xi32>, %b: tensor<*xi32>) {
  %0 = arith.minsi %a, %b : tensor<*xi32>
  return
}
// -----
func.func @f(%a: tensor<*xi32>, %b: tensor<*xi32>) {
  %0 = arith.minui %a, %b : tensor<*xi32>
  return
}
// -----
func.func @f(%a: tensor<*xi32>, %b: tensor<*xi32>) {
  %0, %1 = arith.addui_extended %a, %b : tensor<*xi32>, tensor<*xi1>
  return
}
// -----
func.func @f(%a: tensor<*xi32>, %b: tensor<*xi32>) {
  %0, %1 = arith.mulsi_extended %a, %b : tensor<*xi32>
  return
}
// -----
func.func @f(%a: tensor<*xi32>, %b: tensor<*xi32>) {
  %0, %1 = arith.mului_extended %a, %b : tensor<*xi32>
  return
}
// -----
func.func @f(%a: tensor<*xi32>, %b: tensor<*xi32>) {
  %0 = arith.cmpi slt, %a, %b : tensor<*xi32>
  return
}
// -----
func.func @f(%a: tensor<*xindex>, %b: tensor<*xindex>) {
  %0 = arith.addi %a, %b : tensor<*xindex>
  return
}
// -----
func.func @f(%a: tensor<*xindex>, %b: tensor<*xindex>) {
  %0 = arith.subi %a, %b : tensor<*xindex>
  return
}
// -----
func.func @f(%a: tensor<*xindex>, %b: tensor<*xindex>) {
  %0 = arith.muli %a, %b : tensor<*xindex>
  return
}
// -----
func.func @f(%a: tensor<*xindex>, %b: tensor<*xindex>) {
  %0 = arith.divsi %a, %b : tensor<*xindex>
  return
}
// -----
func.func @f(%a: tensor<*xindex>, %b: tensor<*xindex>) {
  %0 = arith.divui %a, %b : tensor<*xindex>
  return
}
// -----
func.func @f(%a: tensor<*xindex>, %b: tensor<*xindex>) {
  %0 = arith.remsi %a, %b : tensor<*xindex>
  return
}
// -----
func.func @f(%a: tensor<*xindex>, %b: tensor<*xindex>) {
  %0 = arith.remui %a, %b : tensor<*xindex>
  return
}
// -----
func.func @f(%a: tensor<*xindex>, %b: tensor<*xindex>) {
  %0 = arith.ceildivsi %a, %b : tensor<*xindex>
  return
}
// -----
func.func @f(%a: tensor<*xindex>, %b: tensor<*xindex>) {
  %0 = arith.ceildivui %a, %b : tensor<*xindex>
  return
}
// -----
func.func @f(%a: tensor<*xindex>, %b: tensor<*xindex>) {
  %0 = arith.floordivsi %a, %b : tensor<*xindex>
  return
}
// -----
func.func @f(%a: tensor<*xindex>, %b: tensor<*xindex>) {
  %0 = arith.andi %a, %b : tensor<*xindex>
  return
}
// -----
func.func @f(%a: tensor<*xindex>, %b: tensor<*xindex>) {
  %0 = arith.ori %a, %b : tensor<*xindex>
  return
}
// -----
func.func @f(%a: tensor<*xindex>, %b: tensor<*xindex>) {
  %0 = arith.xori %a, %b : tensor<*xindex>
  return
}
// -----
func.func @f(%a: tensor<*xindex>, %b: tensor<*xindex>) {
  %0 = arith.shli %a, %b : tensor<*xindex>
  return
}
// -----
func.func @f(%a: tensor<*xindex>, %b: tensor<*xindex>) {
  %0 = arith.shrsi %a, %b : tensor<*xindex>
  return
}
// -----
func.func @f(%a: tensor<*xindex>, %b: tensor<*xindex>) {
  %0 = arith.shrui %a, %b : tensor<*xindex>
  return
}
// -----
func.func @f(%a: tensor<*xindex>, %b: tensor<*xindex>) {
  %0 = arith.maxsi %a, %b : tensor<*xindex>
  return
}
// -----
func.func @f(%a: tensor<*xindex>, %b: tensor<*xindex>) {
  %0 = arith.maxui %a, %b : tensor<*xindex>
  return
}
// -----
func.func @f(%a: tensor<*xindex>, %b: tensor<*xindex>) {
  %0 = arith.minsi %a, %b : tensor<*xindex>
  return
}
// -----
func.func @f(%a: tensor<*xindex>, %b: tensor<*xindex>) {
  %0 = arith.minui %a, %b : tensor<*xindex>
  return
}
// -----
func.func @f(%a: tensor<*xindex>, %b: tensor<*xindex>) {
  %0, %1 = arith.addui_extended %a, %b : tensor<*xindex>, tensor<*xi1>
  return
}
// -----
func.func @f(%a: tensor<*xindex>, %b: tensor<*xindex>) {
  %0, %1 = arith.mulsi_extended %a, %b : tensor<*xindex>
  return
}
// -----
func.func @f(%a: tensor<*xindex>, %b: tensor<*xindex>) {
  %0, %1 = arith.mului_extended %a, %b : tensor<*xindex>
  return
}
// -----
func.func @f(%a: tensor<*xindex>, %b: tensor<*xindex>) {
  %0 = arith.cmpi slt, %a, %b : tensor<*xindex>
  return
}
// -----
func.func @f(%a: tensor<*xi1>, %b: tensor<*xf32>, %c: tensor<*xf32>) {
  %0 = arith.select %a, %b, %c : tensor<*xi1>, tensor<*xf32>
  return
}
