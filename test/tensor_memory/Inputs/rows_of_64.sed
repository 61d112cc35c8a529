s/"a" : !sluice.buffer<128x64/"a" : !sluice.buffer<64x64/
/tma.load %A/{n;s/<128x64xbf16/<64x64xbf16/}
/tcgen05.mma %s/{n;s/<128x64xbf16/<64x64xbf16/}
s/128x128x\(f32\|bf16\), \(tmem\|reg\)/64x128x\1, \2/g
s/128x64xf32/64x64xf32/g
s/%c128 = arith.constant 128/%c128 = arith.constant 64/
s/bytes 49152/bytes 40960/
