// It has the contents of the argument, but callers may write one of them.
// kind: signature
// message: result 0 is gone, but before it is not the same memref as an argument
// leaks: report
module @before {
  func.func @f(%m: memref<4xf32>) -> memref<4xf32> {
    %r = memref.alloc() : memref<4xf32>
    "memref.copy"(%m, %r) : (memref<4xf32>, memref<4xf32>) -> ()
    func.return %r : memref<4xf32>
  }
}
module @after {
  func.func @f(%m: memref<4xf32>) { // culprit
    func.return
  }
}
