func.func @f(%0: tensor<4x?xf32>, %1: tensor<4x?xf32>) -> tensor<4x?xf32> {
  %r = linalg.abs ins(%0 : tensor<4x?xf32>) outs(%1 : tensor<4x?xf32>) -> tensor<4x?xf32>
  return %r : tensor<4x?xf32>
}
// -----
func.func @f(%0: memref<4xf16>, %1: memref<4xf16>) {
  linalg.abs ins(%0 : memref<4xf16>) outs(%1 : memref<4xf16>)
  return
}
// -----
func.func @f(%0: tensor<4x?xf32>, %1: tensor<4x?xf32>) -> tensor<4x?xf32> {
  %r = linalg.ceil ins(%0 : tensor<4x?xf32>) outs(%1 : tensor<4x?xf32>) -> tensor<4x?xf32>
  return %r : tensor<4x?xf32>
}
// -----
func.func @f(%0: memref<4xf16>, %1: memref<4xf16>) {
  linalg.ceil ins(%0 : memref<4xf16>) outs(%1 : memref<4xf16>)
  return
}
// -----
func.func @f(%0: tensor<4x?xf32>, %1: tensor<4x?xf32>) -> tensor<4x?xf32> {
  %r = linalg.erf ins(%0 : tensor<4x?xf32>) outs(%1 : tensor<4x?xf32>) -> tensor<4x?xf32>
  return %r : tensor<4x?xf32>
}
// -----
func.func @f(%0: memref<4xf16>, %1: memref<4xf16>) {
  linalg.erf ins(%0 : memref<4xf16>) outs(%1 : memref<4xf16>)
  return
}
// -----
func.func @f(%0: tensor<4x?xf32>, %1: tensor<4x?xf32>) -> tensor<4x?xf32> {
  %r = linalg.exp ins(%0 : tensor<4x?xf32>) outs(%1 : tensor<4x?xf32>) -> tensor<4x?xf32>
  return %r : tensor<4x?xf32>
}
// -----
func.func @f(%0: memref<4xf16>, %1: memref<4xf16>) {
  linalg.exp ins(%0 : memref<4xf16>) outs(%1 : memref<4xf16>)
  return
}
// -----
func.func @f(%0: tensor<4x?xf32>, %1: tensor<4x?xf32>) -> tensor<4x?xf32> {
  %r = linalg.floor ins(%0 : tensor<4x?xf32>) outs(%1 : tensor<4x?xf32>) -> tensor<4x?xf32>
  return %r : tensor<4x?xf32>
}
// -----
func.func @f(%0: memref<4xf16>, %1: memref<4xf16>) {
  linalg.floor ins(%0 : memref<4xf16>) outs(%1 : memref<4xf16>)
  return
}
// -----
func.func @f(%0: tensor<4x?xf32>, %1: tensor<4x?xf32>) -> tensor<4x?xf32> {
  %r = linalg.log ins(%0 : tensor<4x?xf32>) outs(%1 : tensor<4x?xf32>) -> tensor<4x?xf32>
  return %r : tensor<4x?xf32>
}
// -----
func.func @f(%0: memref<4xf16>, %1: memref<4xf16>) {
  linalg.log ins(%0 : memref<4xf16>) outs(%1 : memref<4xf16>)
  return
}
// -----
func.func @f(%0: tensor<4x?xf32>, %1: tensor<4x?xf32>) -> tensor<4x?xf32> {
  %r = linalg.negf ins(%0 : tensor<4x?xf32>) outs(%1 : tensor<4x?xf32>) -> tensor<4x?xf32>
  return %r : tensor<4x?xf32>
}
// -----
func.func @f(%0: memref<4xf16>, %1: memref<4xf16>) {
  linalg.negf ins(%0 : memref<4xf16>) outs(%1 : memref<4xf16>)
  return
}
// -----
func.func @f(%0: tensor<4x?xf32>, %1: tensor<4x?xf32>) -> tensor<4x?xf32> {
  %r = linalg.reciprocal ins(%0 : tensor<4x?xf32>) outs(%1 : tensor<4x?xf32>) -> tensor<4x?xf32>
  return %r : tensor<4x?xf32>
}
// -----
func.func @f(%0: memref<4xf16>, %1: memref<4xf16>) {
  linalg.reciprocal ins(%0 : memref<4xf16>) outs(%1 : memref<4xf16>)
  return
}
// -----
func.func @f(%0: tensor<4x?xf32>, %1: tensor<4x?xf32>) -> tensor<4x?xf32> {
  %r = linalg.round ins(%0 : tensor<4x?xf32>) outs(%1 : tensor<4x?xf32>) -> tensor<4x?xf32>
  return %r : tensor<4x?xf32>
}
// -----
func.func @f(%0: memref<4xf16>, %1: memref<4xf16>) {
  linalg.round ins(%0 : memref<4xf16>) outs(%1 : memref<4xf16>)
  return
}
// -----
func.func @f(%0: tensor<4x?xf32>, %1: tensor<4x?xf32>) -> tensor<4x?xf32> {
  %r = linalg.rsqrt ins(%0 : tensor<4x?xf32>) outs(%1 : tensor<4x?xf32>) -> tensor<4x?xf32>
  return %r : tensor<4x?xf32>
}
// -----
func.func @f(%0: memref<4xf16>, %1: memref<4xf16>) {
  linalg.rsqrt ins(%0 : memref<4xf16>) outs(%1 : memref<4xf16>)
  return
}
// -----
func.func @f(%0: tensor<4x?xf32>, %1: tensor<4x?xf32>) -> tensor<4x?xf32> {
  %r = linalg.sqrt ins(%0 : tensor<4x?xf32>) outs(%1 : tensor<4x?xf32>) -> tensor<4x?xf32>
  return %r : tensor<4x?xf32>
}
// -----
func.func @f(%0: memref<4xf16>, %1: memref<4xf16>) {
  linalg.sqrt ins(%0 : memref<4xf16>) outs(%1 : memref<4xf16>)
  return
}
// -----
func.func @f(%0: tensor<4x?xf32>, %1: tensor<4x?xf32>) -> tensor<4x?xf32> {
  %r = linalg.square ins(%0 : tensor<4x?xf32>) outs(%1 : tensor<4x?xf32>) -> tensor<4x?xf32>
  return %r : tensor<4x?xf32>
}
// -----
func.func @f(%0: memref<4xf16>, %1: memref<4xf16>) {
  linalg.square ins(%0 : memref<4xf16>) outs(%1 : memref<4xf16>)
  return
}
// -----
func.func @f(%0: tensor<4x?xf32>, %1: tensor<4x?xf32>) -> tensor<4x?xf32> {
  %r = linalg.tanh ins(%0 : tensor<4x?xf32>) outs(%1 : tensor<4x?xf32>) -> tensor<4x?xf32>
  return %r : tensor<4x?xf32>
}
// -----
func.func @f(%0: memref<4xf16>, %1: memref<4xf16>) {
  linalg.tanh ins(%0 : memref<4xf16>) outs(%1 : memref<4xf16>)
  return
}
// -----
func.func @f(%0: tensor<4x?xf32>, %1: tensor<4x?xf32>, %2: tensor<4x?xf32>) -> tensor<4x?xf32> {
  %r = linalg.add ins(%0, %1 : tensor<4x?xf32>, tensor<4x?xf32>) outs(%2 : tensor<4x?xf32>) -> tensor<4x?xf32>
  return %r : tensor<4x?xf32>
}
// -----
func.func @f(%0: tensor<4x?xi32>, %1: tensor<4x?xi32>, %2: tensor<4x?xi32>) -> tensor<4x?xi32> {
  %r = linalg.add ins(%0, %1 : tensor<4x?xi32>, tensor<4x?xi32>) outs(%2 : tensor<4x?xi32>) -> tensor<4x?xi32>
  return %r : tensor<4x?xi32>
}
// -----
func.func @f(%0: tensor<4x?xi1>, %1: tensor<4x?xi1>, %2: tensor<4x?xi1>) -> tensor<4x?xi1> {
  %r = linalg.add ins(%0, %1 : tensor<4x?xi1>, tensor<4x?xi1>) outs(%2 : tensor<4x?xi1>) -> tensor<4x?xi1>
  return %r : tensor<4x?xi1>
}
// -----
func.func @f(%0: tensor<4x?xcomplex<f32>>, %1: tensor<4x?xcomplex<f32>>, %2: tensor<4x?xcomplex<f32>>) -> tensor<4x?xcomplex<f32>> {
  %r = linalg.add ins(%0, %1 : tensor<4x?xcomplex<f32>>, tensor<4x?xcomplex<f32>>) outs(%2 : tensor<4x?xcomplex<f32>>) -> tensor<4x?xcomplex<f32>>
  return %r : tensor<4x?xcomplex<f32>>
}
// -----
func.func @f(%0: tensor<4x?xf32>, %1: tensor<4x?xf32>, %2: tensor<4x?xf32>) -> tensor<4x?xf32> {
  %r = linalg.sub ins(%0, %1 : tensor<4x?xf32>, tensor<4x?xf32>) outs(%2 : tensor<4x?xf32>) -> tensor<4x?xf32>
  return %r : tensor<4x?xf32>
}
// -----
func.func @f(%0: tensor<4x?xi32>, %1: tensor<4x?xi32>, %2: tensor<4x?xi32>) -> tensor<4x?xi32> {
  %r = linalg.sub ins(%0, %1 : tensor<4x?xi32>, tensor<4x?xi32>) outs(%2 : tensor<4x?xi32>) -> tensor<4x?xi32>
  return %r : tensor<4x?xi32>
}
// -----
func.func @f(%0: tensor<4x?xcomplex<f32>>, %1: tensor<4x?xcomplex<f32>>, %2: tensor<4x?xcomplex<f32>>) -> tensor<4x?xcomplex<f32>> {
  %r = linalg.sub ins(%0, %1 : tensor<4x?xcomplex<f32>>, tensor<4x?xcomplex<f32>>) outs(%2 : tensor<4x?xcomplex<f32>>) -> tensor<4x?xcomplex<f32>>
  return %r : tensor<4x?xcomplex<f32>>
}
// -----
func.func @f(%0: tensor<4x?xf32>, %1: tensor<4x?xf32>, %2: tensor<4x?xf32>) -> tensor<4x?xf32> {
  %r = linalg.mul ins(%0, %1 : tensor<4x?xf32>, tensor<4x?xf32>) outs(%2 : tensor<4x?xf32>) -> tensor<4x?xf32>
  return %r : tensor<4x?xf32>
}
// -----
func.func @f(%0: tensor<4x?xi32>, %1: tensor<4x?xi32>, %2: tensor<4x?xi32>) -> tensor<4x?xi32> {
  %r = linalg.mul ins(%0, %1 : tensor<4x?xi32>, tensor<4x?xi32>) outs(%2 : tensor<4x?xi32>) -> tensor<4x?xi32>
  return %r : tensor<4x?xi32>
}
// -----
func.func @f(%0: tensor<4x?xi1>, %1: tensor<4x?xi1>, %2: tensor<4x?xi1>) -> tensor<4x?xi1> {
  %r = linalg.mul ins(%0, %1 : tensor<4x?xi1>, tensor<4x?xi1>) outs(%2 : tensor<4x?xi1>) -> tensor<4x?xi1>
  return %r : tensor<4x?xi1>
}
// -----
func.func @f(%0: tensor<4x?xcomplex<f32>>, %1: tensor<4x?xcomplex<f32>>, %2: tensor<4x?xcomplex<f32>>) -> tensor<4x?xcomplex<f32>> {
  %r = linalg.mul ins(%0, %1 : tensor<4x?xcomplex<f32>>, tensor<4x?xcomplex<f32>>) outs(%2 : tensor<4x?xcomplex<f32>>) -> tensor<4x?xcomplex<f32>>
  return %r : tensor<4x?xcomplex<f32>>
}
// -----
func.func @f(%0: tensor<4x?xf32>, %1: tensor<4x?xf32>, %2: tensor<4x?xf32>) -> tensor<4x?xf32> {
  %r = linalg.div ins(%0, %1 : tensor<4x?xf32>, tensor<4x?xf32>) outs(%2 : tensor<4x?xf32>) -> tensor<4x?xf32>
  return %r : tensor<4x?xf32>
}
// -----
func.func @f(%0: tensor<4x?xi32>, %1: tensor<4x?xi32>, %2: tensor<4x?xi32>) -> tensor<4x?xi32> {
  %r = linalg.div ins(%0, %1 : tensor<4x?xi32>, tensor<4x?xi32>) outs(%2 : tensor<4x?xi32>) -> tensor<4x?xi32>
  return %r : tensor<4x?xi32>
}
// -----
func.func @f(%0: tensor<4x?xcomplex<f32>>, %1: tensor<4x?xcomplex<f32>>, %2: tensor<4x?xcomplex<f32>>) -> tensor<4x?xcomplex<f32>> {
  %r = linalg.div ins(%0, %1 : tensor<4x?xcomplex<f32>>, tensor<4x?xcomplex<f32>>) outs(%2 : tensor<4x?xcomplex<f32>>) -> tensor<4x?xcomplex<f32>>
  return %r : tensor<4x?xcomplex<f32>>
}
// -----
func.func @f(%0: tensor<4x?xi32>, %1: tensor<4x?xi32>, %2: tensor<4x?xi32>) -> tensor<4x?xi32> {
  %r = linalg.div_unsigned ins(%0, %1 : tensor<4x?xi32>, tensor<4x?xi32>) outs(%2 : tensor<4x?xi32>) -> tensor<4x?xi32>
  return %r : tensor<4x?xi32>
}
// -----
func.func @f(%0: tensor<4x?xf32>, %1: tensor<4x?xf32>, %2: tensor<4x?xf32>) -> tensor<4x?xf32> {
  %r = linalg.max ins(%0, %1 : tensor<4x?xf32>, tensor<4x?xf32>) outs(%2 : tensor<4x?xf32>) -> tensor<4x?xf32>
  return %r : tensor<4x?xf32>
}
// -----
func.func @f(%0: tensor<4x?xi32>, %1: tensor<4x?xi32>, %2: tensor<4x?xi32>) -> tensor<4x?xi32> {
  %r = linalg.max ins(%0, %1 : tensor<4x?xi32>, tensor<4x?xi32>) outs(%2 : tensor<4x?xi32>) -> tensor<4x?xi32>
  return %r : tensor<4x?xi32>
}
// -----
func.func @f(%0: tensor<4x?xi1>, %1: tensor<4x?xi1>, %2: tensor<4x?xi1>) -> tensor<4x?xi1> {
  %r = linalg.max ins(%0, %1 : tensor<4x?xi1>, tensor<4x?xi1>) outs(%2 : tensor<4x?xi1>) -> tensor<4x?xi1>
  return %r : tensor<4x?xi1>
}
// -----
func.func @f(%0: tensor<4x?xf32>, %1: tensor<4x?xf32>, %2: tensor<4x?xf32>) -> tensor<4x?xf32> {
  %r = linalg.min ins(%0, %1 : tensor<4x?xf32>, tensor<4x?xf32>) outs(%2 : tensor<4x?xf32>) -> tensor<4x?xf32>
  return %r : tensor<4x?xf32>
}
// -----
func.func @f(%0: tensor<4x?xi32>, %1: tensor<4x?xi32>, %2: tensor<4x?xi32>) -> tensor<4x?xi32> {
  %r = linalg.min ins(%0, %1 : tensor<4x?xi32>, tensor<4x?xi32>) outs(%2 : tensor<4x?xi32>) -> tensor<4x?xi32>
  return %r : tensor<4x?xi32>
}
// -----
func.func @f(%0: tensor<4x?xi1>, %1: tensor<4x?xi1>, %2: tensor<4x?xi1>) -> tensor<4x?xi1> {
  %r = linalg.min ins(%0, %1 : tensor<4x?xi1>, tensor<4x?xi1>) outs(%2 : tensor<4x?xi1>) -> tensor<4x?xi1>
  return %r : tensor<4x?xi1>
}
// -----
func.func @f(%0: tensor<4x?xf32>, %1: tensor<4x?xf32>, %2: tensor<4x?xf32>) -> tensor<4x?xf32> {
  %r = linalg.powf ins(%0, %1 : tensor<4x?xf32>, tensor<4x?xf32>) outs(%2 : tensor<4x?xf32>) -> tensor<4x?xf32>
  return %r : tensor<4x?xf32>
}
// -----
func.func @f(%0: tensor<4xi1>, %1: tensor<4xf32>, %2: tensor<4xf32>, %3: tensor<4xf32>) -> tensor<4xf32> {
  %r = linalg.select ins(%0, %1, %2 : tensor<4xi1>, tensor<4xf32>, tensor<4xf32>) outs(%3 : tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}
// -----
func.func @f(%0: f32, %1: tensor<4xf32>) -> tensor<4xf32> {
  %r = linalg.fill ins(%0 : f32) outs(%1 : tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}
// -----
func.func @f(%0: tensor<4xf32>, %1: tensor<4xf32>) -> tensor<4xf32> {
  %r = linalg.copy ins(%0 : tensor<4xf32>) outs(%1 : tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}
// -----
func.func @f(%0: tensor<4xf32>, %1: tensor<4xf16>) -> tensor<4xf16> {
  %r = linalg.copy ins(%0 : tensor<4xf32>) outs(%1 : tensor<4xf16>) -> tensor<4xf16>
  return %r : tensor<4xf16>
}
// -----
func.func @f(%0: tensor<4xi8>, %1: tensor<4xf32>) -> tensor<4xf32> {
  %r = linalg.copy ins(%0 : tensor<4xi8>) outs(%1 : tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}
// -----
func.func @f(%0: tensor<4xf32>, %1: tensor<4xi8>) -> tensor<4xi8> {
  %r = linalg.copy ins(%0 : tensor<4xf32>) outs(%1 : tensor<4xi8>) -> tensor<4xi8>
  return %r : tensor<4xi8>
}
// -----
func.func @f(%0: tensor<4xi32>, %1: tensor<4xi64>) -> tensor<4xi64> {
  %r = linalg.copy ins(%0 : tensor<4xi32>) outs(%1 : tensor<4xi64>) -> tensor<4xi64>
  return %r : tensor<4xi64>
}
// -----
func.func @f(%0: tensor<4xi64>, %1: tensor<4xi8>) -> tensor<4xi8> {
  %r = linalg.copy ins(%0 : tensor<4xi64>) outs(%1 : tensor<4xi8>) -> tensor<4xi8>
  return %r : tensor<4xi8>
}
