// RUN: sluice check %s | FileCheck %s
// RUN: not sluice check --strict %s | FileCheck %s --check-prefix=STRICT
// Threads read elements of X, then TMA stores others in their place. A barrier orders the reads'
// issue; that their values have come by then is assumed by name, as no proxy fence orders them.
// CHECK: {{^}}proven: every launch
// CHECK: assuming reads-in-time: what copy at {{.*}} reads of X has come before TMA store at {{.*}}
// STRICT: R39 ({{.*}} overwrites elements of X {{.*}} no fence.proxy.async.global lies between
// RUN: sed 's/^  sluice.bar.sync/  sluice.fence proxy_async_global\n&/' %s > %t.fence.mlir
// RUN: sluice check --strict %t.fence.mlir | FileCheck %s --check-prefix=FENCE
// FENCE: {{^}}proven: every launch
// FENCE-NOT: {{reads-in-time|nothing to make visible}}
sluice.kernel @exchange(%X: !sluice.tensor<?x64xf32, align 16> {sluice.name = "X", sluice.inout},
                        %Y: !sluice.tensor<?x64xf32> {sluice.name = "Y", sluice.out})
    attributes {target = "sm_90a", phase = "barrier", warps = 4} {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %n = sluice.dim %X, 0 : <?x64xf32, align 16>
  %tiles = arith.ceildivsi %n, %c64 : index
  %i = sluice.grid %tiles : index
  %row = arith.muli %i, %c64 : index
  %v = sluice.alloc "v" : !sluice.buffer<64x64xf32, reg, acc>
  %new = sluice.alloc "new" : !sluice.buffer<64x64xf32, smem, row>
  sluice.fill %new with 1.0 : <64x64xf32, smem, row>
  sluice.fence proxy_async
  sluice.load %X[%row, %c0] to %v : <?x64xf32, align 16>, <64x64xf32, reg, acc>
  sluice.bar.sync 0, 128
  sluice.role "store" warps 0 to 1 {
    sluice.tma.store %new to %X[%row, %c0] by one
        : <64x64xf32, smem, row>, <?x64xf32, align 16>
    sluice.bulk.commit by one
    sluice.bulk.wait 0 by one
  }
  sluice.store %v to %Y[%row, %c0] : <64x64xf32, reg, acc>, <?x64xf32>
}
