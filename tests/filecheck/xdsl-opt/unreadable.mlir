// RUN: printf '// line\nfunc.func @caf\351()\n' > %t.mlir
// RUN: not xdsl-opt %t.mlir -p bufferize 2>&1 | filecheck %s --check-prefix FILE
// RUN: cat %s %t.mlir > %t.parts.mlir
// RUN: not xdsl-opt %t.parts.mlir --split-input-file -p bufferize 2>&1 | filecheck %s --check-prefix PARTS
// RUN: not bufferization-check %t.mlir 2>&1 | filecheck %s --check-prefix CHECK-FILE
// RUN: not xdsl-opt %t.absent.mlir -p bufferize 2>&1 | filecheck %s --check-prefix ABSENT
// RUN: not xdsl-opt %s -p bufferize -o %t.absent/file 2>&1 | filecheck %s --check-prefix OUTPUT

// FILE-NOT: Traceback
// FILE: error: {{.*}}unreadable.mlir.tmp.mlir:2:15: the byte 0xe9 is not UTF-8

// PARTS-NOT: Traceback
// PARTS: error: {{.*}}unreadable.mlir.tmp.parts.mlir:26:15: the byte 0xe9 is not UTF-8

// CHECK-FILE: bufferization-check: {{.*}}unreadable.mlir.tmp.mlir:2:15: the byte 0xe9 is not UTF-8

// ABSENT-NOT: Traceback
// ABSENT: error: {{.*}}unreadable.mlir.tmp.absent.mlir: No such file or directory

// OUTPUT: error: {{.*}}unreadable.mlir.tmp.absent/file: No such file or directory

func.func private @f()

// -----
