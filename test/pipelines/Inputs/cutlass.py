"""Prints CUTLASS's pipeline unit tests with roles and rings, for any cluster and stages.

    cutlass.py SCENARIO 1x1:2,5,10 2x1:2,7

One kernel for each cluster and number of stages (of sequence_barrier: number of groups). The
scenarios carry the names of the files in test/unit/pipeline of CUTLASS. Nothing here counts
arrivals or bytes, names a mask or a phase, or declares a barrier. Rings hold tiles, so that a race
shows: copies of X to Y, or a product.
"""
import argparse

A, TILE = "<?x?xf16, align 16>", "64x64xf16, smem, sw128"


class Case:
    def __init__(self, scenario, cluster, stages):
        self.name = f"{scenario}_{cluster}_{stages}"
        self.x, self.y = map(int, cluster.split("x"))
        self.stages = stages
        self.cluster = f"array<i64: {self.x}, {self.y}, 1>"
        self.clustered = self.x * self.y > 1

    def attributes(self, target="sm_90a", more=""):
        cluster = f", cluster = {self.cluster}" if self.clustered else ""
        return f'attributes {{target = "{target}", phase = "pipeline"{cluster}{more}}}'

    def shared(self, along):
        """A load that the CTAs along x (0) or y (1) of the cluster share."""
        if (self.x, self.y)[along] == 1:
            return ""
        return f" {{sluice.shared = {along} : i64, sluice.cluster = {self.cluster}}}"


def copy_header(case, rows):
    """X and Y in bands of so many rows, 256 columns at a time."""
    return f"""
sluice.kernel @{case.name}(%X: !sluice.tensor<?x?xf32> {{sluice.name = "X"}},
    %Y: !sluice.tensor<?x?xf32> {{sluice.name = "Y", sluice.out}})
    {case.attributes()} {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c256 = arith.constant 256 : index
  %rows = arith.constant {rows} : index
  %M = sluice.dim %X, 0 : <?x?xf32>
  %K = sluice.dim %X, 1 : <?x?xf32>
  %n = arith.ceildivsi %K, %c256 : index
"""


def pipeline_async(case):
    """Two warps write halves of a tile, one reads it. CTAs of a cluster have nothing in common."""
    s, ctas = case.stages, case.x * case.y
    kind = f"<{s}>"
    tile, buffer = "<8x256xf32, smem, row>", f"8x256xf32, smem, row, slots {s}"
    held = "<8x256xf32, reg, blocked>"

    def loop(body):
        return f"""
    scf.for %t = %c0 to %n step %c1 iter_args(%at = %start) -> !sluice.cursor{kind} {{
      %k = arith.muli %t, %c256 : index
      %slot = sluice.cursor.slot %at : {kind}
      %tile = sluice.slot %x[%slot] : <{buffer}>
{body}
      %next = sluice.cursor.advance %at : {kind}
      scf.yield %next : !sluice.cursor{kind}
    }} {{sluice.pipelined}}"""

    produce = loop(f"""
      sluice.acquire %ring[%at] : {kind}
      sluice.load %X[%row, %k] to %tile : <?x?xf32>, {tile}
      sluice.commit %ring[%at] : {kind}""")
    consume = loop(f"""
      sluice.wait %ring[%at] : {kind}
      sluice.copy %tile to %h : {tile}, {held}
      sluice.release %ring[%at] : {kind}
      sluice.store %h to %Y[%row, %k] : {held}, <?x?xf32>""")
    return copy_header(case, 8) + f"""
  %band = arith.constant {8 * ctas} : index
  %clusters = arith.ceildivsi %M, %band : index
  %cx = arith.constant {case.x} : index
  %cy = arith.constant {case.y} : index
  %gx = arith.muli %clusters, %cx : index
  %i, %j = sluice.grid %gx, %cy : index, index
  %across = arith.muli %i, %cy : index
  %block = arith.addi %across, %j : index
  %row = arith.muli %block, %rows : index
  %x = sluice.alloc "x" : !sluice.buffer<{buffer}>
  %ring = sluice.pipeline "ring" over %x : !sluice.buffer<{buffer}>
      from ["producer"] to ["consumer"] : !sluice.pipeline{kind}
  %start = sluice.cursor : !sluice.cursor{kind}
  sluice.role "producer" warps 0 to 2 {{{produce}
  }}
  sluice.role "consumer" warps 2 to 3 {{
    %h = sluice.alloc "h" : !sluice.buffer{held}{consume}
  }}
}}"""


def product_header(case, producers, consumers, bands=False):
    """C = A B in tiles of 64; the tile of A is the same along y, that of B along x. With `bands` a
    CTA has one tile after the other, from the top to the bottom."""
    s = case.stages
    buffer = f"!sluice.buffer<{TILE}, slots {s}>"
    return f"""
sluice.kernel @{case.name}(%A: !sluice.tensor{A} {{sluice.name = "A"}},
    %B: !sluice.tensor{A} {{sluice.name = "B"}},
    %C: !sluice.tensor<?x?xf32> {{sluice.name = "C", sluice.out}})
    {case.attributes()} {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %cs = arith.constant {s} : index
  %M = sluice.dim %A, 0 : {A}
  %K = sluice.dim %A, 1 : {A}
  %N = sluice.dim %B, 1 : {A}
  %n = arith.ceildivsi %K, %c64 : index
  %some = arith.cmpi sgt, %n, %c0 : index
  %cx = arith.constant {case.x} : index
  %cy = arith.constant {case.y} : index
  %band_x = arith.constant {64 * case.x} : index
  %band_y = arith.constant {64 * case.y} : index
  %high = arith.ceildivsi %M, %band_x : index
  %wide = arith.ceildivsi %N, %band_y : index
  %gx = arith.muli %{'c1' if bands else 'high'}, %cx : index
  %gy = arith.muli %wide, %cy : index
  %i, %j = sluice.grid %gx, %gy : index, index
  %{'own' if bands else 'row'} = arith.muli %i, %c64 : index
  %col = arith.muli %j, %c64 : index
  %a = sluice.alloc "a" : {buffer}
  %b = sluice.alloc "b" : {buffer}
  %ring = sluice.pipeline "ring" over %a, %b : {buffer}, {buffer}
      from {producers} to {consumers} : !sluice.pipeline<{s}>
  %start = sluice.cursor : !sluice.cursor<{s}>
"""


def fill(case, step, cursor, suffix=""):
    """Acquires a slot and asks for the tiles of a step."""
    s = case.stages
    return f"""
    %k{suffix} = arith.muli %{step}, %c64 : index
    %to{suffix} = sluice.cursor.slot %{cursor} : <{s}>
    %at{suffix} = sluice.slot %a[%to{suffix}] : <{TILE}, slots {s}>
    %bt{suffix} = sluice.slot %b[%to{suffix}] : <{TILE}, slots {s}>
    sluice.acquire %ring[%{cursor}] : <{s}>
    sluice.load %A[%row, %k{suffix}] to %at{suffix}{case.shared(1)} : {A}, <{TILE}>
    sluice.load %B[%k{suffix}, %col] to %bt{suffix}{case.shared(0)} : {A}, <{TILE}>
    sluice.commit %ring[%{cursor}] : <{s}>"""


def fill_all(case, steps="n", first="start", last="filled"):
    s = case.stages
    return f"""
    %{last} = scf.for %t = %c0 to %{steps} step %c1 iter_args(%w = %{first})
        -> !sluice.cursor<{s}> {{
{fill(case, "t", "w")}
    %w_next = sluice.cursor.advance %w : <{s}>
    scf.yield %w_next : !sluice.cursor<{s}>
    }} {{sluice.pipelined}}"""


def multiply(case):
    """The product of the slot at %r; the one before has ended behind it."""
    s = case.stages
    return f"""
    %from = sluice.cursor.slot %r : <{s}>
    %ah = sluice.slot %a[%from] : <{TILE}, slots {s}>
    %bh = sluice.slot %b[%from] : <{TILE}, slots {s}>
    sluice.wait %ring[%r] : <{s}>
    sluice.wgmma.fence
    sluice.wgmma %acc, %ah, %bh : <64x64xf32, reg, acc>, <{TILE}>, <{TILE}>
    sluice.wgmma.commit
    sluice.wgmma.wait 1
    %r_next = sluice.cursor.advance %r : <{s}>"""


def take_all(case, first="start", last="read"):
    """The products of one tile; slots go back one step late, the last one behind the loop."""
    s = case.stages
    kind = f"!sluice.cursor<{s}>"
    return f"""
    sluice.fill %acc with 0.0 : <64x64xf32, reg, acc>
    %{last}, %held = scf.for %t = %c0 to %n step %c1 iter_args(%r = %{first}, %late = %{first})
        -> ({kind}, {kind}) {{
{multiply(case)}
    %second = arith.cmpi sgt, %t, %c0 : index
    scf.if %second {{
      sluice.release %ring[%late] : <{s}>
    }}
    scf.yield %r_next, %r : {kind}, {kind}
    }} {{sluice.pipelined}}
    sluice.wgmma.wait 0
    scf.if %some {{
      sluice.release %ring[%held] : <{s}>
    }}
    sluice.store %acc to %C[%row, %col] : <64x64xf32, reg, acc>, <?x?xf32>"""


ACC = '\n    %acc = sluice.alloc "acc" : !sluice.buffer<64x64xf32, reg, acc>'


def tma_async(case):
    """One role fills and takes: it loads ahead, multiplies, and refills what it gave back."""
    s = case.stages
    kind = f"!sluice.cursor<{s}>"
    return product_header(case, '["math"]', '["math"]') + f"""
  %ahead = arith.minsi %n, %cs : index
  sluice.role "math" warps 0 to 4 {{{ACC}
    sluice.fill %acc with 0.0 : <64x64xf32, reg, acc>
{fill_all(case, "ahead")}
    %read, %held, %end = scf.for %t = %c0 to %n step %c1
        iter_args(%r = %start, %late = %start, %w = %filled) -> ({kind}, {kind}, {kind}) {{
{multiply(case)}
    %second = arith.cmpi sgt, %t, %c0 : index
    %w_next = scf.if %second -> ({kind}) {{
      sluice.release %ring[%late] : <{s}>
      %before = arith.subi %t, %c1 : index
      %load = arith.addi %before, %cs : index
      %more = arith.cmpi slt, %load, %n : index
      %w_then = scf.if %more -> ({kind}) {{
{fill(case, "load", "w", "_ahead")}
        %w_on = sluice.cursor.advance %w : <{s}>
        scf.yield %w_on : {kind}
      }} else {{
        scf.yield %w : {kind}
      }}
      scf.yield %w_then : {kind}
    }} else {{
      scf.yield %w : {kind}
    }}
    scf.yield %r_next, %r, %w_next : {kind}, {kind}, {kind}
    }} {{sluice.pipelined}}
    sluice.wgmma.wait 0
    scf.if %some {{
      sluice.release %ring[%held] : <{s}>
    }}
    sluice.store %acc to %C[%row, %col] : <64x64xf32, reg, acc>, <?x?xf32>
    sluice.tail %ring[%end] : <{s}>
  }}
}}"""


def warp_specialized(case):
    """A role loads, another multiplies, a warpgroup idles; registers move."""
    s = case.stages
    return product_header(case, '["producer"]', '["consumer"]') + f"""
  sluice.role "consumer" warps 0 to 4 registers 232 {{{ACC}{take_all(case)}
  }}
  sluice.role "producer" warps 4 to 8 registers 40 {{{fill_all(case)}
    sluice.tail %ring[%filled] : <{s}>
  }}
  sluice.role "idle" warps 8 to 12 registers 40 {{
  }}
}}"""


def persistent(case):
    """Ping-pong: tiles go to two warpgroups in turn, which wait for the ring in turn."""
    s = case.stages
    kind = f"!sluice.cursor<{s}>"

    def tiles(first, body, last, mark):
        return f"""
    %{last} = scf.for %tile = %c0 to %high step %c1 iter_args(%{first} = %start) -> {kind} {{
    %down = arith.muli %tile, %band_x : index
    %row = arith.addi %down, %own : index
{body}
    }}{mark}"""

    take = take_all(case, "first") + f"\n    scf.yield %read : {kind}"
    load = fill_all(case, "n", "first") + f"\n    scf.yield %filled : {kind}"
    return product_header(case, '["producer"]', '["math"]', bands=True) + f"""
  sluice.role "math" warps 0 to 4 registers 232 {{{ACC}
{tiles("first", take, "end", " {sluice.turns = 2 : i64}")}
  }}
  sluice.role "producer" warps 8 to 12 registers 40 {{
{tiles("first", load, "end", "")}
    sluice.tail %ring[%end] : <{s}>
  }}
}}"""


def sequence(case):
    """Groups of 128 threads copy by turns: one has the tile `in`, then one the tile `out`."""
    groups = case.stages
    tile, held = "<16x256xf32, smem, row>", "<16x256xf32, reg, blocked>"
    rings, roles = "", ""
    for side in "ab":
        for g in range(groups):
            primed = ", primed = 1" if g == groups - 1 else ""
            rings += f"""
  %{side}{g} = sluice.pipeline "{side}{g}" from ["group{g}"] to ["group{(g + 1) % groups}"]
      {{empty = "none"{primed}}} : !sluice.pipeline<1>"""
    for g in range(groups):
        before = (g - 1) % groups
        to = "second" if g == groups - 1 else "start"
        roles += f"""
  sluice.role "group{g}" warps {4 * g} to {4 * g + 4} {{
    %held = sluice.alloc "held{g}" : !sluice.buffer{held}
    %offset = arith.constant {16 * g} : index
    %row = arith.addi %first, %offset : index
    scf.for %t = %c0 to %n step %c1 iter_args(%at = %start, %to = %{to})
        -> (!sluice.cursor<1>, !sluice.cursor<1>) {{
      %k = arith.muli %t, %c256 : index
      sluice.wait %a{before}[%at] : <1>
      sluice.load %X[%row, %k] to %in : <?x?xf32>, {tile}
      sluice.bar.sync {g + 1}, 128
      sluice.copy %in to %held : {tile}, {held}
      sluice.commit %a{g}[%to] : <1>
      sluice.wait %b{before}[%at] : <1>
      sluice.copy %held to %out : {held}, {tile}
      sluice.bar.sync {g + 1}, 128
      sluice.copy %out to %held : {tile}, {held}
      sluice.store %held to %Y[%row, %k] : {held}, <?x?xf32>
      sluice.commit %b{g}[%to] : <1>
      %at_next = sluice.cursor.advance %at : <1>
      %to_next = sluice.cursor.advance %to : <1>
      scf.yield %at_next, %to_next : !sluice.cursor<1>, !sluice.cursor<1>
    }} {{sluice.pipelined}}
  }}"""
    return copy_header(case, 16 * groups) + f"""
  %gx = arith.ceildivsi %M, %rows : index
  %i = sluice.grid %gx : index
  %first = arith.muli %i, %rows : index
  %in = sluice.alloc "in" : !sluice.buffer{tile}
  %out = sluice.alloc "out" : !sluice.buffer{tile}{rings}
  %start = sluice.cursor : !sluice.cursor<1>
  %second = sluice.cursor.advance %start : <1>{roles}
}}"""


def launch_control(case):
    """A grid of 32 x 32: a warp of the leader asks for clusters, a warp of each CTA counts the
    place of the CTA at its own place in the cluster that was given."""
    kind, buffer = f"<{case.stages}>", f"1x4xi32, smem, row, slots {case.stages}"
    clustered = case.clustered
    rank = "sluice.cluster.rank" if clustered else "arith.constant 0 : index"
    attributes = case.attributes("sm_100a", ", shared_bytes = 204800")
    read = f"""
      sluice.wait %ring[%at] : {kind}
      %slot = sluice.cursor.slot %at : {kind}
      %box = sluice.slot %response[%slot] : <{buffer}>
      %read = sluice.clc.query %box : <1x4xi32, smem, row>
      sluice.release %ring[%at] : {kind}
      %given = sluice.uniform %read : index
      %more = arith.cmpi sge, %given, %c0 : index
      %next = sluice.cursor.advance %at : {kind}"""
    return f"""
sluice.kernel @{case.name}(
    %done: !sluice.tensor<32x32xi32> {{sluice.name = "done", sluice.inout}})
    {attributes} {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %wide = arith.constant {case.x} : index
  %i, %j = sluice.grid %c32, %c32 : index, index
  %rank = {rank}
  %right = arith.remsi %rank, %wide : index
  %down = arith.divsi %rank, %wide : index
  %i0 = arith.subi %i, %right : index
  %j0 = arith.subi %j, %down : index
  %above = arith.muli %j0, %c32 : index
  %first = arith.addi %above, %i0 : index
  %response = sluice.alloc "response" : !sluice.buffer<{buffer}>
  %ring = sluice.pipeline "ring" over %response : !sluice.buffer<{buffer}>
      from ["scheduler"] to ["work", "scheduler"] : !sluice.pipeline{kind}
  %start = sluice.cursor : !sluice.cursor{kind}
  sluice.role "scheduler" warps 0 to 1{" leader" if clustered else ""} {{
    %end = scf.while (%at = %start) : (!sluice.cursor{kind}) -> !sluice.cursor{kind} {{
      sluice.acquire %ring[%at] : {kind}
      %place = sluice.cursor.slot %at : {kind}
      %to = sluice.slot %response[%place] : <{buffer}>
      sluice.clc.try_cancel %to : <1x4xi32, smem, row>
      sluice.commit %ring[%at] : {kind}{read}
      scf.condition(%more) %next : !sluice.cursor{kind}
    }} do {{
    ^bb0(%at: !sluice.cursor{kind}):
      scf.yield %at : !sluice.cursor{kind}
    }}
    sluice.tail %ring[%end] : {kind}
  }}
  sluice.role "work" warps 4 to 5 {{
    %end:2 = scf.while (%number = %first, %at = %start) : (index, !sluice.cursor{kind})
        -> (index, !sluice.cursor{kind}) {{
      %x0 = arith.remsi %number, %c32 : index
      %y0 = arith.divsi %number, %c32 : index
      %x = arith.addi %x0, %right : index
      %y = arith.addi %y0, %down : index
      %old = sluice.counter.add %done[%y, %x], %c1 scope gpu relaxed : <32x32xi32>{read}
      scf.condition(%more) %given, %next : index, !sluice.cursor{kind}
    }} do {{
    ^bb0(%number: index, %at: !sluice.cursor{kind}):
      scf.yield %number, %at : index, !sluice.cursor{kind}
    }}
  }}
}}"""


SCENARIOS = {
    "pipeline_async": pipeline_async,
    "tma_async": tma_async,
    "tma_async_warp_specialized": warp_specialized,
    "tma_async_warp_specialized_persistent": persistent,
    "sequence_barrier": sequence,
    "cluster_launch_control": launch_control,
}


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("scenario", choices=SCENARIOS)
    parser.add_argument("cases", nargs="+", help="2x1:2,7 means cluster 2x1 with 2 and 7 stages")
    options = parser.parse_args()
    for case in options.cases:
        cluster, stages = case.split(":")
        for s in stages.split(","):
            print(SCENARIOS[options.scenario](Case(options.scenario, cluster, int(s))))


if __name__ == "__main__":
    main()
