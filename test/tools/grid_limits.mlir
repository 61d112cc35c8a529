// What no launcher takes, neither check nor the virtual machine does: CTAs beyond what a device has
// along y, and clusters that the grid does not fill.
// RUN: not sluice check %s --this-launch --set C=64x32 rows=2 planes=70000 | FileCheck %s --check-prefix=MANY
// RUN: not sluice run %s --device sim --unproven --set C=64x32 rows=2 planes=70000 2>&1 | FileCheck %s --check-prefix=MACHINE
// RUN: not sluice run %s --device sim --unproven --set C=64x32 rows=3 planes=1 2>&1 | FileCheck %s --check-prefix=ODD
// MANY: unsupported: nothing was run
// MANY: note: the launch has 70000 CTAs in dimension 1; 0 to 65535 are possible
// MACHINE: error: kernel clusters: the launch has 70000 CTAs in dimension 1; 0 to 65535 are possible
// ODD: error: kernel clusters: side 0 of the grid is 3, no multiple of the cluster's 2
sluice.kernel @clusters(%C: !sluice.tensor<?x32xf32> {sluice.name = "C", sluice.out},
                        %rows: index {sluice.name = "rows"},
                        %planes: index {sluice.name = "planes"})
    attributes {target = "sm_90a", phase = "barrier", warps = 4, cluster = array<i64: 2, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %x, %y = sluice.grid %rows, %planes : index, index
  %plane = arith.muli %y, %rows : index
  %tile = arith.addi %plane, %x : index
  %row = arith.muli %tile, %c64 : index
  %t = sluice.alloc "t" : !sluice.buffer<64x32xf32, reg, acc>
  sluice.fill %t with 1.0 : <64x32xf32, reg, acc>
  sluice.store %t to %C[%row, %c0] : <64x32xf32, reg, acc>, <?x32xf32>
  sluice.cluster.arrive
  sluice.cluster.wait
}
