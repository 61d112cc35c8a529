// RUN: sluice check %s --set splits=1 turn=8 | FileCheck %s
// Threads read the tile before TMA stores the next one in its place: a fence lies between the reads
// and the add, so that no store of the CTA whose turn comes next overtakes them.
// CHECK: {{^}}proven: every launch
// CHECK-NOT: reads-in-time
// RUN: sed '/proxy_async_global/d' %s > %t.unfenced.mlir
// RUN: not sluice check %t.unfenced.mlir --set splits=1 turn=8 | FileCheck %s --check-prefix=UNFENCED
// UNFENCED: {{^}}proven: this launch
// UNFENCED: assuming reads-in-time: what copy at {{.*}} reads of T has come before TMA store at {{.*}}
// UNFENCED: note: every launch: {{.*}} nothing orders the two
sluice.kernel @turns(%T: !sluice.tensor<64x32xf32, align 16> {sluice.name = "T", sluice.inout},
                     %turn: !sluice.tensor<?xi32> {sluice.name = "turn", sluice.inout},
                     %Y: !sluice.tensor<?x32xf32> {sluice.name = "Y", sluice.out},
                     %splits: index {sluice.name = "splits"})
    attributes {target = "sm_90a", phase = "barrier", warps = 4} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %x = sluice.grid %splits : index
  %row = arith.muli %x, %c64 : index
  %s = sluice.alloc "s" : !sluice.buffer<64x32xf32, smem, row>
  %t = sluice.alloc "t" : !sluice.buffer<64x32xf32, reg, acc>
  sluice.counter.wait %turn[%c0], %x scope gpu co_resident : <?xi32>
  sluice.load %T[%c0, %c0] to %t : <64x32xf32, align 16>, <64x32xf32, reg, acc>
  sluice.fill %s with 1.0 : <64x32xf32, smem, row>
  sluice.fence proxy_async
  sluice.fence proxy_async_global
  sluice.bar.sync 0, 128
  sluice.role "store" warps 0 to 1 {
    sluice.tma.store %s to %T[%c0, %c0] : <64x32xf32, smem, row>, <64x32xf32, align 16>
    sluice.bulk.commit
    sluice.bulk.wait 0
    %seen = sluice.counter.add %turn[%c0], %c1 scope gpu : <?xi32>
  }
  sluice.store %t to %Y[%row, %c0] : <64x32xf32, reg, acc>, <?x32xf32>
}
