// Uses of one ring in which TMA brings more or less: every step a tile of X, every second one also
// one of Y, and at the end a use with nothing but the word that all is there.
// RUN: sluice check %s | FileCheck %s
// RUN: sluice check %s --dump-after-each 2>&1 >/dev/null | FileCheck %s --check-prefix=LOWERED
// RUN: %python %S/Inputs/products.py %t
// RUN: sluice run %s --in X=%t/A.npy Y=%t/A.npy --set S=64x1 --expect S=%t/uneven.npy --chaos 2000
// CHECK: {{^}}proven: every launch
// LOWERED-LABEL: after sluice-lower-to-mbarriers
// LOWERED: sluice.mbarrier.init %full count 1 by one
// LOWERED: sluice.mbarrier.arrive_expect_tx %full[%{{.*}}] bytes 16384 by one
// LOWERED: sluice.mbarrier.arrive_expect_tx %full[%{{.*}}] bytes 8192 by one
// LOWERED: sluice.mbarrier.arrive %full[%{{.*}}] by one
// A consumer that reads what this use does not bring takes an older tile.
// RUN: sed 's/scf.if %%brought {/scf.if %%always {/' %s > %t.mlir
// RUN: not sluice check %t.mlir 2>&1 | FileCheck %s --check-prefix=OLD
// OLD: R21 (Defined before read): copy of sums warp {{[0-9]+}} of CTA (0){{.*}} reads y[0]
sluice.kernel @sums(%X: !sluice.tensor<?x?xf16, align 16> {sluice.name = "X"},
                    %Y: !sluice.tensor<?x?xf16, align 16> {sluice.name = "Y"},
                    %S: !sluice.tensor<64x1xf32> {sluice.name = "S", sluice.out})
    attributes {target = "sm_90a", phase = "pipeline", warps = 8} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c64 = arith.constant 64 : index
  %columns = sluice.dim %X, 1 : <?x?xf16, align 16>
  %n = arith.ceildivsi %columns, %c64 : index
  %i = sluice.grid %c1 : index
  %x = sluice.alloc "x" : !sluice.buffer<64x64xf16, smem, sw128, slots 2>
  %y = sluice.alloc "y" : !sluice.buffer<64x64xf16, smem, sw128, slots 2>
  %ring = sluice.pipeline "ring" over %x, %y : !sluice.buffer<64x64xf16, smem, sw128, slots 2>,
      !sluice.buffer<64x64xf16, smem, sw128, slots 2> from ["load"] to ["sums"]
      : !sluice.pipeline<2>
  %start = sluice.cursor : !sluice.cursor<2>
  sluice.role "load" warps 0 to 1 {
    %end = scf.for %t = %c0 to %n step %c1 iter_args(%at = %start) -> !sluice.cursor<2> {
      %column = arith.muli %t, %c64 : index
      %rest = arith.remsi %t, %c2 : index
      %odd = arith.cmpi eq, %rest, %c1 : index
      %slot = sluice.cursor.slot %at : <2>
      %x_at = sluice.slot %x[%slot] : <64x64xf16, smem, sw128, slots 2>
      %y_at = sluice.slot %y[%slot] : <64x64xf16, smem, sw128, slots 2>
      scf.if %odd {
        sluice.acquire %ring[%at] : <2>
        sluice.load %X[%c0, %column] to %x_at : <?x?xf16, align 16>, <64x64xf16, smem, sw128>
        sluice.load %Y[%c0, %column] to %y_at : <?x?xf16, align 16>, <64x64xf16, smem, sw128>
        sluice.commit %ring[%at] : <2>
      } else {
        sluice.acquire %ring[%at] : <2>
        sluice.load %X[%c0, %column] to %x_at : <?x?xf16, align 16>, <64x64xf16, smem, sw128>
        sluice.commit %ring[%at] : <2>
      }
      %next = sluice.cursor.advance %at : <2>
      scf.yield %next : !sluice.cursor<2>
    }
    sluice.acquire %ring[%end] : <2>
    sluice.commit %ring[%end] : <2>
  }
  sluice.role "sums" warps 4 to 8 {
    %h = sluice.alloc "h" : !sluice.buffer<64x64xf32, reg, acc>
    %sum = sluice.alloc "sum" : !sluice.buffer<64x1xf32, reg, rowVector>
    sluice.fill %sum with 0.0 : <64x1xf32, reg, rowVector>
    %end = scf.for %t = %c0 to %n step %c1 iter_args(%at = %start) -> !sluice.cursor<2> {
      %rest = arith.remsi %t, %c2 : index
      %brought = arith.cmpi eq, %rest, %c1 : index
      %always = arith.cmpi sge, %t, %c0 : index
      %slot = sluice.cursor.slot %at : <2>
      %x_at = sluice.slot %x[%slot] : <64x64xf16, smem, sw128, slots 2>
      %y_at = sluice.slot %y[%slot] : <64x64xf16, smem, sw128, slots 2>
      sluice.wait %ring[%at] : <2>
      sluice.copy %x_at to %h : <64x64xf16, smem, sw128>, <64x64xf32, reg, acc>
      scf.if %brought {
        %g = sluice.alloc "g" : !sluice.buffer<64x64xf32, reg, acc>
        sluice.copy %y_at to %g : <64x64xf16, smem, sw128>, <64x64xf32, reg, acc>
        sluice.map ins(%h, %g : !sluice.buffer<64x64xf32, reg, acc>,
                !sluice.buffer<64x64xf32, reg, acc>)
            outs(%h : !sluice.buffer<64x64xf32, reg, acc>) {
        ^bb0(%p: f32, %q: f32):
          %z = arith.addf %p, %q : f32
          sluice.yield %z : f32
        }
      }
      sluice.release %ring[%at] : <2>
      %part = sluice.alloc "part" : !sluice.buffer<64x1xf32, reg, rowVector>
      sluice.reduce ins(%h : !sluice.buffer<64x64xf32, reg, acc>)
          outs(%part : !sluice.buffer<64x1xf32, reg, rowVector>) axis 1 from [0.0] {
      ^bb0(%s: f32, %v: f32):
        %r = arith.addf %s, %v : f32
        sluice.yield %r : f32
      }
      sluice.map ins(%sum, %part : !sluice.buffer<64x1xf32, reg, rowVector>,
              !sluice.buffer<64x1xf32, reg, rowVector>)
          outs(%sum : !sluice.buffer<64x1xf32, reg, rowVector>) {
      ^bb0(%p: f32, %q: f32):
        %z = arith.addf %p, %q : f32
        sluice.yield %z : f32
      }
      %next = sluice.cursor.advance %at : <2>
      scf.yield %next : !sluice.cursor<2>
    }
    sluice.wait %ring[%end] : <2>
    sluice.store %sum to %S[%c0, %c0] : <64x1xf32, reg, rowVector>, <64x1xf32>
    sluice.release %ring[%end] : <2>
  }
}
