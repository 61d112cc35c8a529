/^      sluice.tcgen05.mma %d, %as, %bs/{
N
c\
      %left = sluice.subview %d[%c0, %c0] : <128x128xf32, tmem, row> to <128x64xf32, tmem, row>\
      %right = sluice.subview %d[%c0, %c64] : <128x128xf32, tmem, row> to <128x64xf32, tmem, row>\
      %bl = sluice.subview %bs[%c0, %c0] : <64x128xbf16, smem, sw128> to <64x64xbf16, smem, sw128>\
      %br = sluice.subview %bs[%c0, %c64] : <64x128xbf16, smem, sw128> to <64x64xbf16, smem, sw128>\
      sluice.tcgen05.mma %left, %as, %bl accumulate %more\
          : <128x64xf32, tmem, row>, <128x64xbf16, smem, sw128>, <64x64xbf16, smem, sw128>\
      sluice.tcgen05.mma %right, %as, %br accumulate %more\
          : <128x64xf32, tmem, row>, <128x64xbf16, smem, sw128>, <64x64xbf16, smem, sw128>
}
