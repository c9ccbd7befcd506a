// RUN: xdsl-opt -t bufferization-report %s | filecheck %s --check-prefix INFER
// RUN: xdsl-opt -t 'bufferization-report{function-boundary-type-conversion=identity-layout-map}' %s | filecheck %s --check-prefix IDENTITY

// The bound of the peak does not depend on the layouts of arguments, if nothing is copied to them.
// INFER-LABEL:    @sums
// INFER:            peak: 128 bytes
// INFER:            no order of these ops needs less than 128 bytes
// IDENTITY-LABEL: @sums
// IDENTITY:         peak: 128 bytes
// IDENTITY:         no order of these ops needs less than 128 bytes
func.func @sums(%x: tensor<16xf32>) -> tensor<16xf32> {
  %e = tensor.empty() : tensor<16xf32>
  %f = tensor.empty() : tensor<16xf32>
  %a = linalg.exp ins(%x : tensor<16xf32>) outs(%e : tensor<16xf32>) -> tensor<16xf32>
  %b = linalg.log ins(%x : tensor<16xf32>) outs(%f : tensor<16xf32>) -> tensor<16xf32>
  %c = linalg.add ins(%a, %b : tensor<16xf32>, tensor<16xf32>) outs(%a : tensor<16xf32>) -> tensor<16xf32>
  %d = linalg.sub ins(%c, %b : tensor<16xf32>, tensor<16xf32>) outs(%c : tensor<16xf32>) -> tensor<16xf32>
  return %d : tensor<16xf32>
}

// The slice is copied to be returned: the decisions alone do not tell the peak.
// INFER-LABEL:    @slice
// INFER:            no order of these ops needs less than
// IDENTITY-LABEL: @slice
// IDENTITY:         copies: 1, 128 bytes
// IDENTITY-NOT:     no order of these ops
func.func @slice(%x: tensor<16x4xf32>) -> (tensor<16x2xf32>, tensor<16x4xf32>) {
  %e = tensor.empty() : tensor<16x4xf32>
  %f = tensor.empty() : tensor<16x4xf32>
  %a = linalg.exp ins(%x : tensor<16x4xf32>) outs(%e : tensor<16x4xf32>) -> tensor<16x4xf32>
  %b = linalg.log ins(%x : tensor<16x4xf32>) outs(%f : tensor<16x4xf32>) -> tensor<16x4xf32>
  %c = linalg.add ins(%a, %b : tensor<16x4xf32>, tensor<16x4xf32>) outs(%b : tensor<16x4xf32>) -> tensor<16x4xf32>
  %s = tensor.extract_slice %a[0, 0] [16, 2] [1, 1] : tensor<16x4xf32> to tensor<16x2xf32>
  return %s, %c : tensor<16x2xf32>, tensor<16x4xf32>
}
