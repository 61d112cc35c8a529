// A cube core of 910B on a host, written from the vendor's public documents: pipes that run
// asynchronously, flags, memories. A kernel is called once and hands every call to the queue of its
// pipe; the queues are then run as often as wanted, each time in another order that the flags
// allow. What they forbid, or the documents' limits, ends with a message (Fault).
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <functional>
#include <map>
#include <random>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace ascendc {

struct Fault : std::runtime_error {
  using std::runtime_error::runtime_error;
};

inline void require(bool holds, const std::string &message) {
  if (!holds)
    throw Fault(message);
}

/// Pipes of the cube core in the order of their priorities.
enum Queue : int { mte2, mte1, m, fix, queues };
inline const char *nameOf(int queue) {
  static const char *const names[] = {"MTE2", "MTE1", "M", "FIX"};
  return names[queue];
}

/// A flag: from pipe, to pipe, id.
using Flag = std::array<int, 3>;
inline std::string textOf(const Flag &flag) {
  return std::string(nameOf(flag[0])) + "_" + nameOf(flag[1]) + " id " + std::to_string(flag[2]);
}

struct Entry {
  enum Kind { work, set, wait, all } kind;
  std::function<void()> run = {}; // work
  Flag flag = {};                 // set, wait
  int number = 0;                 // all: which of the barriers
};

enum Place : int { l1, l0a, l0b, l0c, places };
constexpr int64_t capacities[places] = {512 * 1024, 64 * 1024, 64 * 1024, 128 * 1024};

class Core {
public:
  // ---- The kernel's calls
  void work(int queue, std::function<void()> run) {
    fifo_[queue].push_back({Entry::work, std::move(run)});
  }
  void set(const Flag &flag) { meet({Entry::set, {}, flag}, flag[0]); }
  void wait(const Flag &flag) { meet({Entry::wait, {}, flag}, flag[1]); }
  void barrierOfAll() {
    for (auto &queue : fifo_)
      queue.push_back({Entry::all, {}, {}, barriers_});
    ++barriers_;
    for (int queue = 0; queue < queues; ++queue)
      barrier(queue);
  }
  void note(int queue, const std::string &text) { notes[queue].push_back(text); }

  // ---- What one pipe may overlap
  void barrier(int queue) {
    if (queue == mte2)
      filled_.clear();
    if (queue == m)
      lastSums_ = -1;
  }
  void fills(int64_t begin, int64_t end) { filled_.push_back({begin, end}); }
  void copies(int64_t begin, int64_t end) {
    for (const auto &[from, to] : filled_)
      require(end <= from || to <= begin, "DataCopy writes what a Fill before it may still be "
                                          "writing; PipeBarrier<PIPE_MTE2> is missing");
  }
  /// Mmad into the sums at this address, of so many fractals.
  void multiplies(int64_t sums, int64_t fractals, bool accumulates) {
    require(!accumulates || sums != lastSums_ || fractals >= 10,
            "Mmad adds to sums of fewer than 10 fractals that the Mmad before it may still be "
            "writing; PipeBarrier<PIPE_M> is missing");
    lastSums_ = sums;
  }

  // ---- A run
  /// Every entry of every queue, in an order that `seed` chooses: the first 24 prefer one pipe to
  /// another throughout, the others draw.
  void play(unsigned seed) {
    for (int p = 0; p < places; ++p) // not a number, of whatever type
      memory[p].assign(capacities[p], 0xff);
    std::array<size_t, queues> next{};
    std::set<Flag> up;
    std::array<int, queues> order{mte2, mte1, m, fix};
    for (unsigned i = 0; i < seed % 24; ++i)
      std::next_permutation(order.begin(), order.end());
    std::mt19937 random(seed);
    while (true) {
      if (seed >= 24)
        std::shuffle(order.begin(), order.end(), random);
      const auto ready =
          std::find_if(order.begin(), order.end(), [&](int q) { return isReady(q, next, up); });
      if (ready == order.end())
        break;
      step(*ready, next, up);
    }
    finish(next, up);
  }

  std::array<std::vector<std::string>, queues> notes;
  std::array<std::vector<uint8_t>, places> memory;
  std::set<Flag> dropped; // flags whose calls are left out

private:
  void meet(Entry entry, int queue) {
    const Flag flag = entry.flag;
    require(flag[2] >= 0 && flag[2] <= 5,
            "flag " + textOf(flag) + ": static-tensor mode has ids 0 to 5");
    if (dropped.count(flag))
      return;
    note(queue, (entry.kind == Entry::set ? "set " : "wait ") + textOf(flag));
    fifo_[queue].push_back(std::move(entry));
  }
  bool isReady(int queue, const std::array<size_t, queues> &next, const std::set<Flag> &up) const {
    if (next[queue] == fifo_[queue].size())
      return false;
    const Entry &entry = fifo_[queue][next[queue]];
    if (entry.kind == Entry::wait)
      return up.count(entry.flag) != 0;
    for (int q = 0; entry.kind == Entry::all && q < queues; ++q) {
      const Entry *other = next[q] < fifo_[q].size() ? &fifo_[q][next[q]] : nullptr;
      if (!other || other->kind != Entry::all || other->number != entry.number)
        return false;
    }
    return true;
  }
  void step(int queue, std::array<size_t, queues> &next, std::set<Flag> &up) {
    const Entry &entry = fifo_[queue][next[queue]];
    if (entry.kind == Entry::all) {
      for (size_t &n : next)
        ++n;
      return;
    }
    ++next[queue];
    if (entry.kind == Entry::work)
      entry.run();
    else if (entry.kind == Entry::wait)
      up.erase(entry.flag);
    else
      require(up.insert(entry.flag).second,
              "flag " + textOf(entry.flag) + " is set again before a wait took it");
  }
  void finish(const std::array<size_t, queues> &next, const std::set<Flag> &up) const {
    std::string waiting;
    for (int q = 0; q < queues; ++q)
      if (next[q] < fifo_[q].size()) {
        const Entry &entry = fifo_[q][next[q]];
        waiting += std::string(waiting.empty() ? "" : ", ") + nameOf(q) +
                   (entry.kind == Entry::all ? " at a barrier of all pipes"
                                             : " waits for flag " + textOf(entry.flag));
      }
    require(waiting.empty(), "deadlock: " + waiting);
    require(up.empty(),
            up.empty() ? "" : "flag " + textOf(*up.begin()) + " is still set at the end");
  }

  std::array<std::vector<Entry>, queues> fifo_;
  int barriers_ = 0;
  std::vector<std::pair<int64_t, int64_t>> filled_; // bytes of L1, since the last barrier of MTE2
  int64_t lastSums_ = -1;                           // address of the last Mmad's, since one of M
};

/// Memory that the kernel's arguments name.
struct Region {
  const uint8_t *begin, *end;
};

/// The call in hand: which block of how many, on what.
struct Call {
  Core *core = nullptr;
  int64_t block = 0, blocks = 1;
  std::vector<Region> regions;
};
inline Call &call() {
  static Call now;
  return now;
}
inline Core &core() {
  return *call().core;
}

inline void checkGlobal(const void *at, int64_t bytes, const char *what) {
  const auto *begin = static_cast<const uint8_t *>(at);
  for (const Region &r : call().regions)
    if (begin >= r.begin && begin + bytes <= r.end)
      return;
  throw Fault(std::string(what) + " touches global memory outside of every tensor");
}

/// A field of the vendor's structures: what does not fit its type is an error, and not cut off.
template <typename T> class Field {
public:
  Field(int64_t value = 0) : value_(static_cast<T>(value)) {
    require(int64_t(value_) == value, "a field of " + std::to_string(8 * sizeof(T)) +
                                          " bits is given " + std::to_string(value));
  }
  operator int64_t() const { return value_; }

private:
  T value_;
};

inline void within(int64_t value, int64_t least, int64_t most, const std::string &what) {
  require(value >= least && value <= most, what + " is " + std::to_string(value) + ", not " +
                                               std::to_string(least) + " to " +
                                               std::to_string(most));
}

} // namespace ascendc
