#include "Explore/Mutate.h"

#include "Explore/Script.h"
#include "Machine/Agent.h"

#include <algorithm>
#include <functional>
#include <map>
#include <optional>

namespace sluice {
namespace {

template <typename... Ops> bool isOneOf(const Operation &op) {
  return (std::holds_alternative<Ops>(op) || ...);
}

std::optional<Purpose> purposeOf(const Operation &op) {
  if (isOneOf<MbarrierInit, MbarrierInval>(op))
    return Purpose::initialisation;
  if (isOneOf<MbarrierArrive, MbarrierArriveExpectTx, MbarrierExpectTx>(op))
    return Purpose::arrival;
  if (isOneOf<MbarrierWait>(op))
    return Purpose::phaseWait;
  if (isOneOf<TmaLoad, RemoteCopy>(op))
    return Purpose::transfer;
  if (isOneOf<NamedBarrier, WarpSync, ClusterBarrier>(op))
    return Purpose::meeting;
  if (auto *fence = std::get_if<Fence>(&op))
    return fence->kind == Fence::mbarrierInit ? Purpose::initFence : Purpose::proxyFence;
  if (isOneOf<BulkCommit, BulkWait, TmaStore>(op))
    return Purpose::bulkGroup;
  if (isOneOf<CpAsyncCommit, CpAsyncWait, CpAsyncArrive>(op))
    return Purpose::copyGroup;
  if (isOneOf<WgmmaFence, WgmmaCommit, WgmmaWait>(op))
    return Purpose::wgmmaGroup;
  if (isOneOf<Wgmma, Mmad>(op))
    return Purpose::product;
  if (isOneOf<SetFlag, WaitFlag, CrossSet, CrossWait>(op))
    return Purpose::flag;
  if (isOneOf<PipeBarrier>(op))
    return Purpose::pipeBarrier;
  if (isOneOf<Copy, Fill, Map, Reduce>(op))
    return Purpose::access;
  return {};
}

bool isData(Purpose p) {
  return p == Purpose::product || p == Purpose::access;
}

/// Scalars are free: an operation moves past its neighbours among the others.
bool isScalar(const Stmt &s) {
  return isOneOf<Scalar, Grid>(s.op);
}

/// Moving over a loop or a branch may take an operation away from values that it uses.
bool hasResults(const Stmt &s) {
  if (auto *loop = std::get_if<For>(&s.op))
    return !loop->results.empty();
  if (auto *branch = std::get_if<If>(&s.op))
    return !branch->results.empty();
  auto *add = std::get_if<CounterAdd>(&s.op);
  return std::holds_alternative<ScalarRead>(s.op) || (add && add->old != kNone);
}

std::optional<size_t> before(const Block &b, size_t i) {
  while (i-- > 0)
    if (!isScalar(b.stmts[i]))
      return hasResults(b.stmts[i]) ? std::nullopt : std::optional(i);
  return {};
}
std::optional<size_t> after(const Block &b, size_t i) {
  while (++i < b.stmts.size())
    if (!isScalar(b.stmts[i]))
      return i;
  return {};
}

MbarrierRef *barrierOf(Operation &op) {
  return std::visit(
      [](auto &o) -> MbarrierRef * {
        if constexpr (requires { o.barrier.object; })
          return &o.barrier;
        else
          return nullptr;
      },
      op);
}
int64_t *countOf(Operation &op) {
  if (auto *o = std::get_if<MbarrierInit>(&op))
    return &o->count;
  if (auto *o = std::get_if<MbarrierArrive>(&op))
    return &o->count;
  if (auto *o = std::get_if<NamedBarrier>(&op))
    return &o->threads;
  if (auto *o = std::get_if<BulkWait>(&op))
    return &o->pending;
  if (auto *o = std::get_if<WgmmaWait>(&op))
    return &o->pending;
  if (auto *o = std::get_if<CpAsyncWait>(&op))
    return &o->pending;
  return nullptr;
}

Index *bytesOf(Operation &op) {
  if (auto *o = std::get_if<MbarrierArriveExpectTx>(&op))
    return &o->bytes;
  if (auto *o = std::get_if<MbarrierExpectTx>(&op))
    return &o->bytes;
  return nullptr;
}

Index *idOf(Operation &op) {
  if (auto *o = std::get_if<SetFlag>(&op))
    return &o->id;
  if (auto *o = std::get_if<WaitFlag>(&op))
    return &o->id;
  if (auto *o = std::get_if<CrossSet>(&op))
    return &o->id;
  if (auto *o = std::get_if<CrossWait>(&op))
    return &o->id;
  return nullptr;
}

/// The slot that an operation takes of a ring, and the ring's length.
std::pair<Index *, int64_t> slotOf(Program &p, Operation &op) {
  auto ofView = [&](View &v) -> std::pair<Index *, int64_t> {
    if (v.kind != View::buffer)
      return {nullptr, 1};
    return {&v.slot, p.buffers[v.object].slots};
  };
  if (auto *o = std::get_if<TmaLoad>(&op))
    return ofView(o->destination);
  if (auto *o = std::get_if<TmaStore>(&op))
    return ofView(o->source);
  if (auto *o = std::get_if<Wgmma>(&op))
    return ofView(o->b);
  if (auto *o = std::get_if<Mmad>(&op))
    return ofView(o->b);
  if (auto *o = std::get_if<Copy>(&op)) {
    auto to = ofView(o->destination);
    return to.first && to.second > 1 ? to : ofView(o->source);
  }
  if (MbarrierRef *ref = barrierOf(op); ref && !isOneOf<MbarrierInit, MbarrierInval>(op))
    return {&ref->slot, p.mbarriers[ref->object].slots};
  return {nullptr, 1};
}

bool usesCursor(const Stmt &s, int64_t slots) {
  auto *scalar = std::get_if<Scalar>(&s.op);
  return scalar && scalar->op == ScalarOp::cursorAdvance && scalar->imm == slots;
}

/// Statement number `target` and the block around it.
struct Place {
  Block *block = nullptr;
  size_t index = 0;
  Role *role = nullptr; // outermost

  Stmt &stmt() const { return block->stmts[index]; }
};

class Finder {
public:
  using Visit = std::function<bool(const Place &, int number)>; // false: stop

  void visit(Block &block, const Visit &visit) {
    for (size_t i = 0; i < block.stmts.size() && !stopped_; ++i) {
      if (!visit({&block, i, role_}, number_++)) {
        stopped_ = true;
        return;
      }
      Operation &op = block.stmts[i].op;
      if (auto *loop = std::get_if<For>(&op)) {
        this->visit(loop->body, visit);
      } else if (auto *branch = std::get_if<If>(&op)) {
        this->visit(branch->thenBlock, visit);
        this->visit(branch->elseBlock, visit);
      } else if (auto *role = std::get_if<Role>(&op)) {
        role_ = role;
        this->visit(role->body, visit);
        role_ = nullptr;
      }
    }
  }
  static Place find(Program &p, int target) {
    Place found;
    Finder().visit(p.body, [&](const Place &at, int number) {
      if (number == target)
        found = at;
      return number != target;
    });
    return found;
  }

private:
  Role *role_ = nullptr;
  int number_ = 0;
  bool stopped_ = false;
};

class Lister {
public:
  explicit Lister(const Program &program) : program_(program) {}

  std::vector<Mutation> run() {
    Finder().visit(program_.body, [&](const Place &at, int number) {
      add(at, number);
      return true;
    });
    addOtherRoles();
    addStages();
    return std::move(out_);
  }

private:
  struct Arrival {
    int number;
    Role *role;
    int64_t slots;
  };
  struct Anchor { // a statement of a role after which it knows a slot of a ring
    int number;
    Role *role;
    int64_t slots;
  };

  void say(Mutation::Kind kind, const Stmt &s, int number, Purpose purpose, int64_t amount = 0,
           int place = -1) {
    std::string operation = explorer::describe(s);
    operation = operation.substr(0, operation.find(" at "));
    out_.push_back({kind, number, amount, place, purpose, std::move(operation), s.loc});
  }

  void add(const Place &at, int number) {
    Stmt &s = at.stmt();
    if (auto *scalar = std::get_if<Scalar>(&s.op);
        scalar && scalar->op == ScalarOp::cursorAdvance) {
      if (scalar->imm > 1)
        say(Mutation::cursor, s, number, Purpose::ring, -1);
      say(Mutation::cursor, s, number, Purpose::ring, 1);
    }
    const std::optional<Purpose> purpose = purposeOf(s.op);
    if (!purpose)
      return;
    if (!isData(*purpose)) {
      for (const auto kind : {Mutation::drop, Mutation::duplicate})
        say(kind, s, number, *purpose);
      if (before(*at.block, at.index))
        say(Mutation::earlier, s, number, *purpose);
      if (after(*at.block, at.index))
        say(Mutation::later, s, number, *purpose);
    }
    bend(s, number, *purpose);
    if (const MbarrierRef *ref = barrierOf(s.op); ref && at.role && !ref->remote) {
      const int64_t slots = program_.mbarriers[ref->object].slots;
      if (std::holds_alternative<MbarrierArrive>(s.op))
        arrivals_.push_back({number, at.role, slots});
      if (isOneOf<MbarrierWait, MbarrierArriveExpectTx, MbarrierArrive>(s.op))
        anchors_.push_back({number, at.role, slots});
    }
  }

  void bend(Stmt &s, int number, Purpose purpose) {
    if (int64_t *count = countOf(s.op)) {
      const int64_t least = isOneOf<BulkWait, WgmmaWait, CpAsyncWait>(s.op) ? 0
                            : isOneOf<NamedBarrier>(s.op)                   ? 32
                                                                            : 1;
      if (*count > least)
        say(Mutation::count, s, number, purpose, -1);
      say(Mutation::count, s, number, purpose, 1);
    }
    if (bytesOf(s.op))
      for (int64_t amount : {-16, 16})
        say(Mutation::bytes, s, number, purpose, amount);
    if (std::holds_alternative<MbarrierWait>(s.op))
      say(Mutation::parity, s, number, purpose);
    if (const auto [slot, slots] = slotOf(program_, s.op); slot && slots > 1)
      say(Mutation::slot, s, number, purpose);
    if (idOf(s.op))
      say(Mutation::otherId, s, number, purpose);
    const bool byMany = s.exec == Exec::threads || s.exec == Exec::warp;
    if (byMany && !isAscend(program_.target) &&
        isOneOf<MbarrierArrive, MbarrierWait, Fence, Fill, Copy, Map, Reduce>(s.op))
      say(Mutation::narrow, s, number, purpose);
  }

  void addOtherRoles() {
    for (const Arrival &a : arrivals_) {
      std::map<Role *, int> last;
      for (const Anchor &b : anchors_)
        if (b.role != a.role && b.slots == a.slots)
          last[b.role] = b.number;
      for (const auto &[role, number] : last)
        say(Mutation::otherRole, Finder::find(program_, a.number).stmt(), a.number,
            Purpose::arrival, 0, number);
    }
  }

  /// Rings are told by their length: one slot less for all that have it.
  void addStages() {
    std::map<int64_t, int> cursors; // length -> a statement
    Finder().visit(program_.body, [&](const Place &at, int number) {
      if (auto *scalar = std::get_if<Scalar>(&at.stmt().op);
          scalar && usesCursor(at.stmt(), scalar->imm))
        cursors.try_emplace(scalar->imm, number);
      return true;
    });
    for (const auto &[slots, number] : cursors)
      if (slots > 1)
        say(Mutation::stages, Finder::find(program_, number).stmt(), number, Purpose::ring, -1);
  }

  Program program_;
  std::vector<Mutation> out_;
  std::vector<Arrival> arrivals_;
  std::vector<Anchor> anchors_;
};

/// Inserts scalars before a statement.
class Scalars {
public:
  Scalars(Program &p, Place &at) : program_(p), at_(at) {}

  ValueId add(ScalarOp op, std::vector<ValueId> operands, int64_t imm = 0) {
    Stmt s;
    s.op = Scalar{op, program_.values++, std::move(operands), imm, -1};
    program_.valueNames.resize(program_.valueNames.empty() ? 0 : program_.values);
    s.loc = at_.stmt().loc;
    at_.block->stmts.insert(at_.block->stmts.begin() + static_cast<long>(at_.index++), s);
    return program_.values - 1;
  }
  ValueId number(int64_t n) { return add(ScalarOp::constant, {}, n); }
  /// The index as one value.
  ValueId value(const Index &i) {
    const ValueId constant = number(i.constant);
    return i.isConstant() ? constant : add(ScalarOp::add, {i.value, constant});
  }

private:
  Program &program_;
  Place &at_;
};

void nextSlot(Program &p, Place &at) {
  const auto [slot, slots] = slotOf(p, at.stmt().op);
  const Index old = *slot;
  Scalars scalars(p, at);
  const ValueId next = scalars.add(ScalarOp::add, {scalars.value(old), scalars.number(1)});
  const ValueId wrapped = scalars.add(ScalarOp::remS, {next, scalars.number(slots)});
  *slotOf(p, at.stmt().op).first = {wrapped, 0};
}

void flipParity(Program &p, Place &at) {
  const Index old = std::get<MbarrierWait>(at.stmt().op).parity;
  Scalars scalars(p, at);
  const ValueId flipped = scalars.add(ScalarOp::xorI, {scalars.value(old), scalars.number(1)});
  std::get<MbarrierWait>(at.stmt().op).parity = {flipped, 0};
}

void moveTo(Program &p, Place &at, int place) {
  Stmt moved = at.stmt();
  const Place there = Finder::find(p, place);
  barrierOf(moved.op)->slot = barrierOf(there.stmt().op)->slot;
  const bool shifts = there.block == at.block && there.index < at.index;
  there.block->stmts.insert(there.block->stmts.begin() + static_cast<long>(there.index) + 1, moved);
  at.block->stmts.erase(at.block->stmts.begin() + static_cast<long>(at.index) + shifts);
}

void shorten(Program &p, int64_t slots, int64_t amount) {
  for (Buffer &b : p.buffers)
    if (b.slots == slots)
      b.slots += amount;
  for (Mbarrier &b : p.mbarriers)
    if (b.slots == slots)
      b.slots += amount;
  Finder().visit(p.body, [&](const Place &at, int) {
    auto *scalar = std::get_if<Scalar>(&at.stmt().op);
    if (scalar && scalar->imm == slots &&
        (scalar->op == ScalarOp::cursorAdvance || scalar->op == ScalarOp::cursorInit ||
         scalar->op == ScalarOp::cursorSlot || scalar->op == ScalarOp::cursorPhase))
      scalar->imm += amount;
    return true;
  });
}

} // namespace

std::vector<Mutation> mutations(const Program &program) {
  return Lister(program).run();
}

Program mutated(const Program &program, const Mutation &m) {
  Program p = program;
  Place at = Finder::find(p, m.statement);
  auto &stmts = at.block->stmts;
  const auto here = stmts.begin() + static_cast<long>(at.index);
  switch (m.kind) {
  case Mutation::drop:
    stmts.erase(here);
    break;
  case Mutation::duplicate: {
    const Stmt copy = *here;
    stmts.insert(here, copy);
    break;
  }
  case Mutation::earlier: // with the scalars that it uses
    std::rotate(stmts.begin() + static_cast<long>(*before(*at.block, at.index)),
                stmts.begin() + static_cast<long>(*before(*at.block, at.index)) + 1, here + 1);
    break;
  case Mutation::later:
    std::rotate(here, here + 1, stmts.begin() + static_cast<long>(*after(*at.block, at.index)) + 1);
    break;
  case Mutation::count:
    *countOf(here->op) += m.amount * (std::holds_alternative<NamedBarrier>(here->op) ? 32 : 1);
    break;
  case Mutation::bytes:
    bytesOf(here->op)->constant += m.amount;
    break;
  case Mutation::parity:
    flipParity(p, at);
    break;
  case Mutation::slot:
    nextSlot(p, at);
    break;
  case Mutation::otherId:
    idOf(here->op)->constant += 1;
    break;
  case Mutation::narrow:
    here->exec = Exec::one;
    break;
  case Mutation::otherRole:
    moveTo(p, at, m.place);
    break;
  case Mutation::stages:
    shorten(p, std::get<Scalar>(here->op).imm, m.amount);
    break;
  case Mutation::cursor:
    std::get<Scalar>(here->op).imm += m.amount;
    break;
  }
  return p;
}

std::string Mutation::str() const {
  static const char *const kinds[] = {
      "drop",      "double",   "earlier", "later",           "count",  "bytes", "flip parity",
      "next slot", "other id", "narrow",  "in another role", "stages", "cursor"};
  std::string text = kinds[kind];
  if (amount)
    text += amount > 0 ? " +" + std::to_string(amount) : " " + std::to_string(amount);
  return kind == stages || kind == cursor ? text : text + " " + operation;
}

} // namespace sluice
