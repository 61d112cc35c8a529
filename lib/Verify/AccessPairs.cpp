#include "Verify/AccessPairs.h"

#include "Program/Agent.h"
#include "Program/Apart.h"
#include "Program/OperationFacts.h"
#include "Verify/AccessForms.h"
#include "Verify/Lifting.h"
#include "Verify/PointSearch.h"
#include "Verify/Sources.h"
#include "Verify/Structure.h"
#include "Verify/WarpShares.h"

#include <algorithm>
#include <array>
#include <span>

namespace sluice {
namespace {

/// Loops around a site that its box moves with, and those around them.
std::vector<const For *> movingLoops(const AccessSite &site, const Sources &sources,
                                     const Moves &moves) {
  std::set<const For *> moving;
  if (const auto at = moves.find(site.stmt); at != moves.end() && lifting().moving)
    moving = at->second;
  for (const Index &i : site.view->offset)
    if (!i.isConstant())
      sources.collect(i.value, moving);
  for (const Clip &c : site.view->clips) // what is left of the box moves; runs take it whole
    if (!c.end.isConstant())
      sources.collect(c.end.value, moving, true);
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
                                                           movingLoops(b, sources, moves)},
        search_(forms_) {
    for (size_t d = 0; d < a.view->shape.size(); ++d) // there is an element
      forms_.hasExtent(a.view->object, static_cast<int>(d));
    for (int which : {0, 1})
      forms_.add(*sites_[which], which);
    touchElement();
    readForms();
    while (shared_ < loops_[0].size() && shared_ < loops_[1].size() &&
           sources.goInStep(*loops_[0][shared_], *loops_[1][shared_])) {
      again_ |= !sources.isOnlyOne(*loops_[0][shared_]);
      ofWhom(*loops_[0][shared_++]);
    }
    for (const AccessSite *site : sites_)
      if (const auto at = moves.find(site->stmt); at != moves.end())
        alternates_ |= at->second.size() > 1 && at->second.count(nullptr) > 0;
  }

  /// Whether numbers of tensors may part the two wherever they have met.
  bool ofData() const { return ofData_ && !atOneNumber_; }

  /// Of different clusters, or cores, that no counter has in order.
  bool meetBetweenGroups(const CounterOrder &counters) {
    std::vector<Choice> apart{differ(forms_.group(0), forms_.group(1))};
    if (!meet(apart, {}))
      return false;
    for (const auto &[counter, protocol] : counters.protocols)
      if (!counters.orders(counter, *sites_[0], *sites_[1]))
        continue;
      else if (!protocol.element)
        return false;
      else
        apart.push_back(differ(placeOf(*protocol.element, 0), placeOf(*protocol.element, 1)));
    if (apart.size() == 1)
      return true;
    readForms();
    return meet(apart, {});
  }

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

  /// By two CTAs of a cluster, at any two points.
  bool meetBetweenCtas() { return meet({betweenCtas()}, {}); }

  /// Whether what one agent does of the two in one iteration lies in one path of its boxes, at a
  /// distance that does not change: there runs compare the two, however often it comes again.
  bool areOfOnePath() const {
    const View &a = *sites_[0]->view, &b = *sites_[1]->view;
    for (size_t d = 0; d < a.offset.size(); ++d)
      if (!sources_.keepDistance(a.offset[d], b.offset[d], true))
        return false;
    return loops_[0] == loops_[1] && shared_ == loops_[0].size() && !alternates_;
  }

  /// Whether the two are as far apart in every iteration, so that one tells about all. `inCta`:
  /// what one CTA does of them.
  bool keepsDistance(bool inCta) const {
    if (again_ || (alternates_ && sites_[0] != sites_[1]))
      return false;
    const View &a = *sites_[0]->view, &b = *sites_[1]->view;
    for (size_t d = 0; d < a.offset.size() && d < b.offset.size(); ++d)
      if (!sources_.keepDistance(a.offset[d], b.offset[d], inCta))
        return false;
    return true;
  }

  /// The launch of the last point that was found.
  std::optional<Launch> launch(const Launch &given) const {
    const std::optional<std::vector<int64_t>> &point = search_.point();
    if (!point)
      return std::nullopt;
    Launch launch = given;
    for (const auto &[where, column] : forms_.extentColumns())
      launch.tensors[where.first].extents[where.second] = (*point)[column];
    for (const Tensor &t : program_.tensors)
      if (t.inPlaceOf >= 0)
        makeAlike(launch, static_cast<int>(&t - program_.tensors.data()), t.inPlaceOf);
    for (const auto &[argument, column] : forms_.argumentColumns())
      launch.arguments[argument] = (*point)[column];
    for (Launch::Shape &shape : launch.tensors)
      shape.integers.clear();
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
      const LinearForm apart = at(0) - at(1); // what moves both alike does not part them
      ofData_ |= forms_.ofData(apart);
      const auto one = forms_.ofOneNumber(apart);
      if (one && oneNumber_)
        oneNumber_->insert(oneNumber_->end(), one->begin(), one->end());
      else
        oneNumber_.reset();
    }
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
  /// rationals do not see. Of a choice between two places each of them.
  void orderPlaces() {
    const View &a = *sites_[0]->view, &b = *sites_[1]->view;
    for (size_t d = 0; d < a.offset.size() && d < b.offset.size(); ++d)
      for (const LinearForm &one : forms_.alternatives(forms_.index(a.offset[d], 0)))
        for (const LinearForm &other : forms_.alternatives(forms_.index(b.offset[d], 1)))
          orderPlaces(one - other);
  }

  void orderPlaces(const LinearForm &apart) {
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

  std::vector<LinearForm> begin(int which) { return placeOf(*sites_[which]->view, which); }

  std::vector<LinearForm> placeOf(const View &view, int which) {
    std::vector<LinearForm> at;
    for (const Index &i : view.offset)
      at.push_back(forms_.index(i, which));
    return at;
  }

  /// What the forms that have been asked for say.
  void readForms() {
    const Constraints all = forms_.constraints();
    constraints_.insert(constraints_.end(), all.begin(), all.end());
    choices_ = forms_.choices();
    orderPlaces();
  }

  /// By two CTAs of a cluster.
  Choice betweenCtas() const {
    const auto ranks = [this](int which) { return std::span(forms_.agent(which)).first(3); };
    return differ(ranks(0), ranks(1));
  }

  /// By other lanes of one warp: of one statement, where it is at another place, or may take
  /// another part of its tile (RunOrder::wayOf).
  void addOtherLanes(Choice &choice) {
    if (sites_[0]->stmt != sites_[1]->stmt || !takesOnePart(*sites_[0]->stmt))
      choice.emplace_back();
    else
      for (Constraints &elsewhere : differ(begin(0), begin(1)))
        choice.push_back(std::move(elsewhere));
  }

  static bool takesOnePart(const Stmt &s) {
    return std::ranges::all_of(viewsOf(s.op), [](const View *v) {
      const bool ofTensor = v->kind == View::tensor;
      return ofTensor ? std::ranges::all_of(v->clips, &Index::isConstant, &Clip::end)
                      : std::ranges::all_of(v->offset, &Index::isConstant);
    });
  }

  bool meet(const std::vector<Choice> &apart, const Constraints &more) {
    std::vector<const Choice *> choices;
    for (const auto *all : std::array<const std::vector<Choice> *, 2>{&apart, &choices_})
      for (const Choice &c : *all)
        choices.push_back(&c);
    if (!search_.mayHold({&constraints_, &more}, choices))
      return false;
    if (ofData_ && oneNumber_)
      atOneNumber_ =
          search_.mayHold({&constraints_, &more, &*oneNumber_}, choices) && search_.point();
    return true;
  }

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
  std::optional<Constraints> oneNumber_ = Constraints{}; // AccessForms::ofOneNumber
  bool atOneNumber_ = false;              // they have met at a place that one number tells
  bool ofCtas_ = false, ofWarps_ = false; // a shared loop goes over values of each
  bool again_ = false;                    // or comes to the same iterations again
  bool alternates_ = false;               // some place moves with its loops at times only
  PointSearch search_;
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
                              const std::map<StmtPair, bool> &uncompared, const LoopsMet &met,
                              const CounterOrder &counters) {
  const std::vector<AccessSite> sites = accessSites(program);
  const std::vector<int> memory = memories(program.tensors);
  const Sources sources(program, met);
  const bool clustered = program.cluster[0] * program.cluster[1] * program.cluster[2] > 1;
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
        found.back().ofOneCta = kind != Overlap::groups && clustered && !pair.meetBetweenCtas();
      };
      Pair far(program, sources, units, moves, a, b, false);
      if (lifting().groups && far.meetBetweenGroups(counters))
        report(Overlap::groups, far);
      Pair near(program, sources, units, moves, a, b, true);
      const InOrder order = inOrder(program, a, b);
      if (lifting().iterations && near.meetBetweenIterations(order))
        report(Overlap::iterations, near);
      const auto one = uncompared.find({a.stmt, b.stmt}), other = uncompared.find({b.stmt, a.stmt});
      const bool met = one != uncompared.end() || other != uncompared.end();
      const bool inOne = !near.keepsDistance(true) || (one != uncompared.end() && one->second) ||
                         (other != uncompared.end() && other->second);
      const bool ordered =
          i != j && (order == InOrder::yes || (order == InOrder::byLane && a.stmt == b.stmt));
      // Of an output in the place of an input runs compare what each agent does in one iteration.
      const bool inPlace = a.view->object != b.view->object && a.role == b.role;
      const auto onlyOfOneAgent = [&] {
        return inPlace && near.areOfOnePath() && !near.meetBetweenAgents();
      };
      if (lifting().places && (met || inOne || !near.keepsDistance(false)) &&
          near.meetInIteration(!inOne || ordered) && !onlyOfOneAgent())
        report(Overlap::places, near);
    }
  return found;
}

} // namespace sluice
