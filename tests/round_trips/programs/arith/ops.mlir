func.func @f(%i: i32) {
  %0 = arith.addi %i, %i : i32
  return
}
// -----
func.func @f(%n: index) {
  %0 = arith.addi %n, %n : index
  return
}
// -----
func.func @f(%vi: vector<4xi32>) {
  %0 = arith.addi %vi, %vi : vector<4xi32>
  return
}
// -----
func.func @f(%ti: tensor<2x?xi32>) {
  %0 = arith.addi %ti, %ti : tensor<2x?xi32>
  return
}
// -----
func.func @f(%i: i32) {
  %0 = arith.subi %i, %i : i32
  return
}
// -----
func.func @f(%n: index) {
  %0 = arith.subi %n, %n : index
  return
}
// -----
func.func @f(%vi: vector<4xi32>) {
  %0 = arith.subi %vi, %vi : vector<4xi32>
  return
}
// -----
func.func @f(%ti: tensor<2x?xi32>) {
  %0 = arith.subi %ti, %ti : tensor<2x?xi32>
  return
}
// -----
func.func @f(%i: i32) {
  %0 = arith.muli %i, %i : i32
  return
}
// -----
func.func @f(%n: index) {
  %0 = arith.muli %n, %n : index
  return
}
// -----
func.func @f(%vi: vector<4xi32>) {
  %0 = arith.muli %vi, %vi : vector<4xi32>
  return
}
// -----
func.func @f(%ti: tensor<2x?xi32>) {
  %0 = arith.muli %ti, %ti : tensor<2x?xi32>
  return
}
// -----
func.func @f(%i: i32) {
  %0 = arith.divui %i, %i : i32
  return
}
// -----
func.func @f(%n: index) {
  %0 = arith.divui %n, %n : index
  return
}
// -----
func.func @f(%vi: vector<4xi32>) {
  %0 = arith.divui %vi, %vi : vector<4xi32>
  return
}
// -----
func.func @f(%ti: tensor<2x?xi32>) {
  %0 = arith.divui %ti, %ti : tensor<2x?xi32>
  return
}
// -----
func.func @f(%i: i32) {
  %0 = arith.divsi %i, %i : i32
  return
}
// -----
func.func @f(%n: index) {
  %0 = arith.divsi %n, %n : index
  return
}
// -----
func.func @f(%vi: vector<4xi32>) {
  %0 = arith.divsi %vi, %vi : vector<4xi32>
  return
}
// -----
func.func @f(%ti: tensor<2x?xi32>) {
  %0 = arith.divsi %ti, %ti : tensor<2x?xi32>
  return
}
// -----
func.func @f(%i: i32) {
  %0 = arith.ceildivui %i, %i : i32
  return
}
// -----
func.func @f(%n: index) {
  %0 = arith.ceildivui %n, %n : index
  return
}
// -----
func.func @f(%vi: vector<4xi32>) {
  %0 = arith.ceildivui %vi, %vi : vector<4xi32>
  return
}
// -----
func.func @f(%ti: tensor<2x?xi32>) {
  %0 = arith.ceildivui %ti, %ti : tensor<2x?xi32>
  return
}
// -----
func.func @f(%i: i32) {
  %0 = arith.ceildivsi %i, %i : i32
  return
}
// -----
func.func @f(%n: index) {
  %0 = arith.ceildivsi %n, %n : index
  return
}
// -----
func.func @f(%vi: vector<4xi32>) {
  %0 = arith.ceildivsi %vi, %vi : vector<4xi32>
  return
}
// -----
func.func @f(%ti: tensor<2x?xi32>) {
  %0 = arith.ceildivsi %ti, %ti : tensor<2x?xi32>
  return
}
// -----
func.func @f(%i: i32) {
  %0 = arith.floordivsi %i, %i : i32
  return
}
// -----
func.func @f(%n: index) {
  %0 = arith.floordivsi %n, %n : index
  return
}
// -----
func.func @f(%vi: vector<4xi32>) {
  %0 = arith.floordivsi %vi, %vi : vector<4xi32>
  return
}
// -----
func.func @f(%ti: tensor<2x?xi32>) {
  %0 = arith.floordivsi %ti, %ti : tensor<2x?xi32>
  return
}
// -----
func.func @f(%i: i32) {
  %0 = arith.remui %i, %i : i32
  return
}
// -----
func.func @f(%n: index) {
  %0 = arith.remui %n, %n : index
  return
}
// -----
func.func @f(%vi: vector<4xi32>) {
  %0 = arith.remui %vi, %vi : vector<4xi32>
  return
}
// -----
func.func @f(%ti: tensor<2x?xi32>) {
  %0 = arith.remui %ti, %ti : tensor<2x?xi32>
  return
}
// -----
func.func @f(%i: i32) {
  %0 = arith.remsi %i, %i : i32
  return
}
// -----
func.func @f(%n: index) {
  %0 = arith.remsi %n, %n : index
  return
}
// -----
func.func @f(%vi: vector<4xi32>) {
  %0 = arith.remsi %vi, %vi : vector<4xi32>
  return
}
// -----
func.func @f(%ti: tensor<2x?xi32>) {
  %0 = arith.remsi %ti, %ti : tensor<2x?xi32>
  return
}
// -----
func.func @f(%i: i32) {
  %0 = arith.andi %i, %i : i32
  return
}
// -----
func.func @f(%n: index) {
  %0 = arith.andi %n, %n : index
  return
}
// -----
func.func @f(%vi: vector<4xi32>) {
  %0 = arith.andi %vi, %vi : vector<4xi32>
  return
}
// -----
func.func @f(%ti: tensor<2x?xi32>) {
  %0 = arith.andi %ti, %ti : tensor<2x?xi32>
  return
}
// -----
func.func @f(%i: i32) {
  %0 = arith.ori %i, %i : i32
  return
}
// -----
func.func @f(%n: index) {
  %0 = arith.ori %n, %n : index
  return
}
// -----
func.func @f(%vi: vector<4xi32>) {
  %0 = arith.ori %vi, %vi : vector<4xi32>
  return
}
// -----
func.func @f(%ti: tensor<2x?xi32>) {
  %0 = arith.ori %ti, %ti : tensor<2x?xi32>
  return
}
// -----
func.func @f(%i: i32) {
  %0 = arith.xori %i, %i : i32
  return
}
// -----
func.func @f(%n: index) {
  %0 = arith.xori %n, %n : index
  return
}
// -----
func.func @f(%vi: vector<4xi32>) {
  %0 = arith.xori %vi, %vi : vector<4xi32>
  return
}
// -----
func.func @f(%ti: tensor<2x?xi32>) {
  %0 = arith.xori %ti, %ti : tensor<2x?xi32>
  return
}
// -----
func.func @f(%i: i32) {
  %0 = arith.shli %i, %i : i32
  return
}
// -----
func.func @f(%n: index) {
  %0 = arith.shli %n, %n : index
  return
}
// -----
func.func @f(%vi: vector<4xi32>) {
  %0 = arith.shli %vi, %vi : vector<4xi32>
  return
}
// -----
func.func @f(%ti: tensor<2x?xi32>) {
  %0 = arith.shli %ti, %ti : tensor<2x?xi32>
  return
}
// -----
func.func @f(%i: i32) {
  %0 = arith.shrui %i, %i : i32
  return
}
// -----
func.func @f(%n: index) {
  %0 = arith.shrui %n, %n : index
  return
}
// -----
func.func @f(%vi: vector<4xi32>) {
  %0 = arith.shrui %vi, %vi : vector<4xi32>
  return
}
// -----
func.func @f(%ti: tensor<2x?xi32>) {
  %0 = arith.shrui %ti, %ti : tensor<2x?xi32>
  return
}
// -----
func.func @f(%i: i32) {
  %0 = arith.shrsi %i, %i : i32
  return
}
// -----
func.func @f(%n: index) {
  %0 = arith.shrsi %n, %n : index
  return
}
// -----
func.func @f(%vi: vector<4xi32>) {
  %0 = arith.shrsi %vi, %vi : vector<4xi32>
  return
}
// -----
func.func @f(%ti: tensor<2x?xi32>) {
  %0 = arith.shrsi %ti, %ti : tensor<2x?xi32>
  return
}
// -----
func.func @f(%i: i32) {
  %0 = arith.minsi %i, %i : i32
  return
}
// -----
func.func @f(%n: index) {
  %0 = arith.minsi %n, %n : index
  return
}
// -----
func.func @f(%vi: vector<4xi32>) {
  %0 = arith.minsi %vi, %vi : vector<4xi32>
  return
}
// -----
func.func @f(%ti: tensor<2x?xi32>) {
  %0 = arith.minsi %ti, %ti : tensor<2x?xi32>
  return
}
// -----
func.func @f(%i: i32) {
  %0 = arith.minui %i, %i : i32
  return
}
// -----
func.func @f(%n: index) {
  %0 = arith.minui %n, %n : index
  return
}
// -----
func.func @f(%vi: vector<4xi32>) {
  %0 = arith.minui %vi, %vi : vector<4xi32>
  return
}
// -----
func.func @f(%ti: tensor<2x?xi32>) {
  %0 = arith.minui %ti, %ti : tensor<2x?xi32>
  return
}
// -----
func.func @f(%i: i32) {
  %0 = arith.maxsi %i, %i : i32
  return
}
// -----
func.func @f(%n: index) {
  %0 = arith.maxsi %n, %n : index
  return
}
// -----
func.func @f(%vi: vector<4xi32>) {
  %0 = arith.maxsi %vi, %vi : vector<4xi32>
  return
}
// -----
func.func @f(%ti: tensor<2x?xi32>) {
  %0 = arith.maxsi %ti, %ti : tensor<2x?xi32>
  return
}
// -----
func.func @f(%i: i32) {
  %0 = arith.maxui %i, %i : i32
  return
}
// -----
func.func @f(%n: index) {
  %0 = arith.maxui %n, %n : index
  return
}
// -----
func.func @f(%vi: vector<4xi32>) {
  %0 = arith.maxui %vi, %vi : vector<4xi32>
  return
}
// -----
func.func @f(%ti: tensor<2x?xi32>) {
  %0 = arith.maxui %ti, %ti : tensor<2x?xi32>
  return
}
// -----
func.func @f(%i: i32, %j: i32) {
  %0 = arith.addi %i, %j overflow<nsw, nuw> : i32
  return
}
// -----
func.func @f(%i: i32, %j: i32) {
  %0 = arith.addi %i, %j overflow<nsw> {a = 1} : i32
  return
}
// -----
func.func @f(%i: i32, %j: i32) {
  %0 = arith.subi %i, %j overflow<nsw, nuw> : i32
  return
}
// -----
func.func @f(%i: i32, %j: i32) {
  %0 = arith.subi %i, %j overflow<nsw> {a = 1} : i32
  return
}
// -----
func.func @f(%i: i32, %j: i32) {
  %0 = arith.muli %i, %j overflow<nsw, nuw> : i32
  return
}
// -----
func.func @f(%i: i32, %j: i32) {
  %0 = arith.muli %i, %j overflow<nsw> {a = 1} : i32
  return
}
// -----
func.func @f(%i: i32, %j: i32) {
  %0 = arith.shli %i, %j overflow<nsw, nuw> : i32
  return
}
// -----
func.func @f(%i: i32, %j: i32) {
  %0 = arith.shli %i, %j overflow<nsw> {a = 1} : i32
  return
}
// -----
func.func @f(%i: i32, %j: i32) {
  %0 = arith.divui %i, %j exact : i32
  return
}
// -----
func.func @f(%i: i32, %j: i32) {
  %0 = arith.divsi %i, %j exact : i32
  return
}
// -----
func.func @f(%i: i32, %j: i32) {
  %0 = arith.shrui %i, %j exact : i32
  return
}
// -----
func.func @f(%i: i32, %j: i32) {
  %0 = arith.shrsi %i, %j exact : i32
  return
}
// -----
func.func @f(%f: f32) {
  %0 = arith.addf %f, %f : f32
  return
}
// -----
func.func @f(%vf: vector<4xf32>) {
  %0 = arith.addf %vf, %vf : vector<4xf32>
  return
}
// -----
func.func @f(%tf: tensor<2x?xf32>) {
  %0 = arith.addf %tf, %tf : tensor<2x?xf32>
  return
}
// -----
func.func @f(%f: f32, %g: f32) {
  %0 = arith.addf %f, %g fastmath<nnan,ninf> {a} : f32
  return
}
// -----
func.func @f(%f: f32) {
  %0 = arith.subf %f, %f : f32
  return
}
// -----
func.func @f(%vf: vector<4xf32>) {
  %0 = arith.subf %vf, %vf : vector<4xf32>
  return
}
// -----
func.func @f(%tf: tensor<2x?xf32>) {
  %0 = arith.subf %tf, %tf : tensor<2x?xf32>
  return
}
// -----
func.func @f(%f: f32, %g: f32) {
  %0 = arith.subf %f, %g fastmath<nnan,ninf> {a} : f32
  return
}
// -----
func.func @f(%f: f32) {
  %0 = arith.mulf %f, %f : f32
  return
}
// -----
func.func @f(%vf: vector<4xf32>) {
  %0 = arith.mulf %vf, %vf : vector<4xf32>
  return
}
// -----
func.func @f(%tf: tensor<2x?xf32>) {
  %0 = arith.mulf %tf, %tf : tensor<2x?xf32>
  return
}
// -----
func.func @f(%f: f32, %g: f32) {
  %0 = arith.mulf %f, %g fastmath<nnan,ninf> {a} : f32
  return
}
// -----
func.func @f(%f: f32) {
  %0 = arith.divf %f, %f : f32
  return
}
// -----
func.func @f(%vf: vector<4xf32>) {
  %0 = arith.divf %vf, %vf : vector<4xf32>
  return
}
// -----
func.func @f(%tf: tensor<2x?xf32>) {
  %0 = arith.divf %tf, %tf : tensor<2x?xf32>
  return
}
// -----
func.func @f(%f: f32, %g: f32) {
  %0 = arith.divf %f, %g fastmath<nnan,ninf> {a} : f32
  return
}
// -----
func.func @f(%f: f32) {
  %0 = arith.remf %f, %f : f32
  return
}
// -----
func.func @f(%vf: vector<4xf32>) {
  %0 = arith.remf %vf, %vf : vector<4xf32>
  return
}
// -----
func.func @f(%tf: tensor<2x?xf32>) {
  %0 = arith.remf %tf, %tf : tensor<2x?xf32>
  return
}
// -----
func.func @f(%f: f32, %g: f32) {
  %0 = arith.remf %f, %g fastmath<nnan,ninf> {a} : f32
  return
}
// -----
func.func @f(%f: f32) {
  %0 = arith.maximumf %f, %f : f32
  return
}
// -----
func.func @f(%vf: vector<4xf32>) {
  %0 = arith.maximumf %vf, %vf : vector<4xf32>
  return
}
// -----
func.func @f(%tf: tensor<2x?xf32>) {
  %0 = arith.maximumf %tf, %tf : tensor<2x?xf32>
  return
}
// -----
func.func @f(%f: f32, %g: f32) {
  %0 = arith.maximumf %f, %g fastmath<nnan,ninf> {a} : f32
  return
}
// -----
func.func @f(%f: f32) {
  %0 = arith.minimumf %f, %f : f32
  return
}
// -----
func.func @f(%vf: vector<4xf32>) {
  %0 = arith.minimumf %vf, %vf : vector<4xf32>
  return
}
// -----
func.func @f(%tf: tensor<2x?xf32>) {
  %0 = arith.minimumf %tf, %tf : tensor<2x?xf32>
  return
}
// -----
func.func @f(%f: f32, %g: f32) {
  %0 = arith.minimumf %f, %g fastmath<nnan,ninf> {a} : f32
  return
}
// -----
func.func @f(%f: f32) {
  %0 = arith.maxnumf %f, %f : f32
  return
}
// -----
func.func @f(%vf: vector<4xf32>) {
  %0 = arith.maxnumf %vf, %vf : vector<4xf32>
  return
}
// -----
func.func @f(%tf: tensor<2x?xf32>) {
  %0 = arith.maxnumf %tf, %tf : tensor<2x?xf32>
  return
}
// -----
func.func @f(%f: f32, %g: f32) {
  %0 = arith.maxnumf %f, %g fastmath<nnan,ninf> {a} : f32
  return
}
// -----
func.func @f(%f: f32) {
  %0 = arith.minnumf %f, %f : f32
  return
}
// -----
func.func @f(%vf: vector<4xf32>) {
  %0 = arith.minnumf %vf, %vf : vector<4xf32>
  return
}
// -----
func.func @f(%tf: tensor<2x?xf32>) {
  %0 = arith.minnumf %tf, %tf : tensor<2x?xf32>
  return
}
// -----
func.func @f(%f: f32, %g: f32) {
  %0 = arith.minnumf %f, %g fastmath<nnan,ninf> {a} : f32
  return
}
// -----
func.func @f(%f: f32) {
  %0 = arith.negf %f : f32
  return
}
// -----
func.func @f(%vf: vector<4xf32>) {
  %0 = arith.negf %vf fastmath<fast> : vector<4xf32>
  return
}
// -----
func.func @f(%tf: tensor<2x?xf32>) {
  %0 = arith.negf %tf : tensor<2x?xf32>
  return
}
// -----
func.func @f(%i: i32) {
  %0 = arith.extsi %i : i32 to i64
  return
}
// -----
func.func @f(%vi: vector<4xi32>) {
  %0 = arith.extsi %vi : vector<4xi32> to vector<4xi64>
  return
}
// -----
func.func @f(%ti: tensor<2x?xi32>) {
  %0 = arith.extsi %ti : tensor<2x?xi32> to tensor<2x?xi64>
  return
}
// -----
func.func @f(%b: i1) {
  %0 = arith.extui %b : i1 to i64
  return
}
// -----
func.func @f(%vi: vector<4xi32>) {
  %0 = arith.extui %vi : vector<4xi32> to vector<4xi64>
  return
}
// -----
func.func @f(%ti: tensor<2x?xi32>) {
  %0 = arith.extui %ti : tensor<2x?xi32> to tensor<2x?xi64>
  return
}
// -----
func.func @f(%l: i64) {
  %0 = arith.trunci %l : i64 to i32
  return
}
// -----
func.func @f(%vl: vector<4xi64>) {
  %0 = arith.trunci %vl : vector<4xi64> to vector<4xi32>
  return
}
// -----
func.func @f(%tl: tensor<2x?xi64>) {
  %0 = arith.trunci %tl : tensor<2x?xi64> to tensor<2x?xi32>
  return
}
// -----
func.func @f(%f: f32) {
  %0 = arith.extf %f : f32 to f64
  return
}
// -----
func.func @f(%vf: vector<4xf32>) {
  %0 = arith.extf %vf : vector<4xf32> to vector<4xf64>
  return
}
// -----
func.func @f(%tf: tensor<2x?xf32>) {
  %0 = arith.extf %tf : tensor<2x?xf32> to tensor<2x?xf64>
  return
}
// -----
func.func @f(%d: f64) {
  %0 = arith.truncf %d : f64 to f32
  return
}
// -----
func.func @f(%vd: vector<4xf64>) {
  %0 = arith.truncf %vd : vector<4xf64> to vector<4xf32>
  return
}
// -----
func.func @f(%td: tensor<2x?xf64>) {
  %0 = arith.truncf %td : tensor<2x?xf64> to tensor<2x?xf32>
  return
}
// -----
func.func @f(%i: i32) {
  %0 = arith.sitofp %i : i32 to f32
  return
}
// -----
func.func @f(%vi: vector<4xi32>) {
  %0 = arith.sitofp %vi : vector<4xi32> to vector<4xf32>
  return
}
// -----
func.func @f(%ti: tensor<2x?xi32>) {
  %0 = arith.sitofp %ti : tensor<2x?xi32> to tensor<2x?xf32>
  return
}
// -----
func.func @f(%i: i32) {
  %0 = arith.uitofp %i : i32 to f32
  return
}
// -----
func.func @f(%vi: vector<4xi32>) {
  %0 = arith.uitofp %vi : vector<4xi32> to vector<4xf32>
  return
}
// -----
func.func @f(%ti: tensor<2x?xi32>) {
  %0 = arith.uitofp %ti : tensor<2x?xi32> to tensor<2x?xf32>
  return
}
// -----
func.func @f(%f: f32) {
  %0 = arith.fptosi %f : f32 to i32
  return
}
// -----
func.func @f(%vf: vector<4xf32>) {
  %0 = arith.fptosi %vf : vector<4xf32> to vector<4xi32>
  return
}
// -----
func.func @f(%tf: tensor<2x?xf32>) {
  %0 = arith.fptosi %tf : tensor<2x?xf32> to tensor<2x?xi32>
  return
}
// -----
func.func @f(%f: f32) {
  %0 = arith.fptoui %f : f32 to i32
  return
}
// -----
func.func @f(%vf: vector<4xf32>) {
  %0 = arith.fptoui %vf : vector<4xf32> to vector<4xi32>
  return
}
// -----
func.func @f(%tf: tensor<2x?xf32>) {
  %0 = arith.fptoui %tf : tensor<2x?xf32> to tensor<2x?xi32>
  return
}
// -----
func.func @f(%i: i32) {
  %0 = arith.index_cast %i : i32 to index
  return
}
// -----
func.func @f(%n: index) {
  %0 = arith.index_cast %n : index to i64
  return
}
// -----
func.func @f(%vi: vector<4xi32>) {
  %0 = arith.index_cast %vi : vector<4xi32> to vector<4xindex>
  return
}
// -----
func.func @f(%ti: tensor<2x?xi32>) {
  %0 = arith.index_cast %ti : tensor<2x?xi32> to tensor<2x?xindex>
  return
}
// -----
func.func @f(%i: i32) {
  %0 = arith.index_castui %i : i32 to index
  return
}
// -----
func.func @f(%n: index) {
  %0 = arith.index_castui %n : index to i64
  return
}
// -----
func.func @f(%vi: vector<4xi32>) {
  %0 = arith.index_castui %vi : vector<4xi32> to vector<4xindex>
  return
}
// -----
func.func @f(%ti: tensor<2x?xi32>) {
  %0 = arith.index_castui %ti : tensor<2x?xi32> to tensor<2x?xindex>
  return
}
// -----
func.func @f(%i: i32) {
  %0 = arith.bitcast %i : i32 to f32
  return
}
// -----
func.func @f(%vi: vector<4xi32>) {
  %0 = arith.bitcast %vi : vector<4xi32> to vector<4xf32>
  return
}
// -----
func.func @f(%ti: tensor<2x?xi32>) {
  %0 = arith.bitcast %ti : tensor<2x?xi32> to tensor<2x?xf32>
  return
}
// -----
func.func @f(%l: i64) {
  %0 = arith.trunci %l overflow<nsw> : i64 to i32
  return
}
// -----
func.func @f(%l: i64) {
  %0 = arith.trunci %l overflow<nsw, nuw> {a} : i64 to i32
  return
}
// -----
func.func @f(%d: f64) {
  %0 = arith.truncf %d to_nearest_even : f64 to f32
  return
}
// -----
func.func @f(%d: f64) {
  %0 = arith.truncf %d toward_zero fastmath<fast> : f64 to f32
  return
}
// -----
func.func @f(%f: f32) {
  %0 = arith.extf %f fastmath<fast> : f32 to f64
  return
}
// -----
func.func @f(%s8: f8E5M2, %sc: f8E8M0FNU) {
  %0 = arith.scaling_extf %s8, %sc : f8E5M2, f8E8M0FNU to f32
  return
}
// -----
func.func @f(%f: f32, %sc: f8E8M0FNU) {
  %0 = arith.scaling_truncf %f, %sc : f32, f8E8M0FNU to f8E5M2
  return
}
// -----
func.func @f(%i: i32, %j: i32) {
  %0 = arith.cmpi eq, %i, %j : i32
  return
}
// -----
func.func @f(%i: i32, %j: i32) {
  %0 = arith.cmpi ne, %i, %j : i32
  return
}
// -----
func.func @f(%i: i32, %j: i32) {
  %0 = arith.cmpi slt, %i, %j : i32
  return
}
// -----
func.func @f(%i: i32, %j: i32) {
  %0 = arith.cmpi sle, %i, %j : i32
  return
}
// -----
func.func @f(%i: i32, %j: i32) {
  %0 = arith.cmpi sgt, %i, %j : i32
  return
}
// -----
func.func @f(%i: i32, %j: i32) {
  %0 = arith.cmpi sge, %i, %j : i32
  return
}
// -----
func.func @f(%i: i32, %j: i32) {
  %0 = arith.cmpi ult, %i, %j : i32
  return
}
// -----
func.func @f(%i: i32, %j: i32) {
  %0 = arith.cmpi ule, %i, %j : i32
  return
}
// -----
func.func @f(%i: i32, %j: i32) {
  %0 = arith.cmpi ugt, %i, %j : i32
  return
}
// -----
func.func @f(%i: i32, %j: i32) {
  %0 = arith.cmpi uge, %i, %j : i32
  return
}
// -----
func.func @f(%n: index, %m: index) {
  %0 = arith.cmpi slt, %n, %m : index
  return
}
// -----
func.func @f(%vi: vector<4xi32>) {
  %0 = arith.cmpi slt, %vi, %vi : vector<4xi32>
  return
}
// -----
func.func @f(%ti: tensor<2x?xi32>) {
  %0 = arith.cmpi eq, %ti, %ti {a} : tensor<2x?xi32>
  return
}
// -----
func.func @f(%f: f32, %g: f32) {
  %0 = arith.cmpf false, %f, %g : f32
  return
}
// -----
func.func @f(%f: f32, %g: f32) {
  %0 = arith.cmpf oeq, %f, %g : f32
  return
}
// -----
func.func @f(%f: f32, %g: f32) {
  %0 = arith.cmpf ogt, %f, %g : f32
  return
}
// -----
func.func @f(%f: f32, %g: f32) {
  %0 = arith.cmpf oge, %f, %g : f32
  return
}
// -----
func.func @f(%f: f32, %g: f32) {
  %0 = arith.cmpf olt, %f, %g : f32
  return
}
// -----
func.func @f(%f: f32, %g: f32) {
  %0 = arith.cmpf ole, %f, %g : f32
  return
}
// -----
func.func @f(%f: f32, %g: f32) {
  %0 = arith.cmpf one, %f, %g : f32
  return
}
// -----
func.func @f(%f: f32, %g: f32) {
  %0 = arith.cmpf ord, %f, %g : f32
  return
}
// -----
func.func @f(%f: f32, %g: f32) {
  %0 = arith.cmpf ueq, %f, %g : f32
  return
}
// -----
func.func @f(%f: f32, %g: f32) {
  %0 = arith.cmpf ugt, %f, %g : f32
  return
}
// -----
func.func @f(%f: f32, %g: f32) {
  %0 = arith.cmpf uge, %f, %g : f32
  return
}
// -----
func.func @f(%f: f32, %g: f32) {
  %0 = arith.cmpf ult, %f, %g : f32
  return
}
// -----
func.func @f(%f: f32, %g: f32) {
  %0 = arith.cmpf ule, %f, %g : f32
  return
}
// -----
func.func @f(%f: f32, %g: f32) {
  %0 = arith.cmpf une, %f, %g : f32
  return
}
// -----
func.func @f(%f: f32, %g: f32) {
  %0 = arith.cmpf uno, %f, %g : f32
  return
}
// -----
func.func @f(%f: f32, %g: f32) {
  %0 = arith.cmpf true, %f, %g : f32
  return
}
// -----
func.func @f(%f: f32, %g: f32) {
  %0 = arith.cmpf olt, %f, %g fastmath<fast> : f32
  return
}
// -----
func.func @f(%vf: vector<4xf32>) {
  %0 = arith.cmpf olt, %vf, %vf : vector<4xf32>
  return
}
// -----
func.func @f(%tf: tensor<2x?xf32>) {
  %0 = arith.cmpf olt, %tf, %tf {a} : tensor<2x?xf32>
  return
}
// -----
func.func @f(%i: i32, %j: i32, %b: i1) {
  %0 = arith.select %b, %i, %j : i32
  return
}
// -----
func.func @f(%b: i1, %tf: tensor<2x?xf32>) {
  %0 = arith.select %b, %tf, %tf : tensor<2x?xf32>
  return
}
// -----
func.func @f(%vb: vector<4xi1>, %vf: vector<4xf32>) {
  %0 = arith.select %vb, %vf, %vf : vector<4xi1>, vector<4xf32>
  return
}
// -----
func.func @f(%tb: tensor<2x?xi1>, %tf: tensor<2x?xf32>) {
  %0 = arith.select %tb, %tf, %tf : tensor<2x?xi1>, tensor<2x?xf32>
  return
}
// -----
func.func @f(%i: i32, %j: i32, %b: i1) {
  %0 = arith.select %b, %i, %j {a} : i32
  return
}
// -----
func.func @f(%i: i32, %j: i32) {
  %0:2 = arith.addui_extended %i, %j : i32, i1
  return
}
// -----
func.func @f(%vi: vector<4xi32>) {
  %0:2 = arith.addui_extended %vi, %vi : vector<4xi32>, vector<4xi1>
  return
}
// -----
func.func @f(%i: i32, %j: i32) {
  %0:2 = arith.mulsi_extended %i, %j : i32
  return
}
// -----
func.func @f(%vi: vector<4xi32>) {
  %0:2 = arith.mului_extended %vi, %vi : vector<4xi32>
  return
}
// -----
func.func @f() {
  %0 = arith.constant 3 : i32
  return
}
// -----
func.func @f() {
  %0 = arith.constant true
  return
}
// -----
func.func @f() {
  %0 = arith.constant 1.5 : f32
  return
}
// -----
func.func @f() {
  %0 = arith.constant -7 : index
  return
}
// -----
func.func @f() {
  %0 = arith.constant dense<1> : vector<4xi32>
  return
}
// -----
func.func @f() {
  %0 = arith.constant dense<[[1.0, 2.0]]> : tensor<1x2xf32>
  return
}
// -----
func.func @f() {
  %0 = arith.constant {a} 3 : i32
  return
}
// -----
func.func @f() {
  %0 = arith.constant 0x7F800000 : f32
  return
}
