s/128x64xf32/64x64xf32/g
s/128x64xbf16/64x64xbf16/g
s/%rows, %c128/%rows, %c64/
s/%i, %c128/%i, %c64/
