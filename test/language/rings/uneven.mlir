// TMA brings two tiles to the first use of a slot and one to the others: each use announces what
// comes. Roles of one warpgroup ask for different numbers of registers: they get the most of these.
// RUN: %python %S/Inputs/sums.py %t
// RUN: sluice check %s --set X=64x160 Z=64x160 | FileCheck %s --check-prefix=PROOF
// PROOF: {{^}}proven: every launch
// RUN: sluice run %s --in X=%t/X.npy Z=%t/Z.npy --set Y=64x32 --expect Y=%t/start.npy
// RUN: sluice emit %s | FileCheck %s
// CHECK: // 256 threads
// CHECK:      load (warps 4..4, 40 registers),
// CHECK-NEXT: //   idle (warps 5..5, 40 registers)
// CHECK: // full {{.*}} 16384
// CHECK: mbarrierArriveExpectTx(full[{{.*}}], 16384);
// CHECK: mbarrierArriveExpectTx(full[{{.*}}], 8192);
sluice.kernel @sum_of_two(%X: !sluice.tensor<64x?xf32, align 16> {sluice.name = "X"},
                          %Z: !sluice.tensor<64x?xf32, align 16> {sluice.name = "Z"},
                          %Y: !sluice.tensor<64x32xf32> {sluice.name = "Y", sluice.out})
    attributes {target = "sm_90a", phase = "pipeline"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %K = sluice.dim %X, 1 : <64x?xf32, align 16>
  %n = arith.ceildivsi %K, %c32 : index
  %i = sluice.grid %c1 : index
  %x = sluice.alloc "x" : !sluice.buffer<64x32xf32, smem, sw128, slots 2>
  %z = sluice.alloc "z" : !sluice.buffer<64x32xf32, smem, sw128, slots 2>
  %ring = sluice.pipeline "ring" over %x, %z : !sluice.buffer<64x32xf32, smem, sw128, slots 2>,
      !sluice.buffer<64x32xf32, smem, sw128, slots 2> from ["load"] to ["sum"] : !sluice.pipeline<2>
  %start = sluice.cursor : !sluice.cursor<2>
  sluice.role "sum" warps 0 to 4 registers 232 {
    %acc = sluice.alloc "acc" : !sluice.buffer<64x32xf32, reg, acc>
    %a = sluice.alloc "a" : !sluice.buffer<64x32xf32, reg, acc>
    sluice.fill %acc with 0.0 : <64x32xf32, reg, acc>
    scf.for %t = %c0 to %n step %c1 iter_args(%at = %start) -> !sluice.cursor<2> {
      %first = arith.cmpi eq, %t, %c0 : index
      %slot = sluice.cursor.slot %at : <2>
      %xa = sluice.slot %x[%slot] : <64x32xf32, smem, sw128, slots 2>
      %za = sluice.slot %z[%slot] : <64x32xf32, smem, sw128, slots 2>
      sluice.wait %ring[%at] : <2>
      sluice.copy %xa to %a : <64x32xf32, smem, sw128>, <64x32xf32, reg, acc>
      sluice.map ins(%acc, %a : !sluice.buffer<64x32xf32, reg, acc>,
              !sluice.buffer<64x32xf32, reg, acc>)
          outs(%acc : !sluice.buffer<64x32xf32, reg, acc>) {
      ^bb0(%s: f32, %u: f32):
        %r = arith.addf %s, %u : f32
        sluice.yield %r : f32
      }
      scf.if %first {
        sluice.copy %za to %a : <64x32xf32, smem, sw128>, <64x32xf32, reg, acc>
        sluice.map ins(%acc, %a : !sluice.buffer<64x32xf32, reg, acc>,
                !sluice.buffer<64x32xf32, reg, acc>)
            outs(%acc : !sluice.buffer<64x32xf32, reg, acc>) {
        ^bb0(%s: f32, %u: f32):
          %r = arith.addf %s, %u : f32
          sluice.yield %r : f32
        }
      }
      sluice.release %ring[%at] : <2>
      %next = sluice.cursor.advance %at : <2>
      scf.yield %next : !sluice.cursor<2>
    }
    sluice.store %acc to %Y[%c0, %c0] : <64x32xf32, reg, acc>, <64x32xf32>
  }
  sluice.role "load" warps 4 to 5 registers 40 {
    scf.for %t = %c0 to %n step %c1 iter_args(%at = %start) -> !sluice.cursor<2> {
      %first = arith.cmpi eq, %t, %c0 : index
      %col = arith.muli %t, %c32 : index
      %slot = sluice.cursor.slot %at : <2>
      %xa = sluice.slot %x[%slot] : <64x32xf32, smem, sw128, slots 2>
      %za = sluice.slot %z[%slot] : <64x32xf32, smem, sw128, slots 2>
      scf.if %first {
        sluice.acquire %ring[%at] : <2>
        sluice.load %X[%c0, %col] to %xa : <64x?xf32, align 16>, <64x32xf32, smem, sw128>
        sluice.load %Z[%c0, %col] to %za : <64x?xf32, align 16>, <64x32xf32, smem, sw128>
        sluice.commit %ring[%at] : <2>
      } else {
        sluice.acquire %ring[%at] : <2>
        sluice.load %X[%c0, %col] to %xa : <64x?xf32, align 16>, <64x32xf32, smem, sw128>
        sluice.commit %ring[%at] : <2>
      }
      %next = sluice.cursor.advance %at : <2>
      scf.yield %next : !sluice.cursor<2>
    }
  }
  sluice.role "idle" warps 5 to 6 registers 24 {
  }
}
