// Options of earlier releases of MLIR are what they are today,

// RUN: xdsl-opt %s -p 'one-shot-bufferize{allow-unknown-ops bufferize-function-boundaries allow-return-allocs=0 create-deallocs=0 fully-dynamic-layout-maps=0}' | filecheck %s --check-prefix=IDENTITY
// RUN: xdsl-opt %s -p 'one-shot-bufferize{allow-unknown-ops bufferize-function-boundaries function-signature-type-conversion=identity-layout-map unknown-type-conversion=identity-layout-map}' | filecheck %s --check-prefix=IDENTITY
// RUN: xdsl-opt %s -p 'one-shot-bufferize{allow-unknown-ops bufferize-function-boundaries fully-dynamic-layout-maps always-aliasing-with-dest use-alloca=false promote-buffer-results-to-out-params=0 init-tensor-elimination=0}' | filecheck %s --check-prefix=DYNAMIC

// IDENTITY-LABEL: func.func @f(%t: memref<4xf32>, %i: index) -> f32 {
// IDENTITY-NEXT:    %0 = bufferization.to_tensor %t : memref<4xf32> to tensor<4xf32>
// IDENTITY-NEXT:    %a = "test.op"(%0) : (tensor<4xf32>) -> tensor<4xf32>
// IDENTITY-NEXT:    %1 = bufferization.to_buffer %a : tensor<4xf32> to memref<4xf32>
// IDENTITY-NEXT:    %x = memref.load %1[%i] : memref<4xf32>
// IDENTITY-NEXT:    func.return %x : f32
// DYNAMIC-LABEL: func.func @f(%t: memref<4xf32, strided<[?], offset: ?>>, %i: index) -> f32 {
// DYNAMIC-NEXT:    %0 = bufferization.to_tensor %t : memref<4xf32, strided<[?], offset: ?>> to tensor<4xf32>
// DYNAMIC-NEXT:    %a = "test.op"(%0) : (tensor<4xf32>) -> tensor<4xf32>
// DYNAMIC-NEXT:    %1 = bufferization.to_buffer %a : tensor<4xf32> to memref<4xf32, strided<[?], offset: ?>>
// DYNAMIC-NEXT:    %x = memref.load %1[%i] : memref<4xf32, strided<[?], offset: ?>>
// DYNAMIC-NEXT:    func.return %x : f32
func.func @f(%t: tensor<4xf32>, %i: index) -> f32 {
  %a = "test.op"(%t) : (tensor<4xf32>) -> tensor<4xf32>
  %x = tensor.extract %a[%i] : tensor<4xf32>
  func.return %x : f32
}


// or the error names what took their place.

// RUN: not xdsl-opt %s -p 'one-shot-bufferize{create-deallocs=1}' 2>&1 | filecheck %s --check-prefix=DEALLOCS
// DEALLOCS-NOT: Traceback
// DEALLOCS: error: one-shot-bufferize has no option 'create-deallocs' any more
// DEALLOCS-NEXT: hint: run the pass buffer-deallocation-pipeline afterwards

// RUN: not xdsl-opt %s -p 'one-shot-bufferize{promote-buffer-results-to-out-params}' 2>&1 | filecheck %s --check-prefix=OUT-PARAMS
// OUT-PARAMS: error: one-shot-bufferize has no option 'promote-buffer-results-to-out-params' any more
// OUT-PARAMS-NEXT: hint: run the pass buffer-results-to-out-params afterwards

// RUN: not xdsl-opt %s -p 'one-shot-bufferize{use-alloca}' 2>&1 | filecheck %s --check-prefix=ALLOCA
// ALLOCA: error: one-shot-bufferize has no option 'use-alloca' any more
// ALLOCA-NEXT: hint: run the pass promote-buffers-to-stack afterwards

// RUN: not xdsl-opt %s -p 'one-shot-bufferize{init-tensor-elimination}' 2>&1 | filecheck %s --check-prefix=INIT
// INIT: error: one-shot-bufferize has no option 'init-tensor-elimination' any more
// INIT-NEXT: hint: run the pass eliminate-empty-tensors before

// RUN: not xdsl-opt %s -p 'one-shot-bufferize{always-aliasing-with-dest=0}' 2>&1 | filecheck %s --check-prefix=DEST
// DEST: error: one-shot-bufferize has no option 'always-aliasing-with-dest' any more
// DEST-NEXT: hint: results of destination-style ops always are in their destination

// What stands for a former option must not contradict today's.

// RUN: not xdsl-opt %s -p 'one-shot-bufferize{unknown-type-conversion=fully-dynamic-layout-map fully-dynamic-layout-maps=0}' 2>&1 | filecheck %s --check-prefix=TWICE
// TWICE-NOT: Traceback
// TWICE: error: one-shot-bufferize: 'fully-dynamic-layout-maps' sets unknown-type-conversion, which is set already

// RUN: not xdsl-opt %s -p 'one-shot-bufferize{create-deallocs=sometimes}' 2>&1 | filecheck %s --check-prefix=VALUE
// VALUE-NOT: Traceback
// VALUE: error: one-shot-bufferize: 'sometimes' is not a value of create-deallocs; it takes true or false

// RUN: not xdsl-opt %s -p 'one-shot-bufferize{function-signature-type-conversion=sometimes}' 2>&1 | filecheck %s --check-prefix=CHOICE
// CHOICE-NOT: Traceback
// CHOICE: error: one-shot-bufferize: 'sometimes' is not a value of function-boundary-type-conversion

// Other passes have no such past.

// RUN: not xdsl-opt %s -p 'eliminate-empty-tensors{use-alloca=0}' 2>&1 | filecheck %s --check-prefix=OTHER
// OTHER: error: eliminate-empty-tensors has no option 'use-alloca'
