// xDSL has no numbers of type bf16 before 0.64.
// REQUIRES: xdsl-0.64
// RUN: xdsl-opt %s --allow-unregistered-dialect | filecheck %s
// RUN: xdsl-opt %s --allow-unregistered-dialect --print-op-generic | xdsl-opt --allow-unregistered-dialect | filecheck %s

// CHECK: "test.widths"() {b = dense<"0x80FF"> : vector<2xbf16>}
"test.widths"() {b = dense<0xFF80> : vector<2xbf16>} : () -> ()
