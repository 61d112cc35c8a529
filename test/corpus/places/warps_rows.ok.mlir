// RUN: sluice check %s | FileCheck %s
// Four warps add to one tile again and again, each to its own rows: no barrier is needed.
// CHECK: {{^}}proven: every launch
sluice.kernel @k(%Y: !sluice.tensor<?x64xf32> {sluice.name = "Y", sluice.inout},
                 %n: index {sluice.name = "n"})
    attributes {target = "sm_90a", phase = "barrier", warps = 4} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %M = sluice.dim %Y, 0 : <?x64xf32>
  %rows = arith.ceildivsi %M, %c64 : index
  %i = sluice.grid %rows : index
  %row = arith.muli %i, %c64 : index
  sluice.role "all" warps 0 to 4 {
    %r = sluice.alloc "r" : !sluice.buffer<64x64xf32, reg, acc>
    scf.for %t = %c0 to %n step %c1 {
      sluice.load %Y[%row, %c0] to %r : <?x64xf32>, <64x64xf32, reg, acc>
      sluice.store %r to %Y[%row, %c0] : <64x64xf32, reg, acc>, <?x64xf32>
    }
  }
}
