"""Small programs of the kinds whose costs follow from the decisions, and of those where not."""

from collections.abc import Mapping

PROGRAMS: Mapping[str, str] = {
    "a buffer that memref ops fill, between ops on tensors": """
    func.func @step(%a: tensor<2x8xf32>, %f: f32) -> tensor<2x8xf32> {
      %m = bufferization.to_buffer %a read_only : tensor<2x8xf32> to memref<2x8xf32>
      %n = memref.alloc() : memref<2x8xf32>
      affine.for %i = 0 to 2 {
        affine.for %j = 0 to 8 {
          %x = memref.load %m[%i, %j] : memref<2x8xf32>
          %y = arith.addf %x, %f : f32
          memref.store %y, %n[%i, %j] : memref<2x8xf32>
        }
      }
      %t = bufferization.to_tensor %n restrict writable : memref<2x8xf32> to tensor<2x8xf32>
      %e = tensor.empty() : tensor<2x8xf32>
      %r = linalg.add ins(%t, %a : tensor<2x8xf32>, tensor<2x8xf32>)
        outs(%e : tensor<2x8xf32>) -> tensor<2x8xf32>
      func.return %r : tensor<2x8xf32>
    }""",
    "a part that is expanded and merged again, also in a loop": """
    func.func @f(%x: f32, %n: index) -> (tensor<4x8xf32>, tensor<4x8xf32>) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %d = tensor.empty() : tensor<4x8xf32>
      %s = tensor.extract_slice %d[1, 0] [2, 8] [1, 1] : tensor<4x8xf32> to tensor<2x8xf32>
      %e = tensor.expand_shape %s [[0], [1, 2]] output_shape [2, 4, 2]
        : tensor<2x8xf32> into tensor<2x4x2xf32>
      %l = scf.for %i = %c0 to %n step %c1 iter_args(%a = %e) -> (tensor<2x4x2xf32>) {
        %g = linalg.fill ins(%x : f32) outs(%a : tensor<2x4x2xf32>) -> tensor<2x4x2xf32>
        scf.yield %g : tensor<2x4x2xf32>
      }
      %c = tensor.collapse_shape %l [[0], [1, 2]] : tensor<2x4x2xf32> into tensor<2x8xf32>
      %r = tensor.insert_slice %c into %d[1, 0] [2, 8] [1, 1]
        : tensor<2x8xf32> into tensor<4x8xf32>
      %f = tensor.empty() : tensor<4x8xf32>
      %t = tensor.insert_slice %c into %f[0, 0] [2, 8] [1, 1]
        : tensor<2x8xf32> into tensor<4x8xf32>
      func.return %r, %t : tensor<4x8xf32>, tensor<4x8xf32>
    }""",
    "a conditional that yields the part into which its result is inserted": """
    func.func @f(%c: i1, %t: tensor<16xf32>, %x: f32, %z: index) -> tensor<16xf32> {
      %r = scf.if %c -> (tensor<4xf32>) {
        %s = tensor.extract_slice %t[4] [4] [1] : tensor<16xf32> to tensor<4xf32>
        scf.yield %s : tensor<4xf32>
      } else {
        %s = tensor.extract_slice %t[4] [4] [1] : tensor<16xf32> to tensor<4xf32>
        %y = linalg.fill ins(%x : f32) outs(%s : tensor<4xf32>) -> tensor<4xf32>
        scf.yield %y : tensor<4xf32>
      }
      %u = tensor.insert_slice %r into %t[4] [4] [1] : tensor<4xf32> into tensor<16xf32>
      %v = scf.if %c -> (tensor<16xf32>) {
        %w = tensor.insert %x into %u[%z] : tensor<16xf32>
        scf.yield %w : tensor<16xf32>
      } else {
        scf.yield %u : tensor<16xf32>
      }
      %q = tensor.insert_slice %v into %u[0] [16] [1] : tensor<16xf32> into tensor<16xf32>
      func.return %q : tensor<16xf32>
    }
    func.func @parts_of_two(%c: i1, %t: tensor<16xf32>, %x: f32) -> tensor<16xf32> {
      %r = scf.if %c -> (tensor<4xf32>) {
        %s = tensor.extract_slice %t[8] [4] [1] : tensor<16xf32> to tensor<4xf32>
        scf.yield %s : tensor<4xf32>
      } else {
        %s = tensor.extract_slice %t[4] [4] [1] : tensor<16xf32> to tensor<4xf32>
        scf.yield %s : tensor<4xf32>
      }
      %u = tensor.insert_slice %r into %t[4] [4] [1] : tensor<4xf32> into tensor<16xf32>
      func.return %u : tensor<16xf32>
    }
    func.func @to_memref(%c: i1, %x: f32, %m: memref<16xf32>) {
      %t = bufferization.to_tensor %m restrict writable : memref<16xf32> to tensor<16xf32>
      %v = scf.if %c -> (tensor<16xf32>) {
        %w = linalg.fill ins(%x : f32) outs(%t : tensor<16xf32>) -> tensor<16xf32>
        scf.yield %w : tensor<16xf32>
      } else {
        scf.yield %t : tensor<16xf32>
      }
      bufferization.materialize_in_destination %v in writable %m
        : (tensor<16xf32>, memref<16xf32>) -> ()
      func.return
    }""",
    "an argument with a layout, which a reader on memrefs needs": """
    func.func @f(%a: tensor<16xf32> {bufferization.buffer_layout = affine_map<(i) -> (i)>},
                 %i: index) -> f32 {
      %m = bufferization.to_buffer %a read_only : tensor<16xf32> to memref<16xf32>
      %x = memref.load %m[%i] : memref<16xf32>
      func.return %x : f32
    }""",
    "an argument without one, which is copied": """
    func.func @f(%a: tensor<16xf32>, %i: index) -> f32 {
      %m = bufferization.to_buffer %a read_only : tensor<16xf32> to memref<16xf32>
      %x = memref.load %m[%i] : memref<16xf32>
      func.return %x : f32
    }""",
    "a call of a function with a layout": """
    func.func private @callee(
      %a: tensor<4x8xf32> {bufferization.buffer_layout = strided<[8, 1]>}, %i: index) -> f32 {
      %x = tensor.extract %a[%i, %i] : tensor<4x8xf32>
      func.return %x : f32
    }
    func.func @caller(%i: index) -> f32 {
      %e = tensor.empty() : tensor<4x8xf32>
      %f = arith.constant 1.0 : f32
      %t = linalg.fill ins(%f : f32) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
      %x = func.call @callee(%t, %i) : (tensor<4x8xf32>, index) -> f32
      func.return %x : f32
    }""",
    "a result of a call whose layout matters": """
    func.func private @slice(%a: tensor<8x8xf32>) -> tensor<4x4xf32> {
      %s = tensor.extract_slice %a[0, 0] [4, 4] [1, 1] : tensor<8x8xf32> to tensor<4x4xf32>
      func.return %s : tensor<4x4xf32>
    }
    func.func private @whole(%f: f32) -> tensor<4x4xf32> {
      %t = tensor.splat %f : tensor<4x4xf32>
      func.return %t : tensor<4x4xf32>
    }
    func.func @f(%a: tensor<8x8xf32>, %f: f32, %i: index) -> (f32, f32) {
      %s = func.call @slice(%a) : (tensor<8x8xf32>) -> tensor<4x4xf32>
      %c = tensor.collapse_shape %s [[0, 1]] : tensor<4x4xf32> into tensor<16xf32>
      %x = tensor.extract %c[%i] : tensor<16xf32>
      %w = func.call @whole(%f) : (f32) -> tensor<4x4xf32>
      %d = tensor.collapse_shape %w [[0, 1]] : tensor<4x4xf32> into tensor<16xf32>
      %y = tensor.extract %d[%i] : tensor<16xf32>
      func.return %x, %y : f32, f32
    }""",
    "a result of a recursive function, and of one without a body": """
    func.func private @other(tensor<4x4xf32>) -> tensor<4x4xf32>
    func.func private @again(%a: tensor<4x4xf32>, %n: index) -> tensor<4x4xf32> {
      %r = func.call @again(%a, %n) : (tensor<4x4xf32>, index) -> tensor<4x4xf32>
      func.return %r : tensor<4x4xf32>
    }
    func.func @f(%a: tensor<4x4xf32>, %i: index) -> (f32, f32) {
      %s = func.call @again(%a, %i) : (tensor<4x4xf32>, index) -> tensor<4x4xf32>
      %c = tensor.collapse_shape %s [[0, 1]] : tensor<4x4xf32> into tensor<16xf32>
      %x = tensor.extract %c[%i] : tensor<16xf32>
      %t = func.call @other(%a) : (tensor<4x4xf32>) -> tensor<4x4xf32>
      %d = tensor.collapse_shape %t [[0, 1]] : tensor<4x4xf32> into tensor<16xf32>
      %y = tensor.extract %d[%i] : tensor<16xf32>
      func.return %x, %y : f32, f32
    }""",
    "functions on memrefs that free and clone": """
    func.func @frees(%c: i1, %f: f32) {
      %m = memref.alloc() : memref<64xf32>
      %n = bufferization.clone %m : memref<64xf32> to memref<64xf32>
      linalg.fill ins(%f : f32) outs(%n : memref<64xf32>)
      memref.dealloc %m : memref<64xf32>
      memref.dealloc %n : memref<64xf32>
      func.return
    }
    func.func @f(%f: f32, %i: index) -> f32 {
      %t = tensor.splat %f : tensor<16xf32>
      %x = tensor.extract %t[%i] : tensor<16xf32>
      func.return %x : f32
    }""",
    "ops with regions on memrefs, on one of two ways": """
    func.func @f(%c: i1, %d: i1, %f: f32) {
      %o = memref.alloc() : memref<2xf32>
      cf.cond_br %c, ^bb1, ^bb3
    ^bb1:
      %m = memref.alloc() : memref<2xf32>
      cf.cond_br %d, ^bb2, ^bb3
    ^bb2:
      linalg.fill ins(%f : f32) outs(%m : memref<2xf32>)
      linalg.copy ins(%m : memref<2xf32>) outs(%o : memref<2xf32>)
      cf.br ^bb3
    ^bb3:
      func.return
    }""",
    "memory in another memory space, beside tensors": """
    func.func @f(%a: tensor<4xf32>, %i: index) -> f32 {
      %x = tensor.extract %a[%i] : tensor<4xf32>
      %m = memref.alloc() : memref<32xf32, 3>
      memref.store %x, %m[%i] : memref<32xf32, 3>
      %t = tensor.splat %x : tensor<8xf32>
      %y = memref.load %m[%i] : memref<32xf32, 3>
      %u = tensor.insert %y into %t[%i] : tensor<8xf32>
      %z = tensor.extract %u[%i] : tensor<8xf32>
      func.return %z : f32
    }""",
    "a scan that updates its state, and a slice of what it collects": """
    func.func @scan(%xs: tensor<8x4xf32>, %n: index) -> (tensor<4xf32>, tensor<8x4xf32>) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %zero = arith.constant dense<0.0> : tensor<4xf32>
      %ys = arith.constant dense<0.0> : tensor<8x4xf32>
      %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero, %y = %ys)
          -> (tensor<4xf32>, tensor<8x4xf32>) {
        %x = tensor.extract_slice %xs[%i, 0] [1, 4] [1, 1] : tensor<8x4xf32> to tensor<4xf32>
        %e = tensor.empty() : tensor<4xf32>
        %t = linalg.add ins(%s, %x : tensor<4xf32>, tensor<4xf32>)
          outs(%e : tensor<4xf32>) -> tensor<4xf32>
        %z = tensor.insert_slice %t into %y[%i, 0] [1, 4] [1, 1]
          : tensor<4xf32> into tensor<8x4xf32>
        scf.yield %t, %z : tensor<4xf32>, tensor<8x4xf32>
      }
      func.return %r#0, %r#1 : tensor<4xf32>, tensor<8x4xf32>
    }""",
    "a while loop that swaps its buffers, and a condition": """
    func.func @swap(%a: tensor<4xf32>, %b: tensor<4xf32>, %n: index, %c: i1)
        -> (tensor<4xf32>, tensor<4xf32>) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %r:3 = scf.while (%i = %c0, %x = %a, %y = %b)
          : (index, tensor<4xf32>, tensor<4xf32>) -> (index, tensor<4xf32>, tensor<4xf32>) {
        %l = arith.cmpi ult, %i, %n : index
        scf.condition(%l) %i, %x, %y : index, tensor<4xf32>, tensor<4xf32>
      } do {
      ^bb0(%i: index, %x: tensor<4xf32>, %y: tensor<4xf32>):
        %z = linalg.add ins(%x, %y : tensor<4xf32>, tensor<4xf32>)
          outs(%y : tensor<4xf32>) -> tensor<4xf32>
        %j = arith.addi %i, %c1 : index
        scf.yield %j, %z, %x : index, tensor<4xf32>, tensor<4xf32>
      }
      %s = scf.if %c -> (tensor<4xf32>) {
        %e = tensor.empty() : tensor<4xf32>
        %z = linalg.add ins(%r#1, %r#2 : tensor<4xf32>, tensor<4xf32>)
          outs(%e : tensor<4xf32>) -> tensor<4xf32>
        scf.yield %z : tensor<4xf32>
      } else {
        scf.yield %r#1 : tensor<4xf32>
      }
      func.return %s, %r#2 : tensor<4xf32>, tensor<4xf32>
    }""",
    "one of two layouts, by a condition and by a loop": """
    func.func @f(%a: tensor<8x8xf32>, %f: f32, %c: i1, %n: index) -> (f32, f32) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %s = tensor.extract_slice %a[%n, 0] [4, 4] [1, 1] : tensor<8x8xf32> to tensor<4x4xf32>
      %t = tensor.splat %f : tensor<4x4xf32>
      %i = scf.if %c -> (tensor<4x4xf32>) {
        scf.yield %s : tensor<4x4xf32>
      } else {
        scf.yield %t : tensor<4x4xf32>
      }
      %d = tensor.collapse_shape %i [[0, 1]] : tensor<4x4xf32> into tensor<16xf32>
      %x = tensor.extract %d[%n] : tensor<16xf32>
      %b = tensor.splat %f : tensor<4x4xf32>
      %l:2 = scf.for %k = %c0 to %n step %c1 iter_args(%u = %s, %v = %b)
          -> (tensor<4x4xf32>, tensor<4x4xf32>) {
        %e = tensor.collapse_shape %v [[0, 1]] : tensor<4x4xf32> into tensor<16xf32>
        %y = tensor.extract %e[%k] : tensor<16xf32>
        %w = tensor.insert %y into %u[%k, %k] : tensor<4x4xf32>
        scf.yield %v, %w : tensor<4x4xf32>, tensor<4x4xf32>
      }
      %e = tensor.collapse_shape %l#0 [[0, 1]] : tensor<4x4xf32> into tensor<16xf32>
      %y = tensor.extract %e[%n] : tensor<16xf32>
      func.return %x, %y : f32, f32
    }""",
    "globals that are read, and stored to": """
    ml_program.global private @c(dense<1.0> : tensor<4xf32>) : tensor<4xf32>
    ml_program.global private mutable @m(dense<1.0> : tensor<4xf32>) : tensor<4xf32>
    func.func @f(%a: tensor<4xf32>) {
      %c = ml_program.global_load_const @c : tensor<4xf32>
      %m = ml_program.global_load @m : tensor<4xf32>
      %e = tensor.empty() : tensor<4xf32>
      %s = linalg.add ins(%c, %m : tensor<4xf32>, tensor<4xf32>)
        outs(%e : tensor<4xf32>) -> tensor<4xf32>
      ml_program.global_store @m = %s : tensor<4xf32>
      func.return
    }""",
    "training: padding, slices, reductions, and a parameter that is read later": """
    func.func @train(%w: tensor<6x6xf32>, %x: tensor<4x4xf32>, %f: f32)
        -> (tensor<6x6xf32>, tensor<6xf32>) {
      %p = tensor.pad %x low[1, 1] high[1, 1] {
      ^bb0(%i: index, %j: index):
        tensor.yield %f : f32
      } : tensor<4x4xf32> to tensor<6x6xf32>
      %z = tensor.splat %f : tensor<6x6xf32>
      %g = linalg.matmul ins(%p, %w : tensor<6x6xf32>, tensor<6x6xf32>)
        outs(%z : tensor<6x6xf32>) -> tensor<6x6xf32>
      %u = linalg.sub ins(%w, %g : tensor<6x6xf32>, tensor<6x6xf32>)
        outs(%w : tensor<6x6xf32>) -> tensor<6x6xf32>
      %e = tensor.splat %f : tensor<6xf32>
      %s = linalg.reduce ins(%w : tensor<6x6xf32>) outs(%e : tensor<6xf32>) dimensions = [1]
        (%a: f32, %b: f32) {
          %c = arith.addf %a, %b : f32
          linalg.yield %c : f32
        }
      func.return %u, %s : tensor<6x6xf32>, tensor<6xf32>
    }""",
    "a call that copies to the layout that the callee asks for": """
    func.func private @callee(
      %a: tensor<4x4xf32> {bufferization.buffer_layout = affine_map<(i, j) -> (i, j)>},
      %i: index) -> f32 {
      %x = tensor.extract %a[%i, %i] : tensor<4x4xf32>
      func.return %x : f32
    }
    func.func @caller(%a: tensor<8x8xf32>, %i: index) -> f32 {
      %s = tensor.extract_slice %a[0, 0] [4, 4] [1, 1] : tensor<8x8xf32> to tensor<4x4xf32>
      %x = func.call @callee(%s, %i) : (tensor<4x4xf32>, index) -> f32
      func.return %x : f32
    }""",
    "an op of an unknown dialect": """
    func.func @f(%a: tensor<4xf32>) -> tensor<4xf32> {
      %r = "other.op"(%a) : (tensor<4xf32>) -> tensor<4xf32>
      func.return %r : tensor<4xf32>
    }""",
    "memory that the program frees, beside tensors": """
    func.func @f(%f: f32, %i: index) -> f32 {
      %m = memref.alloc() : memref<16xf32>
      %t = tensor.splat %f : tensor<16xf32>
      %x = tensor.extract %t[%i] : tensor<16xf32>
      memref.store %x, %m[%i] : memref<16xf32>
      memref.dealloc %m : memref<16xf32>
      func.return %x : f32
    }""",
    "a global that is copied": """
    ml_program.global private mutable @m(dense<1.0> : tensor<4xf32>) : tensor<4xf32>
    func.func @f() -> tensor<4xf32> {
      %m = ml_program.global_load @m : tensor<4xf32>
      func.return %m : tensor<4xf32>
    }""",
    "tensors in another memory space": """
    func.func @f(%f: f32, %i: index) -> f32 {
      %t = bufferization.alloc_tensor() {memory_space = 3 : i64} : tensor<16xf32>
      %u = linalg.fill ins(%f : f32) outs(%t : tensor<16xf32>) -> tensor<16xf32>
      %x = tensor.extract %u[%i] : tensor<16xf32>
      func.return %x : f32
    }""",
    "a memref in another memory space that is a tensor": """
    func.func @f(%m: memref<16xf32, 3>, %i: index) -> f32 {
      %t = bufferization.to_tensor %m restrict : memref<16xf32, 3> to tensor<16xf32>
      %x = tensor.extract %t[%i] : tensor<16xf32>
      func.return %x : f32
    }""",
    "a layout that not each buffer can be cast to": """
    func.func @f(%a: tensor<4x4xf32> {bufferization.buffer_layout = affine_map<(i, j) -> (j, i)>},
                 %i: index) -> f32 {
      %x = tensor.extract %a[%i, %i] : tensor<4x4xf32>
      func.return %x : f32
    }""",
    "a copy of a tensor of unknown rank": """
    func.func private @writes(%a: tensor<*xf32>)
    func.func @calls(%t: tensor<4xf32>) {
      %u = tensor.cast %t : tensor<4xf32> to tensor<*xf32>
      func.call @writes(%u) : (tensor<*xf32>) -> ()
      func.call @writes(%u) : (tensor<*xf32>) -> ()
      func.return
    }""",
    "a result that nothing uses, of tensors that are dead where they are yielded": """
    func.func @f(%x: f32, %c: i1) -> tensor<8xf32> {
      %e = tensor.empty() : tensor<4xf32>
      %a = linalg.fill ins(%x : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
      %d = tensor.empty() : tensor<8xf32>
      %b = linalg.fill ins(%x : f32) outs(%d : tensor<8xf32>) -> tensor<8xf32>
      %r = scf.if %c -> (tensor<4xf32>) {
        %n = linalg.exp ins(%a : tensor<4xf32>) outs(%a : tensor<4xf32>) -> tensor<4xf32>
        scf.yield %n : tensor<4xf32>
      } else {
        %l = tensor.empty() : tensor<8xf32>
        %m = linalg.fill ins(%x : f32) outs(%l : tensor<8xf32>) -> tensor<8xf32>
        %y = linalg.exp ins(%m : tensor<8xf32>) outs(%m : tensor<8xf32>) -> tensor<8xf32>
        scf.yield %a : tensor<4xf32>
      }
      func.return %b : tensor<8xf32>
    }""",
}
"""By what they show."""
