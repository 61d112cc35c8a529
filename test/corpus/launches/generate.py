"""Prints CUTLASS's test of PipelineCLCFetchAsync as a program, of any cluster and stages.

    generate.py 1x1:3 2x4:4 [--defect NAME]

As pipeline_cluster_launch_control_async_warp_specialized_blackwell.cu: a grid of 32 x 32 CTAs, warp
0 of the first CTA of a cluster asks for clusters and reads the responses, warp 4 of every CTA reads
them and takes the place of the CTA at its own place in the cluster. Each place is counted.
"""
import argparse

SIDE = 32  # CTAs of the grid


def kernel(m, n, s, defect):
    has = defect.split(",").__contains__
    size = m * n
    readers = size + (0 if has("own_reads_uncounted") else 1)
    clustered = f", cluster = array<i64: {m}, {n}, 1>" if size > 1 else ""
    cast = " multicast" if size > 1 and not has("one_cta") else ""
    rank = "%rank = sluice.cluster.rank" if size > 1 else "%rank = arith.constant 0 : index"
    together = ("sluice.cluster.arrive\nsluice.cluster.wait" if size > 1
                else "sluice.bar.sync 0, 160")
    # Where the slots of the first CTA's ring go back, and where its responses are awaited.
    back = " rank %c0" if size > 1 else ""
    ready = "scf.for %r = %c0 to %size step %c1 {" if size > 1 else "scf.if %true {"
    arm = " rank %r" if size > 1 else ""
    if has("arms_itself_alone"):
        ready, arm = "scf.if %true {", ""
    read = f"""
      sluice.mbarrier.wait %full[%slot], %phase : <{s}>
      %box = sluice.slot %response[%slot] : <1x4xi32, smem, row, slots {s}>
      %read = sluice.clc.query %box : <1x4xi32, smem, row>
      {"" if has("no_fence") else "sluice.fence proxy_async"}
      sluice.warp_sync
      {{release}}
      %given = sluice.uniform %read : index
      %more = arith.cmpi sge, %given, %c0 : index
      %next = sluice.cursor.advance %at : <{s}>"""
    if has("no_wait"):
        read = read.replace(f"sluice.mbarrier.wait %full[%slot], %phase : <{s}>", "")
    release = f"sluice.mbarrier.arrive %empty[%slot]{back} by warp : <{s}>"
    if has("released_first"):
        wait = f"sluice.mbarrier.wait %full[%slot], %phase : <{s}>"
        read = read.replace(wait, f"{wait}\n      {release}").format(release="")
    else:
        read = read.format(release=release)
    # Who looks late goes on as the response before the last one says.
    late = has("looks_late")
    goes_on, carried = ("%was", "%next, %more") if late else ("%more", "%next")
    kind = f"!sluice.cursor<{s}>" + (", i1" if late else "")
    begin, results = ("%at = %start, %was = %true", "%end:2") if late else ("%at = %start", "%end")
    behind = "%end#0" if late else "%end"
    tail = "" if has("no_tail") else f"""
    %last = scf.for %k = %c0 to %c{s} step %c1 iter_args(%at = {behind}) -> (!sluice.cursor<{s}>) {{
      %slot = sluice.cursor.slot %at : <{s}>
      %phase = sluice.cursor.phase %at : <{s}>
      %free = arith.xori %phase, %c1 : index
      sluice.mbarrier.wait %empty[%slot], %free : <{s}>
      %next = sluice.cursor.advance %at : <{s}>
      scf.yield %next : !sluice.cursor<{s}>
    }}"""
    constants = "\n".join(f"  %c{c} = arith.constant {c} : index"
                          for c in sorted({0, 1, m, SIDE, s}))
    return f"""
sluice.kernel @clc_{m}x{n}_{s}(
    %done: !sluice.tensor<{SIDE}x{SIDE}xi32> {{sluice.name = "done", sluice.inout}})
    attributes {{target = "sm_100a", phase = "barrier", warps = 5,
                shared_bytes = 204800{clustered}}} {{
{constants}
  %size = arith.constant {size} : index
  %true = arith.constant true
  %i, %j = sluice.grid %c{SIDE}, %c{SIDE} : index, index
  {rank}
  %right = arith.remsi %rank, %c{m} : index
  %down = arith.divsi %rank, %c{m} : index
  %i0 = arith.subi %i, %right : index
  %j0 = arith.subi %j, %down : index
  %above = arith.muli %j0, %c{SIDE} : index
  %first = arith.addi %above, %i0 : index
  %response = sluice.alloc "response" : !sluice.buffer<1x4xi32, smem, row, slots {s}>
  %full = sluice.mbarrier.alloc "full" : !sluice.mbarrier<{s}>
  %empty = sluice.mbarrier.alloc "empty" : !sluice.mbarrier<{s}>
  sluice.mbarrier.init %full count 1 by one : <{s}>
  sluice.mbarrier.init %empty count {readers} by one : <{s}>
  sluice.fence mbarrier_init by one
  {together}
  %start = sluice.cursor : !sluice.cursor<{s}>
  sluice.role "scheduler" warps 0 to 1 {{
    %leads = arith.cmpi eq, %rank, %c0 : index
    scf.if %leads {{
    {results} = scf.while ({begin}) : ({kind}) -> ({kind}) {{
      %slot = sluice.cursor.slot %at : <{s}>
      %phase = sluice.cursor.phase %at : <{s}>
      %free = arith.xori %phase, %c1 : index
      sluice.mbarrier.wait %empty[%slot], %free : <{s}>
      {ready}
        sluice.mbarrier.arrive_expect_tx %full[%slot]{arm} bytes 16 by one : <{s}>
      }}
      %to = sluice.slot %response[%slot] : <1x4xi32, smem, row, slots {s}>
      sluice.clc.try_cancel %to, %full[%slot]{cast}
          : <1x4xi32, smem, row>, !sluice.mbarrier<{s}>{read}
      scf.condition({goes_on}) {carried} : {kind}
    }} do {{
    ^bb0(%at: !sluice.cursor<{s}>{", %was: i1" if late else ""}):
      scf.yield %at{", %was" if late else ""} : {kind}
    }}{tail}
    }}
  }}
  sluice.role "work" warps 4 to 5 {{
    %end:2 = scf.while (%number = %first, %at = %start) : (index, !sluice.cursor<{s}>)
        -> (index, !sluice.cursor<{s}>) {{
      %x0 = arith.remsi %number, %c{SIDE} : index
      %y0 = arith.divsi %number, %c{SIDE} : index
      %x = arith.addi %x0, %right : index
      %y = arith.addi %y0, %down : index
      %old = sluice.counter.add %done[%y, %x], %c1 scope gpu relaxed : <{SIDE}x{SIDE}xi32>
      %slot = sluice.cursor.slot %at : <{s}>
      %phase = sluice.cursor.phase %at : <{s}>{read}
      scf.condition(%more) %given, %next : index, !sluice.cursor<{s}>
    }} do {{
    ^bb0(%number: index, %at: !sluice.cursor<{s}>):
      scf.yield %number, %at : index, !sluice.cursor<{s}>
    }}
  }}
}}"""


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cases", nargs="+", help="2x1:2,7 means cluster 2x1 with 2 and 7 stages")
    parser.add_argument("--defect", default="", help="what to plant")
    options = parser.parse_args()
    for case in options.cases:
        cluster, stages = case.split(":")
        m, n = map(int, cluster.split("x"))
        for s in stages.split(","):
            print(kernel(m, n, int(s), options.defect))


if __name__ == "__main__":
    main()
