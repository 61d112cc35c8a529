#include "Explore/MutationPlaces.h"
#include "Explore/Script.h"

#include <map>

namespace sluice {
namespace {

using namespace mutation;

bool isData(Purpose p) {
  return p == Purpose::product || p == Purpose::access || p == Purpose::units;
}

bool usesCursor(const Stmt &s, int64_t slots) {
  auto *scalar = std::get_if<Scalar>(&s.op);
  return scalar && scalar->op == ScalarOp::cursorAdvance && scalar->imm == slots;
}

class Lister {
public:
  explicit Lister(const Program &program) : program_(program) {}

  std::vector<Mutation> run() {
    visit(program_, [&](const Place &at, int number) {
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
        if (kind != Mutation::drop || !isOneOf<MbarrierTest>(s.op)) // somebody reads its token
          say(kind, s, number, *purpose);
      if (before(*at.block, at.index))
        say(Mutation::earlier, s, number, *purpose);
      if (after(*at.block, at.index))
        say(Mutation::later, s, number, *purpose);
    }
    bend(s, number, *purpose);
    if (nextFlag(*at.block, at.index))
      say(Mutation::swap, s, number, *purpose);
    if (s.exec == Exec::one && at.role && at.role->warps > 1 &&
        isOneOf<MbarrierArrive, MbarrierArriveExpectTx>(s.op))
      say(Mutation::otherWarp, s, number, *purpose);
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
    if (parityOf(s.op))
      say(Mutation::parity, s, number, purpose);
    if (const auto [slot, slots] = slotOf(program_, s.op); slot && slots > 1)
      say(Mutation::slot, s, number, purpose);
    if (flagOf(s.op) || isOneOf<NamedBarrier>(s.op))
      say(Mutation::otherId, s, number, purpose);
    if (maskOf(s.op))
      say(Mutation::mask, s, number, purpose);
    narrowScope(s, number, purpose);
    bendUnits(s, number);
    const bool byMany = s.exec == Exec::threads || s.exec == Exec::warp;
    if (byMany && !isAscend(program_.target) &&
        isOneOf<MbarrierArrive, MbarrierWait, MbarrierTest, Fence, Fill, Copy, Map, Reduce>(s.op))
      say(Mutation::narrow, s, number, purpose);
  }

  void bendUnits(Stmt &s, int number) {
    auto *product = std::get_if<Mmad>(&s.op);
    auto *copy = std::get_if<Copy>(&s.op);
    if (copy && copy->byUnits)
      say(Mutation::unitFlags, s, number, Purpose::units, 0);
    for (const UnitUse other : {UnitUse::none, UnitUse::keeps, UnitUse::handsOver})
      if (product && product->units != UnitUse::none && product->units != other)
        say(Mutation::unitFlags, s, number, Purpose::units, static_cast<int64_t>(other));
  }

  void narrowScope(Stmt &s, int number, Purpose purpose) {
    const Scope *scope = scopeOf(s.op);
    const auto *meeting = std::get_if<ClusterBarrier>(&s.op);
    if ((scope && *scope != Scope::cta) || (meeting && meeting->kind == ClusterBarrier::arrive))
      say(Mutation::scope, s, number, purpose);
  }

  void addOtherRoles() {
    for (const Arrival &a : arrivals_) {
      std::map<Role *, int> last;
      for (const Anchor &b : anchors_)
        if (b.role != a.role && b.slots == a.slots)
          last[b.role] = b.number;
      for (const auto &[role, number] : last)
        say(Mutation::otherRole, find(program_, a.number).stmt(), a.number, Purpose::arrival, 0,
            number);
    }
  }

  /// Rings are told by their length: one slot less or more for all that have it.
  void addStages() {
    std::map<int64_t, int> cursors; // length -> a statement
    visit(program_, [&](const Place &at, int number) {
      if (auto *scalar = std::get_if<Scalar>(&at.stmt().op);
          scalar && usesCursor(at.stmt(), scalar->imm))
        cursors.try_emplace(scalar->imm, number);
      return true;
    });
    for (const auto &[slots, number] : cursors)
      for (const int64_t amount : {-1, 1})
        if (slots + amount > 0)
          say(Mutation::stages, find(program_, number).stmt(), number, Purpose::ring, amount);
  }

  Program program_;
  std::vector<Mutation> out_;
  std::vector<Arrival> arrivals_;
  std::vector<Anchor> anchors_;
};

} // namespace

std::vector<Mutation> mutations(const Program &program) {
  return Lister(program).run();
}

} // namespace sluice
