func.func @f(%n: index, %f: f32) {
  %0 = scf.for %k = %n to %n step %n iter_args(%a = %f) -> f32 {
    scf.yield %a : f32
  }
  return
}
// -----
func.func @f(%n: index, %f: f32, %t: tensor<4xf32>) {
  %0:2 = scf.for %k = %n to %n step %n iter_args(%a = %f, %b = %t) -> (f32, tensor<4xf32>) {
    scf.yield %a, %b : f32, tensor<4xf32>
  } {my = 1}
  return
}
// -----
func.func @f(%n: index) {
  scf.for %k = %n to %n step %n {
  }
  return
}
// -----
func.func @f(%i: i32) {
  scf.for %k = %i to %i step %i : i32 {
    "test.op"(%k) : (i32) -> ()
  }
  return
}
// -----
func.func @f(%f: f32, %i: i32) {
  %0 = scf.for %k = %i to %i step %i iter_args(%a = %f) -> (f32) : i32 {
    scf.yield %a : f32
  }
  return
}
// -----
func.func @f(%c: i1) {
  scf.if %c {
    "test.op"() : () -> ()
  }
  return
}
// -----
func.func @f(%c: i1) {
  scf.if %c {
  } else {
    "test.op"() : () -> ()
  }
  return
}
// -----
func.func @f(%f: f32, %c: i1) {
  %0 = scf.if %c -> f32 {
    scf.yield %f : f32
  } else {
    scf.yield %f : f32
  }
  return
}
// -----
func.func @f(%f: f32, %c: i1) {
  %0:2 = scf.if %c -> (f32, f32) {
    scf.yield %f, %f : f32, f32
  } else {
    scf.yield %f, %f : f32, f32
  } {my = 1}
  return
}
// -----
func.func @f(%f: f32, %c: i1) {
  %0 = scf.while (%a = %f) : (f32) -> f32 {
    scf.condition(%c) %a : f32
  } do {
  ^bb0(%b: f32):
    scf.yield %b : f32
  }
  return
}
// -----
func.func @f(%c: i1) {
  scf.while : () -> () {
    scf.condition(%c)
  } do {
    scf.yield
  }
  return
}
// -----
func.func @f(%f: f32, %c: i1, %i: i32) {
  %0 = scf.while (%a = %f) : (f32) -> i32 {
    scf.condition(%c) %i : i32
  } do {
  ^bb0(%b: i32):
    scf.yield %f : f32
  } attributes {my = 1}
  return
}
// -----
func.func @f(%f: f32) {
  %0 = scf.execute_region -> f32 {
    scf.yield %f : f32
  }
  return
}
// -----
func.func @f(%n: index, %f: f32) {
  %0 = scf.index_switch %n -> f32
  case 2 {
    scf.yield %f : f32
  }
  default {
    scf.yield %f : f32
  }
  return
}
// -----
func.func @f(%t: tensor<4xf32>) {
  %0 = scf.forall (%k) in (4) shared_outs(%o = %t) -> tensor<4xf32> {
    %s = tensor.extract_slice %t[%k] [1] [1] : tensor<4xf32> to tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[%k] [1] [1] : tensor<1xf32> into tensor<4xf32>
    }
  }
  return
}
// -----
func.func @f(%n: index) {
  scf.forall (%k, %l) = (0, %n) to (%n, 4) step (1, 2) {
    "test.op"(%k) : (index) -> ()
  }
  return
}
// -----
func.func @f(%n: index, %f: f32) {
  scf.execute_region {
    scf.yield
  }
  return
}
// -----
func.func @f(%n: index, %f: f32) {
  scf.execute_region {
    "test.op"() : () -> ()
    scf.yield
  } {a = 1}
  return
}
// -----
func.func @f(%n: index, %f: f32) {
  %0:2 = scf.execute_region -> (f32, index) {
    cf.br ^bb1
  ^bb1:
    scf.yield %f, %n : f32, index
  } {a = 1}
  return
}
// -----
func.func @f(%n: index, %f: f32) {
  scf.parallel (%i, %j) = (%n, %n) to (%n, %n) step (%n, %n) {
    "test.op"(%i) : (index) -> ()
  }
  return
}
// -----
func.func @f(%n: index, %f: f32) {
  %r = scf.parallel (%i) = (%n) to (%n) step (%n) init (%f) -> f32 {
    scf.reduce(%f : f32) {
    ^bb0(%a: f32, %b: f32):
      scf.reduce.return %a : f32
    }
  } {a = 1}
  return
}
// -----
func.func @reduce(%lb: index, %ub: index, %s: index, %i: f32, %j: i32) -> (f32, i32) {
  %r:2 = scf.parallel (%iv) = (%lb) to (%ub) step (%s) init (%i, %j) -> (f32, i32) {
    scf.reduce(%i, %j : f32, i32) {
    ^bb0(%a: f32, %b: f32):
      %x = arith.addf %a, %b : f32
      scf.reduce.return %x : f32
    }, {
    ^bb0(%a: i32, %b: i32):
      %x = arith.addi %a, %b : i32
      scf.reduce.return %x : i32
    }
  }
  return %r#0, %r#1 : f32, i32
}
// -----
func.func @f(%lb: index, %ub: index, %s: index) {
  scf.parallel (%i, %j) = (%lb, %lb) to (%ub, %ub) step (%s, %s) {
    "test.op"(%i) : (index) -> ()
    scf.reduce
  }
  return
}
