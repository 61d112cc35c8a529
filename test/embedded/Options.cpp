// What is said of a pipeline beside who uses it.
#include "Embedded.h"

#include <functional>

namespace sluice::lang {

static Element plus(Element x, Element y) {
  return x + y;
}

/// What the kernels here sum up: tiles of 32 columns of X.
struct Sum {
  KernelBuilder k;
  Tensor X, Y;
  Index row = 0, steps;

  explicit Sum(std::string name)
      : k(std::move(name)), X(k.input("X", f32, 2, {.align = 16})), Y(k.output("Y", f32, 2)),
        steps(ceilDiv(X.dim(1), 32)) {
    auto [i] = k.grid(ceilDiv(X.dim(0), 64));
    row = i * 64;
  }
  Buffer shared(const std::string &name) { return k.shared(f32, {64, 32}, name); }
  /// A role that loads tile after tile of X.
  void loadInto(const Pipeline &ring, const Buffer &x) {
    k.role("load", warps(1), [&] {
      Producer to = ring.producer();
      k.loop(steps, "t", [&](Index t) {
        to.acquire();
        k.load(X.at({row, t * 32}), x[to]);
        to.commit();
        to.advance();
      });
    });
  }
  /// A role of four warps that adds up what it finds.
  void sumUp(const std::function<void(Tile)> &body) {
    k.role("sum", warps(4), [&] {
      Tile acc = k.accumulator(f32, {64, 32}, "acc");
      body(acc);
      k.store(acc, Y.at({row, 0}));
    });
  }
};

/// X by TMA, Z and W by threads: one wait for all three. The warps of a role signal as one.
Result<Kernel> merged() {
  Sum s("merged");
  auto &k = s.k;
  Tensor Z = k.input("Z", f32, 2), W = k.input("W", f32, 2);
  Buffer x = s.shared("x"), z = s.shared("z"), w = s.shared("w");
  Pipeline xs = k.pipeline("xs", stages(2), {x});
  Pipeline zs = k.pipeline("zs", stages(2), {z}, {.merge = "xs", .arrive = Arrive::warpgroup});
  Pipeline ws = k.pipeline("ws", stages(2), {w}, {.full = false, .arrive = Arrive::thread});
  s.loadInto(xs, x);
  k.role("copy", warps(4), [&] {
    Producer toZ = zs.producer(), toW = ws.producer();
    k.loop(s.steps, "t", [&](Index t) {
      toW.acquire();
      k.copy(k.load(W.at({s.row, t * 32}), {64, 32}, "fromW"), w[toW]);
      toW.commit();
      toW.advance();
      toZ.acquire();
      k.copy(k.load(Z.at({s.row, t * 32}), {64, 32}, "fromZ"), z[toZ]);
      toZ.commit();
      toZ.advance();
    });
  });
  s.sumUp([&](Tile acc) {
    Consumer fromX = xs.consumer(), fromZ = zs.consumer(), fromW = ws.consumer();
    k.loop(s.steps, "t", [&](Index) {
      fromZ.wait();
      k.update(acc, {acc, k.read(x[fromX], f32, "hx")}, plus);
      k.update(acc, {acc, k.read(z[fromZ], f32, "hz")}, plus);
      k.update(acc, {acc, k.read(w[fromW], f32, "hw")}, plus);
      fromX.release();
      fromZ.release();
      fromW.release();
      fromX.advance();
      fromZ.advance();
      fromW.advance();
    });
  });
  return k.build();
}

/// Two roles add to one buffer in turn; the first turn is there when they begin.
Result<Kernel> primedTurns() {
  Sum s("primed_turns");
  auto &k = s.k;
  Buffer sum = s.shared("sum");
  Pipeline ping = k.pipeline("ping", stages(1), {}, {.empty = false});
  Pipeline pong = k.pipeline("pong", stages(1), {}, {.empty = false, .primed = 1});
  const Index rounds = (s.steps + 1) / 2;
  const auto turns = [&](const std::string &name, int which, Pipeline &mine, Pipeline &theirs) {
    k.role(name, warps(4), [&] {
      Consumer turn = mine.consumer();
      Producer next = theirs.producer();
      k.loop(rounds, "round", [&](Index round) {
        Tile x = k.load(s.X.at({s.row, (2 * round + which) * 32}), {64, 32}, "x");
        turn.wait();
        if (which == 0)
          k.when(round != 0, [&] { k.update(x, {x, k.read(sum, f32, "before")}, plus); });
        else
          k.update(x, {x, k.read(sum, f32, "before")}, plus);
        k.copy(x, sum);
        next.commit();
        turn.advance();
        next.advance();
      });
      if (which == 0)
        k.when(rounds > 0, [&] {
          turn.wait();
          k.store(k.read(sum, f32, "total"), s.Y.at({s.row, 0}));
        });
    });
  };
  turns("even", 0, pong, ping);
  turns("odd", 1, ping, pong);
  return k.build();
}

/// The last of three slots is the summing role's until it has taken what it put there.
Result<Kernel> lentSlot() {
  Sum s("lent_slot");
  auto &k = s.k;
  Tensor Z = k.input("Z", f32, 2);
  Buffer x = s.shared("x");
  Pipeline xs = k.pipeline("xs", stages(3), {x}, {.first = 2});
  s.loadInto(xs, x);
  s.sumUp([&](Tile acc) {
    Consumer from = xs.consumer(), own = from;
    own.advance(2);
    k.copy(k.load(Z.at({s.row, 0}), {64, 32}, "start"), x[own]);
    k.meet();
    k.update(acc, {acc, k.read(x[own], f32, "lent")}, plus);
    own.release();
    k.loop(s.steps, "t", [&](Index) {
      from.wait();
      k.update(acc, {acc, k.read(x[from], f32, "hx")}, plus);
      from.release();
      from.advance();
    });
  });
  return k.build();
}

/// A role meets, and TMA stores a buffer of its own: each at its barrier.
Result<Kernel> metAndStored() {
  KernelBuilder k("met_and_stored");
  Tensor X = k.input("X", f32, 2, {.align = 16}), Y = k.output("Y", f32, 2, {.align = 16});
  auto [i] = k.grid(ceilDiv(X.dim(0), 64));
  Index row = i * 64;
  Buffer y = k.shared(f32, {64, 32}, "y");
  k.role("double", warps(4), [&] {
    k.loop(ceilDiv(X.dim(1), 32), "t", [&](Index t) {
      Tile x = k.load(X.at({row, t * 32}), {64, 32}, "x");
      k.meet();
      k.copy(k.map(
                 {x}, f32, [](Element v) { return v + v; }, "twice"),
             y);
      k.store(y, Y.at({row, t * 32}));
    });
  });
  return k.build();
}

/// Both CTAs of a pair bring parts, through global memory; a role of the leader adds them up.
Result<Kernel> sumOfPair() {
  KernelBuilder k("sum_of_pair");
  Tensor X = k.input("X", f32, 2), P = k.inout("P", f32, 2), Y = k.output("Y", f32, 2);
  auto [i, j] = k.grid(ceilDiv(X.dim(0), 128) * 2, 1, {.cluster = {2, 1}});
  Index row = i * 64, steps = ceilDiv(X.dim(1), 32);
  Pipeline parts = k.pipeline("parts", stages(1), {});
  k.role("bring", warps(4), [&] {
    Producer to = parts.producer();
    k.loop(steps, "t", [&](Index t) {
      Tile part = k.load(X.at({row, t * 32}), {64, 32}, "part");
      to.acquire();
      k.store(part, P.at({row, 0}));
      to.commit();
      to.advance();
    });
  });
  k.role("add", warps(4).leader(), [&] {
    Consumer from = parts.consumer();
    Tile acc = k.accumulator(f32, {64, 32}, "acc");
    k.loop(steps, "t", [&](Index) {
      from.wait();
      Tile own = k.load(P.at({row, 0}), {64, 32}, "own");
      Tile other = k.load(P.at({row + 64, 0}), {64, 32}, "other");
      from.release();
      k.update(acc, {acc, own}, plus);
      k.update(acc, {acc, other}, plus);
      from.advance();
    });
    k.store(acc, Y.at({row / 2, 0}));
  });
  return k.build();
}

} // namespace sluice::lang
