"""Prints CUTLASS's Hopper pipeline unit tests as programs, for any cluster and number of stages.

    generate.py SCENARIO 1x1:2,5,10 2x1:2,7 [--defect NAME]

One kernel for each cluster and number of stages (of sequence_barrier: number of groups). The
scenarios carry the names of the files in test/unit/pipeline of CUTLASS. Those tests move no data;
here the ring holds tiles, so that a race shows. CTA (x, y) of the cluster loads its share of A's
tile for all CTAs with its x and its share of B's for all with its y.
"""
import argparse

from ring import (accumulator, advance, coordinates, end_loop, fill_slot, gemm_header,
                  index_constants, loop, multiply, release, rename, Ring, split_cursor, store,
                  sync_all, tail, Text, TILE, wait_empty)


# ---- pipeline_async.cu ----


def pipeline_async(ring):
    """Two producer warps write halves of a tile, one reads it; the first acquires are skipped."""
    text, s = Text(0), ring.stages
    cluster = f", cluster = array<i64: {ring.m}, {ring.n}, 1>" if ring.clustered else ""
    text.open(f"""
sluice.kernel @{ring.name}(
    %X: !sluice.tensor<?x?xf32> {{sluice.name = "X"}},
    %Y: !sluice.tensor<?x?xf32> {{sluice.name = "Y", sluice.out}})
    attributes {{target = "sm_90a", phase = "barrier", warps = 3{cluster}}} {{
""")
    tile, kind = "32x32xf32, smem, row", f"<32x32xf32, smem, row, slots {s}>"
    index_constants(text, 0, 1, 32, s, s + 1, ring.m, ring.n)
    full = 3 if ring.has("counts") else 2
    text.add(f"""
%M = sluice.dim %X, 0 : <?x?xf32>
%K = sluice.dim %X, 1 : <?x?xf32>
%n = arith.ceildivsi %K, %c32 : index
%c_m = arith.constant {32 * ring.m * ring.n} : index
%clusters = arith.ceildivsi %M, %c_m : index
%gm = arith.muli %clusters, %c{ring.m} : index
%i, %j = sluice.grid %gm, %c{ring.n} : index, index
%i_first = arith.muli %i, %c{ring.n} : index
%block = arith.addi %i_first, %j : index
%row = arith.muli %block, %c32 : index
%x = sluice.alloc "x" : !sluice.buffer<32x32xf32, smem, row, slots {s}>
%full = sluice.mbarrier.alloc "full" : !sluice.mbarrier<{s}>
%empty = sluice.mbarrier.alloc "empty" : !sluice.mbarrier<{s}>
sluice.mbarrier.init %full count {full} by one : <{s}>
sluice.mbarrier.init %empty count 1 by one : <{s}>
""")
    sync_all(text, ring, 3)
    ahead = f"%c{s + 1 if ring.has('long-prologue') else s}"
    text.add(f"""
%start = sluice.cursor : !sluice.cursor<{s}>
%ahead = arith.minsi %n, {ahead} : index
""")

    def produce(variable):
        text.add(f"""
%k = arith.muli %{variable}, %c32 : index
%to = sluice.slot %x[%slot] : {kind}
sluice.load %X[%row, %k] to %to : <?x?xf32>, <{tile}>
sluice.warp_sync
sluice.mbarrier.arrive %full[%slot] by warp : <{s}>
""")

    text.open('sluice.role "producer" warps 0 to 2 {')
    loop(text, ring, "t", "%ahead", {"at": "start"}, results=("filled",))
    text.add(f"%slot = sluice.cursor.slot %at : <{s}>")
    produce("t")
    advance(text, ring, "at")
    end_loop(text, ring, "next")
    loop(text, ring, "t", "%n", {"at": "filled"}, lower="%ahead")
    split_cursor(text, ring, "at", False)
    wait_empty(text, ring, "threads")
    produce("t")
    advance(text, ring, "at")
    end_loop(text, ring, "next")
    text.close()

    text.open('sluice.role "consumer" warps 2 to 3 {')
    loop(text, ring, "t", "%n", {"at": "start"})
    split_cursor(text, ring, "at", True)
    text.add(f"""
sluice.mbarrier.wait %full[%slot], %phase : <{s}>
%k = arith.muli %t, %c32 : index
%from = sluice.slot %x[%slot] : {kind}
sluice.store %from to %Y[%row, %k] : <{tile}>, <?x?xf32>
sluice.warp_sync
""")
    if not ring.has("no-release"):
        text.add(f"sluice.mbarrier.arrive %empty[%slot] by warp : <{s}>")
    advance(text, ring, "at")
    end_loop(text, ring, "next")
    text.close()
    text.close()
    return text


# ---- pipeline_tma_async.cu ----


def tma_async(ring):
    """No roles: the warpgroup fills the ring, then multiplies and refills what it released."""
    text, s = Text(), ring.stages
    gemm_header(text, ring, 4, 4)
    coordinates(text, ring)
    sync_all(text, ring, 4)
    accumulator(text)
    ahead = f"%c{s + 1 if ring.has('long-prologue') else s}"
    text.add(f"%start = sluice.cursor : !sluice.cursor<{s}>")
    text.add(f"%ahead = arith.minsi %n, {ahead} : index")
    loop(text, ring, "t", "%ahead", {"w": "start"}, results=("filled",))
    text.add(f"%slot = sluice.cursor.slot %w : <{s}>")
    fill_slot(text, ring, "t")
    advance(text, ring, "w")
    end_loop(text, ring, "next")
    loop(text, ring, "t", "%n", {"r": "start", "late": "start", "w": "filled"},
         results=("end", "held", "written"))
    split_cursor(text, ring, "r", True)
    text.add(f"sluice.mbarrier.wait %full[%slot], %phase : <{s}>")
    multiply(text, ring, pending=1)
    text.add("%second = arith.cmpi sgt, %t, %c0 : index")
    text.open(f"%w_next = scf.if %second -> (!sluice.cursor<{s}>) {{")
    release(text, ring, "late")
    text.add("%before = arith.subi %t, %c1 : index")
    text.add(f"%t_load = arith.addi %before, %c{s} : index")
    text.add("%more = arith.cmpi slt, %t_load, %n : index")
    text.open(f"%w_more = scf.if %more -> (!sluice.cursor<{s}>) {{")
    inner = Text(text.indent)
    split_cursor(inner, ring, "w", False)
    wait_empty(inner, ring)
    fill_slot(inner, ring, "t_load")
    text.lines += rename(inner.lines, {"slot": "slot_w", "phase": "phase_w"})
    text.add(f"%w_on = sluice.cursor.advance %w : <{s}>")
    text.add(f"scf.yield %w_on : !sluice.cursor<{s}>")
    text.close("} else {")
    text.indent += 1
    text.add(f"scf.yield %w : !sluice.cursor<{s}>")
    text.close()
    text.add(f"scf.yield %w_more : !sluice.cursor<{s}>")
    text.close("} else {")
    text.indent += 1
    text.add(f"scf.yield %w : !sluice.cursor<{s}>")
    text.close()
    advance(text, ring, "r")
    end_loop(text, ring, "next", "r", "w_next")
    text.add("sluice.wgmma.wait 0")
    text.add("%some = arith.cmpi sgt, %n, %c0 : index")
    text.open("scf.if %some {")
    release(text, ring, "held")
    text.close()
    store(text)
    if ring.clustered and not ring.has("no-tail"):
        text.add("sluice.cluster.arrive")
        text.add("sluice.cluster.wait")
    text.close()
    return text


# ---- pipeline_tma_async_warp_specialized.cu ----


def warp_specialized(ring):
    """One thread of warpgroup 0 loads, warpgroup 1 multiplies, warpgroup 2 is idle."""
    text, s = Text(), ring.stages
    gemm_header(text, ring, 12, 4)
    coordinates(text, ring)
    sync_all(text, ring, 12)
    text.add(f"%start = sluice.cursor : !sluice.cursor<{s}>")
    text.open('sluice.role "producer" warps 0 to 4 registers 40 {')
    loop(text, ring, "t", "%n", {"at": "start"}, results=("end",))
    split_cursor(text, ring, "at", False)
    if ring.has("expect-first"):
        fill = Text(text.indent)
        fill_slot(fill, ring, "t")
        expect = next(i for i, line in enumerate(fill.lines) if "expect_tx" in line)
        text.lines.append(fill.lines.pop(expect))
        wait_empty(text, ring)
        text.lines += fill.lines
    else:
        wait_empty(text, ring)
        fill_slot(text, ring, "t")
    advance(text, ring, "at")
    end_loop(text, ring, "next")
    tail(text, ring, "end")
    text.close()
    text.open('sluice.role "consumer" warps 4 to 8 registers 232 {')
    accumulator(text)
    consume(text, ring, "%n", "start")
    store(text)
    text.close()
    text.open('sluice.role "idle" warps 8 to 12 registers 40 {')
    text.close()
    text.close()
    return text


def consume(text, ring, trips, start):
    """The products of one tile; a slot goes back one step late, the last one after the loop."""
    s = ring.stages
    loop(text, ring, "t", trips, {"r": start, "late": start}, results=("read", "held"))
    split_cursor(text, ring, "r", True)
    text.add(f"sluice.mbarrier.wait %full[%slot], %phase : <{s}>")
    multiply(text, ring, pending=1)
    text.add("%second = arith.cmpi sgt, %t, %c0 : index")
    text.open("scf.if %second {")
    release(text, ring, "late")
    text.close()
    advance(text, ring, "r")
    end_loop(text, ring, "next", "r")
    text.add("sluice.wgmma.wait 0")
    text.add("%some = arith.cmpi sgt, %n, %c0 : index")
    text.open("scf.if %some {")
    release(text, ring, "held")
    text.close()


# ---- pipeline_tma_async_warp_specialized_persistent.cu ----


def persistent(ring):
    """Ping-pong: two math warpgroups take turns, ordered by OrderedSequenceBarrier<2, 2>."""
    text, s = Text(), ring.stages
    gemm_header(text, ring, 12, 4, tiles=True)
    order = 256 if ring.has("group-size") else 128
    text.add(f"""
%order = sluice.mbarrier.alloc "order" : !sluice.mbarrier<4>
sluice.mbarrier.init %order count {order} by one : <4>
""")
    coordinates(text, ring)
    sync_all(text, ring, 12)
    text.add(f"""
%c2x = arith.constant 2 : index
%start = sluice.cursor : !sluice.cursor<{s}>
%turn = sluice.cursor : !sluice.cursor<2>
%stride = arith.muli %i, %c{TILE} : index
%gap = arith.muli %gm, %c{TILE} : index
""")
    kind = f"!sluice.cursor<{s}>"
    text.open('sluice.role "producer" warps 0 to 4 registers 40 {')
    text.open("%end = scf.for %tile = %c0 to %tiles step %c1 iter_args(%w = %start)"
              f" -> ({kind}) {{")
    text.add(f"""
%down = arith.muli %tile, %gap : index
%row = arith.addi %down, %stride : index
""")
    loop(text, ring, "t", "%n", {"at": "w"}, results=("filled",))
    split_cursor(text, ring, "at", False)
    wait_empty(text, ring)
    fill_slot(text, ring, "t")
    advance(text, ring, "at")
    end_loop(text, ring, "next")
    text.add(f"scf.yield %filled : {kind}")
    text.close()
    tail(text, ring, "end")
    text.close()
    for group in range(2):
        math_group(text, ring, group)
    text.close()
    return text


def order_wait(text, group, name, ring):
    first = group == 0 or ring.has("both-first")
    parity = f"%{name}_free" if first and not ring.has("none-first") else f"%{name}_phase"
    text.add(f"""
%{name}_at = sluice.cursor.slot %{name} : <2>
%{name}_phase = sluice.cursor.phase %{name} : <2>
%{name}_free = arith.xori %{name}_phase, %c1 : index
%{name}_pair = arith.muli %{name}_at, %c2x : index
%{name}_own = arith.addi %{name}_pair, %c{group} : index
%{name}_other = arith.addi %{name}_pair, %c{1 - group} : index
sluice.mbarrier.wait %order[%{name}_own], {parity} : <4>
""")


def math_group(text, ring, group):
    s = ring.stages
    first = 4 + 4 * group
    text.open(f'sluice.role "math{group}" warps {first} to {first + 4} registers 232 {{')
    text.add(f'%acc = sluice.alloc "acc{group}" : !sluice.buffer<{TILE}x{TILE}xf32, reg, acc>')
    first = "start"
    if group == 1 and not ring.has("no-offset"):
        text.add(f"%mine = sluice.cursor.advance_by %start, %n : <{s}>")
        first = "mine"
    kinds = f"!sluice.cursor<{s}>, !sluice.cursor<2>"
    text.open(f"""
scf.for %tile = %c{group} to %tiles step %c2x iter_args(%from = %{first}, %a_turn = %turn)
    -> ({kinds}) {{
""")
    text.add(f"""
%down = arith.muli %tile, %gap : index
%row = arith.addi %down, %stride : index
sluice.fill %acc with 0.0 : <{TILE}x{TILE}xf32, reg, acc>
""")
    order_wait(text, group, "a_turn", ring)
    consume(text, ring, "%n", "from")
    text.add(f"""
sluice.mbarrier.arrive %order[%a_turn_other] : <4>
%b_turn = sluice.cursor.advance %a_turn : <2>
""")
    order_wait(text, group, "b_turn", ring)
    store(text)
    text.add(f"""
sluice.mbarrier.arrive %order[%b_turn_other] : <4>
%c_turn = sluice.cursor.advance %b_turn : <2>
%skipped = sluice.cursor.advance_by %read, %n : <{s}>
scf.yield %skipped, %c_turn : {kinds}
""")
    text.close()
    text.close()


# ---- sequence_barrier.cu ----


def sequence(ring):
    """Groups of 128 threads take turns at two stages; each stage has a tile that one may use."""
    text, length = Text(0), ring.groups
    tile = "128x32xf32, smem, row"
    text.open(f"""
sluice.kernel @{ring.name}(
    %X: !sluice.tensor<?x?xf32> {{sluice.name = "X"}},
    %Y: !sluice.tensor<?x?xf32> {{sluice.name = "Y", sluice.out}})
    attributes {{target = "sm_90a", phase = "barrier", warps = {4 * length}}} {{
""")
    index_constants(text, 0, 1, 2, 128, 32, length)
    count = 256 if ring.has("group-size") else 128
    text.add(f"""
%M = sluice.dim %X, 0 : <?x?xf32>
%K = sluice.dim %X, 1 : <?x?xf32>
%n = arith.ceildivsi %K, %c32 : index
%band = arith.muli %c128, %c{length} : index
%gm = arith.ceildivsi %M, %band : index
%i = sluice.grid %gm : index
%first = arith.muli %i, %band : index
%in = sluice.alloc "in" : !sluice.buffer<{tile}>
%out = sluice.alloc "out" : !sluice.buffer<{tile}>
%order = sluice.mbarrier.alloc "order" : !sluice.mbarrier<{2 * length}>
sluice.mbarrier.init %order count {count} by one : <{2 * length}>
""")
    sync_all(text, ring, 4 * length)
    text.add("%turn = sluice.cursor : !sluice.cursor<2>")
    for group in range(length):
        sequence_group(text, ring, group, tile)
    text.close()
    return text


def sequence_group(text, ring, group, tile):
    length = ring.groups
    kind = f"<{2 * length}>"
    text.open(f'sluice.role "group{group}" warps {4 * group} to {4 * group + 4} {{')
    text.add(f"""
%offset = arith.constant {128 * group} : index
%row = arith.addi %first, %offset : index
%c_own = arith.constant {group} : index
%c_next = arith.constant {(group + 1) % length} : index
%held = sluice.alloc "held{group}" : !sluice.buffer<128x32xf32, reg, blocked>
""")
    text.open("scf.for %t = %c0 to %n step %c1 iter_args(%a = %turn) -> (!sluice.cursor<2>) {")
    text.add("%k = arith.muli %t, %c32 : index")
    work = {
        "a": f"""
sluice.load %X[%row, %k] to %in : <?x?xf32>, <{tile}>
sluice.bar.sync {1 + group}, 128
sluice.copy %in to %held : <{tile}>, <128x32xf32, reg, blocked>
""",
        "b": f"""
sluice.copy %held to %out : <128x32xf32, reg, blocked>, <{tile}>
sluice.bar.sync {1 + group}, 128
sluice.store %out to %Y[%row, %k] : <{tile}>, <?x?xf32>
""",
    }
    after = {"a": "b", "b": "c"}
    first = (group == 0 or ring.has("both-first")) and not ring.has("none-first")
    for state, text_of_work in work.items():
        parity = f"%{state}_free" if first else f"%{state}_phase"
        text.add(f"""
%{state}_slot = sluice.cursor.slot %{state} : <2>
%{state}_phase = sluice.cursor.phase %{state} : <2>
%{state}_free = arith.xori %{state}_phase, %c1 : index
%{state}_row = arith.muli %{state}_slot, %c{length} : index
%{state}_own = arith.addi %{state}_row, %c_own : index
%{state}_next = arith.addi %{state}_row, %c_next : index
sluice.mbarrier.wait %order[%{state}_own], {parity} : {kind}
""")
        text.add(text_of_work)
        text.add(f"""
sluice.mbarrier.arrive %order[%{state}_next] : {kind}
%{after[state]} = sluice.cursor.advance %{state} : <2>
""")
    text.add("scf.yield %c : !sluice.cursor<2>")
    text.close("} {sluice.pipelined}")
    text.close()


SCENARIOS = {
    "pipeline_async": pipeline_async,
    "tma_async": tma_async,
    "tma_async_warp_specialized": warp_specialized,
    "tma_async_warp_specialized_persistent": persistent,
    "sequence_barrier": sequence,
}


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("scenario", choices=SCENARIOS)
    parser.add_argument("cases", nargs="+", help="2x1:2,7 means cluster 2x1 with 2 and 7 stages")
    parser.add_argument("--defect", default="", help="what to plant")
    options = parser.parse_args()
    for case in options.cases:
        cluster, stages = case.split(":")
        for s in stages.split(","):
            ring = Ring(options.scenario, cluster, int(s), options.defect)
            print("\n".join(SCENARIOS[options.scenario](ring).lines))


if __name__ == "__main__":
    main()
