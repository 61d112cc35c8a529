// One run of the queues of cores that belong together: a cube core, a vector core, or a cube core
// with its two vector cores; all cores of a launch that meet.
#pragma once

#include "model.h"

#include <memory>

namespace ascendc {

/// Every entry of every queue, in an order that `seed` chooses: the first 24 prefer one pipe to
/// another throughout, the others draw. Instructions of V that no barrier and no flag keeps apart
/// overlap: in half of the orders they take place last to first.
class Play {
public:
  Play(std::vector<Core *> cores, unsigned seed)
      : cores_(std::move(cores)), seed_(seed), random_(seed), states_(cores_.size()) {}

  void run() {
    for (Core *core : cores_)
      for (int p = 0; p < places; ++p) // not a number, of whatever type
        if ((p == ub) != core->isCube)
          core->memory[p].assign(capacities[p], 0xff);
    for (Core *core : cores_)
      core->units.assign(capacities[l0c] / unitBytes, Owner::m);
    std::vector<Actor> order = actors();
    while (true) {
      if (seed_ >= 24)
        std::shuffle(order.begin(), order.end(), random_);
      const auto ready =
          std::find_if(order.begin(), order.end(), [this](const Actor &a) { return isReady(a); });
      if (ready == order.end())
        break;
      step(*ready);
    }
    for (size_t c = 0; c < cores_.size(); ++c)
      flush(c);
    finish();
  }

private:
  static constexpr int scalar = queues; // who waits for other cores
  struct Actor {
    size_t core;
    int queue;
  };
  struct State {
    std::array<size_t, queues> next{};
    std::set<Flag> up;
    size_t heard = 0;
    std::vector<const Entry *> overlapping; // of V
    std::map<int, std::array<int, 2>> told; // id: by the one or the two cores of the other kind
    std::map<int, int> toldAll;             // id: how often it has told all of its own
  };

  std::vector<Actor> actors() {
    std::array<int, 4> cube{mte2, mte1, m, fix};
    std::array<int, 3> vector{mte2, v, mte3};
    for (unsigned i = 0; i < seed_ % 24; ++i)
      std::next_permutation(cube.begin(), cube.end());
    std::sort(vector.begin(), vector.end());
    for (unsigned i = 0; i < seed_ % 6; ++i)
      std::next_permutation(vector.begin(), vector.end());
    std::vector<Actor> all;
    for (size_t i = 0; i < cores_.size(); ++i) {
      const size_t c = seed_ % 2 ? cores_.size() - 1 - i : i;
      all.push_back({c, scalar});
      if (cores_[c]->isCube)
        for (const int queue : cube)
          all.push_back({c, queue});
      else
        for (const int queue : vector)
          all.push_back({c, queue});
    }
    return all;
  }
  const Entry *nextOf(const Actor &a) const {
    const auto &fifo = cores_[a.core]->fifo[a.queue];
    const size_t next = states_[a.core].next[a.queue];
    return next < fifo.size() ? &fifo[next] : nullptr;
  }
  bool isReady(const Actor &a) const {
    const State &state = states_[a.core];
    if (a.queue == scalar)
      return hears(a.core);
    const Entry *entry = nextOf(a);
    if (!entry || entry->behind > int(state.heard))
      return false;
    if (entry->kind == Entry::wait)
      return state.up.count(entry->flag) != 0;
    if (entry->ready) {
      call().core = cores_[a.core];
      return entry->ready();
    }
    for (int q = 0; entry->kind == Entry::all && q < queues; ++q) {
      if (!cores_[a.core]->has(q))
        continue;
      const Entry *other = nextOf({a.core, q});
      if (!other || other->kind != Entry::all || other->number != entry->number)
        return false;
    }
    return true;
  }
  /// The scalar unit waits where it has handed over all that stands in front; those of a cube core
  /// for both vector cores.
  bool hears(size_t core) const {
    const State &state = states_[core];
    if (state.heard == cores_[core]->heard.size())
      return false;
    const auto told = state.told.find(cores_[core]->heard[state.heard]);
    return told != state.told.end() && told->second[0] > 0 &&
           (!cores_[core]->isCube || told->second[1] > 0);
  }
  void step(const Actor &a) {
    State &state = states_[a.core];
    call().core = cores_[a.core];
    if (a.queue == scalar) {
      auto &told = state.told[cores_[a.core]->heard[state.heard++]];
      --told[0];
      told[1] -= cores_[a.core]->isCube;
      return;
    }
    const Entry &entry = *nextOf(a);
    if (entry.kind == Entry::all) {
      flush(a.core);
      for (size_t &n : state.next)
        ++n;
      return;
    }
    ++state.next[a.queue];
    if (entry.kind == Entry::wait) {
      state.up.erase(entry.flag);
    } else if (entry.kind == Entry::work && a.queue == v) {
      state.overlapping.push_back(&entry);
      if (!overlaps())
        flush(a.core);
    } else if (entry.kind == Entry::work) {
      entry.run();
    } else {
      if (a.queue == v)
        flush(a.core);
      if (entry.kind == Entry::tell && entry.ofAll)
        tellAll(a.core, entry.flag[2]);
      else if (entry.kind == Entry::tell)
        tell(a.core, entry.flag[2]);
      else if (entry.kind == Entry::set)
        require(state.up.insert(entry.flag).second,
                "flag " + textOf(entry.flag) + " is set again before a wait took it");
    }
  }
  bool overlaps() { return seed_ < 24 ? seed_ / 6 % 2 == 1 : random_() % 2 == 1; }
  void flush(size_t core) {
    call().core = cores_[core];
    auto &overlapping = states_[core].overlapping;
    for (; !overlapping.empty(); overlapping.pop_back())
      overlapping.back()->run();
  }
  int64_t blockOf(size_t core) const {
    return cores_[core]->block / (cores_[core]->isCube ? 1 : 2);
  }
  /// A cube core tells both of its vector cores.
  void tell(size_t from, int id) {
    for (size_t to = 0; to < cores_.size(); ++to)
      if (cores_[to]->isCube != cores_[from]->isCube && blockOf(to) == blockOf(from))
        tellOne(to, id, cores_[from]->isCube ? 0 : cores_[from]->half);
  }
  void tellOne(size_t to, int id, int64_t by) {
    require(++states_[to].told[id][by] <= 15,
            "flag " + textOf({queues, queues, id}) + " is set 16 times before a wait took one");
  }
  /// The last of its kind to tell lets each of them hear.
  void tellAll(size_t from, int id) {
    const int before = toldByAll(from, id);
    ++states_[from].toldAll[id];
    for (size_t to = 0; toldByAll(from, id) > before && to < cores_.size(); ++to)
      if (cores_[to]->isCube == cores_[from]->isCube)
        for (int64_t by = 0; by < (cores_[to]->isCube ? 2 : 1); ++by)
          tellOne(to, id, by);
  }
  /// How often all cores of the kind have told all.
  int toldByAll(size_t like, int id) {
    int least = states_[like].toldAll[id];
    for (size_t c = 0; c < cores_.size(); ++c)
      if (cores_[c]->isCube == cores_[like]->isCube)
        least = std::min(least, states_[c].toldAll[id]);
    return least;
  }
  void finish() const {
    std::string waiting;
    const auto add = [&](const std::string &text) {
      waiting += (waiting.empty() ? "" : ", ") + text;
    };
    for (size_t c = 0; c < cores_.size(); ++c) {
      if (states_[c].heard < cores_[c]->heard.size())
        add("a core waits for flag " +
            textOf({queues, queues, cores_[c]->heard[states_[c].heard]}));
      for (int q = 0; q < queues; ++q)
        if (const Entry *entry = nextOf({c, q}); entry && entry->behind <= int(states_[c].heard))
          add(std::string(nameOf(q)) + (entry->kind == Entry::all ? " at a barrier of all pipes"
                                        : entry->ready            ? " waits for units of L0C"
                                                       : " waits for flag " + textOf(entry->flag)));
    }
    require(waiting.empty(), "deadlock: " + waiting);
    for (const Core *core : cores_)
      require(core->are(0, capacities[l0c], false), "units of L0C are left with FIX at the end");
    for (const State &state : states_) {
      require(state.up.empty(),
              state.up.empty() ? ""
                               : "flag " + textOf(*state.up.begin()) + " is still set at the end");
      for (const auto &[id, told] : state.told)
        require(told[0] == 0 && told[1] == 0,
                "flag " + textOf({queues, queues, id}) + " is still set at the end");
    }
  }

  std::vector<Core *> cores_;
  unsigned seed_;
  std::mt19937 random_;
  std::vector<State> states_;
};

} // namespace ascendc
