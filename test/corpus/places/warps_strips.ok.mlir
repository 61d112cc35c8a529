// RUN: sluice check %s | FileCheck %s
// Warps store strips of their own that go round in a tile of 256 columns: a warp comes back to its own, behind a warp_sync.
// CHECK: {{^}}proven: every launch
sluice.kernel @k(%Y: !sluice.tensor<?x256xf32> {sluice.name = "Y", sluice.out},
                 %n: index {sluice.name = "n"})
    attributes {target = "sm_90a", phase = "barrier", warps = 8} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c64 = arith.constant 64 : index
  %M = sluice.dim %Y, 0 : <?x256xf32>
  %rows = arith.ceildivsi %M, %c64 : index
  %i = sluice.grid %rows : index
  %row = arith.muli %i, %c64 : index
  sluice.role "all" warps 4 to 8 {
    %r = sluice.alloc "r" : !sluice.buffer<64x64xf32, reg, blocked>
    sluice.fill %r with 1.0 : <64x64xf32, reg, blocked>
    scf.for %t = %c0 to %n step %c1 {
      %strip = arith.remsi %t, %c4 : index
      %col = arith.muli %strip, %c64 : index
      sluice.store %r to %Y[%row, %col] : <64x64xf32, reg, blocked>, <?x256xf32>
      sluice.warp_sync
    }
  }
}
