// A program that is refused: status 1, and a message instead of a traceback.

// RUN: not xdsl-opt %s -p one-shot-bufferize 2>&1 | filecheck %s
// CHECK-NOT: Traceback
// CHECK: error: 'test.op' is not bufferizable
// CHECK-NEXT: at: {{.*}}: in @f{{$}}
// CHECK-NEXT: {{[0-9]+}} | {{.*}}
// CHECK-NEXT: | {{ *\^+$}}
// CHECK-NEXT: hint:

func.func @f() {
  %r = "test.op"() : () -> tensor<4xf32>
  func.return
}
