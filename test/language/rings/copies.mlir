// Slots that cp.async fills for threads: the copies themselves signal the full side, and the producer goes on to the next
// slot. Where it waits for its copies itself, or an arrival is asked for, its warps signal.
// RUN: sluice check %s | FileCheck %s
// CHECK: {{^}}proven: every launch
// RUN: sluice barriers %s | FileCheck %s --check-prefix=TABLE
// TABLE: full 0 64 0 cp.async of load warps 4-5 math warps 0-3
// RUN: sluice check %s --dump-after-each 2>&1 >/dev/null | FileCheck %s --check-prefix=DUMP
// DUMP-LABEL: after sluice-lower-to-mbarriers
// DUMP:       sluice.load %X{{.*}} async
// DUMP-NOT:   sluice.cp_async.wait
// DUMP:       sluice.cp_async.arrive %full
// DUMP-LABEL: after sluice-allocate
// RUN: sluice run %s --device sim --random 3 --set X=40x500 Y=40x500 --out Y=%t.npy --chaos 300
// RUN: sed 's/ by threads//; s/ async / /' %s > %t.threads.mlir
// RUN: sluice run %t.threads.mlir --device sim --random 3 --set X=40x500 Y=40x500 --expect Y=%t.npy
// RUN: sed 's/from \["load"\] to \["math"\]/& {arrive = "one"}/' %s > %t.one.mlir
// RUN: sluice check %t.one.mlir | FileCheck %s
// RUN: sluice check %t.one.mlir --dump-after-each 2>&1 >/dev/null | FileCheck %s --check-prefix=ONE
// ONE-LABEL: after sluice-lower-to-mbarriers
// ONE:       sluice.cp_async.wait 0
// A slot that is not handed back is waited for by who fills it.
// RUN: sed 's/sluice.release %%ring/\/\/ &/' %s > %t.kept.mlir
// RUN: not sluice check %t.kept.mlir --set X=40x500 Y=40x500 2>&1 | FileCheck %s --check-prefix=KEPT
// KEPT: R9
sluice.kernel @copy(%X: !sluice.tensor<?x?xf32, align 4> {sluice.name = "X"},
                    %Y: !sluice.tensor<?x?xf32, align 4> {sluice.name = "Y", sluice.out})
    attributes {target = "sm_90a", phase = "pipeline"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %n = sluice.dim %X, 1 : <?x?xf32, align 4>
  %steps = arith.ceildivsi %n, %c64 : index
  %x = sluice.alloc "x" : !sluice.buffer<64x64xf32, smem, row, slots 3>
  %ring = sluice.pipeline "ring" over %x : !sluice.buffer<64x64xf32, smem, row, slots 3>
      from ["load"] to ["math"] : !sluice.pipeline<3>
  %start = sluice.cursor : !sluice.cursor<3>
  sluice.role "math" warps 0 to 4 {
    %y = sluice.alloc "y" : !sluice.buffer<64x64xf32, reg, acc>
    scf.for %t = %c0 to %steps step %c1 iter_args(%at = %start) -> (!sluice.cursor<3>) {
      %col = arith.muli %t, %c64 : index
      %slot = sluice.cursor.slot %at : <3>
      %here = sluice.slot %x[%slot] : <64x64xf32, smem, row, slots 3>
      sluice.wait %ring[%at] : <3>
      sluice.copy %here to %y : <64x64xf32, smem, row>, <64x64xf32, reg, acc>
      sluice.release %ring[%at] : <3>
      sluice.store %y to %Y[%c0, %col] : <64x64xf32, reg, acc>, <?x?xf32, align 4>
      %next = sluice.cursor.advance %at : <3>
      scf.yield %next : !sluice.cursor<3>
    }
  }
  sluice.role "load" warps 4 to 6 {
    scf.for %t = %c0 to %steps step %c1 iter_args(%at = %start) -> (!sluice.cursor<3>) {
      %col = arith.muli %t, %c64 : index
      %slot = sluice.cursor.slot %at : <3>
      %here = sluice.slot %x[%slot] : <64x64xf32, smem, row, slots 3>
      sluice.acquire %ring[%at] : <3>
      sluice.load %X[%c0, %col] to %here async : <?x?xf32, align 4>, <64x64xf32, smem, row>
      sluice.commit %ring[%at] : <3>
      %next = sluice.cursor.advance %at : <3>
      scf.yield %next : !sluice.cursor<3>
    }
  }
}
