/*
 * What programs under test allocate from: it records each allocation and each free.
 *
 * Between `recording_begin` and `recording_end` the blocks are the program's; all others
 * are the caller's, which the program may not free. A block is filled with a pattern when
 * it is allocated, with another one when it is freed, and no block is given out twice: so
 * what is read or written too late shows.
 *
 * The functions whose names begin with `_mlir_memref_to_llvm` are those that
 * `mlir-opt --finalize-memref-to-llvm=use-generic-functions` calls. The others read
 * arguments from the standard input, and write results and what was recorded to the
 * standard output; they take unranked memrefs.
 */

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FRESH = 0x5A, POISON = 0xA5 };

typedef struct Block {
  unsigned char *start;
  int64_t size;
  enum { LIVE, FREED_BY_PROGRAM, FREED_BY_CALLER } state;
  struct Block *next;
} Block;

static Block *blocks; /* the program's, since recording_begin */
static int recording; /* whether the program runs, not its caller */

/* As in the class `Recording` of recording.py, in this order. */
static struct {
  int64_t allocs, frees, leaked, double_frees, unknown_frees, late_writes, peak_bytes;
} counts;
static int64_t live_bytes;

static void *record(unsigned char *start, int64_t size) {
  if (!start)
    abort();
  memset(start, FRESH, size);
  if (!recording)
    return start;
  Block *block = malloc(sizeof *block);
  *block = (Block){start, size, LIVE, blocks};
  blocks = block;
  counts.allocs++;
  live_bytes += size;
  if (live_bytes > counts.peak_bytes)
    counts.peak_bytes = live_bytes;
  return start;
}

/* Even empty blocks differ in their addresses. */

void *_mlir_memref_to_llvm_alloc(int64_t size) {
  return record(malloc(size + 1), size);
}

void *_mlir_memref_to_llvm_aligned_alloc(int64_t alignment, int64_t size) {
  return record(aligned_alloc(alignment, (size / alignment + 1) * alignment), size);
}

/* A caller that gets one block as two results frees it twice, which counts as once. */
void _mlir_memref_to_llvm_free(void *start) {
  Block *block = blocks;
  while (block && block->start != start)
    block = block->next;
  if (!block) {
    counts.unknown_frees++;
  } else if (block->state == LIVE) {
    block->state = recording ? FREED_BY_PROGRAM : FREED_BY_CALLER;
    counts.frees++;
    live_bytes -= block->size;
    memset(block->start, POISON, block->size);
  } else if (block->state == FREED_BY_PROGRAM || recording) {
    counts.double_frees++;
  }
}

void recording_begin(void) { recording = 1; }

void recording_end(void) { recording = 0; }

/* Write what was recorded of one call, and forget it. */
void recording_report(void) {
  while (blocks) {
    Block *block = blocks;
    if (block->state == LIVE) {
      counts.leaked++;
    } else {
      int64_t i = 0;
      while (i < block->size && block->start[i] == POISON)
        i++;
      counts.late_writes += i < block->size;
    }
    blocks = block->next;
    free(block);
  }
  fwrite(&counts, sizeof counts, 1, stdout);
  fflush(stdout);
  memset(&counts, 0, sizeof counts);
  live_bytes = 0;
}

typedef struct {
  char *allocated, *aligned;
  int64_t offset, sizes_and_strides[];
} MemRef;

static void read_elements(int64_t rank, MemRef *memref, int64_t width) {
  size_t elements = 1;
  for (int64_t i = 0; i < rank; i++)
    elements *= memref->sizes_and_strides[i];
  if (fread(memref->aligned, width, elements, stdin) != elements)
    abort();
}

static void write_elements(char *start, int64_t rank, int64_t *sizes, int64_t *strides,
                           int64_t width) {
  if (!rank) {
    fwrite(start, width, 1, stdout);
    return;
  }
  for (int64_t i = 0; i < *sizes; i++)
    write_elements(start + i * *strides * width, rank - 1, sizes + 1, strides + 1, width);
}

static void write_shape_and_elements(int64_t rank, MemRef *memref, int64_t width) {
  int64_t *sizes = memref->sizes_and_strides;
  fwrite(sizes, sizeof *sizes, rank, stdout);
  write_elements(memref->aligned + memref->offset * width, rank, sizes, sizes + rank,
                 width);
}

#define ELEMENT_TYPE(name, width)                                                        \
  void read_##name(int64_t rank, MemRef *memref) {                                       \
    read_elements(rank, memref, width);                                                  \
  }                                                                                      \
  void write_##name(int64_t rank, MemRef *memref) {                                      \
    write_shape_and_elements(rank, memref, width);                                       \
  }

ELEMENT_TYPE(i1, 1)
ELEMENT_TYPE(i8, 1)
ELEMENT_TYPE(i32, 4)
ELEMENT_TYPE(i64, 8)
ELEMENT_TYPE(index, 8)
ELEMENT_TYPE(f32, 4)
ELEMENT_TYPE(f64, 8)
