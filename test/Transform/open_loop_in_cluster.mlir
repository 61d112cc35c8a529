// Each CTA of a cluster takes as many steps as it finds out: loads in such a loop are its own.
// RUN: sluice check %s --this-launch --set A=200x448 B=448x64 C=200x64 | FileCheck %s --check-prefix=PROVEN
// PROVEN: proven: this launch
// RUN: sluice emit %s --unproven | FileCheck %s --implicit-check-not=Multicast
// CHECK: tmaLoad
sluice.kernel @doubled(%A: !sluice.tensor<?x?xf16, align 16> {sluice.name = "A"},
                     %B: !sluice.tensor<?x?xf16, align 16> {sluice.name = "B"},
                     %C: !sluice.tensor<?x?xf32> {sluice.name = "C", sluice.out})
    attributes {target = "sm_90a"} {
  %c64 = arith.constant 64 : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %K = sluice.dim %A, 1 : <?x?xf16, align 16>
  %steps = arith.ceildivsi %K, %c64 : index
  %M = sluice.dim %A, 0 : <?x?xf16, align 16>
  %g = arith.ceildivsi %M, %c64 : index
  %i = sluice.grid %g {cluster = array<i64: 2>} : index
  %i1 = arith.addi %i, %c1 : index
  %row = arith.muli %i, %c64 : index
  %acc = sluice.alloc "acc" : !sluice.buffer<64x64xf32>
  sluice.fill %acc with 0.0 : <64x64xf32>
  %end = scf.while (%n = %i1) : (index) -> (index) {
    %go = arith.cmpi slt, %n, %steps : index
    scf.condition(%go) %n : index
  } do {
  ^bb0(%n: index):
    %k = arith.muli %n, %c64 : index
    %a = sluice.alloc "a" : !sluice.buffer<64x64xf16>
    %b = sluice.alloc "b" : !sluice.buffer<64x64xf16>
    sluice.load %A[%row, %k] to %a : <?x?xf16, align 16>, <64x64xf16>
    sluice.load %B[%k, %c0] to %b : <?x?xf16, align 16>, <64x64xf16>
    sluice.mma %acc, %a, %b : <64x64xf32>, <64x64xf16>, <64x64xf16>
    %n1 = arith.muli %n, %c2 : index
    scf.yield %n1 : index
  } attributes {sluice.stages = 3}
  sluice.store %acc to %C[%row, %c0] : <64x64xf32>, <?x?xf32>
}
