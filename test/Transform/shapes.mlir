// What no instruction multiplies breaks a rule, what lowering has no form for is unsupported by name: at its line, with one exit code of all verbs.
// RUN: sluice check %s | FileCheck %s --check-prefix=GOOD
// GOOD: proven: every launch

// RUN: sed 's/64x/16x/g; s/%%c64 = arith.constant 64/%%c64 = arith.constant 16/' %s > %t.rows.mlir
// RUN: sh -c 'for verb in check run emit build trace barriers; do sluice $verb %t.rows.mlir --json 2>/dev/null; echo $verb $?; done' | FileCheck %s --check-prefix=ROWS
// ROWS: {"verdict": "violated", "coverage": {"trips": "all", "ctas": "all", "launches": "all"}, {{.*}}"rule": "R18", "message": "tile has 16 rows; wgmma takes 64 per warpgroup, up to 4 of them", "location": "{{.*}}rows.mlir:[[#PRODUCT:]]:3"
// ROWS-NEXT: check 1
// ROWS-NEXT: {"verdict": "violated"
// ROWS-NEXT: run 1
// ROWS-NEXT: {"verdict": "violated"
// ROWS-NEXT: emit 1
// ROWS-NEXT: {"verdict": "violated"
// ROWS-NEXT: build 1
// ROWS-NEXT: {"verdict": "violated"
// ROWS-NEXT: trace 1
// ROWS-NEXT: {"verdict": "violated"
// ROWS-NEXT: barriers 1

// RUN: sed 's/64x32xf16/64x8xf16/g; s/32x128xf16/8x128xf16/g' %s > %t.k.mlir
// RUN: sh -c 'sluice check %t.k.mlir 2>&1; echo $?' | FileCheck %s --check-prefix=DEPTH
// DEPTH: error: {{.*}}: R18: a step has K = 8; wgmma takes a multiple of 16 for f16
// DEPTH-NEXT: 1
// RUN: sed 's/x128x/x264x/g' %s > %t.wide.mlir
// RUN: not sluice check %t.wide.mlir 2>&1 | FileCheck %s --check-prefix=WIDE
// WIDE: error: {{.*}}: R18: tile has 264 columns; wgmma takes a multiple of 8 up to 256
// RUN: sed 's/x128x/x4x/g' %s > %t.narrow.mlir
// RUN: not sluice check %t.narrow.mlir 2>&1 | FileCheck %s --check-prefix=NARROW
// NARROW: error: {{.*}}: R18: tile has 4 columns; wgmma takes a multiple of 8 up to 256
// RUN: sed 's/64x/320x/g' %s > %t.tall.mlir
// RUN: sh -c 'sluice check %t.tall.mlir --json 2>/dev/null; echo $?' | FileCheck %s --check-prefix=TALL
// TALL: {"verdict": "unsupported", {{.*}}"notes": ["{{.*}}tall.mlir:[[#]]:3: unsupported: tile has 320 rows; products of up to 256 are lowered"]
// TALL-NEXT: 3
// RUN: sed 's/sluice.load %%B.*/sluice.fill %%b with 1.0 : <32x128xf16>/' %s > %t.computed.mlir
// RUN: sh -c 'sluice run %t.computed.mlir --json 2>&1; echo $?' | FileCheck %s --check-prefix=COMPUTED
// COMPUTED: {"verdict": "unsupported", {{.*}}unsupported: tile 'b' has 32 rows and waits in registers
// COMPUTED-NEXT: error: {{.*}}: unsupported: tile 'b' has 32 rows and waits in registers, where a warpgroup holds 64; take a multiple of 64
// COMPUTED-NEXT: 3
// RUN: sed 's/sm_90a"/ascend910b"/; s/64x/8x/g' %s > %t.cube.mlir
// RUN: sh -c 'sluice check %t.cube.mlir 2>&1; echo $?' | FileCheck %s --check-prefix=CUBE
// CUBE: error: {{.*}}: R29: tile 8x128x32: the cube unit takes multiples of 16
// CUBE-NEXT: 1
// RUN: sed 's/<64x/<128x/g; s/arith.constant 64/arith.constant 128/; s/^  sluice.store.*/&\n  %%h = sluice.alloc "h" : !sluice.buffer<64x32xf32>\n  sluice.fill %%h with 1.0 : <64x32xf32>\n  sluice.store %%h to %%C[%%row, %%c64] : <64x32xf32>, <?x?xf32, align 16>/' %s > %t.warps.mlir
// RUN: not sluice check %t.warps.mlir 2>&1 | FileCheck %s --check-prefix=WARPS
// WARPS: error: {{.*}}: unsupported: tile 'h' has 64 rows and waits in registers of the 8 warps that compute, which hold 128; take a multiple of 128
sluice.kernel @product(%A: !sluice.tensor<?x?xf16, align 16> {sluice.name = "A"},
    %B: !sluice.tensor<?x?xf16, align 16> {sluice.name = "B"},
    %C: !sluice.tensor<?x?xf32, align 16> {sluice.name = "C", sluice.out}) attributes {target = "sm_90a"} {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %M = sluice.dim %A, 0 : <?x?xf16, align 16>
  %gm = arith.ceildivsi %M, %c64 : index
  %i = sluice.grid %gm : index
  %row = arith.muli %i, %c64 : index
  %acc = sluice.alloc "acc" : !sluice.buffer<64x128xf32>
  sluice.fill %acc with 0.0 : <64x128xf32>
  %a = sluice.alloc "a" : !sluice.buffer<64x32xf16>
  sluice.load %A[%row, %c0] to %a : <?x?xf16, align 16>, <64x32xf16>
  %b = sluice.alloc "b" : !sluice.buffer<32x128xf16>
  sluice.load %B[%c0, %c0] to %b : <?x?xf16, align 16>, <32x128xf16>
  sluice.mma %acc, %a, %b : <64x128xf32>, <64x32xf16>, <32x128xf16>
  sluice.store %acc to %C[%row, %c0] : <64x128xf32>, <?x?xf32, align 16>
}
