// Lines of 8-bit elements that begin at multiples of 2 bytes: threads bring them and store them, two at a time.
// RUN: sluice check %s | FileCheck %s --check-prefix=PROVEN
// PROVEN: proven: every launch
// RUN: sluice emit %s | FileCheck %s --check-prefix=TEXT
// TEXT: storeTile<XTile, 64, 128, 2, 128>(
// RUN: sluice run %s --device host --random 1 --set X=70x130 Y=70x130 | FileCheck %s --check-prefix=VALUES
// VALUES: values     all 9100 are the virtual machine's, bit by bit
sluice.kernel @bytes(%X: !sluice.tensor<?x?xi8, align 2> {sluice.name = "X"},
                     %Y: !sluice.tensor<?x?xi8, align 2> {sluice.name = "Y", sluice.out})
    attributes {target = "sm_90a"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %rows = sluice.dim %X, 0 : <?x?xi8, align 2>
  %columns = sluice.dim %X, 1 : <?x?xi8, align 2>
  %down = arith.ceildivsi %rows, %c64 : index
  %across = arith.ceildivsi %columns, %c128 : index
  %i = sluice.grid %down : index
  %row = arith.muli %i, %c64 : index
  scf.for %t = %c0 to %across step %c1 {
    %column = arith.muli %t, %c128 : index
    %x = sluice.alloc "x" : !sluice.buffer<64x128xi8>
    sluice.load %X[%row, %column] to %x : <?x?xi8, align 2>, <64x128xi8>
    sluice.store %x to %Y[%row, %column] : <64x128xi8>, <?x?xi8, align 2>
  } {sluice.name = "t", sluice.stages = 2 : i64}
}
