// Cores of 910B on a host, written from the vendor's public documents: pipes that run
// asynchronously, flags, memories. A kernel is called once for each core and hands every call to
// the queue of its pipe; the queues are then run as often as wanted, each time in another order
// that the flags allow. What they forbid, or the documents' limits, ends with a message (Fault).
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
inline void require(bool holds, const char *message) {
  if (!holds)
    throw Fault(message);
}

/// Pipes: those of the cube core in the order of their priorities, then the vector cores' own.
enum Queue : int { mte2, mte1, m, fix, v, mte3, queues };
inline const char *nameOf(int queue) {
  static const char *const names[] = {"MTE2", "MTE1", "M", "FIX", "V", "MTE3"};
  return names[queue];
}

/// A flag: from pipe, to pipe, id. Between cores both pipes are `queues`.
using Flag = std::array<int, 3>;
inline std::string textOf(const Flag &flag) {
  if (flag[0] == queues)
    return "between cores id " + std::to_string(flag[2]);
  return std::string(nameOf(flag[0])) + "_" + nameOf(flag[1]) + " id " + std::to_string(flag[2]);
}

struct Entry {
  enum Kind { work, set, wait, barrier, all, tell } kind;
  std::function<void()> run = {};   // work
  std::function<bool()> ready = {}; // work: what it waits for; none: nothing
  Flag flag = {};                   // set, wait, tell (another core)
  int number = 0;                   // all: which of the barriers
  bool ofAll = false;               // tell: all cores of the kind
  int behind = 0;                   // waits for other cores in front of it, which hold up all pipes
};

enum Place : int { l1, l0a, l0b, l0c, ub, places };
constexpr int64_t capacities[places] = {512 * 1024, 64 * 1024, 64 * 1024, 128 * 1024, 192 * 1024};

/// Who has a unit of L0C: M, which may have begun to sum up in it with unitFlag 2, or FIX.
enum class Owner : uint8_t { m, open, fix };
constexpr int64_t unitBytes = 512;

class Core {
public:
  Core(bool isCube, int64_t block, int64_t half) : isCube(isCube), block(block), half(half) {}

  bool has(int queue) const { return isCube ? queue <= fix : queue == mte2 || queue >= v; }

  // ---- The kernel's calls
  void work(int queue, std::function<void()> run, std::function<bool()> ready = {}) {
    require(has(queue), std::string(nameOf(queue)) + " is no pipe of a " +
                            (isCube ? "cube" : "vector") + " core");
    push(queue, {Entry::work, std::move(run), std::move(ready)});
  }
  void set(const Flag &flag) { meet({Entry::set, {}, {}, flag}, flag[0]); }
  void wait(const Flag &flag) { meet({Entry::wait, {}, {}, flag}, flag[1]); }
  /// `ofAll`: the cores of its kind have each to tell before any of them hears (mode 0).
  void tell(int queue, int id, bool ofAll = false) {
    const Flag flag = {queues, queues, id};
    require(id >= 0 && id <= 10, "flag " + textOf(flag) + ": there are ids 0 to 10");
    if (dropped.count(flag))
      return;
    note(queue, (ofAll ? "tell all " : "tell ") + std::to_string(id));
    push(queue, {Entry::tell, {}, {}, flag, 0, ofAll});
    meetsAll |= ofAll;
  }
  /// By the scalar unit: what follows in the text is not handed to any pipe before.
  void hear(int id) {
    if (dropped.count({queues, queues, id}))
      return;
    for (int queue = 0; queue < queues; ++queue)
      if (has(queue))
        note(queue, "hear " + std::to_string(id));
    heard.push_back(id);
  }
  void barrierOfAll() {
    for (int queue = 0; queue < queues; ++queue)
      if (has(queue)) {
        note(queue, "barrier ALL");
        fifo[queue].push_back({Entry::all, {}, {}, {}, barriers_, false, int(heard.size())});
      }
    ++barriers_;
    filled_.clear();
    lastSums_ = -1;
  }
  void note(int queue, const std::string &text) { notes[queue].push_back(text); }

  // ---- What one pipe may overlap
  void barrier(int queue) {
    if (queue == mte2)
      filled_.clear();
    if (queue == m) {
      note(m, "barrier M");
      lastSums_ = -1;
    }
    if (queue == v) {
      note(v, "barrier V");
      push(v, {Entry::barrier});
    }
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

  // ---- Units of L0C, while the queues run
  bool are(int64_t begin, int64_t end, bool ofFix) const {
    for (int64_t u = begin / unitBytes; u * unitBytes < end; ++u)
      if ((units[u] == Owner::fix) != ofFix)
        return false;
    return true;
  }
  void give(int64_t begin, int64_t end, Owner to) {
    for (int64_t u = begin / unitBytes; u * unitBytes < end; ++u)
      units[u] = to;
  }
  /// A call without unitFlag.
  void touches(int64_t begin, int64_t end, const char *call) const {
    for (int64_t u = begin / unitBytes; u * unitBytes < end; ++u)
      require(units[u] == Owner::m, std::string(call) + " without unitFlag meets sums with it");
  }

  const bool isCube;
  const int64_t block, half; // what GetBlockIdx and GetSubBlockIdx say
  std::array<std::vector<Entry>, queues> fifo;
  bool meetsAll = false;  // it tells all cores of its kind
  std::vector<int> heard; // ids that it waits for, in the order of the text
  std::array<std::vector<std::string>, queues> notes;
  std::array<std::vector<uint8_t>, places> memory;
  std::vector<Owner> units; // of L0C, 512 bytes each
  bool rowMajor = false;    // SetMMRowMajor
  std::set<Flag> dropped;   // flags whose calls are left out

private:
  void push(int queue, Entry entry) {
    entry.behind = int(heard.size());
    fifo[queue].push_back(std::move(entry));
  }
  void meet(Entry entry, int queue) {
    const Flag flag = entry.flag;
    require(flag[2] >= 0 && flag[2] <= 5,
            "flag " + textOf(flag) + ": static-tensor mode has ids 0 to 5");
    if (dropped.count(flag))
      return;
    note(queue, (entry.kind == Entry::set ? "set " : "wait ") + textOf(flag));
    push(queue, std::move(entry));
  }

  int barriers_ = 0;
  std::vector<std::pair<int64_t, int64_t>> filled_; // bytes of L1, since the last barrier of MTE2
  int64_t lastSums_ = -1;                           // address of the last Mmad's, since one of M
};

/// Memory that the kernel's arguments name.
struct Region {
  const uint8_t *begin, *end;
};

enum Kind : int { cubes, vectors, mixed };

/// The call in hand: which core, of a grid of how many blocks, on what.
struct Call {
  Core *core = nullptr;
  int64_t blocks = 1;
  std::vector<Region> regions;
  bool asksForKind = false; // the kernel says which cores it has, and ends there
  Kind kind = cubes;
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
  [[gnu::noinline]] Field(int64_t value = 0) : value_(static_cast<T>(value)) {
    require(int64_t(value_) == value, "a field of " + std::to_string(8 * sizeof(T)) +
                                          " bits is given " + std::to_string(value));
  }
  operator int64_t() const { return value_; }

private:
  T value_;
};

[[gnu::noinline]] inline void within(int64_t value, int64_t least, int64_t most,
                                     const std::string &what) {
  require(value >= least && value <= most, what + " is " + std::to_string(value) + ", not " +
                                               std::to_string(least) + " to " +
                                               std::to_string(most));
}

} // namespace ascendc
