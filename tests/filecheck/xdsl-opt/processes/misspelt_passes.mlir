// RUN: not xdsl-opt %s -p bufferise 2>&1 | filecheck %s
// RUN: not xdsl-opt %s -p 'cse,bufferise{eliminate-copies=false}' 2>&1 | filecheck %s
// RUN: not bufferization-check %s -p bufferise 2>&1 | filecheck %s
// RUN: not xdsl-opt %s -p bufferize,csee 2>&1 | filecheck %s --check-prefix=OTHER
// RUN: not xdsl-opt %s -p bufferize,nothing-like-it 2>&1 | filecheck %s --check-prefix=NONE
// RUN: not xdsl-opt %s -p csee 2>&1 | filecheck %s --check-prefix=XDSL

func.func @f() { func.return }

// CHECK-NOT: Traceback
// CHECK:     {{error|bufferization-check}}: there is no pass 'bufferise'; did you mean 'bufferize'?
// OTHER-NOT: Traceback
// OTHER:     error: there is no pass 'csee'; did you mean 'cse'?
// NONE-NOT:  Traceback
// NONE:      error: there is no pass 'nothing-like-it'

// A command that has nothing to do with this package ends as without it.
// XDSL:      ValueError: Unrecognized passes: ['csee']
