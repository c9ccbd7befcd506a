// RUN: xdsl-opt %s --allow-unregistered-dialect | filecheck %s
// RUN: xdsl-opt %s --allow-unregistered-dialect --print-op-generic | xdsl-opt --allow-unregistered-dialect | filecheck %s

// A hexadecimal number is the bits of a float: -inf, and a NaN. They are printed as bytes, which
// xDSL reads without this package, too.
// CHECK: "test.floats"() {all = dense<"0x000080FF"> : tensor<4xf32>, some = dense<"0x0000803F000080FF0100A07F"> : tensor<3xf32>}
"test.floats"() {all = dense<0xFF800000> : tensor<4xf32>, some = dense<[1.0, 0xFF800000, 0x7FA00001]> : tensor<3xf32>} : () -> ()

// CHECK-NEXT: "test.widths"() {a = dense<"0x00FC"> : vector<2xf16>, c = dense<"0x000000000000F07F"> : vector<2xf64>, d = array<f32: 0xff800000>}
"test.widths"() {a = dense<0xFC00> : vector<2xf16>, c = dense<0x7FF0000000000000> : vector<2xf64>, d = array<f32: 0xFF800000>} : () -> ()

// Zeros of different signs are different.
// CHECK-NEXT: "test.zeros"() {a = dense<[0.000000e+00, -0.000000e+00]> : tensor<2xf32>}
"test.zeros"() {a = dense<[0.0, -0.0]> : tensor<2xf32>} : () -> ()

// In a string of bytes, MLIR packs bits, and pads i4 with zeros.
// CHECK-NEXT: "test.bytes"() {a = dense<[true, false, true, false, false, false, false, false]> : tensor<8xi1>, b = dense<-1> : tensor<8xi4>}
"test.bytes"() {a = dense<"0x05"> : tensor<8xi1>, b = dense<"0x0F"> : tensor<8xi4>} : () -> ()
