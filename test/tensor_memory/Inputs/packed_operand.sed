s/"d" at 0 : .*/&\n  %ta = sluice.alloc "ta" at 512 : !sluice.buffer<128x128xf6E2M3FN, tmem, row>/
s/\(tmem.alloc\|tmem.dealloc\) 128/\1 256/
/sluice.tcgen05.mma/{
s/^.*$/      sluice.copy %as to %ta : <128x128xf6E2M3FN, smem, sw128>, <128x128xf6E2M3FN, tmem, row>\n&/
s/%d, %as/%d, %ta/
n
s/f6E2M3FN, smem, sw128/f6E2M3FN, tmem, row/
}
