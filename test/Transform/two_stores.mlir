// Two stores in a loop over tiles, one by TMA, one clipped and so by threads: the ring to the role that stores both has
// the fence that TMA needs, and the wait for its reads.
// RUN: sluice check %s | FileCheck %s
// CHECK: proven: every launch
// RUN: sluice emit %s | FileCheck %s --check-prefix=TEXT
// TEXT: { // mma
// TEXT: fenceProxyAsync();
// TEXT: { // store
// TEXT: bulkWaitRead<0>();
// TEXT: warpSync();
sluice.kernel @two_stores(%X: !sluice.tensor<?x?xf32, align 16> {sluice.name = "X"},
                          %Y: !sluice.tensor<?x?xf32, align 16> {sluice.name = "Y", sluice.out},
                          %Z: !sluice.tensor<?x?xf32, align 16> {sluice.name = "Z", sluice.out})
    attributes {target = "sm_90a"} {
  %c0 = arith.constant 0 : index
  %c5 = arith.constant 5 : index
  %c128 = arith.constant 128 : index
  %rows = sluice.dim %Y, 0 : <?x?xf32, align 16>
  %down = arith.ceildivsi %rows, %c128 : index
  %i = sluice.grid %down {persistent} : index
  %row = arith.muli %i, %c128 : index
  %x = sluice.alloc "x" : !sluice.buffer<128x16xf32>
  sluice.load %X[%row, %c0] to %x : <?x?xf32, align 16>, <128x16xf32>
  %c = sluice.alloc "c" : !sluice.buffer<128x16xf32>
  %d = sluice.alloc "d" : !sluice.buffer<128x16xf32>
  sluice.map ins(%x : !sluice.buffer<128x16xf32>) outs(%c, %d : !sluice.buffer<128x16xf32>, !sluice.buffer<128x16xf32>) {
  ^bb0(%v: f32):
    %y = arith.addf %v, %v : f32
    sluice.yield %y, %v : f32, f32
  }
  sluice.store %c to %Y[%row, %c0] : <128x16xf32>, <?x?xf32, align 16>
  %end = sluice.clip %Z, 0 to %c5 : <?x?xf32, align 16>
  sluice.store %d to %end[%row, %c0] : <128x16xf32>, <?x?xf32, align 16>
}
