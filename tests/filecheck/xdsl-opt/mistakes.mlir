// RUN: not xdsl-opt %s -p bufferize --split-input-file 2>&1 | filecheck %s --check-prefix=VERIFIER
// RUN: sed 's/memref.store .*//' %s | not xdsl-opt -p bufferize --split-input-file 2>&1 | filecheck %s --check-prefix=SYNTAX
// RUN: sed 's/func.return/"test.aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa/' %s | not xdsl-opt -p bufferize 2>&1 | filecheck %s --check-prefix=STRING
// RUN: not xdsl-opt %s -p 'canonicalize{foo=1},bufferize' 2>&1 | filecheck %s --check-prefix=OPTION
// RUN: not xdsl-opt %s -p 'cse,bufferize{' 2>&1 | filecheck %s --check-prefix=PIPELINE
// RUN: not xdsl-opt %s -t bufferization-raport 2>&1 | filecheck %s --check-prefix=TARGET
// RUN: not xdsl-opt %s -t riscv-asn 2>&1 | filecheck %s --check-prefix=OTHER
// RUN: sed 's/memref.store .*//; s/%m : memref<4xf32> to/%n : memref<4xf32> to memref<4xf32>/' %s | not xdsl-opt -p bufferize --split-input-file 2>&1 | filecheck %s --check-prefix=UNDEFINED
// RUN: sed 's/memref.store .*/"blas.op"() : () -> ()/' %s | not xdsl-opt -p bufferize --split-input-file 2>&1 | filecheck %s --check-prefix=UNREGISTERED
// RUN: cp %s %t.text; not xdsl-opt %t.text -p bufferize 2>&1 | filecheck %s --check-prefix=EXTENSION
// RUN: not xdsl-opt %s -p 'canonicalize{foo=1}' 2>&1 | filecheck %s --check-prefix=XDSL

// Mistakes in a program and in the options of a command are told as refusals are.

// VERIFIER-NOT:  Traceback
// VERIFIER:      error: 'memref.store' is not valid: Expected an index for each dimension
// VERIFIER-NEXT:   at: {{.*}}mistakes.mlir:[[# @LINE + 3]]:3: in @invalid
// VERIFIER-NEXT:     {{[0-9]+}} |   memref.store %x, %m[%i] : memref<f32>
func.func @invalid(%m: memref<f32>, %x: f32, %i: index) {
  memref.store %x, %m[%i] : memref<f32>
  func.return
}

// -----

// SYNTAX-NOT:  Traceback
// SYNTAX:      error: type expected
// SYNTAX-NEXT:   at: stdin:[[# @LINE + 5]]:3
// SYNTAX-NEXT:     {{[0-9]+}} |   func.return
// SYNTAX-NEXT:     {{ *}}| ^^^^^^^^^^^
func.func @no_type(%m: memref<4xf32>) {
  %0 = bufferization.clone %m : memref<4xf32> to
  func.return
}

// STRING:      error: End of file reached before closing string literal.
// STRING-NEXT:   at: stdin:[[# @LINE - 16]]:3
// OPTION:      error: canonicalize: Provided arguments ["foo"] not found
// PIPELINE:    error: Error parsing pass pipeline specification:
// PIPELINE-NEXT: pass-pipeline:1:15
// EXTENSION:   error: Unrecognized file extension 'text'
// XDSL:        Traceback
// TARGET:      invalid choice: 'bufferization-raport' {{.*}}; did you mean 'bufferization-report'?
// OTHER:       invalid choice: 'riscv-asn' (choose from {{.*}}bufferization-report)
// OTHER-NOT:   did you mean
// UNDEFINED:      error: values used but not defined: [%n]
// UNDEFINED-NEXT:   at: stdin:{{[0-9]+}}:28
// UNDEFINED-NEXT:     {{[0-9]+}} |   %0 = bufferization.clone %n : memref<4xf32> to memref<4xf32>
// UNDEFINED-NEXT:     {{ *}}|                            ^^
// UNREGISTERED:   error: Operation blas.op is not registered
// UNREGISTERED:     hint: install the package that defines it, or set --allow-unregistered-dialect
