# scaled_ring.mlir with a role of its own that copies the factors: a ring brings them there, another
# one hands them on to the products.
s/over %a, %b, %sa, %sb, %ta, %tb/over %a, %b/
s/f8E4M3FN, smem, sw128, slots 3>,$/f8E4M3FN, smem, sw128, slots 3> from ["load"] to ["mma"] : !sluice.pipeline<3>/
/^        !sluice.buffer<32x16/s/^ *\(.*\),$/  %factors = sluice.pipeline "factors" over %sa, %sb : \1 from ["load"] to ["copy"] : !sluice.pipeline<3>/
/^        !sluice.buffer<128x16.*slots 3>, /s/^ *\(.*\)$/  %copied = sluice.pipeline "copied" over %ta, %tb : \1 from ["copy"] to ["mma"] : !sluice.pipeline<3>/
/^      from \["load"\]/d
/load %SA/s/^/      sluice.acquire %factors[%at] : <3>\n/
/commit %tiles/s/^/      sluice.commit %factors[%at] : <3>\n/
/tail %tiles/s/^/    sluice.tail %factors[%end] : <3>\n/
/copy %sas/s/.*/      sluice.wait %copied[%at] : <3>/
/copy %sbs/d
/release %tiles/s/^/      sluice.release %copied[%at] : <3>\n/
/role "epilogue"/i\
  sluice.role "copy" warps 6 to 7 {\
    %end = scf.for %t = %c0 to %steps step %c1 iter_args(%at = %ring) -> !sluice.cursor<3> {\
      %slot = sluice.cursor.slot %at : <3>\
      %sas = sluice.slot %sa[%slot] : <32x16xf8E8M0FNU, smem, row, slots 3>\
      %sbs = sluice.slot %sb[%slot] : <32x16xf8E8M0FNU, smem, row, slots 3>\
      %tas = sluice.slot %ta[%slot] : <128x16xf8E8M0FNU, tmem, row, slots 3>\
      %tbs = sluice.slot %tb[%slot] : <128x16xf8E8M0FNU, tmem, row, slots 3>\
      sluice.wait %factors[%at] : <3>\
      sluice.acquire %copied[%at] : <3>\
      sluice.copy %sas to %tas : <32x16xf8E8M0FNU, smem, row>, <128x16xf8E8M0FNU, tmem, row>\
      sluice.copy %sbs to %tbs : <32x16xf8E8M0FNU, smem, row>, <128x16xf8E8M0FNU, tmem, row>\
      sluice.commit %copied[%at] : <3>\
      sluice.release %factors[%at] : <3>\
      %next = sluice.cursor.advance %at : <3>\
      scf.yield %next : !sluice.cursor<3>\
    }\
    sluice.tail %copied[%end] : <3>\
  }\

