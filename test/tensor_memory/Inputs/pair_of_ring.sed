# scaled_ring.mlir by a pair of CTAs: each has its rows of A and half of the columns of B, and the
# leader's role copies the factors of both and multiplies for both.
s/phase = "pipeline"/&, cluster = array<i64: 2, 1, 1>/
s/^  %c32 = .*/&\n  %c2 = arith.constant 2 : index\n  %c64 = arith.constant 64 : index\n  %c256 = arith.constant 256 : index/
s/^  %gm = .*/  %halves = arith.ceildivsi %M, %c256 : index\n  %gm = arith.muli %halves, %c2 : index/
s/^  %col = .*/&\n  %rank = sluice.cluster.rank\n  %half = arith.muli %rank, %c64 : index\n  %from = arith.addi %col, %half : index/
/"b"\|%bs = \|transpose/s/128x128/64x128/
/pipeline "tiles"/{n;s/\(.*\)128x128/\164x128/}
/load %B/{s/%col/%from/;n;s/128x128/64x128/}
s/128x128\(.*minor 0\)/128x64\1/
s/role "mma" warps 5 to 6/& leader/
s/accumulate %more/& ctas 2/
