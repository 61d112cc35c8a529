#include "Explore/Analysis.h"

#include <algorithm>
#include <deque>
#include <map>
#include <set>

namespace sluice::explorer {
namespace {

struct Namer {
  std::string operator()(const MbarrierInit &) const { return "mbarrier init"; }
  std::string operator()(const MbarrierInval &) const { return "mbarrier inval"; }
  std::string operator()(const MbarrierArrive &) const { return "arrive"; }
  std::string operator()(const MbarrierArriveExpectTx &) const { return "arrive.expect_tx"; }
  std::string operator()(const MbarrierExpectTx &) const { return "expect_tx"; }
  std::string operator()(const MbarrierWait &) const { return "wait"; }
  std::string operator()(const MbarrierTest &) const { return "test"; }
  std::string operator()(const NamedBarrier &) const { return "named barrier"; }
  std::string operator()(const ClusterBarrier &) const { return "cluster barrier"; }
  std::string operator()(const Fence &) const { return "fence"; }
  std::string operator()(const BulkWait &) const { return "bulk wait_group"; }
  std::string operator()(const WgmmaWait &) const { return "wgmma.wait_group"; }
  std::string operator()(const WarpSync &) const { return "warp sync"; }
  std::string operator()(const PipeBarrier &) const { return "pipe barrier"; }
  std::string operator()(const Mutex &op) const {
    return op.kind == Mutex::lock ? "mutex.lock" : "mutex.unlock";
  }
  std::string operator()(const CrossSet &) const { return "cross-core set"; }
  std::string operator()(const CrossWait &) const { return "cross-core wait"; }
  std::string operator()(const CpAsyncArrive &) const { return "cp.async arrive"; }
  std::string operator()(const CpAsyncCommit &) const { return "cp.async commit_group"; }
  std::string operator()(const CpAsyncWait &) const { return "cp.async wait_group"; }
  std::string operator()(const BulkCommit &) const { return "bulk commit_group"; }
  std::string operator()(const WgmmaFence &) const { return "wgmma.fence"; }
  std::string operator()(const WgmmaCommit &) const { return "wgmma.commit_group"; }
  std::string operator()(const Map &) const { return "map"; }
  std::string operator()(const Reduce &) const { return "reduce"; }
  std::string operator()(const Raw &) const { return "raw text"; }
  std::string operator()(const SetFlag &) const { return "set_flag"; }
  std::string operator()(const WaitFlag &) const { return "wait_flag"; }
  std::string operator()(const TmaLoad &) const { return "TMA load"; }
  std::string operator()(const TmaStore &) const { return "TMA store"; }
  std::string operator()(const ClcTryCancel &) const { return "try_cancel"; }
  std::string operator()(const RemoteCopy &) const { return "remote copy"; }
  std::string operator()(const Copy &) const { return "copy"; }
  std::string operator()(const Prefetch &) const { return "prefetch"; }
  std::string operator()(const Fill &) const { return "fill"; }
  std::string operator()(const Print &) const { return "print"; }
  std::string operator()(const Wgmma &) const { return "wgmma"; }
  std::string operator()(const Mmad &) const { return "mmad"; }
  std::string operator()(const TmemAlloc &) const { return "tcgen05.alloc"; }
  std::string operator()(const TmemRelinquish &) const { return "tcgen05.relinquish"; }
  std::string operator()(const TmemDealloc &) const { return "tcgen05.dealloc"; }
  std::string operator()(const TmemAddress &) const { return "tensor memory address"; }
  std::string operator()(const Tcgen05Mma &) const { return "tcgen05.mma"; }
  std::string operator()(const TmemCopy &) const { return "tcgen05.cp"; }
  std::string operator()(const TmemShift &) const { return "tcgen05.shift"; }
  std::string operator()(const Tcgen05Commit &) const { return "tcgen05.commit"; }
  std::string operator()(const TmemLoad &) const { return "tcgen05.ld"; }
  std::string operator()(const TmemStore &) const { return "tcgen05.st"; }
  std::string operator()(const TmemWait &o) const {
    return o.stores ? "tcgen05.wait::st" : "tcgen05.wait::ld";
  }
  template <typename T> std::string operator()(const T &) const { return "operation"; }
};

constexpr int64_t smallAccumulator = 10; // fractals of L0C; fewer overlap (CATLASS)

void resolve(const CellMap &memory, std::vector<Touch> &touches) {
  for (Touch &t : touches) {
    t.cells = memory.cells(t.footprint);
    t.mask.assign((memory.count() + 63) / 64, 0);
    for (int32_t cell : t.cells)
      t.mask[cell / 64] |= uint64_t{1} << cell % 64;
  }
}

/// Asynchronous operations of one kind, in the groups of their agent.
class Groups {
public:
  void issue(int32_t action) { open_.push_back(action); }
  void commit() {
    groups_.push_back(std::move(open_));
    open_.clear();
  }
  /// Members of all groups but the newest `pending`.
  std::vector<int32_t> wait(int64_t pending) {
    std::vector<int32_t> ended;
    for (; static_cast<int64_t>(groups_.size()) > pending; groups_.pop_front())
      ended.insert(ended.end(), groups_.front().begin(), groups_.front().end());
    return ended;
  }

private:
  std::vector<int32_t> open_;
  std::deque<std::vector<int32_t>> groups_;
};

void findEnds(Script &s) {
  Groups wgmmas, laneLoads, laneStores, sources, destinations, copies,
      laneCopies; // each lane has its own groups
  for (int32_t i = 0; i < static_cast<int32_t>(s.actions.size()); ++i) {
    const Operation &op = s.actions[i].stmt->op;
    const bool lanes = s.actions[i].lanes;
    auto end = [&](const std::vector<int32_t> &list, int32_t Action::*when) {
      for (int32_t action : list)
        s.actions[action].*when = std::min(s.actions[action].*when, i);
    };
    if (s.actions[i].act == Act::wgmma)
      wgmmas.issue(i);
    else if (s.actions[i].act == Act::copyAsync) {
      copies.issue(i);
      if (lanes)
        laneCopies.issue(i);
    } else if (s.actions[i].act == Act::store) {
      sources.issue(i);
      destinations.issue(i);
    } else if (std::holds_alternative<WgmmaCommit>(op))
      wgmmas.commit();
    else if (std::holds_alternative<CpAsyncCommit>(op)) {
      copies.commit();
      if (lanes)
        laneCopies.commit();
    } else if (std::holds_alternative<BulkCommit>(op)) {
      sources.commit();
      destinations.commit();
    } else if (s.actions[i].act == Act::lanesMove)
      (std::holds_alternative<TmemStore>(op) ? laneStores : laneLoads).issue(i);
    else if (s.actions[i].act == Act::lanesWait) {
      Groups &moves = s.actions[i].count ? laneStores : laneLoads;
      moves.commit();
      end(moves.wait(0), &Action::ends);
    } else if (auto *wait = std::get_if<WgmmaWait>(&op))
      end(wgmmas.wait(wait->pending), &Action::ends);
    else if (auto *wait = std::get_if<CpAsyncWait>(&op)) {
      end(copies.wait(wait->pending), &Action::ends);
      if (lanes)
        end(laneCopies.wait(wait->pending), &Action::endsForLanes);
    } else if (auto *wait = std::get_if<BulkWait>(&op)) {
      end(sources.wait(wait->pending), &Action::ends);
      if (!wait->read)
        end(destinations.wait(wait->pending), &Action::written);
    }
  }
}

/// May `later` overlap with `earlier`, which wrote a cell that it touches, on this pipe?
bool overlaps(const Program &program, Pipe pipe, const Action &earlier, const Action &later,
              bool laterWrites) {
  const Operation &a = earlier.stmt->op, &b = later.stmt->op;
  if (pipe == Pipe::v)
    return program.target == Target::ascend910b;
  if (pipe == Pipe::mte2)
    return std::holds_alternative<Fill>(a) && std::holds_alternative<Copy>(b) && laterWrites;
  auto *mmad = std::get_if<Mmad>(&b);
  if (pipe != Pipe::m || !mmad || laterWrites)
    return false;
  const std::vector<int64_t> &shape = mmad->d.shape;
  return (shape[0] + 15) / 16 * ((shape[1] + 15) / 16) < smallAccumulator;
}

void findHazards(const Program &program, Script &s) {
  std::map<int32_t, int32_t> writer; // cell -> action, since the last barrier of the pipe
  for (int32_t i = 0; i < static_cast<int32_t>(s.actions.size()); ++i) {
    Action &later = s.actions[i];
    if (later.act == Act::pipeBarrier || later.act == Act::allPipes)
      writer.clear();
    for (const Touch &t : later.touches)
      for (int32_t cell : t.cells)
        if (auto w = writer.find(cell);
            w != writer.end() && overlaps(program, s.id.pipe, s.actions[w->second], later, t.write))
          later.hazards.push_back(w->second);
    for (int32_t earlier : later.hazards)
      s.actions[earlier].lingers = true;
    later.lingers |= later.units.handsOver;
    for (const Touch &t : later.touches)
      if (t.write)
        for (int32_t cell : t.cells)
          writer[cell] = i;
  }
}

/// A cell is private when nobody writes it, or one agent alone uses it, by the same lanes, and does
/// so in the order of its program; a tensor's also when one store alone uses it.
void findPrivate(const Program &program, Unrolled &u) {
  struct Use {
    int agent = -1;
    uint64_t lanes = 0; // Touch::lanes
    int64_t touches = 0;
    bool written = false, many = false, unordered = false, onlyStores = true;
  };
  std::vector<Use> uses(u.memory.count());
  auto note = [&](int agent, const Touch &t, bool inOrder, bool store) {
    for (int32_t cell : t.cells) {
      Use &use = uses[cell];
      use.many |= use.agent >= 0 && use.agent != agent;
      use.agent = agent;
      use.written |= t.write;
      use.unordered |= !inOrder || (use.touches > 0 && use.lanes != t.lanes);
      use.lanes = t.lanes;
      use.onlyStores &= store;
      ++use.touches;
    }
  };
  for (size_t i = 0; i < u.scripts.size(); ++i)
    for (const Action &a : u.scripts[i].actions) {
      const bool inOrder = isAscend(program.target) || // a load: registers that st.async reads
                           ((a.act == Act::data || a.act == Act::load) && a.lanes);
      for (const Touch &t : a.touches) // shared memory that a wgmma reads is a matter of proxies
        note(static_cast<int>(i), t, inOrder || (a.act == Act::wgmma && !t.shared),
             a.act == Act::store);
    }
  for (const Load &l : u.loads)
    for (const Touch &t : l.touches)
      note(l.agent, t, false, false);
  u.privateCell.resize(uses.size());
  for (size_t c = 0; c < uses.size(); ++c)
    u.privateCell[c] = !uses[c].written || (!uses[c].many && !uses[c].unordered) ||
                       (uses[c].touches == 1 && uses[c].onlyStores);
}

bool touchesOnlyPrivate(const Unrolled &u, const std::vector<Touch> &touches) {
  return std::all_of(touches.begin(), touches.end(), [&](const Touch &t) {
    return std::all_of(t.cells.begin(), t.cells.end(),
                       [&](int32_t cell) { return u.privateCell[cell]; });
  });
}

int32_t sumOf(const Unrolled &u, const Load &l) {
  return u.scripts[l.agent].actions[l.action].sum;
}
bool isProduct(const Unrolled &u, const Load &l) {
  return sumOf(u, l) >= 0;
}

bool meetInColumns(const Load &a, const Load &b) {
  for (const Touch &x : a.touches)
    for (const Touch &y : b.touches)
      for (size_t w = 0; x.columns && y.columns && (x.write || y.write) && w < x.mask.size(); ++w)
        if (x.mask[w] & y.mask[w])
          return true;
  return false;
}

/// Of what one thread asks of tensor memory, and where they meet: products of a sum land in order,
/// a product behind a copy or a shift, and a shift behind a product (PTX ISA, pipelined
/// instructions); other products, and copies behind both, where that is assumed.
bool landInOrder(const Unrolled &u, const Load &earlier, const Load &later) {
  const std::vector<Action> &actions = u.scripts[later.agent].actions;
  const Action &first = actions[earlier.action], &second = actions[later.action];
  if (arePipelined(first, second))
    return first.sum == second.sum || meetInColumns(earlier, later);
  const bool shifts = std::holds_alternative<TmemShift>(first.stmt->op) ||
                      std::holds_alternative<TmemShift>(second.stmt->op);
  return u.tensorInOrder && !shifts &&
         (std::holds_alternative<TmemCopy>(second.stmt->op) ||
          std::holds_alternative<Tcgen05Mma>(first.stmt->op)) &&
         meetInColumns(earlier, later);
}

/// Of what lands before one, that is left out which something else of it lands behind.
void orderProducts(Unrolled &u) {
  for (int32_t later = 0; later < static_cast<int32_t>(u.loads.size()); ++later) {
    Load &l = u.loads[later];
    if (!isProduct(u, l))
      continue;
    l.after.clear();
    std::set<int32_t> before, sees;
    const std::vector<Action> &actions = u.scripts[l.agent].actions;
    for (int32_t earlier = later; earlier-- > 0;) {
      const Load &e = u.loads[earlier];
      const bool ordered = e.agent == l.agent && isProduct(u, e) && landInOrder(u, e, l);
      if (ordered && arePipelined(actions[e.action], actions[l.action])) {
        sees.insert(earlier);
        sees.insert(e.sees.begin(), e.sees.end());
      }
      if (!ordered || !before.insert(earlier).second)
        continue;
      l.after.push_back(earlier);
      before.insert(e.before.begin(), e.before.end());
    }
    l.before.assign(before.begin(), before.end());
    l.sees.assign(sees.begin(), sees.end());
  }
}

/// Gives numbers to the writes that some other strand may read.
void numberWrites(Unrolled &u) {
  auto number = [&](Touch &t, int agent, int action, bool generic, bool byLanes, int cta) {
    const Action &a = u.scripts[agent].actions[action];
    const bool reads = a.act == Act::lanesMove || (a.act == Act::load && !t.adds);
    const bool noted = t.write || (t.columns && reads);
    if (!noted || touchesOnlyPrivate(u, {t}))
      return;
    for (int part = 0; part < 1 + byLanes; ++part) {
      t.writes[part] = static_cast<int32_t>(u.writes.size());
      u.writes.push_back(
          {agent, action, t.tensor, generic, byLanes, cta, part == 1, t.columns, !t.write});
    }
  };
  for (size_t i = 0; i < u.scripts.size(); ++i)
    for (size_t j = 0; j < u.scripts[i].actions.size(); ++j) {
      Action &a = u.scripts[i].actions[j];
      const bool generic = a.act == Act::data || a.act == Act::copyAsync;
      const bool byLanes = (generic || a.act == Act::lanesMove) && a.lanes;
      for (Touch &t : a.touches)
        number(t, static_cast<int>(i), static_cast<int>(j), generic, byLanes, u.scripts[i].cta);
    }
  for (Load &l : u.loads)
    for (Touch &t : l.touches)
      number(t, l.agent, l.action, l.stored, false, l.cta);
}

/// What an agent does before a relaxed operation lingers on until it releases something. An arrive
/// of the elected lane speaks for the other lanes as well, once they have met.
void findLingering(Script &s) {
  const auto relaxed = [](const Action &a) {
    return a.relaxed && (a.act == Act::clusterArrive || a.act == Act::counterAdd);
  };
  const auto releases = [](const Action &a) {
    return a.act == Act::arrive || a.act == Act::named || a.act == Act::load ||
           ((a.act == Act::clusterArrive || a.act == Act::clusterSync ||
             a.act == Act::counterAdd) &&
            !a.relaxed);
  };
  const bool any = std::any_of(s.actions.begin(), s.actions.end(), relaxed);
  for (int32_t i = 0; i < static_cast<int32_t>(s.actions.size()); ++i) {
    Action &a = s.actions[i];
    if (a.act != Act::data)
      continue;
    bool lingers = false, met = false, ended = false, endedForLanes = false;
    a.ends = a.endsForLanes = i;
    for (int32_t j = i + 1; any && j < static_cast<int32_t>(s.actions.size()); ++j) {
      const Action &later = s.actions[j];
      lingers |= relaxed(later);
      for (const bool lanes : {false, true})
        if (bool &done = lanes ? endedForLanes : ended;
            !done && releases(later) && (!lanes || later.lanes || met)) {
          done = true;
          (lanes ? a.endsForLanes : a.ends) = lingers ? j : i;
        }
      met |= later.joint && later.act != Act::wait && later.act != Act::test &&
             later.act != Act::counterWait;
    }
    if (lingers && !ended)
      a.ends = never;
    if (lingers && !endedForLanes)
      a.endsForLanes = never;
  }
}

void sumCounters(Unrolled &u) {
  u.ownSums.resize(u.counters.size() * u.ctas);
  for (const Script &s : u.scripts)
    for (const Action &a : s.actions)
      if (a.act == Act::counterAdd && a.count > 0)
        u.ownSums[a.objects[0] * u.ctas + s.cta] += a.count * (a.lanes ? 32 : 1);
}

void findRefilled(Unrolled &u) {
  u.refilled.assign(u.memory.count(), false);
  for (const Load &l : u.loads)
    for (const Touch &t : l.touches)
      for (const int32_t cell : t.cells)
        if (t.write && t.shared)
          u.refilled[cell] = true;
}

/// Does any generic write concern the asynchronous proxy?
bool proxiesMatter(const Unrolled &u) {
  if (std::any_of(u.loads.begin(), u.loads.end(), [](const Load &l) { return l.stored; }))
    return true;
  for (const Script &s : u.scripts)
    for (const Action &a : s.actions)
      for (const Touch &t : a.touches)
        if ((a.act == Act::data || a.act == Act::copyAsync) && t.write && t.shared &&
            !touchesOnlyPrivate(u, {t}))
          return true;
  return false;
}

void findQuiet(Unrolled &u, Script &s, bool proxies) {
  const auto size = static_cast<int32_t>(s.actions.size());
  for (int32_t i = 0; i < size; ++i) {
    Action &a = s.actions[i];
    a.quiet = a.act == Act::nothing || a.act == Act::copyWait || a.act == Act::bulkWait ||
              a.act == Act::globalFence || a.act == Act::fenceBefore || a.act == Act::fenceAfter ||
              (a.act == Act::proxyFence && !proxies) ||
              (a.act == Act::data && touchesOnlyPrivate(u, a.touches));
    a.quiet &= a.columnsUse == ColumnsUse::none && !a.units.takes;
    // The last action of an agent is followed by its exit.
    a.quiet &= i + 1 < size && (!a.lanes || s.nextLanes[i + 1] < size);
  }
  for (const Action &a : s.actions)
    if (!touchesOnlyPrivate(u, a.touches))
      for (int32_t end : {a.ends, a.written, a.endsForLanes})
        if (end != never)
          s.actions[end].quiet = false;
}

void findUnderWay(const Unrolled &u, Script &s) {
  const auto size = static_cast<int32_t>(s.actions.size());
  s.underWay.resize(size + 1);
  for (int32_t i = 0; i < size; ++i) {
    const Action &a = s.actions[i];
    const bool lingers = a.act == Act::data && std::max(a.ends, a.endsForLanes) > i &&
                         !touchesOnlyPrivate(u, a.touches);
    if (a.act != Act::wgmma && a.act != Act::store && a.act != Act::copyAsync &&
        a.act != Act::lanesMove && !lingers)
      continue;
    int32_t last = lingers                              ? size
                   : a.act == Act::copyAsync && a.lanes ? std::max(a.ends, a.endsForLanes)
                                                        : a.ends;
    for (const Touch &t : a.touches)
      if (t.tensor && t.write && a.act == Act::store && !touchesOnlyPrivate(u, {t}))
        last = a.written;
    for (int32_t at = i + 1; at <= size && at <= last; ++at)
      s.underWay[at].push_back(i);
  }
}

/// All that other agents can notice of a script; empty when it does what has an own name.
std::string signature(const Unrolled &u, const Script &s) {
  std::string text = std::to_string(s.cta);
  for (const Action &a : s.actions) {
    if (a.act == Act::load || a.act == Act::store || a.act == Act::initialise ||
        a.act == Act::initFence || a.act == Act::copyAsync || a.lingers ||
        a.columnsUse != ColumnsUse::none)
      return {};
    for (int64_t n : {int64_t(a.act), int64_t(a.lanes), int64_t(a.joint), a.count, a.bytes,
                      int64_t(a.scope), int64_t(a.relaxed), int64_t(a.coResident), int64_t(a.token),
                      int64_t(a.ends), int64_t(a.quiet)})
      text += "," + std::to_string(n);
    for (int32_t o : a.objects)
      text += ":" + std::to_string(o);
    for (const Touch &t : a.touches) {
      text += t.shared ? ";s" : ";";
      for (int32_t cell : t.cells)
        if (!u.privateCell[cell]) {
          if (t.write)
            return {};
          text += "." + std::to_string(cell);
        }
    }
  }
  return text;
}

} // namespace

std::string describe(const Stmt &s) {
  const std::string what = std::visit(Namer{}, s.op);
  return s.loc.line ? what + " at " + s.loc.str() : what;
}

std::optional<std::string> unfencedWgmma(const Unrolled &u) {
  for (const Script &s : u.scripts) {
    std::map<int32_t, bool> touched; // registers since the last fence -> written
    bool fenced = false;
    for (const Action &a : s.actions) {
      if (std::holds_alternative<WgmmaFence>(a.stmt->op)) {
        fenced = true;
        touched.clear();
      }
      for (const Touch &t : a.touches)
        for (int32_t cell : t.cells) {
          if (u.memory.memoryOf(cell).kind != MemoryId::registers)
            continue;
          if (a.act == Act::data || a.act == Act::load)
            touched[cell] |= t.write;
          else if (auto at = touched.find(cell);
                   a.act == Act::wgmma && at != touched.end() && (at->second || t.write))
            return describe(*a.stmt) + " of " + s.name + " meets registers without wgmma.fence";
        }
      if (a.act == Act::wgmma && !fenced)
        return describe(*a.stmt) + " of " + s.name + " has no wgmma.fence before it";
    }
  }
  return {};
}

void analyse(const Program &program, Unrolled &u) {
  u.memory.settle();
  for (Load &l : u.loads)
    resolve(u.memory, l.touches);
  orderProducts(u);
  for (Script &s : u.scripts) {
    const auto size = static_cast<int32_t>(s.actions.size());
    s.nextLanes.assign(size + 1, size);
    for (int32_t i = size; i-- > 0;) {
      resolve(u.memory, s.actions[i].touches);
      s.nextLanes[i] = s.actions[i].lanes || s.actions[i].joint ? i : s.nextLanes[i + 1];
    }
    findEnds(s);
    if (isAscend(program.target))
      findHazards(program, s);
  }
  findPrivate(program, u);
  findRefilled(u);
  if (!isAscend(program.target)) {
    numberWrites(u);
    sumCounters(u);
  }
  for (Script &s : u.scripts)
    findLingering(s);
  const bool proxies = proxiesMatter(u);
  std::map<std::string, int> classes;
  for (Script &s : u.scripts) {
    findQuiet(u, s, proxies);
    findUnderWay(u, s);
    if (const std::string alike = signature(u, s); !alike.empty())
      s.symmetry = classes.try_emplace(alike, static_cast<int>(classes.size())).first->second;
  }
}

} // namespace sluice::explorer
