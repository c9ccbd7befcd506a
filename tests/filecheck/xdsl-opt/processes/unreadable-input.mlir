// REQUIRES: xdsl-0.74
// RUN: printf '// line\nfunc.func @caf\351()\n' > %t.mlir
// RUN: not xdsl-opt -p bufferize < %t.mlir 2>&1 | filecheck %s

// Older releases decode what is not a file before any command sees it.

// CHECK: error: stdin:2:15: the byte 0xe9 is not UTF-8
