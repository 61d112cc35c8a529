s/^  %c0 = arith.constant 0 : index/&\
  %c64 = arith.constant 64 : index/
/^      sluice.tcgen05.mma %o, %p, %v/{
N
c\
      %ol = sluice.subview %o[%c0, %c0] : <128x128xf32, tmem, row> to <128x64xf32, tmem, row>\
      %or = sluice.subview %o[%c0, %c64] : <128x128xf32, tmem, row> to <128x64xf32, tmem, row>\
      %vl = sluice.subview %v[%c0, %c0] : <128x128xf16, smem, sw128> to <128x64xf16, smem, sw128>\
      %vr = sluice.subview %v[%c0, %c64] : <128x128xf16, smem, sw128> to <128x64xf16, smem, sw128>\
      sluice.tcgen05.mma %ol, %p, %vl accumulate %more\
          : <128x64xf32, tmem, row>, <128x128xf16, tmem, row>, <128x64xf16, smem, sw128>\
      sluice.tcgen05.mma %or, %p, %vr accumulate %more\
          : <128x64xf32, tmem, row>, <128x128xf16, tmem, row>, <128x64xf16, smem, sw128>
}
