"""Text of a ring of slots: its sizes, its operations and the GEMM around it."""
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
        # A warpgroup per CTA of the row and of the column hands a slot back; its own is in both.
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


def rename(lines, names):
    """SSA names of a nested region that would shadow outer ones."""
    changed = []
    for line in lines:
        for old, new in names.items():
            for end in (" ", "]", ",", ")"):
                line = line.replace(f"%{old}{end}", f"%{new}{end}")
        changed.append(line)
    return changed
