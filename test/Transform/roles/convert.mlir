// C = A W with weights of 8 bits, of which a role of its own makes 16-bit tiles: b of a product of
// another role. What was said is who does it; the ring from role to role follows.
// RUN: sluice check %s --dump-after-each 2>%t >%t.verdict
// RUN: FileCheck %s < %t.verdict
// RUN: FileCheck %s --check-prefix=DUMP < %t
// CHECK: {{^}}proven: every launch
// DUMP: after sluice-load-ahead
// DUMP: sluice.pipeline "a" {{.*}} from ["load"] to ["mma"] : !sluice.pipeline<4>
// DUMP: sluice.pipeline "w" {{.*}} from ["load"] to ["convert"] : !sluice.pipeline<4>
// DUMP: sluice.pipeline "h_shared" {{.*}} from ["convert"] to ["mma"] : !sluice.pipeline<2>
// RUN: sluice barriers %s | FileCheck %s --check-prefix=TABLE
// TABLE: full_a 0 1 8192 TMA of load warp 8, load warp 8 mma warps 0-3
// TABLE: empty_a 0 4 0 mma warps 0-3 load warp 8
// TABLE: full_w 0 1 8192 TMA of load warp 8, load warp 8 convert warps 4-7
// TABLE: empty_w 0 4 0 convert warps 4-7 load warp 8
// TABLE: full_h_shared 0 4 0 convert warps 4-7 mma warps 0-3
// TABLE: empty_h_shared 0 4 0 mma warps 0-3 convert warps 4-7
// RUN: sluice explain %s | FileCheck %s --check-prefix=PLAN
// PLAN: convert
// RUN: %python %S/../../language/Inputs/products.py %t.d
// RUN: sluice run %s --in A=%t.d/A.npy W=%t.d/W.npy --set C=200x144 --expect C=%t.d/AW.npy
// RUN: sluice run %s --in A=%t.d/A.npy W=%t.d/W.npy --set C=200x144 --expect C=%t.d/AW.npy --chaos 3000
// RUN: sluice emit %s | FileCheck %s --check-prefix=CUDA
// CUDA: loadFragmentShared<WTile, 4>(h, w[
// CUDA: storeFragmentMatrices<H_sharedTile, 4>(h_shared[
// CUDA-NEXT: fenceProxyAsync();
// CUDA-NEXT: warpSync();
// CUDA: mbarrierArrive(full_h_shared[
// RUN: %if nvcc %{ sluice emit %s --single-file -o %t.cu && %nvcc -cubin %t.cu -o %t.cubin %}
//
// In loops over tiles, drawn too; in clusters; of 8 warps for 128 rows; where threads load.
// RUN: sed 's/%%gm, %%gn :/%%gm, %%gn {persistent} :/' %s > %t.tiles.mlir
// RUN: sluice check %t.tiles.mlir | FileCheck %s
// RUN: sluice run %t.tiles.mlir --in A=%t.d/A.npy W=%t.d/W.npy --set C=200x144 --expect C=%t.d/AW.npy
// RUN: sed 's/%%gm, %%gn :/%%gm, %%gn {persistent, sluice.dynamic} :/' %s > %t.drawn.mlir
// RUN: sluice check %t.drawn.mlir | FileCheck %s
// RUN: sluice run %t.drawn.mlir --in A=%t.d/A.npy W=%t.d/W.npy --set C=200x144 --expect C=%t.d/AW.npy
// RUN: sed 's/%%gm, %%gn :/%%gm, %%gn {cluster = array<i64: 2, 1>} :/' %s > %t.cluster.mlir
// RUN: sluice check %t.cluster.mlir | FileCheck %s
// RUN: sed 's/align 16/align 2/' %s > %t.threads.mlir
// RUN: sluice run %t.threads.mlir --in A=%t.d/A.npy W=%t.d/W.npy --set C=200x144 --expect C=%t.d/AW.npy
// In turns (ping-pong) two groups of the role that multiplies take tiles, of which the other roles
// know nothing; without a role that loads who converts loads weights, and who multiplies the rest.
// RUN: sed 's/%%gm, %%gn :/%%gm, %%gn {persistent, sluice.turns = 2} :/' %s > %t.turns.mlir
// RUN: sluice check %t.turns.mlir | FileCheck %s
// RUN: sluice run %t.turns.mlir --in A=%t.d/A.npy W=%t.d/W.npy --set C=200x144 --expect C=%t.d/AW.npy --chaos 3000
// RUN: sluice explain %t.turns.mlir | FileCheck %s --check-prefix=TURNS
// TURNS: mma1: warps 4-7, all CTAs
// TURNS-NEXT: does     wgmma, st.global C
// TURNS-NEXT: takes    a[4], h_shared[2]
// TURNS: convert: warps 8-11, all CTAs
// RUN: host-mode %t.turns.mlir A=200x192 W=192x144 C=200x144
// RUN: %if nvcc %{ sluice emit %t.turns.mlir --single-file -o %t.cu && %nvcc -cubin %t.cu -o %t.cubin %}
// RUN: sed 's/convert = 4/convert = {warps = 4, registers = 56}, mma = {warps = 4, registers = 200}/' %t.turns.mlir > %t.both.mlir
// RUN: sluice check %t.both.mlir | FileCheck %s
// RUN: sluice explain %t.both.mlir | FileCheck %s --check-prefix=BOTH
// BOTH: mma0: warps 0-3, 200 registers
// BOTH: mma1: warps 4-7, 200 registers
// BOTH: convert: warps 8-11, 56 registers
// BOTH: load: warp 12, 40 registers
// RUN: sed 's/%%gm, %%gn :/%%gm, %%gn {sluice.load_ahead} :/' %s > %t.ahead.mlir
// RUN: sluice check %t.ahead.mlir | FileCheck %s
// RUN: sluice run %t.ahead.mlir --in A=%t.d/A.npy W=%t.d/W.npy --set C=200x144 --expect C=%t.d/AW.npy --chaos 3000
// RUN: sluice explain %t.ahead.mlir | FileCheck %s --check-prefix=AHEAD
// AHEAD: mma: warps 0-3, all CTAs
// AHEAD-NEXT: does     TMA load A, wgmma, st.global C
// AHEAD: convert: warps 4-7, all CTAs
// AHEAD-NEXT: does     TMA load W, ld.shared, st.shared
// AHEAD-NOT: load:
// RUN: host-mode %t.ahead.mlir A=200x192 W=192x144 C=200x144
// RUN: %if nvcc %{ sluice emit %t.ahead.mlir --single-file -o %t.cu && %nvcc -cubin %t.cu -o %t.cubin %}
//
// Where the role that multiplies needs more registers, the others give up those that they do not.
// RUN: sed 's/64x128xf32/128x192xf32/; s/<64x64xf16>/<128x64xf16>/; s/64x128x/64x192x/g; s/constant 128/constant 192/; s/^  %%c1 .*/&\n  %%rows = arith.constant 128 : index/; s/%%M, %%c64/%%M, %%rows/; s/%%i, %%c64/%%i, %%rows/' %s > %t.large.mlir
// RUN: sluice check %t.large.mlir | FileCheck %s
// RUN: sluice run %t.large.mlir --in A=%t.d/A.npy W=%t.d/W.npy --set C=200x144 --expect C=%t.d/AW.npy
// RUN: sluice explain %t.large.mlir | FileCheck %s --check-prefix=REGISTERS
// REGISTERS: mma: warps 0-7, 184 registers
// REGISTERS: convert: warps 8-11, 96 registers
// REGISTERS: load: warp 12, 40 registers
// What the author gives a role stays, and the others have the rest; more than there is, is refused.
// RUN: sed 's/convert = 4/convert = {warps = 4, registers = 64}, load = {warps = 1, registers = 24}/' %t.large.mlir > %t.given.mlir
// RUN: sluice check %t.given.mlir | FileCheck %s
// RUN: sluice run %t.given.mlir --in A=%t.d/A.npy W=%t.d/W.npy --set C=200x144 --expect C=%t.d/AW.npy
// RUN: sluice explain %t.given.mlir | FileCheck %s --check-prefix=GIVEN
// GIVEN: mma: warps 0-7, 208 registers
// GIVEN: convert: warps 8-11, 64 registers
// GIVEN: load: warp 12, 24 registers
// RUN: %if nvcc %{ sluice emit %t.given.mlir --single-file -o %t.cu && %nvcc -cubin %t.cu -o %t.cubin %}
// RUN: sed 's/convert = 4/convert = 4, mma = {warps = 8, registers = 184}/' %t.large.mlir > %t.most.mlir
// RUN: sluice explain %t.most.mlir | FileCheck %s --check-prefix=REGISTERS
// RUN: sed 's/convert = 4/convert = 4, mma = {warps = 8, registers = 200}/' %t.large.mlir > %t.over.mlir
// RUN: not sluice check %t.over.mlir | FileCheck %s --check-prefix=OVER
// OVER: R19 (Registers): the roles ask for 68608 registers; a CTA of 16 warps starts with 65536
// RUN: sed 's/convert = 4/convert = {warps = 4, registers = 40}/; s/%%gm, %%gn :/%%gm, %%gn {sluice.ctas_per_sm = 2} :/' %s > %t.shared.mlir
// RUN: not sluice check %t.shared.mlir | FileCheck %s --check-prefix=SHARED
// SHARED: R19 (Registers):
//
// Handed on before it is written, multiplied before it is there.
// RUN: %python %S/../Inputs/after.py sluice-split-roles < %t > %t.roles.mlir
// RUN: sluice check %t.roles.mlir | FileCheck %s
// RUN: sed '/sluice.wait %%h_shared/d' %t.roles.mlir > %t.early.mlir
// RUN: not sluice check %t.early.mlir | FileCheck %s --check-prefix=EARLY
// EARLY: {{^}}violated:
sluice.kernel @converted(%A: !sluice.tensor<?x?xf16, align 16> {sluice.name = "A"},
                         %W: !sluice.tensor<?x?xi8, align 16> {sluice.name = "W"},
                         %C: !sluice.tensor<?x?xf32> {sluice.name = "C", sluice.out})
    attributes {sluice.roles = {convert = 4}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %M = sluice.dim %A, 0 : <?x?xf16, align 16>
  %N = sluice.dim %W, 1 : <?x?xi8, align 16>
  %K = sluice.dim %A, 1 : <?x?xf16, align 16>
  %gm = arith.ceildivsi %M, %c64 : index
  %gn = arith.ceildivsi %N, %c128 : index
  %steps = arith.ceildivsi %K, %c64 : index
  %i, %j = sluice.grid %gm, %gn : index, index
  %row = arith.muli %i, %c64 : index
  %col = arith.muli %j, %c128 : index
  %acc = sluice.alloc "acc" : !sluice.buffer<64x128xf32>
  sluice.fill %acc with 0.0 : <64x128xf32>
  scf.for %t = %c0 to %steps step %c1 {
    %k = arith.muli %t, %c64 : index
    %a = sluice.alloc "a" : !sluice.buffer<64x64xf16>
    %w = sluice.alloc "w" : !sluice.buffer<64x128xi8>
    %h = sluice.alloc "h" : !sluice.buffer<64x128xf16>
    sluice.load %A[%row, %k] to %a : <?x?xf16, align 16>, <64x64xf16>
    sluice.load %W[%k, %col] to %w : <?x?xi8, align 16>, <64x128xi8>
    sluice.copy %w to %h {sluice.in_role = "convert"} : <64x128xi8>, <64x128xf16>
    sluice.mma %acc, %a, %h : <64x128xf32>, <64x64xf16>, <64x128xf16>
  } {sluice.stages = 4, sluice.name = "k"}
  sluice.store %acc to %C[%row, %col] : <64x128xf32>, <?x?xf32>
}
