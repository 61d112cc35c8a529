// Tiles of a plane, on the vector cores: a grid of two dimensions is dealt to the cores in turn.
// RUN: sluice check %s --target ascend910b | FileCheck %s --check-prefix=PROVEN
// PROVEN: proven: every launch
// RUN: sluice run %s --target ascend910b --random 1 --set X=100x132 Y=100x132 | FileCheck %s --check-prefix=TIME
// TIME: cycles
// RUN: sluice emit %s --target ascend910b | FileCheck %s --check-prefix=PRINTED
// PRINTED: const int j = tile % cols;
// PRINTED-NEXT: const int i = tile / cols;
// PRINTED: loadRows<32, 64>(t[at_t.slot], X, {0, M, N, XStride0}, n, c);
sluice.kernel @twice(%x: !sluice.tensor<?x?xf32, align 16> {sluice.name = "X"},
    %y: !sluice.tensor<?x?xf32, align 16> {sluice.name = "Y", sluice.out}) {
  %c64 = arith.constant 64 : index
  %M = sluice.dim %x, 0 : <?x?xf32, align 16>
  %N = sluice.dim %x, 1 : <?x?xf32, align 16>
  %rows = arith.ceildivsi %M, %c64 : index
  %cols = arith.ceildivsi %N, %c64 : index
  %i, %j = sluice.grid %rows, %cols : index, index
  %r = arith.muli %i, %c64 : index
  %c = arith.muli %j, %c64 : index
  %t = sluice.alloc "t" : !sluice.buffer<64x64xf32>
  sluice.load %x[%r, %c] to %t : <?x?xf32, align 16>, <64x64xf32>
  %u = sluice.alloc "u" : !sluice.buffer<64x64xf32>
  sluice.map ins(%t : !sluice.buffer<64x64xf32>) outs(%u : !sluice.buffer<64x64xf32>) {
  ^bb0(%v: f32):
    %w = arith.addf %v, %v : f32
    sluice.yield %w : f32
  }
  sluice.store %u to %y[%r, %c] : <64x64xf32>, <?x?xf32, align 16>
}
