"""Prints the programs of CUTLASS's Hopper pipeline unit tests, for any cluster and number of stages.

    generate.py SCENARIO 1x1:2,5,10 2x1:2,7 [--defect NAME]

One kernel for each cluster and number of stages (of sequence_barrier: number of groups). The
scenarios carry the names of the files in test/unit/pipeline of CUTLASS. Those tests move no data;
here the ring holds tiles, so that a race shows. CTA (x, y) of the cluster loads its share of A's
tile for all CTAs with its x and its share of B's for all with its y.
"""
import argparse

TILE = 64  # rows and columns of A, B and C, in elements of 2 bytes
TILE_BYTES = TILE * TILE * 2


class Text:
    """Lines with an indentation."""

    def __init__(self, indent=1):
        self.lines, self.indent = [], indent

    def add(self, text):
        for line in text.strip("\n").splitlines():
            self.lines.append("  " * self.indent + line if line.strip() else "")

    def open(self, line):
        self.add(line)
        self.indent += 1

    def close(self, line="}"):
        self.indent -= 1
        self.add(line)


class Ring:
    """Sizes that follow from the cluster, the stages and the planted defect."""

    def __init__(self, name, cluster, stages, defect):
        self.name = f"{name}_{cluster}_{stages}"
        self.m, self.n = map(int, cluster.split("x"))
        self.stages = self.groups = stages
        self.defect = defect
        self.clustered = self.m * self.n > 1
        # One warpgroup per CTA of the row and of the column hands a slot back; its own CTA is in both.
        self.peers = self.m + self.n - 1
        self.bytes = 2 * TILE_BYTES
        if self.defect == "bytes":
            self.bytes //= 2
        if self.defect == "self-twice":
            self.peers = self.m + self.n

    def has(self, defect):
        return self.defect == defect


def index_constants(text, *values):
    for v in sorted(set(values)):
        text.add(f"%c{v} = arith.constant {v} : index")


def sync_all(text, ring, warps):
    """Every warp of the cluster, or of the CTA, knows the barriers."""
    if not ring.has("no-init-fence"):
        text.add("sluice.fence mbarrier_init by one")
    if not ring.clustered:
        text.add(f"sluice.bar.sync 0, {warps * 32}")
    elif ring.has("cta-init-sync"):
        text.add(f"sluice.bar.sync 0, {warps * 32}")
    else:
        text.add("sluice.cluster.arrive")
        text.add("sluice.cluster.wait")


def coordinates(text, ring):
    """%x and %y in the cluster, ranks counting x first, and the rows of the shares."""
    if not ring.clustered:
        return
    text.add(f"""
%rank = sluice.cluster.rank
%x = arith.remsi %rank, %c{ring.m} : index
%y = arith.divsi %rank, %c{ring.m} : index
%a_row = arith.muli %y, %c{TILE // ring.n} : index
%b_row = arith.muli %x, %c{TILE // ring.m} : index
""")


def multicast(text, ring, tensor, share, offsets, view, which, masks):
    """One copy for each mask; the CTA's coordinate `which` says which it issues."""
    kind = "<?x?xf16, align 16>"
    for value, mask in enumerate(masks):
        some = len(masks) > 1
        if some:
            text.add(f"%{view}_{value} = arith.cmpi eq, %{which}, %c{value} : index")
            text.open(f"scf.if %{view}_{value} {{")
        cast = f" multicast {mask}" if ring.clustered else ""
        text.add(f"sluice.tma.load %{tensor}[{offsets}] to %{view}, %full[%slot]{cast}")
        text.add(f"    : {kind}, <{share}xf16, smem, sw128>, <{ring.stages}>")
        if some:
            text.close()


def fill_slot(text, ring, t):
    """Announces the bytes of slot %slot and issues this CTA's share of A's and B's tile."""
    who = "warp" if ring.has("two-leaders") else "one"
    text.add(f"""
%k = arith.muli %{t}, %c{TILE} : index
sluice.mbarrier.arrive_expect_tx %full[%slot] bytes {ring.bytes} by {who} : <{ring.stages}>
%a_tile = sluice.slot %a[%slot] : <{TILE}x{TILE}xf16, smem, sw128, slots {ring.stages}>
%b_tile = sluice.slot %b[%slot] : <{TILE}x{TILE}xf16, smem, sw128, slots {ring.stages}>
""")
    tile = f"{TILE}x{TILE}"
    if not ring.clustered:
        multicast(text, ring, "A", tile, "%row, %k", "a_tile", "x", [0])
        multicast(text, ring, "B", tile, "%k, %col", "b_tile", "y", [0])
        return
    a, b = f"{TILE // ring.n}x{TILE}", f"{TILE // ring.m}x{TILE}"
    text.add(f"""
%a_share = sluice.subview %a_tile[%a_row, %c0]
    : <{tile}xf16, smem, sw128> to <{a}xf16, smem, sw128>
%b_share = sluice.subview %b_tile[%b_row, %c0]
    : <{tile}xf16, smem, sw128> to <{b}xf16, smem, sw128>
%a_from = arith.addi %row, %a_row : index
%b_from = arith.addi %k, %b_row : index
""")
    row = [sum(1 << (x + ring.m * y) for y in range(ring.n)) for x in range(ring.m)]
    column = [sum(1 << (x + ring.m * y) for x in range(ring.m)) for y in range(ring.n)]
    multicast(text, ring, "A", a, "%a_from, %k", "a_share", "x", row)
    multicast(text, ring, "B", b, "%b_from, %col", "b_share", "y", column)


def release(text, ring, cursor):
    """The warpgroup hands the slot back to every CTA that writes into it."""
    if ring.has("no-release"):
        return
    text.add(f"%back = sluice.cursor.slot %{cursor} : <{ring.stages}>")
    kind = f"<{ring.stages}>"
    if not ring.clustered:
        text.add(f"sluice.mbarrier.arrive %empty[%back] by warp : {kind}")
        return
    # Row first, then the rest of the column.
    for y in range(ring.n):
        name = f"%to_row{y}"
        text.add(f"""
{name}_y = arith.muli %c{y}, %c{ring.m} : index
{name} = arith.addi {name}_y, %x : index
sluice.mbarrier.arrive %empty[%back] rank {name} by warp : {kind}
""")
    for x in range(1, ring.m):
        name = f"%to_column{x}"
        text.add(f"""
{name}_x = arith.addi %x, %c{x} : index
{name}_w = arith.remsi {name}_x, %c{ring.m} : index
{name}_y = arith.muli %y, %c{ring.m} : index
{name} = arith.addi {name}_y, {name}_w : index
sluice.mbarrier.arrive %empty[%back] rank {name} by warp : {kind}
""")


def split_cursor(text, ring, cursor, consumer):
    text.add(f"%slot = sluice.cursor.slot %{cursor} : <{ring.stages}>")
    if ring.has("parity-stuck") and consumer:
        text.add("%phase = arith.constant 0 : index")
    else:
        text.add(f"%phase = sluice.cursor.phase %{cursor} : <{ring.stages}>")


def wait_empty(text, ring, by="one"):
    parity = "%phase" if ring.has("start-phase") else "%free"
    text.add("%free = arith.xori %phase, %c1 : index")
    text.add(f"sluice.mbarrier.wait %empty[%slot], {parity} by {by} : <{ring.stages}>")


def multiply(text, ring, pending):
    s = ring.stages
    text.add(f"""
%a_here = sluice.slot %a[%slot] : <{TILE}x{TILE}xf16, smem, sw128, slots {s}>
%b_here = sluice.slot %b[%slot] : <{TILE}x{TILE}xf16, smem, sw128, slots {s}>
sluice.wgmma.fence
sluice.wgmma %acc, %a_here, %b_here : <{TILE}x{TILE}xf32, reg, acc>,
    <{TILE}x{TILE}xf16, smem, sw128>, <{TILE}x{TILE}xf16, smem, sw128>
sluice.wgmma.commit
""")
    text.add(f"sluice.wgmma.wait {pending}")


def accumulator(text):
    text.add(f'%acc = sluice.alloc "acc" : !sluice.buffer<{TILE}x{TILE}xf32, reg, acc>')
    text.add(f"sluice.fill %acc with 0.0 : <{TILE}x{TILE}xf32, reg, acc>")


def store(text, row="%row"):
    text.add(f"sluice.store %acc to %C[{row}, %col] : <{TILE}x{TILE}xf32, reg, acc>, <?x?xf32>")


def gemm_header(text, ring, warps, consumers, tiles=False):
    """Grid, ring and barriers; `consumers` warps of each reading CTA hand a slot back."""
    cluster = f", cluster = array<i64: {ring.m}, {ring.n}, 1>" if ring.clustered else ""
    text.indent = 0
    text.open(f"""
sluice.kernel @{ring.name}(
    %A: !sluice.tensor<?x?xf16, align 16> {{sluice.name = "A"}},
    %B: !sluice.tensor<?x?xf16, align 16> {{sluice.name = "B"}},
    %C: !sluice.tensor<?x?xf32> {{sluice.name = "C", sluice.out}})
    attributes {{target = "sm_90a", phase = "barrier", warps = {warps}{cluster}}} {{
""")
    s = ring.stages
    numbers = [0, 1, TILE, s, s + 1, *range(max(ring.m, ring.n) + 1)]
    if ring.clustered:
        numbers += [TILE // ring.m, TILE // ring.n]
    index_constants(text, *numbers)
    text.add(f"""
%M = sluice.dim %A, 0 : <?x?xf16, align 16>
%K = sluice.dim %A, 1 : <?x?xf16, align 16>
%N = sluice.dim %B, 1 : <?x?xf16, align 16>
%n = arith.ceildivsi %K, %c{TILE} : index
""")
    text.add(f"""
%c_m = arith.constant {TILE * ring.m} : index
%{'tiles' if tiles else 'clusters_m'} = arith.ceildivsi %M, %c_m : index
%gm = arith.muli %{'c1' if tiles else 'clusters_m'}, %c{ring.m} : index
""")
    text.add(f"""
%c_n = arith.constant {TILE * ring.n} : index
%clusters_n = arith.ceildivsi %N, %c_n : index
%gn = arith.muli %clusters_n, %c{ring.n} : index
%i, %j = sluice.grid %gm, %gn : index, index
%col = arith.muli %j, %c{TILE} : index
""")
    if not tiles:
        text.add(f"%row = arith.muli %i, %c{TILE} : index")
    count = consumers * ring.peers
    if ring.has("threads-count"):
        count *= 32
    text.add(f"""
%a = sluice.alloc "a" : !sluice.buffer<{TILE}x{TILE}xf16, smem, sw128, slots {s}>
%b = sluice.alloc "b" : !sluice.buffer<{TILE}x{TILE}xf16, smem, sw128, slots {s}>
%full = sluice.mbarrier.alloc "full" : !sluice.mbarrier<{s}>
%empty = sluice.mbarrier.alloc "empty" : !sluice.mbarrier<{s}>
sluice.mbarrier.init %full count 1 by one : <{s}>
sluice.mbarrier.init %empty count {count} by one : <{s}>
""")


def loop(text, ring, variable, upper, carried, lower="%c0", results=()):
    """Opens a loop that carries cursors {name: initial}; `results` names them after it."""
    kinds = ", ".join(f"!sluice.cursor<{ring.stages}>" for _ in carried)
    inits = ", ".join(f"%{name} = %{start}" for name, start in carried.items())
    left = ", ".join(f"%{name}" for name in results) + " = " if results else ""
    text.open(f"{left}scf.for %{variable} = {lower} to {upper} step %c1")
    text.add(f"    iter_args({inits}) -> ({kinds}) {{")


def end_loop(text, ring, *yields):
    kinds = ", ".join(f"!sluice.cursor<{ring.stages}>" for _ in yields)
    text.add("scf.yield " + ", ".join(f"%{y}" for y in yields) + " : " + kinds)
    text.close("} {sluice.pipelined}")


def advance(text, ring, cursor, to="next"):
    text.add(f"%{to} = sluice.cursor.advance %{cursor} : <{ring.stages}>")


def tail(text, ring, cursor):
    """The producer sees every slot come back before its CTA exits."""
    if ring.has("no-tail"):
        return
    loop(text, ring, "left", f"%c{ring.stages}", {"last": cursor})
    split_cursor(text, ring, "last", False)
    wait_empty(text, ring)
    advance(text, ring, "last")
    text.add(f"scf.yield %next : !sluice.cursor<{ring.stages}>")
    text.close()


# ---- pipeline_async.cu ----


def pipeline_async(ring):
    """Two producer warps write halves of a tile, one warp reads it; the first acquires are skipped."""
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


def rename(lines, names):
    """SSA names of a nested region that would shadow outer ones."""
    changed = []
    for line in lines:
        for old, new in names.items():
            for end in (" ", "]", ",", ")"):
                line = line.replace(f"%{old}{end}", f"%{new}{end}")
        changed.append(line)
    return changed


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
    """Ping-pong: two math warpgroups take tiles in turn, ordered by OrderedSequenceBarrier<2, 2>."""
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
    text.open(f"%end = scf.for %tile = %c0 to %tiles step %c1 iter_args(%w = %start) -> ({kind}) {{")
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
    text.open(f'sluice.role "math{group}" warps {4 + 4 * group} to {8 + 4 * group} registers 232 {{')
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
