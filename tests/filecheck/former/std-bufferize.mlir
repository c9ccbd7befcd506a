// RUN: not xdsl-opt %s -p std-bufferize 2>&1 | filecheck %s

// CHECK: error: there is no dialect std any more, so std-bufferize does nothing
// CHECK-NEXT: hint: run arith-bufferize (constants, select, index_cast), tensor-bufferize (dim and other tensor ops) and func-bufferize (calls, returns, branches)
func.func @f() {
  func.return
}
