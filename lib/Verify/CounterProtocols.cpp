#include "Verify/CounterProtocols.h"

#include "Program/Agent.h"
#include "Program/OperationFacts.h"
#include "Verify/CounterTurns.h"
#include "Verify/Polynomials.h"

#include <algorithm>

namespace sluice {
namespace {

/// By value: a function of extents, integer arguments and, with `coordinates`, the CTA's place in
/// the grid and the variables of these loops; the same for all agents of a CTA that compute it.
std::vector<bool> fixedValues(const Program &program, bool coordinates,
                              const std::vector<const For *> &loops) {
  std::vector<bool> fixed(program.values, false);
  for (const For *loop : loops)
    if (!loop->isWhile())
      fixed[loop->iv] = true;
  walk(program.body, [&](const Stmt &s) {
    if (auto *scalar = std::get_if<Scalar>(&s.op))
      fixed[scalar->result] =
          (scalar->op < ScalarOp::cursorInit &&
           std::ranges::all_of(scalar->operands, [&](ValueId v) { return fixed[v]; })) ||
          (scalar->op == ScalarOp::clusterRank && coordinates);
    else if (auto *grid = std::get_if<Grid>(&s.op); grid && coordinates)
      for (const ValueId v : grid->results)
        fixed[v] = true;
  });
  return fixed;
}

/// Lanes of a CTA that execute a statement of a role.
int64_t lanesOf(const Program &program, const AccessSite &site) {
  const int64_t warps = site.role ? site.role->warps : program.warps;
  switch (site.stmt->exec) {
  case Exec::threads:
    return 32 * warps;
  case Exec::warp:
    return warps;
  case Exec::warpgroup:
    return (warps + 3) / 4;
  case Exec::one:
    return 1;
  }
  return 0;
}

/// One counter: its add, its waits, and what two CTAs of a launch make of it.
class Recognition {
public:
  Recognition(const Program &program, const Sources &sources, std::vector<AccessSite> sites)
      : program_(program), sources_(sources), ofLaunch_(fixedValues(program, false, {})),
        polynomials_(program), values_(program) {
    for (AccessSite &site : sites)
      (site.write ? adds_ : waits_).push_back(std::move(site));
    if (adds_.size() == 1)
      ofCta_ = fixedValues(program, true, adds_[0].loops);
  }

  CounterProtocol protocol() {
    CounterProtocol found;
    if (isLegible()) {
      const bool meets = loops().empty() && fixed(waitOf(waits_[0]).value, ofLaunch_);
      if (meets ? isWithoutClusters() && allMeet() : takeTurns()) {
        found.kind = meets ? CounterProtocol::meeting : CounterProtocol::turns;
        found.element = element();
        found.loops = loops();
        return found;
      }
    }
    found.missing = missing_;
    found.at = at_;
    return found;
  }

  /// Of a counter that nobody waits for. Nothing: numbers are drawn from it, and no more is known.
  std::optional<CounterProtocol> arrivals() {
    const auto draws = std::ranges::stable_partition(
        adds_, [](const AccessSite &s) { return acquires(std::get<CounterAdd>(s.stmt->op)); });
    if (draws.begin() - adds_.begin() != 1)
      return std::nullopt;
    ofCta_ = fixedValues(program_, true, {});
    const Polynomial one{{{}, 1}};
    if (!loops().empty() || !isLegibleAdd() || polynomials_.of(add().value) != one ||
        !isWithoutClusters())
      return std::nullopt;
    const std::optional<Polynomial> all = sumOfAdds();
    if (!all)
      return std::nullopt;
    const std::set<const If *> ofLast = branchesOfLast(*all - one);
    if (!std::all_of(adds_.begin() + 1, adds_.end(),
                     [&](const AccessSite &s) { return setsBack(s, ofLast, *all); }))
      return std::nullopt;
    CounterProtocol found;
    found.kind = CounterProtocol::arrivals;
    found.element = element();
    found.among = among_;
    found.ofLast = ofLast;
    return found;
  }

private:
  static const CounterWait &waitOf(const AccessSite &s) {
    return std::get<CounterWait>(s.stmt->op);
  }
  const CounterAdd &add() const { return std::get<CounterAdd>(adds_[0].stmt->op); }
  const View *element() const { return &add().counter; }
  const std::vector<const For *> &loops() const { return adds_[0].loops; }
  static bool fixed(const Index &i, const std::vector<bool> &values) {
    return i.isConstant() || values[i.value];
  }
  bool fails(std::string missing, const AccessSite &at) {
    missing_ = std::move(missing);
    at_ = at.stmt->loc;
    return false;
  }

  // ---- What both are made of -------------------------------------------------------------------

  bool isLegible() {
    if (adds_.size() != 1)
      return fails("one statement that adds to it, and " + std::to_string(adds_.size()) + " do",
                   waits_[0]);
    return isLegibleAdd() &&
           std::ranges::all_of(waits_, [this](const AccessSite &w) { return isLegible(w); });
  }

  bool isLegibleAdd() {
    if (lanesOf(program_, adds_[0]) != 1)
      return fails("an add by one lane of a CTA", adds_[0]);
    if (add().relaxed || add().scope != Scope::gpu)
      return fails("an add that releases with `scope gpu`", adds_[0]);
    if (!isOnce(adds_[0], "an add") ||
        !std::ranges::all_of(loops(), [this](const For *loop) { return isLegible(*loop); }))
      return false;
    if (!fixed(add().value, ofCta_) || !isFixed(*element()))
      return fails("an add whose element and value follow from the CTA, extents and arguments",
                   adds_[0]);
    visits_.emplace(program_, sources_, adds_[0], false);
    for (const int which : {0, 1})
      visits_->comes(which);
    return true;
  }

  /// Its variable tells which visit it is, the same for all agents.
  bool isLegible(const For &loop) {
    const int64_t *step = loop.isWhile() ? nullptr : values_.constant(loop.step);
    return (step && *step == 1 && ofCta_[loop.lower] && ofCta_[loop.upper]) ||
           fails("a loop around it by 1, from and to what follows from the CTA, extents and "
                 "arguments",
                 adds_[0]);
  }

  bool isLegible(const AccessSite &wait) {
    const CounterWait &op = waitOf(wait);
    if (op.scope != Scope::gpu)
      return fails("a wait that acquires with `scope gpu`", wait);
    if (!op.coResident)
      return fails("a wait that says `co_resident`", wait);
    if (wait.loops != loops())
      return fails("a wait in the loops that the add is in", wait);
    if (!fixed(op.value, ofCta_) || !isFixed(op.counter))
      return fails("a wait whose element and value follow from the CTA, extents and arguments",
                   wait);
    for (size_t d = 0; d < element()->offset.size(); ++d)
      if (!(visits_->forms().index(op.counter.offset[d], 0) ==
            visits_->forms().index(element()->offset[d], 0)))
        return fails("an add to the element that the CTA waits for", wait);
    return true;
  }

  bool isFixed(const View &element) const {
    return std::ranges::all_of(element.offset, [this](const Index &i) { return fixed(i, ofCta_); });
  }

  /// All visits of a launch come to it once, or none does.
  bool isOnce(const AccessSite &site, const std::string &what) {
    if (!std::ranges::all_of(site.branches,
                             [this](const Taken &t) { return ofLaunch_[t.branch->condition]; }))
      return fails(what + " that every CTA comes to", site);
    return true;
  }

  /// Whether who comes to `inner` comes to `outer`, too.
  static bool isWithin(const AccessSite &inner, const AccessSite &outer) {
    return outer.branches.size() <= inner.branches.size() &&
           std::ranges::equal(outer.branches,
                              std::span(inner.branches).first(outer.branches.size()),
                              [](const Taken &a, const Taken &b) {
                                return a.branch == b.branch && a.holds == b.holds;
                              });
  }

  // ---- Turns -----------------------------------------------------------------------------------

  bool takeTurns() {
    for (const AccessSite &wait : waits_) {
      if (!isOnce(wait, "a wait"))
        return false;
      if (!isWithin(wait, adds_[0]) || !isWithin(adds_[0], wait))
        return fails("a wait in every CTA that adds", wait);
      if (!(valueOf(wait) == valueOf(waits_[0])))
        return fails("one value that all of a CTA wait for", wait);
    }
    const std::string missing =
        CounterTurns(program_, sources_, adds_[0], waitOf(waits_[0]).value).missing();
    return missing.empty() || fails(missing, waits_[0]);
  }

  LinearForm valueOf(const AccessSite &wait) {
    return visits_->forms().index(waitOf(wait).value, 0);
  }

  // ---- Meeting ---------------------------------------------------------------------------------

  /// CTAs of a cluster wait for each other by other means than the counter, too.
  bool isWithoutClusters() {
    const int64_t *c = program_.cluster;
    return c[0] * c[1] * c[2] == 1 || fails("a grid without clusters", adds_[0]);
  }

  bool allMeet() {
    if (!fixed(add().value, ofLaunch_))
      return fails("an add of one value by all CTAs", adds_[0]);
    if (!visits_->never({below(visits_->forms().index(add().value, 0), LinearForm::of(1))}))
      return fails("an add of 1 at least", adds_[0]);
    const std::optional<Polynomial> all = sumOfAdds();
    if (!all)
      return fails("CTAs of one element that are a box of the grid", adds_[0]);
    for (const AccessSite &wait : waits_) {
      if (!isWithin(wait, adds_[0]))
        return fails("an add by every CTA that waits", wait);
      if (polynomials_.of(waitOf(wait).value) != *all)
        return fails("a wait for the sum of what all CTAs add", wait);
    }
    return true;
  }

  /// What the CTAs of one element add: they are those that agree in some coordinates.
  std::optional<Polynomial> sumOfAdds() {
    Polynomial sum = polynomials_.of(add().value);
    Constraints agree;
    const Constraints one = visits_->oneElement();
    const Grid *grid = visits_->forms().grid();
    for (size_t d = 0; grid && d < grid->results.size(); ++d) {
      const LinearForm a = visits_->forms().group(0)[d], b = visits_->forms().group(1)[d];
      among_.push_back(!visits_->never(one, {{{below(a, b)}, {below(b, a)}}}));
      if (among_.back())
        sum = sum * polynomials_.of(Index{grid->extents[d], 0});
      else
        agree.push_back(same(a, b));
    }
    if (!visits_->never(agree, {differ(visits_->element(0), visits_->element(1))}))
      return std::nullopt;
    return sum;
  }

  // ---- Arrivals --------------------------------------------------------------------------------

  /// What holds the old value of the add: that, and what is read of buffers that nothing else is
  /// written to.
  std::set<ValueId> drawnNumbers() const {
    const ValueId old = add().old;
    std::set<int> drawn, others;
    walk(program_.body, [&](const Stmt &s) {
      auto *number = std::get_if<ScalarWrite>(&s.op);
      const bool isOld = number && number->value.value == old && number->value.constant == 0;
      for (const View *v : touchedBy(s.op).writes)
        if (v->kind == View::buffer)
          (isOld ? drawn : others).insert(v->object);
    });
    std::set<ValueId> found{old};
    walk(program_.body, [&](const Stmt &s) {
      auto *read = std::get_if<ScalarRead>(&s.op);
      if (read && drawn.count(read->source.object) && !others.count(read->source.object))
        found.insert(read->result);
    });
    return found;
  }

  /// Branches on whether the old value is what the adds of all others make; it is no more than
  /// that.
  std::set<const If *> branchesOfLast(const Polynomial &others) const {
    std::set<ValueId> same;
    const std::set<ValueId> drawn = drawnNumbers();
    walk(program_.body, [&](const Stmt &s) {
      auto *compared = std::get_if<Scalar>(&s.op);
      for (const ValueId number : compared ? drawn : std::set<ValueId>{})
        if (asksFor(*compared, polynomials_.of(number) - others))
          same.insert(compared->result);
    });
    std::set<const If *> branches;
    walk(program_.body, [&](const Stmt &s) {
      if (auto *branch = std::get_if<If>(&s.op); branch && same.count(branch->condition))
        branches.insert(branch);
    });
    return branches;
  }

  /// Whether it is true where `apart` is 0, or not negative, and nowhere else.
  bool asksFor(const Scalar &compared, const Polynomial &apart) const {
    if (!isComparison(compared.op))
      return false;
    const Polynomial a = polynomials_.of(compared.operands[0]),
                     b = polynomials_.of(compared.operands[1]), one{{{}, 1}};
    switch (compared.op) {
    case ScalarOp::eq:
      return a - b == apart || b - a == apart;
    case ScalarOp::ge:
      return a - b == apart;
    case ScalarOp::le:
      return b - a == apart;
    case ScalarOp::gt:
      return a - b - one == apart;
    case ScalarOp::lt:
      return b - a - one == apart;
    default:
      return false;
    }
  }

  /// The last one may set the counter back for the next launch.
  bool setsBack(const AccessSite &site, const std::set<const If *> &ofLast,
                const Polynomial &all) const {
    const auto &add = std::get<CounterAdd>(site.stmt->op);
    return add.old == kNone && site.loops.empty() && isUnder(site, ofLast) &&
           Polynomial{} - polynomials_.of(add.value) == all;
  }

  const Program &program_;
  const Sources &sources_;
  const std::vector<bool> ofLaunch_;
  std::vector<bool> ofCta_;
  const Polynomials polynomials_;
  const CountedValues values_;
  std::optional<CounterVisits> visits_; // any two
  std::vector<AccessSite> adds_, waits_;
  std::vector<bool> among_; // sumOfAdds: by coordinate, whether CTAs of one element differ in it
  std::string missing_;
  Location at_;
};

} // namespace

bool isUnder(const AccessSite &site, const std::set<const If *> &branches) {
  return std::ranges::any_of(
      site.branches, [&](const Taken &t) { return t.holds && branches.count(t.branch) > 0; });
}

std::map<int, CounterProtocol> counterProtocols(const Program &program, bool arrivals) {
  const std::vector<bool> awaited = awaitedCounters(program);
  std::set<int> asked; // somebody waits, or acquires with what he draws
  std::map<int, std::vector<AccessSite>> sites;
  for (AccessSite &site : counterSites(program)) {
    const int tensor = site.view->object;
    const auto *add = std::get_if<CounterAdd>(&site.stmt->op);
    if (awaited[tensor] ? !arrivals : add && acquires(*add) && site.loops.empty())
      asked.insert(tensor);
    sites[tensor].push_back(std::move(site));
  }
  std::map<int, CounterProtocol> protocols;
  if (asked.empty())
    return protocols;
  const Sources sources(program, {});
  for (const int tensor : asked) {
    Recognition of(program, sources, std::move(sites[tensor]));
    if (awaited[tensor])
      protocols[tensor] = of.protocol();
    else if (auto arrive = of.arrivals())
      protocols[tensor] = std::move(*arrive);
  }
  return protocols;
}

} // namespace sluice
