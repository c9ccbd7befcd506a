// RUN: xdsl-opt %s -p bufferization-lower-deallocations | filecheck %s

// CHECK-LABEL: func.func @two(%m0: memref<?xf32>, %m1: memref<8xi32>, %c0: i1, %c1: i1) {
// CHECK-NEXT:    %0 = "memref.extract_aligned_pointer_as_index"(%m0) : (memref<?xf32>) -> index
// CHECK-NEXT:    %1 = "memref.extract_aligned_pointer_as_index"(%m1) : (memref<8xi32>) -> index
// CHECK-NEXT:    %2 = memref.alloc() : memref<2xindex>
// CHECK-NEXT:    %3 = arith.constant 0 : index
// CHECK-NEXT:    memref.store %0, %2[%3] : memref<2xindex>
// CHECK-NEXT:    %4 = arith.constant 1 : index
// CHECK-NEXT:    memref.store %1, %2[%4] : memref<2xindex>
// CHECK-NEXT:    %5 = memref.alloc() : memref<0xindex>
// CHECK-NEXT:    %6 = memref.alloc() : memref<2xi1>
// CHECK-NEXT:    %7 = arith.constant 0 : index
// CHECK-NEXT:    memref.store %c0, %6[%7] : memref<2xi1>
// CHECK-NEXT:    %8 = arith.constant 1 : index
// CHECK-NEXT:    memref.store %c1, %6[%8] : memref<2xi1>
// CHECK-NEXT:    %9 = memref.alloc() : memref<2xi1>
// CHECK-NEXT:    %10 = memref.alloc() : memref<0xi1>
// CHECK-NEXT:    %11 = "memref.cast"(%2) : (memref<2xindex>) -> memref<?xindex>
// CHECK-NEXT:    %12 = "memref.cast"(%5) : (memref<0xindex>) -> memref<?xindex>
// CHECK-NEXT:    %13 = "memref.cast"(%6) : (memref<2xi1>) -> memref<?xi1>
// CHECK-NEXT:    %14 = "memref.cast"(%9) : (memref<2xi1>) -> memref<?xi1>
// CHECK-NEXT:    %15 = "memref.cast"(%10) : (memref<0xi1>) -> memref<?xi1>
// CHECK-NEXT:    func.call @dealloc_helper(%11, %12, %13, %14, %15) : (memref<?xindex>, memref<?xindex>, memref<?xi1>, memref<?xi1>, memref<?xi1>) -> ()
// CHECK-NEXT:    %16 = arith.constant 0 : index
// CHECK-NEXT:    %17 = memref.load %9[%16] : memref<2xi1>
// CHECK-NEXT:    scf.if %17 {
// CHECK-NEXT:      memref.dealloc %m0 : memref<?xf32>
// CHECK-NEXT:    }
// CHECK-NEXT:    %18 = arith.constant 1 : index
// CHECK-NEXT:    %19 = memref.load %9[%18] : memref<2xi1>
// CHECK-NEXT:    scf.if %19 {
// CHECK-NEXT:      memref.dealloc %m1 : memref<8xi32>
// CHECK-NEXT:    }
// CHECK-NEXT:    memref.dealloc %2 : memref<2xindex>
// CHECK-NEXT:    memref.dealloc %5 : memref<0xindex>
// CHECK-NEXT:    memref.dealloc %6 : memref<2xi1>
// CHECK-NEXT:    memref.dealloc %9 : memref<2xi1>
// CHECK-NEXT:    memref.dealloc %10 : memref<0xi1>
// CHECK-NEXT:    func.return
func.func @two(%m0: memref<?xf32>, %m1: memref<8xi32>, %c0: i1, %c1: i1) {
  bufferization.dealloc (%m0, %m1 : memref<?xf32>, memref<8xi32>) if (%c0, %c1)
  func.return
}

// CHECK-LABEL: func.func @three_and_retained(%m0: memref<?xf32>, %m1: memref<f32>, %m2: memref<?xf32>, %c0: i1, %c1: i1, %c2: i1, %r0: memref<?xf32>, %r1: memref<2xf32>) -> (i1, i1) {
// CHECK-NEXT:    %0 = "memref.extract_aligned_pointer_as_index"(%m0) : (memref<?xf32>) -> index
// CHECK-NEXT:    %1 = "memref.extract_aligned_pointer_as_index"(%m1) : (memref<f32>) -> index
// CHECK-NEXT:    %2 = "memref.extract_aligned_pointer_as_index"(%m2) : (memref<?xf32>) -> index
// CHECK-NEXT:    %3 = memref.alloc() : memref<3xindex>
// CHECK-NEXT:    %4 = arith.constant 0 : index
// CHECK-NEXT:    memref.store %0, %3[%4] : memref<3xindex>
// CHECK-NEXT:    %5 = arith.constant 1 : index
// CHECK-NEXT:    memref.store %1, %3[%5] : memref<3xindex>
// CHECK-NEXT:    %6 = arith.constant 2 : index
// CHECK-NEXT:    memref.store %2, %3[%6] : memref<3xindex>
// CHECK-NEXT:    %7 = "memref.extract_aligned_pointer_as_index"(%r0) : (memref<?xf32>) -> index
// CHECK-NEXT:    %8 = "memref.extract_aligned_pointer_as_index"(%r1) : (memref<2xf32>) -> index
// CHECK-NEXT:    %9 = memref.alloc() : memref<2xindex>
// CHECK-NEXT:    %10 = arith.constant 0 : index
// CHECK-NEXT:    memref.store %7, %9[%10] : memref<2xindex>
// CHECK-NEXT:    %11 = arith.constant 1 : index
// CHECK-NEXT:    memref.store %8, %9[%11] : memref<2xindex>
// CHECK-NEXT:    %12 = memref.alloc() : memref<3xi1>
// CHECK-NEXT:    %13 = arith.constant 0 : index
// CHECK-NEXT:    memref.store %c0, %12[%13] : memref<3xi1>
// CHECK-NEXT:    %14 = arith.constant 1 : index
// CHECK-NEXT:    memref.store %c1, %12[%14] : memref<3xi1>
// CHECK-NEXT:    %15 = arith.constant 2 : index
// CHECK-NEXT:    memref.store %c2, %12[%15] : memref<3xi1>
// CHECK-NEXT:    %16 = memref.alloc() : memref<3xi1>
// CHECK-NEXT:    %17 = memref.alloc() : memref<2xi1>
// CHECK-NEXT:    %18 = "memref.cast"(%3) : (memref<3xindex>) -> memref<?xindex>
// CHECK-NEXT:    %19 = "memref.cast"(%9) : (memref<2xindex>) -> memref<?xindex>
// CHECK-NEXT:    %20 = "memref.cast"(%12) : (memref<3xi1>) -> memref<?xi1>
// CHECK-NEXT:    %21 = "memref.cast"(%16) : (memref<3xi1>) -> memref<?xi1>
// CHECK-NEXT:    %22 = "memref.cast"(%17) : (memref<2xi1>) -> memref<?xi1>
// CHECK-NEXT:    func.call @dealloc_helper(%18, %19, %20, %21, %22) : (memref<?xindex>, memref<?xindex>, memref<?xi1>, memref<?xi1>, memref<?xi1>) -> ()
// CHECK-NEXT:    %23 = arith.constant 0 : index
// CHECK-NEXT:    %24 = memref.load %16[%23] : memref<3xi1>
// CHECK-NEXT:    scf.if %24 {
// CHECK-NEXT:      memref.dealloc %m0 : memref<?xf32>
// CHECK-NEXT:    }
// CHECK-NEXT:    %25 = arith.constant 1 : index
// CHECK-NEXT:    %26 = memref.load %16[%25] : memref<3xi1>
// CHECK-NEXT:    scf.if %26 {
// CHECK-NEXT:      memref.dealloc %m1 : memref<f32>
// CHECK-NEXT:    }
// CHECK-NEXT:    %27 = arith.constant 2 : index
// CHECK-NEXT:    %28 = memref.load %16[%27] : memref<3xi1>
// CHECK-NEXT:    scf.if %28 {
// CHECK-NEXT:      memref.dealloc %m2 : memref<?xf32>
// CHECK-NEXT:    }
// CHECK-NEXT:    %29 = arith.constant 0 : index
// CHECK-NEXT:    %o0 = memref.load %17[%29] : memref<2xi1>
// CHECK-NEXT:    %30 = arith.constant 1 : index
// CHECK-NEXT:    %o1 = memref.load %17[%30] : memref<2xi1>
// CHECK-NEXT:    memref.dealloc %3 : memref<3xindex>
// CHECK-NEXT:    memref.dealloc %9 : memref<2xindex>
// CHECK-NEXT:    memref.dealloc %12 : memref<3xi1>
// CHECK-NEXT:    memref.dealloc %16 : memref<3xi1>
// CHECK-NEXT:    memref.dealloc %17 : memref<2xi1>
// CHECK-NEXT:    func.return %o0, %o1 : i1, i1
func.func @three_and_retained(%m0: memref<?xf32>, %m1: memref<f32>, %m2: memref<?xf32>, %c0: i1, %c1: i1, %c2: i1, %r0: memref<?xf32>, %r1: memref<2xf32>) -> (i1, i1) {
  %o0, %o1 = bufferization.dealloc (%m0, %m1, %m2 : memref<?xf32>, memref<f32>, memref<?xf32>) if (%c0, %c1, %c2) retain (%r0, %r1 : memref<?xf32>, memref<2xf32>)
  func.return %o0, %o1 : i1, i1
}

// One function for all.

// CHECK-LABEL: func.func private @dealloc_helper(%buffers: memref<?xindex>, %retained: memref<?xindex>, %conditions: memref<?xi1>, %to_free: memref<?xi1>, %owned: memref<?xi1>) {
// CHECK-NEXT:    %zero = arith.constant 0 : index
// CHECK-NEXT:    %one = arith.constant 1 : index
// CHECK-NEXT:    %true = arith.constant true
// CHECK-NEXT:    %false = arith.constant false
// CHECK-NEXT:    %length = memref.dim %buffers, %zero : memref<?xindex>
// CHECK-NEXT:    %retained_length = memref.dim %retained, %zero : memref<?xindex>
// CHECK-NEXT:    scf.for %r = %zero to %retained_length step %one {
// CHECK-NEXT:      memref.store %false, %owned[%r] : memref<?xi1>
// CHECK-NEXT:    }
// CHECK-NEXT:    scf.for %b = %zero to %length step %one {
// CHECK-NEXT:      %buffer = memref.load %buffers[%b] : memref<?xindex>
// CHECK-NEXT:      %condition = memref.load %conditions[%b] : memref<?xi1>
// CHECK-NEXT:      %not_retained = scf.for %r_1 = %zero to %retained_length step %one iter_args(%so_far = %true) -> (i1) {
// CHECK-NEXT:        %other = memref.load %retained[%r_1] : memref<?xindex>
// CHECK-NEXT:        %same = arith.cmpi eq, %other, %buffer : index
// CHECK-NEXT:        scf.if %same {
// CHECK-NEXT:          %was = memref.load %owned[%r_1] : memref<?xi1>
// CHECK-NEXT:          %is = arith.ori %was, %condition : i1
// CHECK-NEXT:          memref.store %is, %owned[%r_1] : memref<?xi1>
// CHECK-NEXT:        }
// CHECK-NEXT:        %differs = arith.cmpi ne, %other, %buffer : index
// CHECK-NEXT:        %all = arith.andi %so_far, %differs : i1
// CHECK-NEXT:        scf.yield %all : i1
// CHECK-NEXT:      }
// CHECK-NEXT:      %first = scf.for %e = %zero to %b step %one iter_args(%so_far_1 = %not_retained) -> (i1) {
// CHECK-NEXT:        %other_1 = memref.load %buffers[%e] : memref<?xindex>
// CHECK-NEXT:        %same_1 = arith.cmpi eq, %other_1, %buffer : index
// CHECK-NEXT:        %earlier = memref.load %conditions[%e] : memref<?xi1>
// CHECK-NEXT:        %is_freed = arith.andi %same_1, %earlier : i1
// CHECK-NEXT:        %not_freed = arith.xori %is_freed, %true : i1
// CHECK-NEXT:        %all_1 = arith.andi %so_far_1, %not_freed : i1
// CHECK-NEXT:        scf.yield %all_1 : i1
// CHECK-NEXT:      }
// CHECK-NEXT:      %frees = arith.andi %first, %condition : i1
// CHECK-NEXT:      memref.store %frees, %to_free[%b] : memref<?xi1>
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return
