// RUN: not sluice check %s --set X=64x32 Y=64x32 | FileCheck %s
// Y is stored while the kernel before may still write X, and Y may be its memory.
// CHECK: {{^}}violated
// CHECK: R37 (Kernel before): copy of {{.*}} touches Y, which may be the memory of X, which the kernel before may still be writing. Put griddepcontrol.wait before it, in this role
sluice.kernel @k(%X: !sluice.tensor<?x32xf32> {sluice.name = "X", sluice.previous},
                 %Y: !sluice.tensor<?x32xf32> {sluice.name = "Y", sluice.out, sluice.in_place = "X"})
    attributes {target = "sm_90a", phase = "barrier", warps = 4} {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %M = sluice.dim %X, 0 : <?x32xf32>
  %n = arith.ceildivsi %M, %c64 : index
  %i = sluice.grid %n : index
  %row = arith.muli %i, %c64 : index
  %x = sluice.alloc "x" : !sluice.buffer<64x32xf32, reg, acc>
  sluice.fill %x with 1.0 : <64x32xf32, reg, acc>
  sluice.store %x to %Y[%row, %c0] : <64x32xf32, reg, acc>, <?x32xf32>
  sluice.griddepcontrol
}
