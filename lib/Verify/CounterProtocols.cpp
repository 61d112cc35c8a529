#include "Verify/CounterProtocols.h"

#include "Program/Agent.h"
#include "Verify/PointSearch.h"
#include "Verify/Polynomials.h"

#include <algorithm>

namespace sluice {
namespace {

/// By value: a function of extents, integer arguments and, with `coordinates`, the CTA's place in
/// the grid; the same for all agents of a CTA, whenever they compute it.
std::vector<bool> fixedValues(const Program &program, bool coordinates) {
  std::vector<bool> fixed(program.values, false);
  walk(program.body, [&](const Stmt &s) {
    if (auto *scalar = std::get_if<Scalar>(&s.op))
      fixed[scalar->result] =
          scalar->op < ScalarOp::cursorInit &&
          std::ranges::all_of(scalar->operands, [&](ValueId v) { return fixed[v]; });
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
      : program_(program), ofCta_(fixedValues(program, true)),
        ofLaunch_(fixedValues(program, false)), polynomials_(program),
        forms_(program, sources, noUnits, false) {
    walk(program.body, [this](const Stmt &s) {
      if (auto *grid = std::get_if<Grid>(&s.op))
        grid_ = grid;
    });
    for (AccessSite &site : sites)
      (site.write ? adds_ : waits_).push_back(std::move(site));
    for (const int cta : {0, 1}) // of a launch, before anything is asked about the two
      if (adds_.size() == 1)
        forms_.add(adds_[0], cta);
  }

  CounterProtocol protocol() {
    if (isLegible()) {
      const bool meets = fixed(waitOf(waits_[0]).value, ofLaunch_);
      if (meets ? allMeet() : takeTurns())
        return {meets ? CounterProtocol::meeting : CounterProtocol::turns, "", {}, element()};
    }
    return {CounterProtocol::none, missing_, at_, nullptr};
  }

private:
  static const CounterWait &waitOf(const AccessSite &s) {
    return std::get<CounterWait>(s.stmt->op);
  }
  const CounterAdd &add() const { return std::get<CounterAdd>(adds_[0].stmt->op); }
  const View *element() const { return &add().counter; }
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
    const int64_t *c = program_.cluster;
    if (adds_.size() != 1)
      return fails("one statement that adds to it, and " + std::to_string(adds_.size()) + " do",
                   waits_[0]);
    if (c[0] * c[1] * c[2] > 1)
      return fails("a grid without clusters", adds_[0]);
    if (lanesOf(program_, adds_[0]) != 1)
      return fails("an add by one lane of a CTA", adds_[0]);
    if (add().relaxed || add().scope != Scope::gpu)
      return fails("an add that releases with `scope gpu`", adds_[0]);
    if (!isOnce(adds_[0], "an add"))
      return false;
    if (!fixed(add().value, ofCta_) || !isFixed(*element()))
      return fails("an add whose element and value follow from the CTA, extents and arguments",
                   adds_[0]);
    return std::ranges::all_of(waits_, [this](const AccessSite &w) { return isLegible(w); });
  }

  bool isLegible(const AccessSite &wait) {
    const CounterWait &op = waitOf(wait);
    if (op.scope != Scope::gpu)
      return fails("a wait that acquires with `scope gpu`", wait);
    if (!op.coResident)
      return fails("a wait that says `co_resident`", wait);
    if (!wait.loops.empty())
      return fails("a wait that is in no loop", wait);
    if (!fixed(op.value, ofCta_) || !isFixed(op.counter))
      return fails("a wait whose element and value follow from the CTA, extents and arguments",
                   wait);
    for (size_t d = 0; d < element()->offset.size(); ++d)
      if (!(forms_.index(op.counter.offset[d], 0) == forms_.index(element()->offset[d], 0)))
        return fails("an add to the element that the CTA waits for", wait);
    return true;
  }

  bool isFixed(const View &element) const {
    return std::ranges::all_of(element.offset, [this](const Index &i) { return fixed(i, ofCta_); });
  }

  /// All CTAs of a launch come to it once, or none does.
  bool isOnce(const AccessSite &site, const std::string &what) {
    if (!site.loops.empty())
      return fails(what + " that is in no loop", site);
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

  // ---- Questions about CTAs 0 and 1 of a launch ------------------------------------------------

  std::vector<LinearForm> elementOf(int cta) {
    std::vector<LinearForm> forms;
    for (const Index &i : element()->offset)
      forms.push_back(forms_.index(i, cta));
    return forms;
  }

  Constraints oneElement() {
    Constraints all;
    const std::vector<LinearForm> a = elementOf(0), b = elementOf(1);
    for (size_t d = 0; d < a.size(); ++d)
      all.push_back(same(a[d], b[d]));
    return all;
  }

  /// Whether no launch has two CTAs for which all of this holds.
  bool never(const Constraints &these, const std::vector<Choice> &choices = {}) {
    const Constraints all = forms_.constraints();
    const std::vector<Choice> own = forms_.choices();
    std::vector<const Choice *> any;
    for (const auto *list : {&choices, &own})
      for (const Choice &c : *list)
        any.push_back(&c);
    return !PointSearch(forms_).mayHold({&all, &these}, std::move(any));
  }

  static Constraints with(Constraints these, std::initializer_list<LinearConstraint> more) {
    these.insert(these.end(), more);
    return these;
  }

  // ---- Turns -----------------------------------------------------------------------------------

  bool takeTurns() {
    for (const AccessSite &wait : waits_) {
      if (!isOnce(wait, "a wait"))
        return false;
      if (!isWithin(wait, adds_[0]) || !isWithin(adds_[0], wait))
        return fails("a wait in every CTA that adds", wait);
      if (!(valueOf(wait, 0) == valueOf(waits_[0], 0)))
        return fails("one value that all of a CTA wait for", wait);
    }
    if (!areDisjoint())
      return fails("turns that no two CTAs have part of", waits_[0]);
    if (!haveOneBefore())
      return fails("for each CTA whose turn is not at 0 one that adds up to it, the neighbour in "
                   "the grid",
                   waits_[0]);
    return true;
  }

  LinearForm valueOf(const AccessSite &wait, int cta) {
    return forms_.index(waitOf(wait).value, cta);
  }
  LinearForm turn(int cta) { return valueOf(waits_[0], cta); }
  LinearForm after(int cta) { return turn(cta) + forms_.index(add().value, cta); }

  /// Of two CTAs of one element, the turn of the one ends, further up, before the other's begins.
  bool areDisjoint() {
    const std::vector<Choice> two{differ(forms_.group(0), forms_.group(1))};
    const LinearForm first = turn(0), ends = after(0), next = turn(1);
    const Constraints one = oneElement();
    return never(with(one, {same(first, next)}), two) &&
           never(with(one, {below(first, next), below(next, ends)}), two) &&
           never(with(one, {below(first, next), atLeast(first, ends)}), two);
  }

  /// The CTA one further down, or up, along one coordinate is the one before.
  bool haveOneBefore() {
    for (size_t d = 0; grid_ && d < grid_->results.size(); ++d)
      for (const int64_t step : {-1, 1})
        if (isBefore(d, step))
          return true;
    return false;
  }

  /// Whether CTA 1, `step` from CTA 0 along dimension d, ends its turn where that of CTA 0 begins.
  bool isBefore(size_t d, int64_t step) {
    const LinearForm first = turn(0), other = turn(1), ends = after(1);
    const std::vector<LinearForm> a = elementOf(0), b = elementOf(1);
    const LinearForm neighbour = forms_.group(0)[d] + LinearForm::of(step);
    const LinearForm extent = forms_.value(grid_->extents[d], 0);
    const Choice later{{below(first, {})}, {below({}, first)}}; // its turn is not at 0
    if (!never({below(neighbour, {})}, {later}) || !never({atLeast(neighbour, extent)}, {later}))
      return false;
    Constraints there;
    for (size_t i = 0; i < 3; ++i)
      there.push_back(same(forms_.group(1)[i], i == d ? neighbour : forms_.group(0)[i]));
    return never(there, {later, differ(a, b)}) &&
           never(there, {later, {{below(ends, first)}, {below(first, ends)}}}) &&
           never(with(there, {atLeast(other, first)}), {later});
  }

  // ---- Meeting ---------------------------------------------------------------------------------

  bool allMeet() {
    if (!fixed(add().value, ofLaunch_))
      return fails("an add of one value by all CTAs", adds_[0]);
    if (!never({below(forms_.index(add().value, 0), LinearForm::of(1))}))
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
    const Constraints one = oneElement();
    for (size_t d = 0; grid_ && d < grid_->results.size(); ++d) {
      const LinearForm a = forms_.group(0)[d], b = forms_.group(1)[d];
      if (never(one, {{{below(a, b)}, {below(b, a)}}}))
        agree.push_back(same(a, b));
      else
        sum = sum * polynomials_.of(Index{grid_->extents[d], 0});
    }
    if (!never(agree, {differ(elementOf(0), elementOf(1))}))
      return std::nullopt;
    return sum;
  }

  static inline const AccessForms::Units noUnits{};
  const Program &program_;
  const std::vector<bool> ofCta_, ofLaunch_;
  const Polynomials polynomials_;
  AccessForms forms_;
  const Grid *grid_ = nullptr;
  std::vector<AccessSite> adds_, waits_;
  std::string missing_;
  Location at_;
};

} // namespace

std::map<int, CounterProtocol> counterProtocols(const Program &program) {
  const std::vector<bool> awaited = awaitedCounters(program);
  std::map<int, std::vector<AccessSite>> sites;
  for (AccessSite &site : counterSites(program))
    if (awaited[site.view->object])
      sites[site.view->object].push_back(std::move(site));
  std::map<int, CounterProtocol> protocols;
  if (sites.empty())
    return protocols;
  const Sources sources(program, {});
  for (auto &[tensor, of] : sites)
    protocols[tensor] = Recognition(program, sources, std::move(of)).protocol();
  return protocols;
}

} // namespace sluice
