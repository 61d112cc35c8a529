// Registers: what roles ask for, when, and what tiles take of them (R19).
#include "Program/Agent.h"
#include "Program/Blocks.h"
#include "Program/OperationFacts.h"
#include "Program/Registers.h"
#include "Verify/Names.h"
#include "Verify/Structure.h"

#include <algorithm>

namespace sluice {
namespace {

bool meet(const WarpRange &x, const WarpRange &y) {
  return x.begin < y.end && y.begin < x.end;
}

class RegisterRules {
public:
  explicit RegisterRules(const StructureContext &c)
      : c_(c), program_(c.program),
        launched_(registersAtLaunch(int64_t{c.program.warps} * c.program.ctasPerSm,
                                    c.arch.registersPerSm)) {
    walk(program_.body, [this](const Stmt &s) {
      if (auto *r = std::get_if<Role>(&s.op))
        roles_.push_back({&s, r});
    });
  }

  void check() const {
    for (const Asks &a : roles_)
      if (a.role->registers) {
        checkCount(a);
        checkPlace(a);
        checkNeighbours(a);
      }
    checkOrder();
    checkPool();
    for (const Buffer &b : program_.buffers)
      if (b.space == Space::reg)
        checkTile(b);
  }

private:
  struct Asks {
    const Stmt *stmt;
    const Role *role;
  };

  void refuse(const Asks &a, const std::string &why) const {
    c_.refuse("R19", "role " + a.role->name + place(a.stmt->loc) + " " + why, a.stmt->loc);
  }

  void checkCount(const Asks &a) const {
    const int registers = a.role->registers;
    if (program_.ctasPerSm > 1)
      refuse(a, "changes its registers, of a kernel of which an SM has room for " +
                    std::to_string(program_.ctasPerSm) +
                    " CTAs; leave out the one or sluice.ctas_per_sm");
    if (registers % 8 != 0 || registers < 24 || registers > 256)
      refuse(a, "asks for " + std::to_string(registers) +
                    " registers a thread; setmaxnreg takes multiples of 8 from 24 to 256");
  }

  void checkPlace(const Asks &a) const {
    if (!std::ranges::any_of(program_.body.stmts, [&a](const Stmt &s) { return &s == a.stmt; }))
      refuse(a, "changes its registers in a branch, a loop or another role; setmaxnreg is executed "
                "once, by all warps of a warpgroup. Put the role directly into the kernel");
  }

  /// A warpgroup changes its registers once, as one: its roles ask for the same, and no warp of it
  /// has two of them.
  void checkNeighbours(const Asks &a) const {
    const WarpRange own = warpgroupsOf(*a.role);
    if (own.end > program_.warps)
      return refuse(a, "changes its registers but is not made of whole warpgroups; setmaxnreg is "
                       "executed by all warps of a warpgroup");
    for (const Asks &b : roles_) {
      if (b.role == a.role || isInFront(b) || isBehind(b) || !meet(own, warpgroupsOf(*b.role)))
        continue;
      if (b.role->registers != a.role->registers)
        return refuse(a, "changes its registers but role " + b.role->name +
                             " of the same warpgroup does not ask for as many; setmaxnreg is "
                             "executed by all warps of a warpgroup");
      if (meet(warpsOf(*a.role), warpsOf(*b.role)))
        return refuse(a, "changes its registers, and so does role " + b.role->name +
                             " of the same warps; a warpgroup changes them once. Make the two one "
                             "role");
    }
  }

  static WarpRange warpsOf(const Role &r) { return {r.firstWarp, r.firstWarp + r.warps}; }

  using Statements = std::vector<Stmt>;
  static bool isRole(const Stmt &s) { return std::holds_alternative<Role>(s.op); }
  static bool asks(const Stmt &s) {
    auto *role = std::get_if<Role>(&s.op);
    return role && role->registers;
  }
  Statements::const_iterator firstThatAsks() const {
    return std::ranges::find_if(program_.body.stmts, asks);
  }

  /// Whether all warps come past something else between a role and those that change registers.
  bool isInFront(const Asks &a) const {
    const Statements &all = program_.body.stmts;
    auto end = firstThatAsks();
    while (end != all.begin() && isRole(*std::prev(end)))
      --end;
    return std::any_of(all.begin(), end, [&a](const Stmt &s) { return &s == a.stmt; });
  }

  bool holdsTiles(const Role &r) const {
    return std::ranges::any_of(program_.buffers, [&r](const Buffer &b) {
      return b.space == Space::reg && b.role == r.name;
    });
  }

  /// Whether all warps meet behind the roles that change registers and in front of this one, which
  /// changes none and needs but a few.
  bool isBehind(const Asks &a) const {
    const Statements &all = program_.body.stmts;
    const auto last = std::find_if(all.rbegin(), all.rend(), asks).base();
    const auto met = std::find_if(last, all.end(), [this](const Stmt &s) { return meetsAll(s); });
    return !a.role->registers && !holdsTiles(*a.role) &&
           std::any_of(met, all.end(), [&a](const Stmt &s) { return &s == a.stmt; });
  }

  /// Who takes registers waits for those who give some back, so that nothing they do before may
  /// wait for anybody's role.
  void checkOrder() const {
    if (std::ranges::none_of(roles_,
                             [this](const Asks &a) { return a.role->registers > launched_; }))
      return;
    const Statements &all = program_.body.stmts;
    const auto begin = firstThatAsks();
    const auto end = std::find_if(all.rbegin(), all.rend(), asks).base();
    const Stmt *waits = nullptr; // who knows for whom
    for (auto at = all.begin(); at < begin; ++at) {
      const Stmt *found = waitIn(*at);
      waits = meetsAll(*at) ? nullptr : found ? found : waits;
    }
    if (waits)
      c_.refuse("R19",
                operationName(waits->op) + place(waits->loc) +
                    " may wait for a role, in front of roles that take registers; these wait for "
                    "those that give some back. Put a barrier of the CTA behind it",
                waits->loc);
    for (auto at = begin; at < end; ++at)
      if (const Stmt *between = isRole(*at) ? nullptr : waitIn(*at))
        c_.refuse("R19",
                  operationName(between->op) + place(between->loc) +
                      " stands between roles that change registers; those that take some wait for "
                      "those that give some back. Put it in front of them or behind them",
                  between->loc);
  }

  /// A barrier at which all warps of the CTA wait for each other.
  bool meetsAll(const Stmt &s) const {
    auto *named = std::get_if<NamedBarrier>(&s.op);
    return meetingDeed(s.op).waits &&
           (!named || named->threads == 0 || named->threads == program_.warps * int64_t{32});
  }

  /// What waits in a statement or what is in it; null: nothing does.
  static const Stmt *waitIn(const Stmt &s) {
    const Stmt *found = nullptr;
    const auto look = [&found](const Stmt &inner) {
      found = found || !factsOf(inner.op).waitsForOthers() ? found : &inner;
    };
    look(s);
    forBlocks(s, [&look](const Block &inside) { walk(inside, look); });
    return found;
  }

  /// ptxas gives every thread the same share at launch; roles then move registers around.
  void checkPool() const {
    const int64_t pool = launched_ * program_.warps * 32;
    std::vector<int64_t> ofWarp(program_.warps, launched_);
    for (const Asks &a : roles_)
      if (a.role->registers) {
        const WarpRange range = warpgroupsOf(*a.role);
        for (int w = std::max(range.begin, 0); w < std::min(range.end, program_.warps); ++w)
          ofWarp[w] = a.role->registers;
      }
    int64_t total = 0;
    for (const int64_t registers : ofWarp)
      total += registers * 32;
    if (total > pool)
      c_.refuse("R19",
                "the roles ask for " + std::to_string(total) + " registers; a CTA of " +
                    std::to_string(program_.warps) + " warps starts with " + std::to_string(pool) +
                    " (" + std::to_string(launched_) +
                    " a thread), and setmaxnreg would wait for ever. "
                    "Lower the registers of the largest role",
                program_.loc);
  }

  void checkTile(const Buffer &b) const {
    int64_t threads = program_.warps * 32, limit = std::min(mostRegisters, launched_);
    for (const Asks &a : roles_)
      if (a.role->name == b.role) {
        threads = a.role->warps * 32;
        if (a.role->registers)
          limit = std::min<int64_t>(a.role->registers, mostRegisters);
      }
    const bool replicated = b.layout == Layout::rowVector || b.layout == Layout::blockedRowVector ||
                            isCopiedPerWarp(b.layout);
    const int64_t bytes = b.slots * b.shape[0] * b.shape[1] * byteSize(b.type);
    const int64_t registers = (bytes / threads + 3) / 4;
    if (!replicated && registers > limit)
      c_.refuse("R19",
                "register tile " + b.name + place(b.loc) + " takes " + std::to_string(registers) +
                    " registers a thread of " + std::to_string(threads) + "; there are " +
                    std::to_string(limit) + ". Use a smaller tile or more warpgroups",
                b.loc, b.name);
  }

  const StructureContext &c_;
  const Program &program_;
  const int64_t launched_; // registers of a thread
  std::vector<Asks> roles_;
};

} // namespace

void checkRegisters(const StructureContext &c) {
  if (c.program.warps > 0)
    RegisterRules(c).check();
}

} // namespace sluice
