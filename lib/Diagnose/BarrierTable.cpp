#include "Diagnose/BarrierTable.h"

#include "Program/Agent.h"
#include "Program/AscendCores.h"
#include "Program/OperationFacts.h"
#include "Program/OperationText.h"
#include "Program/Watchers.h"
#include "Support/Json.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <tuple>

namespace sluice {
namespace {

/// Who does something to a barrier, before it becomes text.
struct Users {
  std::map<std::string, std::set<int>> warps; // role -> warps; pipes: name -> nothing
};

struct Entry {
  BarrierRow row;
  Users arrives, waits;
  // Bytes that a warp of the cluster announces, by place in the source: copies of a statement, as
  // where loads are issued ahead, announce in turn. By statement where the place is unknown.
  std::map<std::tuple<int, std::string, const Stmt *>, int64_t> expects;
  int64_t announced = 0; // arrivals with bytes, at all places
};

/// "mma warps 0-3", "load warp 4"; gaps split a range.
std::vector<std::string> text(const Users &users) {
  std::vector<std::string> list;
  for (const auto &[role, warps] : users.warps) {
    if (warps.empty()) {
      list.push_back(role);
      continue;
    }
    for (auto it = warps.begin(); it != warps.end();) {
      const int first = *it;
      int last = first;
      while (++it != warps.end() && *it == last + 1)
        last = *it;
      list.push_back(role + (role.empty() ? "" : " ") +
                     (first == last
                          ? "warp " + std::to_string(first)
                          : "warps " + std::to_string(first) + "-" + std::to_string(last)));
    }
  }
  return list;
}

class Collector {
public:
  Collector(const Program &program, const Launch &launch) : program_(program), launch_(launch) {}

  std::vector<BarrierRow> rows() {
    if (isAscend(program_.target))
      for (const AgentId &id : ascendPipes(program_))
        follow(id, 0);
    else
      for (int64_t rank = 0; rank < ranks(); ++rank)
        for (int warp = 0; warp < program_.warps; ++warp) {
          AgentId id;
          id.cta = {rank % program_.cluster[0], rank / program_.cluster[0] % program_.cluster[1],
                    rank / program_.cluster[0] / program_.cluster[1]};
          id.warp = warp;
          follow(id, static_cast<int>(rank));
        }
    std::vector<BarrierRow> rows;
    for (auto &[key, e] : entries_) {
      e.row.bytes = bytesOf(e);
      e.row.arrives = text(e.arrives);
      e.row.waits = text(e.waits);
      rows.push_back(std::move(e.row));
    }
    return rows;
  }

private:
  /// Of a phase. Where a warp announces at more places than a phase has arrivals, as for a ring
  /// that is filled in two loops, each place has phases of its own.
  static int64_t bytesOf(const Entry &e) {
    std::map<int, int64_t> most;
    int64_t all = 0;
    for (const auto &[who, bytes] : e.expects) {
      all += bytes;
      most[std::get<int>(who)] = std::max(most[std::get<int>(who)], bytes);
    }
    if (e.announced <= e.row.count)
      return all;
    return std::accumulate(most.begin(), most.end(), int64_t(0),
                           [](int64_t sum, const auto &warp) { return sum + warp.second; });
  }

  using Key = std::tuple<int, int64_t, std::string, int64_t>; // kind, object, text, index

  int64_t ranks() const { return program_.cluster[0] * program_.cluster[1] * program_.cluster[2]; }

  void follow(const AgentId &id, int cta) {
    constexpr int most = 20000; // operations; every slot has been used long before
    Agent agent(program_, launch_, id);
    for (int i = 0; i < most && agent.current(); ++i, agent.advance()) {
      if (!onlyWatches(*agent.current(), id.pipe))
        note(agent, *agent.current(), cta);
    }
  }

  /// The barrier, when `ref` names one of CTA 0 of the cluster: the others look the same.
  Entry *entry(const Agent &agent, const MbarrierRef &ref, int cta, int64_t mask = 0) {
    const int64_t target = ref.remote ? agent.value(*ref.remote) : cta;
    if (mask ? !(mask & 1) : target != 0)
      return nullptr;
    const int64_t slot = agent.value(ref.slot);
    const Mbarrier &object = program_.mbarriers[ref.object];
    if (slot < 0 || slot >= object.slots)
      return nullptr;
    Entry &e = entries_[{0, ref.object, "", slot}];
    e.row.name = object.name;
    e.row.isMbarrier = true;
    e.row.index = slot;
    return &e;
  }

  void add(Users &users, const Agent &agent, int cta, const std::string &prefix = "") {
    std::string role = prefix;
    if (isAscend(program_.target)) {
      users.warps[role + "pipe " + std::string(name(agent.id().pipe)) + " of " + agent.id().core];
      return;
    }
    if (agent.role())
      role += agent.role()->name;
    else if (!role.empty())
      role.pop_back();
    if (cta != 0)
      role = "CTA rank " + std::to_string(cta) + " " + role;
    users.warps[role].insert(agent.id().warp);
  }

  void note(const Agent &a, const Stmt &s, int cta) {
    const OperationFacts facts = factsOf(s.op);
    if (facts.barrier.kind == BarrierDeed::init)
      initialise(a, facts.barrier, cta);
    else if (facts.barrier.signals())
      signal(a, s, facts.barrier, cta);
    else if (facts.barrier.waits())
      addTo(entry(a, *facts.barrier.barrier, cta), &Entry::waits, a, cta);
    else if (const FlagDeed &deed = facts.flag; deed.mutex)
      addTo(&mutex(a, a.value(*deed.id)),
            deed.kind == FlagDeed::wait ? &Entry::waits : &Entry::arrives, a, cta);
    else if (deed.kind != FlagDeed::none)
      addTo(deed.cross ? &cross(a.value(*deed.id))
                       : &flag(a, deed.source, deed.destination, a.value(*deed.id)),
            deed.kind == FlagDeed::wait ? &Entry::waits : &Entry::arrives, a, cta);
    else if (auto *named = std::get_if<NamedBarrier>(&s.op); named && cta == 0)
      meet(a, *named, cta);
  }

  void initialise(const Agent &a, const BarrierDeed &deed, int cta) {
    const int64_t slots = deed.wholeArray ? program_.mbarriers[deed.barrier->object].slots : 1;
    for (int64_t i = 0; i < slots; ++i) {
      MbarrierRef ref = *deed.barrier;
      if (deed.wholeArray)
        ref.slot = {kNone, i};
      if (Entry *e = entry(a, ref, cta))
        e->row.count = deed.count;
    }
  }

  void signal(const Agent &a, const Stmt &s, const BarrierDeed &deed, int cta) {
    Entry *e = entry(a, *deed.barrier, cta, deed.multicast);
    if (deed.announces && deed.count > 0)
      announce(a, s, e, *deed.announces, cta);
    else if (deed.announces && e)
      expects(*e, a, s, cta) = a.value(*deed.announces);
    else
      addTo(e, &Entry::arrives, a, cta, asynchronous(s.op));
  }

  /// Whose work arrives: nothing where the agent itself does.
  static std::string asynchronous(const Operation &op) {
    if (auto *load = std::get_if<TmaLoad>(&op))
      return load->cache == CachePolicy::normal ? "TMA of "
                                                : "TMA " + std::string(name(load->cache)) + " of ";
    return std::holds_alternative<CpAsyncArrive>(op)  ? "cp.async of "
           : std::holds_alternative<RemoteCopy>(op)   ? "remote copy of "
           : std::holds_alternative<ClcTryCancel>(op) ? "response to "
                                                      : "";
  }

  void meet(const Agent &a, const NamedBarrier &named, int cta) {
    const int64_t id = a.value(named.id);
    Entry &e = entries_[{1, 0, "", id}];
    e.row.name = "named";
    e.row.index = id;
    e.row.count = named.threads;
    add(e.arrives, a, cta);
    if (!named.arriveOnly)
      add(e.waits, a, cta);
  }

  void addTo(Entry *e, Users Entry::*users, const Agent &agent, int cta,
             const std::string &prefix = "") {
    if (e)
      add(e->*users, agent, cta, prefix);
  }

  void announce(const Agent &a, const Stmt &s, Entry *e, const Index &bytes, int cta) {
    if (!e)
      return;
    add(e->arrives, a, cta);
    int64_t &expected = expects(*e, a, s, cta);
    e->announced += expected == 0;
    expected = std::max(expected, a.value(bytes)); // one statement may stand for several uses
  }

  int64_t &expects(Entry &e, const Agent &a, const Stmt &s, int cta) const {
    return e.expects[{cta * program_.warps + a.id().warp, s.loc.str(), s.loc.line ? nullptr : &s}];
  }

  Entry &flag(const Agent &a, Pipe source, Pipe destination, int64_t id) {
    const std::string pair = std::string(name(source)) + "->" + std::string(name(destination));
    Entry &e = entries_[{2, 0, a.id().core + pair, id}];
    e.row.name = pair;
    e.row.index = id;
    e.row.count = 1;
    return e;
  }

  Entry &cross(int64_t id) {
    Entry &e = entries_[{3, 0, "", id}];
    e.row.name = "cross-core";
    e.row.index = id;
    e.row.count = 1;
    return e;
  }

  Entry &mutex(const Agent &agent, int64_t id) {
    Entry &e = entries_[{4, 0, agent.id().core, id}];
    e.row.name = "mutex of " + agent.id().core;
    e.row.index = id;
    e.row.count = 1;
    return e;
  }

  const Program &program_;
  const Launch &launch_;
  std::map<Key, Entry> entries_;
};

std::string joined(const std::vector<std::string> &list) {
  std::string text;
  for (const std::string &s : list)
    text += (text.empty() ? "" : ", ") + s;
  return text;
}

} // namespace

std::vector<BarrierRow> barrierTable(const Program &program, const Launch &launch) {
  return Collector(program, launch).rows();
}

void nameBarriers(std::vector<BarrierRow> &rows,
                  const std::map<std::string, std::vector<std::string>> &names) {
  int64_t place = 0;
  for (BarrierRow &row : rows) {
    if (names.empty() || !row.isMbarrier)
      continue;
    if (const auto own = names.find(row.name); own != names.end())
      row.name = own->second.at(size_t(row.index));
    row.index = place++;
  }
}

std::string barrierTableJson(const std::vector<BarrierRow> &rows, const MoreMembers &more) {
  JsonWriter json;
  json.beginArray();
  for (const BarrierRow &r : rows) {
    json.beginObject().member("name", r.name).member("index", r.index).member("count", r.count);
    json.member("bytes", r.bytes).member("arrives", r.arrives).member("waits", r.waits);
    if (more)
      more(json);
    json.endObject();
  }
  return json.endArray().str();
}

std::string barrierTableText(const std::vector<BarrierRow> &rows) {
  std::vector<std::vector<std::string>> cells{
      {"name", "index", "count", "bytes", "arrives", "waits"}};
  for (const BarrierRow &r : rows)
    cells.push_back({r.name, std::to_string(r.index), std::to_string(r.count),
                     std::to_string(r.bytes), joined(r.arrives), joined(r.waits)});
  std::vector<size_t> width(6, 0);
  for (const auto &line : cells)
    for (size_t i = 0; i < line.size(); ++i)
      width[i] = std::max(width[i], line[i].size());
  std::string text;
  for (const auto &line : cells) {
    for (size_t i = 0; i < line.size(); ++i) {
      const std::string padding(width[i] - line[i].size(), ' ');
      const bool number = i >= 1 && i <= 3;
      text += number ? padding + line[i] : i == 5 ? line[i] : line[i] + padding;
      text += i == 5 ? "" : "  ";
    }
    text += '\n';
  }
  return text;
}

} // namespace sluice
