// xDSL's canonicalize folds no ops before 0.64.
// REQUIRES: xdsl-0.64
// REQUIRES: mlir-opt-22
//
// xDSL's canonicalize does with these ops what mlir-opt's does.
//
// RUN: xdsl-opt %S/../conversions_canonicalize.mlir --print-op-generic | %mlir-opt --canonicalize > %t.expected.mlir
// RUN: xdsl-opt %S/../conversions_canonicalize.mlir -p canonicalize --print-op-generic | %mlir-opt > %t.actual
// RUN: diff %t.expected.mlir %t.actual
