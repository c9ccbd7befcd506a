// What cannot be reported on: status 1, and a message instead of a traceback.

// RUN: not xdsl-opt %s -t bufferization-report 2>&1 | filecheck %s
// CHECK-NOT: Traceback
// CHECK: error: 'test.op' is not bufferizable
// CHECK-NEXT: at: {{.*}}: in @f{{$}}
// CHECK-NEXT: {{[0-9]+}} | {{.*}}
// CHECK-NEXT: | {{ *\^+$}}
// CHECK-NEXT: hint:

// RUN: not xdsl-opt %s -t 'bufferization-report{function=g}' 2>&1 | filecheck %s --check-prefix=FUNCTION
// FUNCTION: error: bufferization-report: there is no function @g with a body; there are: @f

// RUN: not xdsl-opt %s -t 'bufferization-report{format=pdf}' 2>&1 | filecheck %s --check-prefix=FORMAT
// FORMAT: error: bufferization-report: 'pdf' is not a value of format; its values are text, html, json, remarks, sarif

// RUN: not xdsl-opt %s -t 'bufferization-report{colour=always}' 2>&1 | filecheck %s --check-prefix=OPTION
// OPTION: error: bufferization-report has no option 'colour'; did you mean 'color'?

// RUN: not xdsl-opt %s -t 'bufferization-report{test-analysis-only}' 2>&1 | filecheck %s --check-prefix=ANALYSIS
// ANALYSIS: error: bufferization-report: test-analysis-only leaves nothing to report on

func.func @f() {
  %r = "test.op"() : () -> tensor<4xf32>
  func.return
}
