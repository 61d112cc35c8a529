// RUN: not sluice check %s --set part=64x32 Y=64x32 met=8 | FileCheck %s
// A tile of another CTA is read before all have met.
// CHECK: R27 (
sluice.kernel @meet(%part: !sluice.tensor<?x?xf32> {sluice.name = "part", sluice.inout},
                    %Y: !sluice.tensor<?x?xf32> {sluice.name = "Y", sluice.out},
                    %met: !sluice.tensor<?xi32> {sluice.name = "met", sluice.inout})
    attributes {target = "sm_90a", phase = "barrier", warps = 4} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %most_ctas = arith.constant 65536 : index
  %M = sluice.dim %part, 0 : <?x?xf32>
  %N = sluice.dim %part, 1 : <?x?xf32>
  %gm = arith.ceildivsi %M, %c64 : index
  %gn = arith.ceildivsi %N, %c32 : index
  %i, %j = sluice.grid %gm, %gn : index, index
  %row = arith.muli %i, %c64 : index
  %col = arith.muli %j, %c32 : index
  %ctas = arith.muli %gn, %gm : index
  %few = arith.cmpi sle, %ctas, %most_ctas : index
  sluice.assume %few, "at most 65536 CTAs"
  sluice.role "all" warps 0 to 4 {
    %x = sluice.alloc "x" : !sluice.buffer<64x32xf32, reg, acc>
    sluice.fill %x with 1.0 : <64x32xf32, reg, acc>
    sluice.store %x to %part[%row, %col] : <64x32xf32, reg, acc>, <?x?xf32>
    scf.for %t = %c0 to %gn step %c1 {
      %at = arith.muli %t, %c32 : index
      sluice.load %part[%row, %at] to %x : <?x?xf32>, <64x32xf32, reg, acc>
    }
    sluice.bar.sync 1, 128
    %seen = sluice.counter.add %met[%c0], %c1 scope gpu : <?xi32>
    sluice.counter.wait %met[%c0], %ctas scope gpu co_resident : <?xi32>
    sluice.bar.sync 1, 128
    scf.for %t = %c0 to %gn step %c1 {
      %at = arith.muli %t, %c32 : index
      sluice.load %part[%row, %at] to %x : <?x?xf32>, <64x32xf32, reg, acc>
    }
    sluice.store %x to %Y[%row, %col] : <64x32xf32, reg, acc>, <?x?xf32>
  }
}
