# scaled_pair.ok.mlir with tiles of 192 columns, 96 of them in each CTA, whose factors are two pieces:
# those of 128 and of 64.
s/128x128xf32/128x192xf32/g
/"b"\|%bs = \|transpose/s/64x128/96x128/
/tma.load %B/{n;s/64x128/96x128/}
s/128x64\(.*minor 0\)/128x96\1/
s/"ta" at 512/"ta" at 768/
s/"tb" at 560 : !sluice.buffer<128x16/"tb" at 816 : !sluice.buffer<128x32/
/%c128 = /s/$/\n  %c16 = arith.constant 16 : index\n  %c96 = arith.constant 96 : index\n  %c192 = arith.constant 192 : index/
/%gn = \|%col = /s/%c128/%c192/
/%half = /s/%c64/%c96/
/%col = /s/$/\n  %piece = arith.muli %j, %c2 : index\n  %other = arith.addi %piece, %c1 : index/
/"sb"/{p;s/%sb/%sb2/;s/"sb"/"sb2"/}
/%sbs = /{p;s/%sb/%sb2/g;s/%sb2s/%sbs2/}
/%tbs = /s/128x16/128x32/
s/bytes 25600/bytes 30208/
/tma.load %SB/{s/%j/%piece/;N;p;s/%piece/%other/;s/%sbs/%sbs2/}
/copy %sbs/{s/%tbs/%tb0/;s/^/        %tb0 = sluice.subview %tbs[%c0, %c0] : <128x32xf8E8M0FNU, tmem, row> to <128x16xf8E8M0FNU, tmem, row>\n/;p;s/tb0/tb1/g;s/%c0\]/%c16]/;s/%sbs/%sbs2/}
/^ *!sluice.buffer<128x16xf8E8M0FNU, tmem, row>$/s/128x16/128x32/
