#include "Verify/AccessPairs.h"

#include "Machine/Agent.h"
#include "Machine/Apart.h"
#include "Verify/AccessForms.h"
#include "Verify/LaunchFor.h"
#include "Verify/Lifting.h"
#include "Verify/Sources.h"
#include "Verify/WarpShares.h"

#include <array>

namespace sluice {
namespace {

using Constraints = std::vector<LinearConstraint>;

/// Launches to look for first: those in which loops and tensors are small.
constexpr int64_t smallExtent = 4096, smallArgument = 64, largestNumber = 1 << 24;

/// Loops around a site that its box moves with, and those around them.
std::vector<const For *> movingLoops(const AccessSite &site, const Sources &sources,
                                     const Moves &moves) {
  std::set<const For *> moving;
  if (const auto at = moves.find(site.stmt); at != moves.end() && lifting().moving)
    moving = at->second;
  for (const Index &i : site.view->offset)
    if (!i.isConstant())
      sources.collect(i.value, moving);
  std::vector<const For *> loops = site.loops;
  while (!loops.empty() && !moving.count(loops.back()))
    loops.pop_back();
  return loops;
}

/// Whether what one CTA does of two accesses is in order: that one lane does, or what each lane
/// does of the bytes that it touches.
enum class InOrder { no, byLane, yes };

/// Two accesses, of one group of agents or of two.
class Pair {
public:
  Pair(const Program &program, const Sources &sources, const AccessForms::Units &units,
       const Moves &moves, const AccessSite &a, const AccessSite &b, bool sameGroup)
      : program_(program), sources_(sources), sites_{&a, &b},
        forms_(program, sources, units, sameGroup), loops_{movingLoops(a, sources, moves),
                                                           movingLoops(b, sources, moves)} {
    for (size_t d = 0; d < a.view->shape.size(); ++d) // there is an element
      forms_.hasExtent(a.view->object, static_cast<int>(d));
    for (int which : {0, 1})
      forms_.add(*sites_[which], which);
    touchElement();
    choices_ = forms_.choices();
    orderPlaces();
    while (shared_ < loops_[0].size() && shared_ < loops_[1].size() &&
           sources.goInStep(*loops_[0][shared_], *loops_[1][shared_])) {
      again_ |= !sources.isOnlyOne(*loops_[0][shared_]);
      ofWhom(*loops_[0][shared_++]);
    }
    for (const AccessSite *site : sites_)
      if (const auto at = moves.find(site->stmt); at != moves.end())
        alternates_ |= at->second.size() > 1 && at->second.count(nullptr) > 0;
  }

  bool ofData() const { return ofData_; }

  /// Of different clusters, or cores.
  bool meetBetweenGroups() { return meet({differ(forms_.group(0), forms_.group(1))}, {}); }

  /// In different iterations of loops that both are in, or of loops of their own.
  bool meetBetweenIterations(InOrder order) {
    std::vector<Choice> between;
    if (order != InOrder::no && !lifting().clusterCtas)
      return false;
    if (order != InOrder::no)
      between.push_back(betweenCtas());
    if (order == InOrder::byLane)
      addOtherLanes(between.back());
    if (lifting().ofWhom && (ofCtas_ || ofWarps_)) { // agents whose loops differ share no iteration
      std::vector<Choice> any = between;
      any.push_back(ofWarps_ ? differ(forms_.agent(0), forms_.agent(1)) : betweenCtas());
      if (meet(any, {}))
        return true;
    }
    std::vector<LinearForm> a, b;
    for (size_t l = 0; l < shared_; ++l) {
      a.push_back(forms_.iteration(*loops_[0][l], 0));
      b.push_back(forms_.iteration(*loops_[1][l], 1));
    }
    Choice apart = differ(a, b);
    if (loops_[0].size() != shared_ || loops_[1].size() != shared_)
      apart.emplace_back();
    between.push_back(apart);
    return meet(between, {});
  }

  /// In one iteration. `apart`: by two CTAs of the cluster.
  bool meetInIteration(bool apart) {
    Constraints all;
    for (size_t l = 0; l < shared_; ++l)
      all.push_back(same(forms_.iteration(*loops_[0][l], 0), forms_.iteration(*loops_[1][l], 1)));
    if (apart)
      return meet({betweenCtas()}, all);
    if (sites_[0] != sites_[1])
      return meet({}, all);
    const Choice others = differ(forms_.agent(0), forms_.agent(1));
    if (isAscend(program_.target))
      return meet({others}, all);
    // The warps of a CTA have each their share of one box.
    return meet({betweenCtas()}, all) || meet({others, differ(begin(0), begin(1))}, all);
  }

  /// By two agents of a cluster, each in its share of the box, at any two points.
  bool meetBetweenAgents() {
    const std::optional<Choice> first = shares(0), second = shares(1);
    return !first || !second ||
           meet({differ(forms_.agent(0), forms_.agent(1)), *first, *second}, {});
  }

  /// Whether what one agent does of the two in one iteration lies in one path of its boxes, at a
  /// distance that does not change: there runs compare the two, however often it comes again.
  bool areOfOnePath() const {
    const View &a = *sites_[0]->view, &b = *sites_[1]->view;
    for (size_t d = 0; d < a.offset.size(); ++d)
      if (!sources_.keepDistance(a.offset[d], b.offset[d]))
        return false;
    return loops_[0] == loops_[1] && shared_ == loops_[0].size() && !alternates_;
  }

  /// Whether the two are as far apart in every iteration, so that one tells about all.
  bool keepsDistance() const {
    if (again_ || (alternates_ && sites_[0] != sites_[1]))
      return false;
    const View &a = *sites_[0]->view, &b = *sites_[1]->view;
    for (size_t d = 0; d < a.offset.size() && d < b.offset.size(); ++d)
      if (!sources_.keepDistance(a.offset[d], b.offset[d]))
        return false;
    return true;
  }

  /// The launch of the last point that was found.
  std::optional<Launch> launch(const Launch &given) const {
    if (!point_)
      return std::nullopt;
    Launch launch = given;
    for (const auto &[where, column] : forms_.extentColumns())
      launch.tensors[where.first].extents[where.second] = (*point_)[column];
    for (const Tensor &t : program_.tensors)
      if (t.inPlaceOf >= 0)
        makeAlike(launch, static_cast<int>(&t - program_.tensors.data()), t.inPlaceOf);
    for (const auto &[argument, column] : forms_.argumentColumns())
      launch.arguments[argument] = (*point_)[column];
    for (Launch::Shape &shape : launch.tensors)
      shape.integers.clear();
    setDenseStrides(program_, launch);
    return launch;
  }

private:
  /// Of two tensors in one memory the extents that the point has are those of both.
  void makeAlike(Launch &launch, int written, int read) const {
    for (int d = 0; d < program_.tensors[written].rank; ++d) {
      const bool known = forms_.extentColumns().count({written, d}) > 0;
      const int64_t extent = launch.tensors[known ? written : read].extents[d];
      launch.tensors[written].extents[d] = launch.tensors[read].extents[d] = extent;
    }
  }

  /// Whether agents go over different values of a loop.
  void ofWhom(const For &loop) {
    for (const ValueId v : {loop.lower, loop.upper, loop.step, loop.condition}) {
      if (v == kNone || forms_.isOfIteration(forms_.value(v, 0), 0))
        continue;
      ofCtas_ |= sources_.isOfCta(v);
      ofWarps_ |= sources_.isOfWarp(v);
    }
  }

  /// There is an element that both touch; boxes end where their tensor does.
  void touchElement() {
    for (size_t d = 0; d < sites_[0]->view->shape.size(); ++d) {
      const LinearForm &element = elements_.emplace_back(LinearForm::column(forms_.addColumn()));
      constraints_.push_back(atLeast(element, {}));
      for (int which : {0, 1}) {
        const int tensor = sites_[which]->view->object;
        constraints_.push_back(below(element, forms_.extent(tensor, static_cast<int>(d))));
        touch(element, d, which);
      }
      const auto at = [&](int which) {
        return forms_.index(sites_[which]->view->offset[d], which);
      };
      ofData_ |= forms_.ofData(at(0) - at(1)); // what moves both alike does not part them
    }
    const Constraints all = forms_.constraints();
    constraints_.insert(constraints_.end(), all.begin(), all.end());
  }

  void touch(const LinearForm &element, size_t d, int which) {
    const View &view = *sites_[which]->view;
    const LinearForm begin = forms_.index(view.offset[d], which);
    constraints_.push_back(atLeast(element, begin));
    constraints_.push_back(below(element, begin + LinearForm::of(view.shape[d])));
    for (const Clip &c : view.clips)
      if (c.dimension == static_cast<int>(d))
        constraints_.push_back(below(element, forms_.index(c.end, which)));
  }

  /// The element is in the share of the warp that touches it.
  std::optional<Choice> shares(int which) {
    const std::vector<std::vector<View>> all = warpShares(program_, *sites_[which]);
    if (all.empty())
      return std::nullopt;
    Choice choice;
    for (size_t warp = 0; warp < all.size(); ++warp)
      for (const View &part : all[warp]) {
        Constraints own = {
            same(forms_.agent(which)[3], LinearForm::of(static_cast<int64_t>(warp)))};
        for (size_t d = 0; d < part.offset.size(); ++d) {
          const LinearForm begin = forms_.index(part.offset[d], which);
          own.push_back(atLeast(elements_[d], begin));
          own.push_back(below(elements_[d], begin + LinearForm::of(part.shape[d])));
        }
        choice.push_back(std::move(own));
      }
    return choice;
  }

  /// What counts whole tiles of some size in two offsets differs by whole numbers: integers that
  /// rationals do not see.
  void orderPlaces() {
    const View &a = *sites_[0]->view, &b = *sites_[1]->view;
    for (size_t d = 0; d < a.offset.size() && d < b.offset.size(); ++d) {
      const LinearForm apart = forms_.index(a.offset[d], 0) - forms_.index(b.offset[d], 1);
      std::set<int64_t> tiles;
      for (const auto &f : apart.factors)
        tiles.insert(std::abs(f.second));
      for (const int64_t tile : tiles) {
        LinearForm whole = apart;
        std::erase_if(whole.factors, [&](const auto &f) { return f.second % tile != 0; });
        whole.constant = 0;
        whole = dividedBy(whole, tile);
        choices_.push_back({{same(whole, {})}, {below(whole, {})}, {below({}, whole)}});
      }
    }
  }

  /// One is before the other in some place, the first in which they differ.
  template <typename Forms> static Choice differ(const Forms &a, const Forms &b) {
    Choice choice;
    Constraints before;
    for (size_t i = 0; i < a.size(); ++i) {
      if (a[i].isConstant() && b[i].isConstant())
        continue;
      for (const LinearConstraint &order : {below(a[i], b[i]), below(b[i], a[i])}) {
        choice.push_back(before);
        choice.back().push_back(order);
      }
      before.push_back(same(a[i], b[i]));
    }
    return choice;
  }

  std::vector<LinearForm> begin(int which) {
    std::vector<LinearForm> at;
    for (const Index &i : sites_[which]->view->offset)
      at.push_back(forms_.index(i, which));
    return at;
  }

  /// By two CTAs of a cluster.
  Choice betweenCtas() const {
    const auto ranks = [this](int which) {
      const std::array<LinearForm, 4> &agent = forms_.agent(which);
      return std::vector<LinearForm>(agent.begin(), agent.begin() + 3);
    };
    return differ(ranks(0), ranks(1));
  }

  /// By other lanes of one warp: of one statement, where it is at another place.
  void addOtherLanes(Choice &choice) {
    if (sites_[0]->stmt != sites_[1]->stmt)
      choice.emplace_back();
    else
      for (Constraints &elsewhere : differ(begin(0), begin(1)))
        choice.push_back(std::move(elsewhere));
  }

  bool meet(const std::vector<Choice> &apart, const Constraints &more) {
    Solver solver(forms_.columns());
    for (const Constraints *all : std::array<const Constraints *, 2>{&constraints_, &more})
      for (const LinearConstraint &c : *all)
        solver.add(c);
    std::vector<const Choice *> choices;
    for (const auto *all : std::array<const std::vector<Choice> *, 2>{&apart, &choices_})
      for (const Choice &c : *all)
        choices.push_back(&c);
    left_ = mostSteps;
    points_ = mostPoints;
    point_.reset();
    return solver.mayHold() && search(solver, choices);
  }

  /// What is left of a choice when rationals have excluded some.
  std::vector<const Constraints *> possible(Solver &solver, const Choice &choice) {
    std::vector<const Constraints *> left;
    const size_t before = solver.mark();
    for (const Constraints &one : choice) {
      for (const LinearConstraint &c : one)
        solver.add(c);
      if (--left_ < 0 || solver.mayHold())
        left.push_back(&one);
      solver.back(before);
    }
    return left;
  }

  /// Takes what has one possibility left, then tries those of the choice that has the fewest.
  bool search(Solver &solver, std::vector<const Choice *> choices) {
    std::vector<const Constraints *> fewest;
    const Choice *next = nullptr;
    for (bool again = true; again;) {
      again = false;
      next = nullptr;
      for (size_t i = 0; i < choices.size(); ++i) {
        std::vector<const Constraints *> left = possible(solver, *choices[i]);
        if (left.empty())
          return false;
        if (left_ < 0)
          return true; // not told
        if (left.size() == 1) {
          for (const LinearConstraint &c : *left[0])
            solver.add(c);
          choices.erase(choices.begin() + static_cast<std::ptrdiff_t>(i--));
          again = true;
        } else if (!next || left.size() < fewest.size()) {
          next = choices[i];
          fewest = std::move(left);
        }
      }
    }
    if (!next)
      return hasPoint(solver);
    std::erase(choices, next);
    const size_t before = solver.mark();
    for (const Constraints *one : fewest) {
      for (const LinearConstraint &c : *one)
        solver.add(c);
      if (search(solver, choices))
        return true;
      solver.back(before);
    }
    return false;
  }

  /// A small one is looked for. Where rationals hold together and no small integers are found, it
  /// is not told that there are none.
  bool hasPoint(Solver &solver) {
    if (--points_ < 0)
      return true;
    const size_t before = solver.mark();
    const auto within = [&](int column, int64_t least, int64_t most) {
      solver.add(atLeast(LinearForm::of(most), LinearForm::column(column)));
      solver.add(atLeast(LinearForm::column(column), LinearForm::of(least)));
    };
    for (int c = 0; c < forms_.columns(); ++c)
      within(c, -largestNumber, largestNumber);
    for (const auto &[where, column] : forms_.extentColumns())
      within(column, 0, smallExtent);
    for (const auto &[argument, column] : forms_.argumentColumns())
      within(column, -smallArgument, smallArgument);
    if (solver.mayHold())
      point_ = solver.integerPoint();
    solver.back(before);
    if (!point_)
      point_ = solver.integerPoint();
    return point_.has_value();
  }

  static constexpr int mostSteps = 4000, mostPoints = 20;
  const Program &program_;
  const Sources &sources_;
  const AccessSite *sites_[2];
  AccessForms forms_;
  std::vector<const For *> loops_[2];
  size_t shared_ = 0;                // of them, from the outside
  std::vector<LinearForm> elements_; // by dimension: the element that both touch
  Constraints constraints_;
  std::vector<Choice> choices_;
  bool ofData_ = false;
  bool ofCtas_ = false, ofWarps_ = false; // a shared loop goes over values of each
  bool again_ = false;                    // or comes to the same iterations again
  bool alternates_ = false;               // some place moves with its loops at times only
  int left_ = 0, points_ = 0;             // that the search may still try
  std::optional<std::vector<int64_t>> point_;
};

/// One warp does both, one after the other; its elected lane is not in order with the others.
InOrder inOrder(const Program &program, const AccessSite &a, const AccessSite &b) {
  const int warps = a.role ? a.role->warps : program.warps;
  const auto byAll = [](const AccessSite &s) { return s.stmt->exec == Exec::threads; };
  if (a.view->object != b.view->object) // reads of one that writes of the other must not precede
    return InOrder::no;
  if (isAscend(program.target) || a.async || b.async || a.role != b.role || warps != 1 ||
      (byAll(a) != byAll(b) && lifting().strands))
    return InOrder::no;
  return byAll(a) && byAll(b) ? InOrder::byLane : InOrder::yes;
}

bool mayConflict(const std::vector<int> &memory, const AccessSite &a, const AccessSite &b) {
  return memory[a.view->object] == memory[b.view->object] && (a.write || b.write) &&
         !(a.reducing && b.reducing);
}

} // namespace

std::vector<Overlap> overlaps(const Program &program, const AccessForms::Units &units,
                              const Launch &given, const Moves &moves,
                              const std::map<StmtPair, bool> &uncompared, const LoopsMet &met) {
  const std::vector<AccessSite> sites = accessSites(program);
  const std::vector<int> memory = memories(program.tensors);
  const Sources sources(program, met);
  std::vector<Overlap> found;
  for (size_t i = 0; i < sites.size(); ++i)
    for (size_t j = i; j < sites.size(); ++j) {
      const AccessSite &a = sites[i], &b = sites[j];
      if (!mayConflict(memory, a, b))
        continue;
      const auto report = [&](Overlap::Kind kind, Pair &pair) {
        found.push_back({kind, a.stmt, b.stmt, a.write, b.write, a.view->object, pair.ofData(),
                         pair.launch(given)});
        found.back().ofOneAgent =
            kind != Overlap::groups && a.role == b.role && !pair.meetBetweenAgents();
      };
      Pair far(program, sources, units, moves, a, b, false);
      if (lifting().groups && far.meetBetweenGroups())
        report(Overlap::groups, far);
      Pair near(program, sources, units, moves, a, b, true);
      const InOrder order = inOrder(program, a, b);
      if (lifting().iterations && near.meetBetweenIterations(order))
        report(Overlap::iterations, near);
      const auto one = uncompared.find({a.stmt, b.stmt}), other = uncompared.find({b.stmt, a.stmt});
      const bool met = one != uncompared.end() || other != uncompared.end();
      const bool inOne = !near.keepsDistance() || (one != uncompared.end() && one->second) ||
                         (other != uncompared.end() && other->second);
      const bool ordered =
          i != j && (order == InOrder::yes || (order == InOrder::byLane && a.stmt == b.stmt));
      // Of an output in the place of an input runs compare what each agent does in one iteration.
      const bool inPlace = a.view->object != b.view->object && a.role == b.role;
      const auto onlyOfOneAgent = [&] {
        return inPlace && near.areOfOnePath() && !near.meetBetweenAgents();
      };
      if (lifting().places && (met || inOne) && near.meetInIteration(!inOne || ordered) &&
          !onlyOfOneAgent())
        report(Overlap::places, near);
    }
  return found;
}

} // namespace sluice
