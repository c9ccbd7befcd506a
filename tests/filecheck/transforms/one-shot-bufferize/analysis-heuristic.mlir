// RUN: xdsl-opt %s -p 'one-shot-bufferize{test-analysis-only bufferize-function-boundaries}' | filecheck %s --check-prefix=UP
// RUN: xdsl-opt %s -p 'one-shot-bufferize{test-analysis-only bufferize-function-boundaries analysis-heuristic=bottom-up}' | filecheck %s --check-prefix=UP
// RUN: xdsl-opt %s -p 'one-shot-bufferize{test-analysis-only bufferize-function-boundaries analysis-heuristic=top-down}' | filecheck %s --check-prefix=DOWN
// RUN: xdsl-opt %s -p 'one-shot-bufferize{test-analysis-only bufferize-function-boundaries analysis-heuristic=bottom-up-from-terminators}' | filecheck %s --check-prefix=TERMINATORS
// RUN: xdsl-opt %s -p 'one-shot-bufferize{test-analysis-only bufferize-function-boundaries analysis-heuristic=fuzzer analysis-fuzzer-seed=5}' | filecheck %s --check-prefix=FUZZER-5
// RUN: xdsl-opt %s -p 'one-shot-bufferize{test-analysis-only bufferize-function-boundaries analysis-heuristic=fuzzer analysis-fuzzer-seed=7}' | filecheck %s --check-prefix=FUZZER-7

// Who is decided first gets the buffer.
// UP-LABEL: func.func @f(%t: tensor<4xf32> {bufferization.access = "write"}, %f: f32, %i: index) -> (tensor<4xf32>, f32) {
// UP-NEXT:    %a = linalg.fill {__inplace_operands_attr__ = ["none", "false"]} ins(%f : f32) outs(%t : tensor<4xf32>) -> tensor<4xf32>
// UP-NEXT:    %b = linalg.fill {__inplace_operands_attr__ = ["none", "false"]} ins(%f : f32) outs(%t : tensor<4xf32>) -> tensor<4xf32>
// UP-NEXT:    %c = linalg.fill {__inplace_operands_attr__ = ["none", "true"]} ins(%f : f32) outs(%t : tensor<4xf32>) -> tensor<4xf32>
// UP-NEXT:    %x = tensor.extract %a[%i] {__inplace_operands_attr__ = ["true", "none"]} : tensor<4xf32>
// UP-NEXT:    %y = tensor.extract %c[%i] {__inplace_operands_attr__ = ["true", "none"]} : tensor<4xf32>
// UP-NEXT:    %z = arith.addf %x, %y : f32
// UP-NEXT:    func.return {__inplace_operands_attr__ = ["true", "none"]} %b, %z : tensor<4xf32>, f32
// DOWN-LABEL: func.func @f(%t: tensor<4xf32> {bufferization.access = "write"}, %f: f32, %i: index) -> (tensor<4xf32>, f32) {
// DOWN-NEXT:    %a = linalg.fill {__inplace_operands_attr__ = ["none", "true"]} ins(%f : f32) outs(%t : tensor<4xf32>) -> tensor<4xf32>
// DOWN-NEXT:    %b = linalg.fill {__inplace_operands_attr__ = ["none", "false"]} ins(%f : f32) outs(%t : tensor<4xf32>) -> tensor<4xf32>
// DOWN-NEXT:    %c = linalg.fill {__inplace_operands_attr__ = ["none", "false"]} ins(%f : f32) outs(%t : tensor<4xf32>) -> tensor<4xf32>
// DOWN-NEXT:    %x = tensor.extract %a[%i] {__inplace_operands_attr__ = ["true", "none"]} : tensor<4xf32>
// DOWN-NEXT:    %y = tensor.extract %c[%i] {__inplace_operands_attr__ = ["true", "none"]} : tensor<4xf32>
// DOWN-NEXT:    %z = arith.addf %x, %y : f32
// DOWN-NEXT:    func.return {__inplace_operands_attr__ = ["true", "none"]} %b, %z : tensor<4xf32>, f32
// TERMINATORS-LABEL: func.func @f(%t: tensor<4xf32> {bufferization.access = "write"}, %f: f32, %i: index) -> (tensor<4xf32>, f32) {
// TERMINATORS-NEXT:    %a = linalg.fill {__inplace_operands_attr__ = ["none", "false"]} ins(%f : f32) outs(%t : tensor<4xf32>) -> tensor<4xf32>
// TERMINATORS-NEXT:    %b = linalg.fill {__inplace_operands_attr__ = ["none", "true"]} ins(%f : f32) outs(%t : tensor<4xf32>) -> tensor<4xf32>
// TERMINATORS-NEXT:    %c = linalg.fill {__inplace_operands_attr__ = ["none", "false"]} ins(%f : f32) outs(%t : tensor<4xf32>) -> tensor<4xf32>
// TERMINATORS-NEXT:    %x = tensor.extract %a[%i] {__inplace_operands_attr__ = ["true", "none"]} : tensor<4xf32>
// TERMINATORS-NEXT:    %y = tensor.extract %c[%i] {__inplace_operands_attr__ = ["true", "none"]} : tensor<4xf32>
// TERMINATORS-NEXT:    %z = arith.addf %x, %y : f32
// TERMINATORS-NEXT:    func.return {__inplace_operands_attr__ = ["true", "none"], __equivalent_func_args__ = [0 : i64, -1 : i64]} %b, %z : tensor<4xf32>, f32
// FUZZER-5-LABEL: func.func @f(%t: tensor<4xf32> {bufferization.access = "write"}, %f: f32, %i: index) -> (tensor<4xf32>, f32) {
// FUZZER-5-NEXT:    %a = linalg.fill {__inplace_operands_attr__ = ["none", "false"]} ins(%f : f32) outs(%t : tensor<4xf32>) -> tensor<4xf32>
// FUZZER-5-NEXT:    %b = linalg.fill {__inplace_operands_attr__ = ["none", "true"]} ins(%f : f32) outs(%t : tensor<4xf32>) -> tensor<4xf32>
// FUZZER-5-NEXT:    %c = linalg.fill {__inplace_operands_attr__ = ["none", "false"]} ins(%f : f32) outs(%t : tensor<4xf32>) -> tensor<4xf32>
// FUZZER-5-NEXT:    %x = tensor.extract %a[%i] {__inplace_operands_attr__ = ["true", "none"]} : tensor<4xf32>
// FUZZER-5-NEXT:    %y = tensor.extract %c[%i] {__inplace_operands_attr__ = ["true", "none"]} : tensor<4xf32>
// FUZZER-5-NEXT:    %z = arith.addf %x, %y : f32
// FUZZER-5-NEXT:    func.return {__inplace_operands_attr__ = ["true", "none"], __equivalent_func_args__ = [0 : i64, -1 : i64]} %b, %z : tensor<4xf32>, f32
// FUZZER-7-LABEL: func.func @f(%t: tensor<4xf32> {bufferization.access = "write"}, %f: f32, %i: index) -> (tensor<4xf32>, f32) {
// FUZZER-7-NEXT:    %a = linalg.fill {__inplace_operands_attr__ = ["none", "true"]} ins(%f : f32) outs(%t : tensor<4xf32>) -> tensor<4xf32>
// FUZZER-7-NEXT:    %b = linalg.fill {__inplace_operands_attr__ = ["none", "false"]} ins(%f : f32) outs(%t : tensor<4xf32>) -> tensor<4xf32>
// FUZZER-7-NEXT:    %c = linalg.fill {__inplace_operands_attr__ = ["none", "false"]} ins(%f : f32) outs(%t : tensor<4xf32>) -> tensor<4xf32>
// FUZZER-7-NEXT:    %x = tensor.extract %a[%i] {__inplace_operands_attr__ = ["true", "none"]} : tensor<4xf32>
// FUZZER-7-NEXT:    %y = tensor.extract %c[%i] {__inplace_operands_attr__ = ["true", "none"]} : tensor<4xf32>
// FUZZER-7-NEXT:    %z = arith.addf %x, %y : f32
// FUZZER-7-NEXT:    func.return {__inplace_operands_attr__ = ["true", "none"]} %b, %z : tensor<4xf32>, f32
func.func @f(%t: tensor<4xf32>, %f: f32, %i: index) -> (tensor<4xf32>, f32) {
  %a = linalg.fill ins(%f : f32) outs(%t : tensor<4xf32>) -> tensor<4xf32>
  %b = linalg.fill ins(%f : f32) outs(%t : tensor<4xf32>) -> tensor<4xf32>
  %c = linalg.fill ins(%f : f32) outs(%t : tensor<4xf32>) -> tensor<4xf32>
  %x = tensor.extract %a[%i] : tensor<4xf32>
  %y = tensor.extract %c[%i] : tensor<4xf32>
  %z = arith.addf %x, %y : f32
  func.return %b, %z : tensor<4xf32>, f32
}
