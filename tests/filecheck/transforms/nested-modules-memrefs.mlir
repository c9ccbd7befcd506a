// RUN: xdsl-opt %s -p drop-equivalent-buffer-results | filecheck %s
// RUN: xdsl-opt %s -p buffer-results-to-out-params | filecheck %s --check-prefix OUT

// A global is constant, or not, in its own symbol table: the one in the module within is written.
// OUT: func.func private @constant(%{{.*}}: memref<4xf32>) {
"memref.global"() <{sym_name = "data", type = memref<4xf32>, initial_value = dense<1.0> : tensor<4xf32>, constant, sym_visibility = "private"}> : () -> ()
func.func private @constant() -> memref<4xf32> {
  %0 = memref.get_global @data : memref<4xf32>
  func.return %0 : memref<4xf32>
}

// The function of the module is called with its argument, and returns that.
// CHECK-LABEL: func.func private @same(%m: memref<4xf32>) {
func.func private @same(%m: memref<4xf32>) -> memref<4xf32> {
  func.return %m : memref<4xf32>
}
func.func @user(%m: memref<4xf32>) -> memref<4xf32> {
  %0 = func.call @same(%m) : (memref<4xf32>) -> memref<4xf32>
  func.return %0 : memref<4xf32>
}

// The one of the module within is named by another op, so that its type stays.
// CHECK: builtin.module @inner
// CHECK: func.func private @same(%m: memref<4xf32>) -> memref<4xf32>
builtin.module @inner {
  "memref.global"() <{sym_name = "data", type = memref<4xf32>, initial_value = dense<1.0> : tensor<4xf32>, sym_visibility = "private"}> : () -> ()
  func.func private @same(%m: memref<4xf32>) -> memref<4xf32> {
    func.return %m : memref<4xf32>
  }
  func.func @names() -> ((memref<4xf32>) -> memref<4xf32>) {
    %f = func.constant @same : (memref<4xf32>) -> memref<4xf32>
    func.return %f : (memref<4xf32>) -> memref<4xf32>
  }
}
