// REQUIRES: mlir-opt-22
//
// What either tool prints, in custom or generic syntax, the other one reads as the same
// program.
//
// RUN: %mlir-opt %S/../realloc.mlir > %t.expected.mlir
// RUN: xdsl-opt %S/../realloc.mlir | %mlir-opt > %t.custom
// RUN: diff %t.expected.mlir %t.custom
// RUN: xdsl-opt %S/../realloc.mlir --print-op-generic | %mlir-opt > %t.generic
// RUN: diff %t.expected.mlir %t.generic
// RUN: xdsl-opt %t.expected.mlir | %mlir-opt > %t.from_custom
// RUN: diff %t.expected.mlir %t.from_custom
// RUN: %mlir-opt %S/../realloc.mlir --mlir-print-op-generic | xdsl-opt | %mlir-opt > %t.from_generic
// RUN: diff %t.expected.mlir %t.from_generic
