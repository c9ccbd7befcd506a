// RUN: not sh -c 'xdsl-opt %s -p bufferize >&- 2> %t.closed'
// RUN: filecheck %s --check-prefix=CLOSED < %t.closed
// RUN: not xdsl-opt %s -p bufferize 2> %t.full > /dev/full
// RUN: filecheck %s --check-prefix=FULL < %t.full
// RUN: not xdsl-opt %s -p bufferize -o /dev/full 2>&1 | filecheck %s --check-prefix=FILE
// RUN: not xdsl-opt -p 'bufferize{help}' 2> %t.help > /dev/full
// RUN: filecheck %s --check-prefix=FULL < %t.help
// RUN: not sh -c 'bufferization-check %s >&- 2> %t.check-closed'
// RUN: filecheck %s --check-prefix=CLOSED < %t.check-closed
// RUN: not bufferization-check %s 2> %t.check-full > /dev/full
// RUN: filecheck %s --check-prefix=FULL < %t.check-full
// RUN: sh -c 'xdsl-opt %s -p bufferize -o %t.written >&-'
// RUN: filecheck %s --check-prefix=WRITTEN < %t.written

// Output that cannot be written is told once, without a traceback.
// CLOSED:      error: standard output: Bad file descriptor
// CLOSED-NOT:  {{.}}
// FULL:        error: standard output: No space left on device
// FULL-NOT:    {{.}}
// FILE-NOT:    Traceback
// FILE:        error: /dev/full: No space left on device
// WRITTEN:     func.func @f
func.func @f() { func.return }
