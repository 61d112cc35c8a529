// Builds small programs by hand, statement by statement; every statement gets its own line number.
#pragma once

#include "Diagnose/Check.h"
#include "Program/Agent.h"
#include "Program/LayoutMap.h"

#include <functional>
#include <map>

namespace sluice::test {

inline Index constant(int64_t n) {
  return {kNone, n};
}
inline const Index zero = constant(0), one = constant(1);

class Builder {
public:
  explicit Builder(Target target = Target::sm_90a) {
    program.name = "test";
    program.target = target;
    program.gridRank = 1;
  }

  Program program;
  Launch launch;

  // ---- Objects ----
  int tensor(const std::string &name, DType type, std::vector<int64_t> extents,
             bool output = false) {
    Tensor t;
    t.name = name;
    t.type = type;
    t.rank = static_cast<int>(extents.size());
    t.minor = t.rank - 1;
    t.align = 16;
    t.input = !output;
    t.output = output;
    program.tensors.push_back(t);
    std::vector<int64_t> strides(extents.size(), 1);
    for (size_t d = extents.size() - 1; d > 0; --d)
      strides[d - 1] = strides[d] * extents[d];
    launch.tensors.push_back({extents, strides});
    return static_cast<int>(program.tensors.size()) - 1;
  }
  /// Placed after the buffers before it, on a multiple of 1024 bytes.
  int buffer(const std::string &name, Space space, DType type, std::vector<int64_t> shape,
             Layout layout, int64_t slots = 1, const std::string &role = "") {
    Buffer b;
    b.name = name;
    b.space = space;
    b.type = type;
    b.shape = std::move(shape);
    b.layout = layout;
    b.slots = slots;
    b.role = role;
    b.slotBytes = (LayoutMap::of(b)->bytes() + 1023) / 1024 * 1024;
    b.offset = space == Space::reg ? 0 : end_[space];
    end_[space] = b.offset + b.slots * b.slotBytes;
    program.buffers.push_back(b);
    program.sharedBytes = end_[Space::smem] + 1024;
    return static_cast<int>(program.buffers.size()) - 1;
  }
  int barriers(const std::string &name, int64_t slots) {
    program.mbarriers.push_back({name, slots, -1, {}});
    return static_cast<int>(program.mbarriers.size()) - 1;
  }
  /// Puts the mbarriers behind the buffers. Call before checking.
  void place() {
    int64_t at = end_[Space::smem];
    for (Mbarrier &b : program.mbarriers) {
      b.offset = at;
      at += 8 * b.slots;
    }
    program.sharedBytes = at;
  }

  // ---- Scalars and control ----
  ValueId scalar(ScalarOp op, std::vector<ValueId> operands = {}, int64_t imm = 0,
                 int object = -1) {
    const ValueId result = program.values++;
    emit(Scalar{op, result, std::move(operands), imm, object});
    return result;
  }
  ValueId number(int64_t n) { return scalar(ScalarOp::constant, {}, n); }
  /// One-dimensional grid; the coordinate.
  ValueId grid(int64_t extent) {
    Grid g;
    g.extents = {number(extent)};
    g.results = {program.values++};
    emit(g);
    return g.results[0];
  }
  void role(const std::string &name, int firstWarp, int warps, const std::function<void()> &body) {
    Role r;
    r.name = name;
    r.firstWarp = firstWarp;
    r.warps = warps;
    program.warps = std::max(program.warps, firstWarp + warps);
    nested(
        emit(std::move(r)), [](Stmt &s) { return &std::get<Role>(s.op).body; }, body);
  }
  void core(const std::string &kind, const std::function<void()> &body) {
    Role r;
    r.name = r.core = kind;
    nested(
        emit(std::move(r)), [](Stmt &s) { return &std::get<Role>(s.op).body; }, body);
  }
  /// for i in 0 .. trips, carrying a cursor of a ring of `slots` that starts at phase `phase`.
  void loop(int64_t trips, int64_t slots, int64_t phase,
            const std::function<void(Index i, Index slot, Index parity)> &body) {
    const ValueId lower = number(0), upper = number(trips), step = number(1);
    const ValueId cursor = scalar(ScalarOp::cursorInit, {number(phase)}, slots);
    std::get<For>(carried({lower, upper, step}, cursor,
                          [&](ValueId iv, ValueId at) {
                            const Index slot{scalar(ScalarOp::cursorSlot, {at}, slots), 0};
                            const Index parity{scalar(ScalarOp::cursorPhase, {at}, slots), 0};
                            body({iv, 0}, slot, parity);
                            return scalar(ScalarOp::cursorAdvance, {at}, slots);
                          })
                      .op)
        .pipelined = true;
  }
  /// for i in 0 .. upper, carrying a number that grows by one from `first`.
  void count(ValueId upper, ValueId first,
             const std::function<void(ValueId i, ValueId number)> &body) {
    const ValueId lower = number(0), step = number(1);
    carried({lower, upper, step}, first, [&](ValueId iv, ValueId at) {
      body(iv, at);
      return scalar(ScalarOp::add, {at, number(1)});
    });
  }
  /// for i in lower .. upper by step, carrying a value that each iteration makes anew; what is left
  /// of it is the loop's only result.
  struct Bounds {
    ValueId lower, upper, step;
  };
  Stmt &carried(const Bounds &bounds, ValueId first,
                const std::function<ValueId(ValueId iv, ValueId carried)> &body) {
    For f;
    f.lower = bounds.lower;
    f.upper = bounds.upper;
    f.step = bounds.step;
    f.inits = {first};
    f.iv = program.values++;
    f.iterArgs = {program.values++};
    f.results = {program.values++};
    const ValueId iv = f.iv, at = f.iterArgs[0];
    const size_t position = current().stmts.size();
    nested(
        emit(std::move(f)), [](Stmt &s) { return &std::get<For>(s.op).body; },
        [&] {
          const ValueId next = body(iv, at);
          current().yields = {next};
        });
    return current().stmts[position];
  }
  void when(ValueId condition, const std::function<void()> &body) {
    If branch;
    branch.condition = condition;
    nested(
        emit(std::move(branch)), [](Stmt &s) { return &std::get<If>(s.op).thenBlock; }, body);
  }

  /// What the body makes where the condition holds, else `otherwise`.
  ValueId either(ValueId condition, ValueId otherwise, const std::function<ValueId()> &body) {
    If branch;
    branch.condition = condition;
    branch.elseBlock.yields = {otherwise};
    const ValueId result = program.values++;
    branch.results = {result};
    nested(
        emit(std::move(branch)), [](Stmt &s) { return &std::get<If>(s.op).thenBlock; },
        [&] {
          const ValueId made = body();
          current().yields = {made};
        });
    return result;
  }

  // ---- Operations ----
  Stmt &emit(Operation op, Exec exec = Exec::threads, Pipe pipe = Pipe::none) {
    Stmt s;
    s.op = std::move(op);
    s.exec = exec;
    s.pipe = pipe;
    s.loc = {"t", ++line_, 1};
    current().stmts.push_back(std::move(s));
    return current().stmts.back();
  }
  /// All of a slot.
  View tile(int buffer, Index slot = {}) const {
    const Buffer &b = program.buffers[buffer];
    return {View::buffer, buffer, slot, {{}, {}}, b.shape, false};
  }
  View box(int tensor, std::vector<Index> offset, std::vector<int64_t> shape) const {
    return {View::tensor, tensor, {}, std::move(offset), std::move(shape), false};
  }
  static MbarrierRef at(int barriers, Index slot = {}) { return {barriers, slot, {}}; }
  static MbarrierRef peer(int barriers, Index slot, Index rank) { return {barriers, slot, rank}; }

  void init(int barriers, int64_t count) {
    emit(MbarrierInit{at(barriers), true, count}, Exec::one);
  }
  /// Initialises by warp 0, fences and makes it known to `warps` warps.
  void initAll(const std::vector<std::pair<int, int64_t>> &counts, int warps) {
    role("init", 0, 1, [&] {
      for (const auto &[barriers, count] : counts)
        init(barriers, count);
      emit(Fence{Fence::mbarrierInit}, Exec::one);
    });
    program.warps = std::max(program.warps, warps);
    sync(0, warps);
  }
  void sync(int id, int warps) { emit(NamedBarrier{{kNone, id}, warps * 32}); }
  void wait(int barriers, Index slot, Index parity, Exec exec = Exec::threads) {
    emit(MbarrierWait{at(barriers, slot), parity}, exec);
  }
  void arrive(int barriers, Index slot, Exec exec = Exec::warp) {
    emit(MbarrierArrive{at(barriers, slot), 1}, exec);
  }
  void expect(int barriers, Index slot, int64_t bytes) {
    emit(MbarrierArriveExpectTx{at(barriers, slot), constant(bytes)}, Exec::one);
  }
  void load(View to, View from, int barriers, Index slot) {
    emit(TmaLoad{std::move(to), std::move(from), at(barriers, slot), 0}, Exec::one);
  }
  void set(Pipe source, Pipe destination, Index id) { emit(SetFlag{source, destination, id}); }
  void waitFor(Pipe source, Pipe destination, Index id) { emit(WaitFlag{source, destination, id}); }
  void lock(Pipe pipe, int64_t id) { emit(Mutex{Mutex::lock, pipe, constant(id)}); }
  void unlock(Pipe pipe, int64_t id) { emit(Mutex{Mutex::unlock, pipe, constant(id)}); }
  void copy(Pipe pipe, View to, View from) {
    emit(Copy{std::move(to), std::move(from)}, Exec::threads, pipe);
  }

  int line() const { return line_; }

  Verdict check() {
    place();
    return sluice::check(program, defaultArch(program.target), launch);
  }
  std::vector<Violation> structure() {
    place();
    return checkStructure(program, defaultArch(program.target));
  }

private:
  /// Builds a block on the side: statements move while their parent grows.
  void nested(Stmt &owner, const std::function<Block *(Stmt &)> &blockOf,
              const std::function<void()> &body) {
    Block block;
    Block *parent = &current();
    const size_t position = static_cast<size_t>(&owner - parent->stmts.data());
    blocks_.push_back(&block);
    body();
    blocks_.pop_back();
    *blockOf(parent->stmts[position]) = std::move(block);
  }

  Block &current() { return blocks_.empty() ? program.body : *blocks_.back(); }

  std::vector<Block *> blocks_; // open blocks inside the body
  std::map<Space, int64_t> end_;
  int line_ = 0;
};

/// Changes every operation of a kind.
template <typename Op, typename Change> void eachOf(Program &p, Change change) {
  walk(p.body, [&](const Stmt &s) {
    if (auto *op = std::get_if<Op>(&s.op))
      change(const_cast<Op &>(*op));
  });
}

/// "proven", "this launch alone: " and why not every, or the rule and message of the first
/// violation.
inline std::string text(const Verdict &v) {
  if (!v.violations.empty())
    return v.violations[0].rule + ": " + v.violations[0].message;
  if (v.kind == Verdict::proven && !v.notes.empty() && v.notes[0].starts_with("every launch: "))
    return "this launch alone: " + v.notes[0];
  return v.kind == Verdict::proven ? "proven"
                                   : "unsupported: " + (v.notes.empty() ? "" : v.notes[0]);
}
inline std::string text(const std::vector<Violation> &found) {
  return found.empty() ? "none" : found[0].rule + ": " + found[0].message;
}
inline std::string rule(const Verdict &v) {
  return v.violations.empty() ? text(v) : v.violations[0].rule;
}

} // namespace sluice::test
