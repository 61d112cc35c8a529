// Roles of an Ascend machine's cores and rings between their pipes.
#include "Embedded.h"

namespace sluice::lang {

/// C = (A / 2) B: the vector cores halve tiles of A and hand them on through a workspace, the cube
/// core multiplies. Each core takes several blocks of 64 rows.
Result<Kernel> halved() {
  KernelBuilder k("halved");
  Tensor A = k.input("A", f16, 2, {.align = 16, .extents = {anyExtent, 192}});
  Tensor B = k.input("B", f16, 2, {.align = 16, .extents = {192, 144}});
  Tensor C = k.output("C", f32, 2, {.align = 16, .extents = {anyExtent, 144}});
  Buffer x = k.buffer(f16, {32, 64}, Space::ub, "x"), h = k.buffer(f16, {32, 64}, Space::ub, "h");
  Buffer w = k.buffer(f16, {64, 64}, Space::global, "w");
  Buffer a1 = k.buffer(f16, {64, 64}, Space::l1, "a1"),
         b1 = k.buffer(f16, {64, 144}, Space::l1, "b1");
  Buffer a0 = k.buffer(f16, {64, 64}, Space::l0a, "a0");
  Buffer b0 = k.buffer(f16, {64, 144}, Space::l0b, "b0");
  Buffer d = k.buffer(f32, {64, 144}, Space::l0c, "d");
  Pipeline loaded = k.pipeline("loaded", stages(2), {x});
  Pipeline halves = k.pipeline("halves", stages(2), {h});
  Pipeline handed = k.pipeline("handed", stages(2), {w});
  Pipeline operands = k.pipeline("operands", stages(2), {a1, b1});
  Pipeline parts = k.pipeline("parts", stages(2), {a0, b0});
  Pipeline sum = k.pipeline("sum", stages(1), {d});
  Index blocks = ceilDiv(A.dim(0), 64), cores = min(blocks, 24);
  auto [core] = k.grid(cores);

  k.role("halve", Core::vector, [&] {
    Index down = k.subblock() * 32;
    Producer load = loaded.producer(Pipe::mte2), half = halves.producer(Pipe::v);
    Consumer computes = loaded.consumer(Pipe::v), stores = halves.consumer(Pipe::mte3);
    Producer hand = handed.producer(Pipe::mte3);
    k.loop(Range(core, blocks, cores), "block", [&](Index block) {
      k.loop(Range(0, 192, 64), "k", [&](Index t) {
        load.acquire();
        k.load(A.at({block * 64 + down, t}), x[load]);
        load.commit();
        load.advance();
        computes.wait();
        half.acquire();
        k.update(h[half], {x[computes]}, [](Element v) { return v * 0.5; });
        half.commit();
        computes.release();
        half.advance();
        computes.advance();
        stores.wait();
        hand.acquire();
        k.copy(h[stores], part(w[hand], {down, 0}, {32, 64}));
        hand.commit();
        stores.release();
        hand.advance();
        stores.advance();
      });
    });
  });

  k.role("multiply", Core::cube, [&] {
    Consumer takes = handed.consumer(Pipe::mte2), moves = operands.consumer(Pipe::mte1);
    Producer brings = operands.producer(Pipe::mte2), fills = parts.producer(Pipe::mte1);
    Consumer multiplies = parts.consumer(Pipe::m), out = sum.consumer(Pipe::fix);
    Producer sums = sum.producer(Pipe::m);
    k.loop(Range(core, blocks, cores), "block", [&](Index block) {
      sums.acquire();
      k.loop(Range(0, 192, 64), "k", [&](Index t) {
        brings.acquire();
        k.load(B.at({t, 0}), b1[brings]);
        takes.wait();
        k.copy(w[takes], a1[brings]);
        takes.release();
        brings.commit();
        brings.advance();
        takes.advance();
        moves.wait();
        fills.acquire();
        k.copy(a1[moves], a0[fills]);
        k.copy(b1[moves], b0[fills]);
        fills.commit();
        moves.release();
        fills.advance();
        moves.advance();
        multiplies.wait();
        k.mma(d[sums], a0[multiplies], b0[multiplies], {.anyTiles = true, .accumulates = t != 0});
        multiplies.release();
        multiplies.advance();
      });
      sums.commit();
      out.wait();
      k.store(d[out], C.at({block * 64, 0}));
      out.release();
      sums.advance();
      out.advance();
    });
  });
  return k.build();
}

/// Y = 4 X / 2: between the two steps a tile of the role, so that pipe V must end the first one.
Result<Kernel> inUnifiedBuffer() {
  KernelBuilder k("in_unified_buffer");
  Tensor X = k.input("X", f16, 2, {.align = 16, .extents = {anyExtent, 192}});
  Tensor Y = k.output("Y", f16, 2, {.align = 16, .extents = {anyExtent, 192}});
  Buffer x = k.buffer(f16, {32, 64}, Space::ub, "x"), y = k.buffer(f16, {32, 64}, Space::ub, "y");
  Pipeline loaded = k.pipeline("loaded", stages(2), {x}, {.empty = false});
  Pipeline credit = k.pipeline("credit", stages(2), {}, {.empty = false, .primed = 2});
  Pipeline stored = k.pipeline("stored", stages(2), {y});
  auto [i] = k.grid(ceilDiv(X.dim(0), 64));
  k.role("double", Core::vector, [&] {
    Index row = i * 64 + k.subblock() * 32;
    Producer load = loaded.producer(Pipe::mte2), used = credit.producer(Pipe::v);
    Consumer from = loaded.consumer(Pipe::v), free = credit.consumer(Pipe::mte2);
    Producer to = stored.producer(Pipe::v);
    Consumer out = stored.consumer(Pipe::mte3);
    k.loop(Range(0, 192, 64), "k", [&](Index t) {
      free.wait();
      k.load(X.at({row, t}), x[load]);
      load.commit();
      load.advance();
      free.advance();
      from.wait();
      Tile fourfold = k.map(
          {x[from]}, f16, [](Element v) { return v * 4.0; }, "fourfold");
      used.commit();
      used.advance();
      from.advance();
      to.acquire();
      k.update(y[to], {fourfold}, [](Element v) { return v * 0.5; });
      to.commit();
      to.advance();
      out.wait();
      k.store(y[out], Y.at({row, t}));
      out.release();
      out.advance();
    });
    k.loop(2, "left", [&](Index) {
      free.wait();
      free.advance();
    });
  });
  return k.build();
}

} // namespace sluice::lang
