// RUN: xdsl-opt %s -p one-shot-bufferize --allow-unregistered-dialect | filecheck %s

// A block without ops, which xDSL accepts at the end of a function, leads nowhere.
// CHECK-LABEL: func.func @empty_block
// CHECK: third.branch
func.func @empty_block(%m: memref<4xf32>) {
  "third.branch"(%m) [^end] : (memref<4xf32>) -> ()
^end:
}
