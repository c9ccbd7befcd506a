// RUN: xdsl-opt %s -p one-shot-bufferize --verify-diagnostics --split-input-file | filecheck %s

// CHECK: 'ml_program.global' has the value #ml_program.extern : tensor<4xf32>, which a memref.global cannot have
// CHECK: hint: give it a dense one
ml_program.global private mutable @extern(#ml_program.extern : tensor<4xf32>) : tensor<4xf32>

// -----

// CHECK: 'ml_program.global' is of type tensor<?xf32>, and a memref.global has a static size
ml_program.global private mutable @dynamic(dense<1.0> : tensor<4xf32>) : tensor<?xf32>
