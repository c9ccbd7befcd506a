// RUN: xdsl-opt -t bufferization-report %s | filecheck %s
// RUN: xdsl-opt -t 'bufferization-report{eliminate-moves=false function=called}' %s | filecheck %s --check-prefix OFF
// RUN: xdsl-opt -t 'bufferization-report{format=html function=called}' %s | filecheck %s --check-prefix HTML
// RUN: xdsl-opt -t 'bufferization-report{format=remarks}' %s | filecheck %s --check-prefix REMARKS

// Each move that is left has the reason why its readers do not read its source, and what to do.

#id = affine_map<(d0, d1) -> (d0, d1)>
func.func private @use(tensor<4x4xf32>) -> f32

// CHECK-LABEL: @returned
// CHECK:         move to %t (line {{[0-9]+}}), 128 bytes: func.return (line {{[0-9]+}}) returns it
// CHECK:         help: If callers can read %x in its own order, return that.
func.func @returned(%x: tensor<4x8xf32>) -> tensor<8x4xf32> {
  %e = tensor.empty() : tensor<8x4xf32>
  %t = linalg.transpose ins(%x : tensor<4x8xf32>) outs(%e : tensor<8x4xf32>) permutation = [1, 0]
  return %t : tensor<8x4xf32>
}

// CHECK-LABEL: @called
// CHECK:         move to %t {{.*}}: func.call (line {{[0-9]+}}) gives it to a function
// CHECK:         help: Let the function take %x, or inline it.
// OFF:           move to %t {{.*}}: the options leave eliminate-moves out
// OFF:           help: Let bufferize run eliminate-moves
// HTML:          <h4>Move to <code>%t</code>
// HTML:          <strong>Why:</strong> func.call (line {{[0-9]+}}) gives it to a function.
// HTML:          <strong>Help:</strong> Let the function take %x, or inline it.
func.func @called(%x: tensor<4x4xf32>) -> f32 {
  %e = tensor.empty() : tensor<4x4xf32>
  %t = linalg.transpose ins(%x : tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) permutation = [1, 0]
  %r = call @use(%t) : (tensor<4x4xf32>) -> f32
  return %r : f32
}

// CHECK-LABEL: @carried
// CHECK:         move to %t {{.*}}: scf.for (line {{[0-9]+}}) takes it into its regions
// CHECK:         help: Give it %x, and move the elements where they are read.
func.func @carried(%x: tensor<4x4xf32>, %l: index, %h: index, %s: index) -> tensor<4x4xf32> {
  %e = tensor.empty() : tensor<4x4xf32>
  %t = linalg.transpose ins(%x : tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) permutation = [1, 0]
  %r = scf.for %i = %l to %h step %s iter_args(%y = %t) -> (tensor<4x4xf32>) {
    %u = linalg.exp ins(%y : tensor<4x4xf32>) outs(%y : tensor<4x4xf32>) -> tensor<4x4xf32>
    scf.yield %u : tensor<4x4xf32>
  }
  return %r : tensor<4x4xf32>
}

// CHECK-LABEL: @yielded
// CHECK:         move to %t {{.*}}: scf.yield (line {{[0-9]+}}) hands it on
// CHECK:         help: Hand on %x, and move the elements where they are read.
func.func @yielded(%x: tensor<4x4xf32>, %a: tensor<4x4xf32>, %c: i1) -> tensor<4x4xf32> {
  %e = tensor.empty() : tensor<4x4xf32>
  %r = scf.if %c -> (tensor<4x4xf32>) {
    %t = linalg.transpose ins(%x : tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) permutation = [1, 0]
    scf.yield %t : tensor<4x4xf32>
  } else {
    scf.yield %a : tensor<4x4xf32>
  }
  return %r : tensor<4x4xf32>
}

// CHECK-LABEL: @no_maps
// CHECK:         move to %t {{.*}}: linalg.vecmat (line {{[0-9]+}}) has no indexing maps by which it could read
// CHECK:         help: Write linalg.vecmat as a linalg.generic, if it can be one.
// CHECK:         move to %u {{.*}}: tensor.pad (line {{[0-9]+}}) has no indexing maps by which it could read
func.func @no_maps(%x: tensor<4x8xf32>, %v: tensor<8xf32>, %w: tensor<4xf32>, %f: f32) -> (tensor<4xf32>, tensor<9x5xf32>) {
  %e = tensor.empty() : tensor<8x4xf32>
  %t = linalg.transpose ins(%x : tensor<4x8xf32>) outs(%e : tensor<8x4xf32>) permutation = [1, 0]
  %r = linalg.vecmat ins(%v, %t : tensor<8xf32>, tensor<8x4xf32>) outs(%w : tensor<4xf32>) -> tensor<4xf32>
  %g = tensor.empty() : tensor<8x4xf32>
  %u = linalg.transpose ins(%x : tensor<4x8xf32>) outs(%g : tensor<8x4xf32>) permutation = [1, 0]
  %p = tensor.pad %u low[1, 1] high[0, 0] { ^bb0(%i: index, %j: index): tensor.yield %f : f32 } : tensor<8x4xf32> to tensor<9x5xf32>
  return %r, %p : tensor<4xf32>, tensor<9x5xf32>
}

// CHECK-LABEL: @inserted
// CHECK:         move to %t {{.*}}: tensor.insert_slice (line {{[0-9]+}}) puts it into another tensor
func.func @inserted(%x: tensor<4x8xf32>, %y: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %e = tensor.empty() : tensor<8x4xf32>
  %t = linalg.transpose ins(%x : tensor<4x8xf32>) outs(%e : tensor<8x4xf32>) permutation = [1, 0]
  %r = tensor.insert_slice %t into %y[0, 4] [8, 4] [1, 1] : tensor<8x4xf32> into tensor<8x8xf32>
  return %r : tensor<8x8xf32>
}

// CHECK-LABEL: @written
// CHECK:         move to %t {{.*}}: linalg.matmul (line {{[0-9]+}}) starts from it, and writes it: whatever
// CHECK-NEXT:    fills its destination writes as many bytes
func.func @written(%x: tensor<4x4xf32>, %a: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %e = tensor.empty() : tensor<4x4xf32>
  %t = linalg.transpose ins(%x : tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) permutation = [1, 0]
  %r = linalg.matmul ins(%a, %a : tensor<4x4xf32>, tensor<4x4xf32>) outs(%t : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %r : tensor<4x4xf32>
}

// CHECK-LABEL: @destination
// CHECK:         move to %t {{.*}}: its destination %d is not a tensor.empty, so the elements are moved
// CHECK:         help: If they need not be there, give it a tensor.empty as destination.
func.func @destination(%x: tensor<4x4xf32>, %d: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %t = linalg.transpose ins(%x : tensor<4x4xf32>) outs(%d : tensor<4x4xf32>) permutation = [1, 0]
  %r = linalg.exp ins(%t : tensor<4x4xf32>) outs(%t : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %r : tensor<4x4xf32>
}

// CHECK-LABEL: @overwritten
// CHECK:         move to %t {{.*}}: the memory of %w may be overwritten, by tensor.insert (line
// CHECK:         help: Write the ops that read the result before tensor.insert
func.func @overwritten(%w: tensor<4x4xf32> {bufferize.aliasing_result = 0 : i64}, %s: f32) -> (tensor<4x4xf32>, tensor<4x4xf32>) {
  %i = arith.constant 0 : index
  %e = tensor.empty() : tensor<4x4xf32>
  %f = tensor.empty() : tensor<4x4xf32>
  %t = linalg.transpose ins(%w : tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) permutation = [1, 0]
  %u = tensor.insert %s into %w[%i, %i] : tensor<4x4xf32>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%t : tensor<4x4xf32>) outs(%f : tensor<4x4xf32>) {
  ^bb0(%a: f32, %o: f32):
    %m = arith.mulf %a, %a : f32
    linalg.yield %m : f32
  } -> tensor<4x4xf32>
  return %u, %r : tensor<4x4xf32>, tensor<4x4xf32>
}

// CHECK-LABEL: @longer
// CHECK:         move to %t {{.*}}: the memory of %z would have to live longer, and is 192
func.func @longer(%f: f32, %n: index) -> tensor<4x4xf32> {
  %e = tensor.empty() : tensor<64xf32>
  %x = linalg.fill ins(%f : f32) outs(%e : tensor<64xf32>) -> tensor<64xf32>
  %y = tensor.insert %f into %x[%n] : tensor<64xf32>
  %z = tensor.extract_slice %y[8] [4] [1] : tensor<64xf32> to tensor<4xf32>
  %g = tensor.empty() : tensor<4x4xf32>
  %h = tensor.empty() : tensor<4x4xf32>
  %t = linalg.broadcast ins(%z : tensor<4xf32>) outs(%g : tensor<4x4xf32>) dimensions = [0]
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%t : tensor<4x4xf32>) outs(%h : tensor<4x4xf32>) {
  ^bb0(%a: f32, %o: f32):
    %m = arith.mulf %a, %a : f32
    linalg.yield %m : f32
  } -> tensor<4x4xf32>
  return %r : tensor<4x4xf32>
}

// CHECK-LABEL: @no_such_map
// CHECK:         move to %c {{.*}}: linalg.matmul (line {{[0-9]+}}) can read %x only with its dimensions in
// CHECK:         help: Write linalg.matmul as a linalg.generic.
// CHECK:         move to %t {{.*}}: tensor.collapse_shape (line {{[0-9]+}}) needs dimensions next to
func.func @no_such_map(%x: tensor<4xf32>, %a: tensor<4x4xf32>, %b: tensor<2x2x4xf32>) -> (tensor<4x4xf32>, tensor<2x8xf32>) {
  %e = tensor.empty() : tensor<4x4xf32>
  %c = linalg.broadcast ins(%x : tensor<4xf32>) outs(%e : tensor<4x4xf32>) dimensions = [0]
  %r = linalg.matmul ins(%c, %a : tensor<4x4xf32>, tensor<4x4xf32>) outs(%a : tensor<4x4xf32>) -> tensor<4x4xf32>
  %f = tensor.empty() : tensor<2x4x2xf32>
  %t = linalg.transpose ins(%b : tensor<2x2x4xf32>) outs(%f : tensor<2x4x2xf32>) permutation = [0, 2, 1]
  %l = tensor.collapse_shape %t [[0], [1, 2]] : tensor<2x4x2xf32> into tensor<2x8xf32>
  %q = tensor.empty() : tensor<2x8xf32>
  %s = linalg.exp ins(%l : tensor<2x8xf32>) outs(%q : tensor<2x8xf32>) -> tensor<2x8xf32>
  return %r, %s : tensor<4x4xf32>, tensor<2x8xf32>
}

// CHECK-LABEL: @other_block
// CHECK:         move to %t {{.*}}: linalg.matmul (line {{[0-9]+}}) uses it in another block
// CHECK:         help: Move linalg.transpose (line {{[0-9]+}}) to the block in which it is used.
func.func @other_block(%x: tensor<4x4xf32>, %a: tensor<4x4xf32>, %c: i1) -> tensor<4x4xf32> {
  %e = tensor.empty() : tensor<4x4xf32>
  %t = linalg.transpose ins(%x : tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) permutation = [1, 0]
  cf.cond_br %c, ^bb1, ^bb2(%a : tensor<4x4xf32>)
^bb1:
  %r = linalg.matmul ins(%t, %x : tensor<4x4xf32>, tensor<4x4xf32>) outs(%a : tensor<4x4xf32>) -> tensor<4x4xf32>
  cf.br ^bb2(%r : tensor<4x4xf32>)
^bb2(%q: tensor<4x4xf32>):
  return %q : tensor<4x4xf32>
}

// A pass makes a linalg.generic of the two moves: it has the name that the author wrote.

// REMARKS: remark: moved, 128 bytes: linalg.transpose to %r: func.return (line [[#]]) returns it
func.func @chain(%b: tensor<8xf32>) -> tensor<8x4xf32> {
  %e = tensor.empty() : tensor<4x8xf32>
  %c = linalg.broadcast ins(%b : tensor<8xf32>) outs(%e : tensor<4x8xf32>) dimensions = [0]
  %f = tensor.empty() : tensor<8x4xf32>
  %r = linalg.transpose ins(%c : tensor<4x8xf32>) outs(%f : tensor<8x4xf32>) permutation = [1, 0]
  func.return %r : tensor<8x4xf32>
}

// The fill is computed twice, which is the reason for the second buffer.

// REMARKS: remark: allocated, 64 bytes: %z, for linalg.fill{{$}}
// REMARKS: remark: allocated, 64 bytes: %z (%z_1), for linalg.fill: it is computed again instead of copied{{$}}
// CHECK:         @fills
// CHECK:         linalg.fill (line [[#]]); it is computed again instead of
func.func @fills(%x: tensor<4x4xf32>, %y: tensor<4x4xf32>, %w: tensor<4x4xf32>, %f: f32) -> (tensor<4x4xf32>, tensor<4x4xf32>) {
  %z = linalg.fill ins(%f : f32) outs(%w : tensor<4x4xf32>) -> tensor<4x4xf32>
  %a = linalg.matmul ins(%x, %y : tensor<4x4xf32>, tensor<4x4xf32>) outs(%z : tensor<4x4xf32>) -> tensor<4x4xf32>
  %b = linalg.matmul ins(%y, %x : tensor<4x4xf32>, tensor<4x4xf32>) outs(%z : tensor<4x4xf32>) -> tensor<4x4xf32>
  func.return %a, %b : tensor<4x4xf32>, tensor<4x4xf32>
}

// A copy that is eliminated has the edits of its tensor: those of the fill have nothing to do with %u.

// CHECK:         @edits
// CHECK:         eliminated copy of
// CHECK:         %u                     16  func.return (line [[#]])  an op runs after those that read what it
// CHECK-NEXT:                                                      overwrites
func.func @edits(%x: tensor<4x4xf32>, %y: tensor<4x4xf32>, %f: f32, %d: tensor<4xf32> {bufferize.aliasing_result = 2}, %i: index) -> (tensor<4x4xf32>, tensor<4x4xf32>, tensor<4xf32>, f32) {
  %e = tensor.empty() : tensor<4x4xf32>
  %z = linalg.fill ins(%f : f32) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
  %a = linalg.matmul ins(%x, %y : tensor<4x4xf32>, tensor<4x4xf32>) outs(%z : tensor<4x4xf32>) -> tensor<4x4xf32>
  %b = linalg.matmul ins(%y, %x : tensor<4x4xf32>, tensor<4x4xf32>) outs(%z : tensor<4x4xf32>) -> tensor<4x4xf32>
  %u = tensor.insert %f into %d[%i] : tensor<4xf32>
  %v = tensor.extract %d[%i] : tensor<4xf32>
  func.return %a, %b, %u, %v : tensor<4x4xf32>, tensor<4x4xf32>, tensor<4xf32>, f32
}
