"""
Programs on memrefs: which buffers a function has, who frees them, and where they are.

```mlir
%a = memref.alloc() : memref<8xf32>    // deallocation: the owner frees it, at the latest use
%b = memref.alloc() : memref<8xf32>    // placement: where %a is dead, %b may share its memory
func.return %b : memref<8xf32>         // calling_conventions: or the caller brings the buffer
```

`buffers` says where memrefs come from and where they go, `sizes` how large they are.
"""
