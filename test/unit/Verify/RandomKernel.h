// Kernels drawn at random: one to four roles with nested loops, a ring between two or three of
// them, and tiles of one tensor at places computed from CTAs, iterations, extents, an argument and
// integers of a tensor.
#pragma once

#include "RandomNumbers.h"

namespace sluice::test {

class RandomKernel {
public:
  explicit RandomKernel(uint64_t seed) : numbers_(b_, seed) {
    y_ = b_.tensor("Y", DType::f32, {64, 64}, true);
    x_ = b_.tensor("X", DType::f32, {64, 64});
    b_.program.arguments.push_back({"a", DType::i32});
    b_.launch.arguments.push_back(1);
    for (const int tensor : {y_, x_})
      for (const int64_t dimension : {0, 1})
        known_.push_back(b_.scalar(ScalarOp::dim, {}, dimension, tensor));
    known_.push_back(b_.scalar(ScalarOp::argument, {}, 0, 0));
    for (const size_t extent : {0, 1, 2})
      tiles_.push_back(numbers_.byNumber(ScalarOp::ceilDiv, known_[extent], tile));
    known_.insert(known_.end(), tiles_.begin(), tiles_.end());
    grid();
    if (numbers_.oneIn(10))
      known_.push_back(integer());
    common_ = known_;
    if (numbers_.oneIn(3))
      loose();
    else
      ringed();
    b_.place();
  }

  const Program &program() const { return b_.program; }
  const Launch &launch() const { return b_.launch; }

private:
  static constexpr int64_t tile = 32; // rows and columns

  void grid() {
    if (numbers_.oneIn(8))
      b_.program.cluster[0] = 2;
    const ValueId all = numbers_.with(ScalarOp::mul, tiles_[0], tiles_[1]);
    ValueId ctas =
        numbers_.any({all, all, tiles_[0], numbers_.byNumber(ScalarOp::minS, all, 3),
                      numbers_.byNumber(ScalarOp::ceilDiv, known_[0], 16), b_.number(1)});
    if (b_.program.cluster[0] == 2)
      ctas = numbers_.byNumber(ScalarOp::mul, ctas, 2);
    all_ = all;
    ctas_ = ctas;
    Grid g;
    g.extents = {ctas};
    g.results = {b_.program.values++};
    b_.emit(g);
    cta_ = g.results[0];
    known_.push_back(cta_);
    if (b_.program.cluster[0] == 2)
      known_.push_back(b_.scalar(ScalarOp::clusterRank));
  }

  /// One of 64 integers.
  ValueId integer() {
    const int d = b_.tensor("D", DType::i32, {64});
    b_.program.tensors[d].extents = {64};
    const ValueId at = numbers_.byNumber(ScalarOp::andI, cta_, 63);
    return b_.scalar(ScalarOp::load, {at}, 0, d);
  }

  // ---- Places -----------------------------------------------------------------------------------

  ValueId number() { return numbers_.number(known_); }

  /// Row and column, in tiles.
  std::pair<ValueId, ValueId> tileAt() {
    switch (numbers_.upTo(6)) {
    case 0: { // one number split
      const ValueId v = number(), by = numbers_.any(tiles_);
      return {numbers_.with(ScalarOp::divS, v, by), numbers_.with(ScalarOp::remS, v, by)};
    }
    case 1:
      return {cta_, number()};
    case 2:
      return {number(), cta_};
    case 3:
      return {cta_, b_.number(numbers_.upTo(1))};
    case 4: { // tiles in rows
      const ValueId v = numbers_.oneIn(2) ? known_.back() : cta_;
      return {numbers_.with(ScalarOp::divS, v, tiles_[1]),
              numbers_.with(ScalarOp::remS, v, tiles_[1])};
    }
    default:
      return {number(), number()};
    }
  }

  /// A tile of the tensor; at times half of one further, so that neighbours overlap.
  View place(int tensor, bool neverBefore) {
    const auto [row, column] = tileAt();
    const int64_t scale = numbers_.oneIn(6) ? tile / 2 : tile;
    std::vector<Index> at;
    for (ValueId v : {numbers_.byNumber(ScalarOp::mul, row, scale),
                      numbers_.byNumber(ScalarOp::mul, column, tile)}) {
      if (neverBefore)
        v = numbers_.byNumber(ScalarOp::maxS, v, 0);
      at.push_back({v, neverBefore || !numbers_.oneIn(8) ? 0 : tile * (numbers_.upTo(2) - 1)});
    }
    return b_.box(tensor, at, {tile, tile});
  }

  /// Of some role: a tile in registers, and one in shared memory where it stores by TMA.
  struct Holder {
    int registers;
    int staging = -1;
  };

  void access(const Holder &h) {
    if (h.staging >= 0 && numbers_.oneIn(2))
      return storeByTma(h);
    const View box = place(y_, false);
    if (numbers_.oneIn(4)) {
      b_.copy(Pipe::none, b_.tile(h.registers), box);
      return;
    }
    if (!numbers_.oneIn(3))
      b_.emit(Fill{b_.tile(h.registers), static_cast<double>(++stores_)});
    b_.copy(Pipe::none, box, b_.tile(h.registers));
  }

  void storeByTma(const Holder &h) {
    b_.emit(Fill{b_.tile(h.staging), static_cast<double>(++stores_)});
    b_.emit(Fence{Fence::proxyAsync});
    b_.emit(WarpSync{});
    b_.emit(TmaStore{place(y_, true), b_.tile(h.staging), numbers_.oneIn(4)}, Exec::one);
    b_.emit(BulkCommit{}, Exec::one);
    b_.emit(BulkWait{0, numbers_.oneIn(3)}, Exec::one);
    b_.emit(WarpSync{});
  }

  // ---- Roles without a ring ---------------------------------------------------------------------

  Holder holder(const std::string &role, int warps) {
    Holder h;
    h.registers =
        b_.buffer("r" + role, Space::reg, DType::f32, {tile, tile}, Layout::blocked, 1, role);
    if (warps == 1 && numbers_.oneIn(4))
      h.staging = b_.buffer("s" + role, Space::smem, DType::f32, {tile, tile}, Layout::row);
    return h;
  }

  void role(int warps, const std::function<void(const Holder &)> &body) {
    const std::string name(1, static_cast<char>('a' + roles_++));
    b_.role(name, warps_, warps, [&] {
      const std::vector<ValueId> outside = known_;
      if (numbers_.oneIn(6))
        known_.push_back(b_.scalar(ScalarOp::warpInRole));
      const Holder h = holder(name, warps);
      b_.emit(Fill{b_.tile(h.registers), 0.5});
      body(h);
      known_ = outside;
    });
    warps_ += warps;
  }

  void loose() {
    const int64_t roles = 1 + numbers_.upTo(3);
    const bool twice = numbers_.oneIn(4); // with a barrier of all between
    b_.program.warps = static_cast<int>(roles);
    for (int64_t r = 0; r < roles; ++r)
      role(1, [&](const Holder &h) {
        block(h, 0);
        if (twice) {
          b_.sync(1, static_cast<int>(roles));
          block(h, 0);
        }
      });
  }

  void block(const Holder &h, int depth) {
    const std::vector<ValueId> outside = known_;
    if (depth < 2 && numbers_.upTo(2))
      loop([&] { block(h, depth + 1); });
    else if (numbers_.oneIn(4))
      b_.when(numbers_.condition(known_), [&] { access(h); });
    else
      access(h);
    known_ = outside;
  }

  void loop(const std::function<void()> &body) {
    if (numbers_.oneIn(4)) { // over tiles, in steps of the grid
      const Builder::Bounds bounds{cta_, all_, ctas_};
      b_.carried(bounds, b_.number(0), [&](ValueId i, ValueId at) {
        known_.push_back(i);
        body();
        return at;
      });
      return;
    }
    ValueId bound = number();
    if (numbers_.upTo(2))
      bound = numbers_.byNumber(ScalarOp::minS, bound, 12);
    b_.count(bound, b_.number(numbers_.upTo(3) - 1), [&](ValueId i, ValueId carried) {
      known_.push_back(carried);
      known_.push_back(i);
      body();
    });
  }

  // ---- Roles with a ring ------------------------------------------------------------------------

  struct Ring {
    int64_t slots;
    int buffer, full, empty;
    bool byTma;
    int64_t outer, inner; // recipes of the loops around a step; outer < 0: one loop
  };

  /// What sometimes goes wrong, in one of the roles.
  enum Slip : int64_t { none, noEmpty, noFull, lateRelease, otherPhase, otherTrips, slips };

  /// The same number wherever it is computed from the same recipe.
  ValueId bound(int64_t recipe) {
    RandomNumbers same(b_, static_cast<uint64_t>(recipe));
    const ValueId of = same.number(common_);
    return same.oneIn(3) ? of : same.byNumber(ScalarOp::minS, of, 12);
  }

  void ringed() {
    const int64_t consumers = 1 + numbers_.upTo(1), width = 1 + numbers_.upTo(1);
    Ring ring;
    ring.slots = 1 + numbers_.upTo(3);
    ring.byTma = numbers_.oneIn(2);
    ring.outer = numbers_.oneIn(2) ? static_cast<int64_t>(numbers_.seed() >> 1) : -1;
    ring.inner = static_cast<int64_t>(numbers_.seed() >> 1);
    ring.buffer = b_.buffer("ring", Space::smem, DType::f32, {tile, tile}, Layout::row, ring.slots);
    ring.full = b_.barriers("full", ring.slots);
    ring.empty = b_.barriers("empty", ring.slots);
    const int64_t extra = numbers_.oneIn(3) ? 1 : 0;
    const int64_t warps = 1 + consumers * width + extra;
    b_.initAll({{ring.full, 1}, {ring.empty, consumers * width}}, static_cast<int>(warps));
    const Slip slip = numbers_.oneIn(3) ? static_cast<Slip>(numbers_.upTo(slips - 1)) : none;
    const int64_t whose = numbers_.upTo(consumers); // 0: the producer's
    role(1, [&](const Holder &) { goRound(ring, 1, whose == 0 ? slip : none, nullptr); });
    for (int64_t c = 1; c <= consumers; ++c)
      role(static_cast<int>(width),
           [&](const Holder &h) { goRound(ring, 0, whose == c ? slip : none, &h); });
    if (extra)
      role(1, [&](const Holder &h) { block(h, 0); });
  }

  /// The steps of the producer (no holder) or of a consumer, the cursor carried through all loops.
  void goRound(const Ring &ring, int64_t phase, Slip slip, const Holder *h) {
    const ValueId first = b_.number(slip == otherPhase ? 1 - phase : phase);
    const ValueId start = b_.scalar(ScalarOp::cursorInit, {first}, ring.slots);
    const bool after = h && numbers_.oneIn(2); // a tile is stored behind each inner loop
    const auto steps = [&](ValueId cursor) {
      ValueId trips = bound(ring.inner);
      if (slip == otherTrips)
        trips = numbers_.byNumber(numbers_.any({ScalarOp::add, ScalarOp::maxS}), trips, 1);
      const Stmt &loop =
          b_.carried({b_.number(0), trips, b_.number(1)}, cursor, [&](ValueId i, ValueId at) {
            known_.push_back(i);
            step(ring, at, slip, h, !after);
            known_.pop_back();
            return b_.scalar(ScalarOp::cursorAdvance, {at}, ring.slots);
          });
      const ValueId left = std::get<For>(loop.op).results[0];
      if (after)
        access(*h);
      return left;
    };
    if (ring.outer < 0) {
      steps(start);
      return;
    }
    const bool tiles = ring.outer % 2 == 0;
    const Builder::Bounds bounds =
        tiles ? Builder::Bounds{cta_, all_, ctas_}
              : Builder::Bounds{b_.number(0), bound(ring.outer), b_.number(1)};
    b_.carried(bounds, start, [&](ValueId i, ValueId cursor) {
      known_.push_back(i);
      const ValueId left = steps(cursor);
      known_.pop_back();
      return left;
    });
  }

  void step(const Ring &ring, ValueId cursor, Slip slip, const Holder *h, bool mayStore) {
    const Index slot{b_.scalar(ScalarOp::cursorSlot, {cursor}, ring.slots), 0};
    const Index parity{b_.scalar(ScalarOp::cursorPhase, {cursor}, ring.slots), 0};
    if (!h)
      return fill(ring, slot, parity, slip);
    if (slip != noFull)
      b_.wait(ring.full, slot, parity);
    if (slip == lateRelease)
      b_.arrive(ring.empty, slot);
    b_.copy(Pipe::none, b_.tile(h->registers), b_.tile(ring.buffer, slot));
    b_.emit(WarpSync{});
    if (slip != lateRelease)
      b_.arrive(ring.empty, slot);
    if (mayStore)
      access(*h);
  }

  void fill(const Ring &ring, Index slot, Index parity, Slip slip) {
    if (slip != noEmpty)
      b_.wait(ring.empty, slot, parity, ring.byTma ? Exec::one : Exec::threads);
    if (ring.byTma) {
      b_.expect(ring.full, slot, tile * tile * 4);
      b_.load(b_.tile(ring.buffer, slot), place(x_, false), ring.full, slot);
      return;
    }
    b_.emit(Fill{b_.tile(ring.buffer, slot), static_cast<double>(++stores_)});
    b_.emit(WarpSync{});
    b_.arrive(ring.full, slot);
  }

  Builder b_;
  RandomNumbers numbers_;
  int y_, x_;
  int roles_ = 0, warps_ = 0, stores_ = 0;
  ValueId cta_, ctas_, all_;
  std::vector<ValueId> known_, common_, tiles_; // common_: before any role
};

} // namespace sluice::test
