// Steps of one tile over CTAs beside roles among tiles: the role that multiplies has the parts of a
// sum, and adds and hands on, whoever loads for it and goes on with the sum.
// RUN: sluice check %s | FileCheck %s
// CHECK: {{^}}proven: every launch
// RUN: %python %S/../../language/Inputs/products.py %t.d
// RUN: sluice run %s --in A=%t.d/A.npy B=%t.d/B.npy --set C=200x144 --expect C=%t.d/AB16.npy
//
// Over a cluster; a role without a name has the sums too.
// RUN: sed 's/sluice.stages = 4/sluice.stages = 4, sluice.split = 2/' %s > %t.split.mlir
// RUN: sluice check %t.split.mlir | FileCheck %s
// RUN: sluice explain %t.split.mlir | FileCheck %s --check-prefix=SPLIT
// SPLIT: epilogue: warps 0-3, all CTAs
// SPLIT-NEXT: does     ld.shared, map, st.shared
// SPLIT: multiply: warps 4-7, all CTAs
// SPLIT-NEXT: does     wgmma, st.async, ld.shared, map, st.shared
// RUN: sluice run %t.split.mlir --in A=%t.d/A.npy B=%t.d/B.npy --set C=200x144 --expect C=%t.d/AB16.npy --chaos 3000
// RUN: host-mode %t.split.mlir A=200x192 B=192x144 C=200x144
// RUN: %if nvcc %{ sluice emit %t.split.mlir --single-file -o %t.cu && %nvcc -cubin %t.cu -o %t.cubin %}
// RUN: sed 's/multiply = 4, //; s/ {sluice.in_role = "multiply"}//' %t.split.mlir > %t.mma.mlir
// RUN: sluice check %t.mma.mlir | FileCheck %s
//
// Of all tiles over all CTAs.
// RUN: sed 's/%%gm, %%gn :/%%gm, %%gn {persistent, sluice.stream = 264} :/' %s > %t.stream.mlir
// RUN: sluice explain %t.stream.mlir | FileCheck %s --check-prefix=STREAM
// STREAM: multiply: warps 4-7, all CTAs
// STREAM-NEXT: does     fill, wgmma, counter wait turn, ld.global part_acc, map, st.global part_acc, counter add turn, st.shared
// RUN: sluice run %s --random 3 --set A=200x1504 B=1504x144 C=200x144 --out C=%t.npy
// RUN: sluice run %t.stream.mlir --random 3 --set A=200x1504 B=1504x144 C=200x144 --expect C=%t.npy --chaos 3000
// RUN: host-mode %t.stream.mlir A=200x192 B=192x144 C=200x144 turn=264 part_acc=16896x128
// RUN: sluice emit %t.stream.mlir --single-file -o %t.cu
// RUN: FileCheck %s --check-prefix=VERDICT < %t.cu
// VERDICT: Verdict: proven: every launch
// RUN: %if nvcc %{ %nvcc -cubin %t.cu -o %t.cubin %}
// RUN: sed 's/^    sluice.mma .*/&\n    sluice.mma %%more, %%a, %%b {sluice.in_role = "epilogue"} : <64x128xf32>, <64x64xf16>, <64x128xf16>/; s/^  sluice.fill .*/  %%more = sluice.alloc "more" : !sluice.buffer<64x128xf32>\n  sluice.fill %%more with 0.0 : <64x128xf32>\n&/; s/^  sluice.map ins(%%acc :/  sluice.map ins(%%more :/' %t.stream.mlir > %t.two.mlir
// RUN: not sluice check %t.two.mlir 2>&1 | FileCheck %s --check-prefix=TWO
// TWO: error: {{.*}}: unsupported: is streamed, and roles 'multiply' and 'epilogue' multiply in it: one role hands on the sums of a tile when it is their turn; let one multiply
sluice.kernel @dealt(%A: !sluice.tensor<?x?xf16, align 16> {sluice.name = "A"},
                     %B: !sluice.tensor<?x?xf16, align 16> {sluice.name = "B"},
                     %C: !sluice.tensor<?x?xf16, align 16> {sluice.name = "C", sluice.out})
    attributes {sluice.roles = {load_a = 1, load_b = 1, multiply = 4, epilogue = 4, out = 1}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %M = sluice.dim %A, 0 : <?x?xf16, align 16>
  %N = sluice.dim %B, 1 : <?x?xf16, align 16>
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
    %b = sluice.alloc "b" : !sluice.buffer<64x128xf16>
    sluice.load %A[%row, %k] to %a {sluice.in_role = "load_a"} : <?x?xf16, align 16>, <64x64xf16>
    sluice.load %B[%k, %col] to %b {sluice.in_role = "load_b"} : <?x?xf16, align 16>, <64x128xf16>
    sluice.mma %acc, %a, %b {sluice.in_role = "multiply"} : <64x128xf32>, <64x64xf16>, <64x128xf16>
  } {sluice.stages = 4, sluice.name = "k"}
  %c = sluice.alloc "c" : !sluice.buffer<64x128xf16>
  sluice.map ins(%acc : !sluice.buffer<64x128xf32>) outs(%c : !sluice.buffer<64x128xf16>) attributes {sluice.in_role = "epilogue"} {
  ^bb0(%x: f32):
    %y = arith.truncf %x : f32 to f16
    sluice.yield %y : f16
  }
  sluice.store %c to %C[%row, %col] {sluice.in_role = "out"} : <64x128xf16>, <?x?xf16, align 16>
}
