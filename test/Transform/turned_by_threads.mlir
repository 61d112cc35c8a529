// A transposed tile whose lines begin anywhere in the tensor: staged and turned as TMA would have it, and stored from
// there by the threads of a role, line by line; from registers where its author asks for no staging.
// RUN: sluice check %s | FileCheck %s --check-prefix=PROVEN
// PROVEN: proven: every launch
// RUN: sluice emit %s | FileCheck %s --check-prefix=TEXT
// TEXT: //   full_y_staging {{.*}}mma warps 0-3 -> store warps 8-11
// TEXT: //   empty_y_staging {{.*}}store warps 8-11 -> mma warps 0-3
// TEXT: storeFragmentTransposed<Y_stagingTile, 4>(y_staging[0], 0, 0, y, warp);
// TEXT: storeTile<Y_stagingTile, 64, 64, 2, 128>(
// RUN: sluice run %s --device host --random 1 --set X=131x67 Y=67x131 | FileCheck %s --check-prefix=VALUES
// RUN: sluice run %s --device host --random 1 --set X=64x129 Y=129x64 | FileCheck %s --check-prefix=VALUES
// VALUES: values     all {{[0-9]+}} are the virtual machine's, bit by bit
// RUN: sed 's/to %%Y\[%%column, %%row\]/to %%Y[%%column, %%row] {sluice.staging = 0}/' %s > %t.mlir
// RUN: sluice emit %t.mlir | FileCheck %s --check-prefix=UNSTAGED
// UNSTAGED-NOT: y_staging
// UNSTAGED: storeFragment<4, 2>(
sluice.kernel @turned(%X: !sluice.tensor<?x?xbf16, align 2> {sluice.name = "X"},
                      %Y: !sluice.tensor<?x?xbf16, align 2> {sluice.name = "Y", sluice.out})
    attributes {target = "sm_90a"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %rows = sluice.dim %X, 0 : <?x?xbf16, align 2>
  %columns = sluice.dim %X, 1 : <?x?xbf16, align 2>
  %down = arith.ceildivsi %rows, %c64 : index
  %across = arith.ceildivsi %columns, %c64 : index
  %i = sluice.grid %down : index
  %row = arith.muli %i, %c64 : index
  scf.for %t = %c0 to %across step %c1 {
    %column = arith.muli %t, %c64 : index
    %x = sluice.alloc "x" : !sluice.buffer<64x64xbf16>
    sluice.load %X[%row, %column] to %x : <?x?xbf16, align 2>, <64x64xbf16>
    %y = sluice.alloc "y" : !sluice.buffer<64x64xbf16>
    sluice.map ins(%x : !sluice.buffer<64x64xbf16>) outs(%y : !sluice.buffer<64x64xbf16>) {
    ^bb0(%v: bf16):
      sluice.yield %v : bf16
    }
    %z = sluice.transpose %y : <64x64xbf16>
    sluice.store %z to %Y[%column, %row] : <64x64xbf16, minor 0>, <?x?xbf16, align 2>
  } {sluice.name = "t", sluice.stages = 2 : i64}
}
