// RUN: xdsl-opt %s -p 'plan-static-memory{report}' 2>&1 >/dev/null | filecheck %s
// RUN: xdsl-opt %s -p plan-static-memory -t bufferization-report | filecheck %s --check-prefix=REPORT

// A branch yields %a, the other one %b, which it computes from %t: two of them at a time.
// CHECK: @yielded: 512 bytes for 3 buffers of 768 bytes; 512 bytes are needed at once
// REPORT: @yielded
// REPORT: peak in %arena: 512 bytes
func.func @yielded(%c: i1, %x: memref<64xf32>) {
  %r = scf.if %c -> (memref<64xf32>) {
    %a = memref.alloc() : memref<64xf32>
    linalg.exp ins(%x : memref<64xf32>) outs(%a : memref<64xf32>)
    scf.yield %a : memref<64xf32>
  } else {
    %t = memref.alloc() : memref<64xf32>
    linalg.exp ins(%x : memref<64xf32>) outs(%t : memref<64xf32>)
    %b = memref.alloc() : memref<64xf32>
    linalg.exp ins(%t : memref<64xf32>) outs(%b : memref<64xf32>)
    scf.yield %b : memref<64xf32>
  }
  linalg.exp ins(%r : memref<64xf32>) outs(%x : memref<64xf32>)
  func.return
}

// The same between blocks.
// CHECK: @blocks: 512 bytes for 3 buffers of 768 bytes; 512 bytes are needed at once
// REPORT: @blocks
// REPORT: peak in %arena: 512 bytes
func.func @blocks(%c: i1, %x: memref<64xf32>) {
  cf.cond_br %c, ^a, ^b
^a:
  %a = memref.alloc() : memref<64xf32>
  linalg.exp ins(%x : memref<64xf32>) outs(%a : memref<64xf32>)
  cf.br ^c(%a : memref<64xf32>)
^b:
  %t = memref.alloc() : memref<64xf32>
  linalg.exp ins(%x : memref<64xf32>) outs(%t : memref<64xf32>)
  %b = memref.alloc() : memref<64xf32>
  linalg.exp ins(%t : memref<64xf32>) outs(%b : memref<64xf32>)
  cf.br ^c(%b : memref<64xf32>)
^c(%r: memref<64xf32>):
  linalg.exp ins(%r : memref<64xf32>) outs(%x : memref<64xf32>)
  func.return
}

// Blocks that reach each other do not exclude each other: %a is read after %b is written.
// CHECK: @in_turns: 512 bytes for 2 buffers of 512 bytes; 512 bytes are needed at once
func.func @in_turns(%c: i1, %x: memref<64xf32>) {
  cf.br ^a
^a:
  %a = memref.alloc() : memref<64xf32>
  linalg.exp ins(%x : memref<64xf32>) outs(%a : memref<64xf32>)
  cf.br ^b
^b:
  %b = memref.alloc() : memref<64xf32>
  linalg.exp ins(%a : memref<64xf32>) outs(%b : memref<64xf32>)
  linalg.add ins(%a, %b : memref<64xf32>, memref<64xf32>) outs(%x : memref<64xf32>)
  cf.cond_br %c, ^a, ^c
^c:
  func.return
}

// A larger buffer in the place of a smaller one counts for as long as either is live, so the two
// are only together if that is less.
// CHECK: @of_two_sizes: 512 bytes for 2 buffers of 768 bytes; 512 bytes are needed at once
func.func @of_two_sizes(%c: i1, %x: memref<?xf32>) {
  %r = scf.if %c -> (memref<?xf32>) {
    %a = memref.alloc() : memref<64xf32>
    %d = memref.cast %a : memref<64xf32> to memref<?xf32>
    linalg.exp ins(%x : memref<?xf32>) outs(%d : memref<?xf32>)
    scf.yield %d : memref<?xf32>
  } else {
    %b = memref.alloc() : memref<128xf32>
    %d = memref.cast %b : memref<128xf32> to memref<?xf32>
    linalg.exp ins(%x : memref<?xf32>) outs(%d : memref<?xf32>)
    scf.yield %d : memref<?xf32>
  }
  linalg.exp ins(%r : memref<?xf32>) outs(%x : memref<?xf32>)
  func.return
}

// The regions of a switch, with sizes that are known at run time.
// CHECK: @switch: 4*%x.0 bytes for 3 buffers; 4*%x.0 bytes are needed at once
func.func @switch(%i: index, %x: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %x, %c0 : memref<?xf32>
  %r = scf.index_switch %i -> memref<?xf32>
  case 0 {
    %a = memref.alloc(%n) {alignment = 4} : memref<?xf32>
    linalg.exp ins(%x : memref<?xf32>) outs(%a : memref<?xf32>)
    scf.yield %a : memref<?xf32>
  }
  case 1 {
    %b = memref.alloc(%n) {alignment = 4} : memref<?xf32>
    linalg.sqrt ins(%x : memref<?xf32>) outs(%b : memref<?xf32>)
    scf.yield %b : memref<?xf32>
  }
  default {
    %d = memref.alloc(%n) {alignment = 4} : memref<?xf32>
    linalg.abs ins(%x : memref<?xf32>) outs(%d : memref<?xf32>)
    scf.yield %d : memref<?xf32>
  }
  linalg.exp ins(%r : memref<?xf32>) outs(%x : memref<?xf32>)
  func.return
}
