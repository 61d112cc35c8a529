// The middle level: roles that run concurrently, and pipelines between them.
//
//   Buffer a = k.shared(f16, {128, 64}, "a"), b = k.shared(f16, {64, 128}, "b");
//   Pipeline ring = k.pipeline("ring", stages(4), {a, b});
//   k.role("load", warps(1), [&] {
//     Producer to = ring.producer();
//     k.loop(steps, "k", [&](Index t) {
//       to.acquire();
//       k.load(A.at({row, t * 64}), a[to]);
//       k.load(B.at({t * 64, col}), b[to]);
//       to.commit();
//       to.advance();
//     });
//   });
//   k.role("math", warps(8), [&] {
//     Consumer from = ring.consumer();
//     ... from.wait(); k.mma(acc, a[from], b[from]); from.release(); from.advance(); ...
//   });
//
// Who takes part follows from who uses an end; counts, bytes, masks, fences and phases follow from
// what is moved. docs/pipelines.md sets each beside the class of CUTLASS that has its name.
#pragma once

#include "sluice/Options.h"
#include "sluice/Tile.h"

#include <optional>
#include <string>
#include <vector>

namespace sluice::lang {

class KernelBuilder;

using sluice::Pipe;
using sluice::Space;

/// What runs a role on an Ascend machine: the cube core, or both vector cores beside it. A core
/// runs one stream, of which each of its pipes takes its own operations, in order.
enum class Core : uint8_t { cube, vector };

/// How many warps a role has, and how many registers each thread of them (setmaxnreg; 0: as the
/// compiler allots). Which warps of the CTA they are follows: whole warpgroups come first. With
/// leader() the role is of the first CTA of each cluster alone.
struct Warps {
  int64_t count;
  int64_t each = 0;
  bool leads = false;
  Warps registers(int64_t perThread) const { return {count, perThread, leads}; }
  Warps leader() const { return {count, each, true}; }
};
inline Warps warps(int64_t count) {
  return {count};
}

struct BufferOptions {
  int minor = 1; // the contiguous dimension, that of the tensor that is loaded or stored
  /// It begins where this one does, in the same memory: that nobody needs the one while the other
  /// is used is proven, or refused.
  std::optional<Tile> over = {};
};

/// Whose arrivals are counted where threads or products signal: of the warps of a warpgroup, and of
/// those of a role, one does so when all have met.
enum class Arrive : uint8_t { thread, warp, warpgroup, one };

/// What an author may say of a pipeline beside who uses it. docs/pipelines.md shows each.
struct RingOptions {
  bool full = true, empty = true; // false: that side has no barrier; the order is found elsewhere
  int64_t primed = 0;     // slots that start full, the first ones; producers begin behind them
  int64_t first = -1;     // slots behind these that start empty; the others start with the
                          // consumers, who release them first. -1: all
  std::string merge = {}; // a pipeline declared before: the full sides are one barrier
  Arrive arrive = Arrive::warp;
  bool leader = false; // the barriers are on the leader CTA, whose roles wait for every CTA
  int64_t peer = 0;    // producers fill the slots of the CTA so many ranks further on around the
                       // cluster; 0: their own
  int64_t partner = 0; // or of the CTA whose rank differs in these bits
  int along = -1;      // peer and partner are of this coordinate in the cluster; -1: of the rank
  /// What `sluice barriers` calls them, a name for each slot; none: the pipeline's.
  std::vector<std::string> fullNames = {}, emptyNames = {};
};

namespace detail {
enum class Kind : int; // who fills a pipeline and takes from it: lib/Language/Roles.h

/// What a role has of a ring. It is a value: a copy stays what it is while the other goes on. Loops
/// and branches carry it.
class Carried {
public:
  Carried(Recorder *owner, int ring, int cursor) : owner_(owner), ring_(ring), cursor_(cursor) {}
  Carried(const Carried &other);
  Carried &operator=(const Carried &other);
  ~Carried() = default;

  Recorder *owner() const { return owner_; }
  int ring() const { return ring_; }
  int cursor() const { return cursor_; }

private:
  Recorder *owner_;
  int ring_, cursor_; // negative: a mistake that is recorded already
};

/// Where a role stands in a ring: slot and phase; on Ascend, one of its pipes.
class End : public Carried {
public:
  End(Recorder *owner, int ring, int cursor, Pipe pipe = Pipe::none)
      : Carried(owner, ring, cursor), pipe_(pipe) {}
  Pipe pipe() const { return pipe_; }

  /// One slot on, or several; never back.
  void advance(Index slots = 1, SourceLocation at = SourceLocation::current());

private:
  Pipe pipe_;
};

/// An end and the place where it was written down.
struct EndAt {
  const End &end;
  SourceLocation at;
  // NOLINTNEXTLINE(google-explicit-constructor)
  EndAt(const End &end, SourceLocation at = SourceLocation::current()) : end(end), at(at) {}
};
} // namespace detail

/// What a slot said when it was asked whether it is empty, or full. It is for the acquire or the
/// wait of that end, of that slot, in that turn of the ring: where it said yes, nothing is waited
/// for. Asked anew it is assigned, `ready = from.tryWait()`, and loops carry it.
class Token : public detail::Carried {
public:
  Token(const detail::End &of, bool fills, int value)
      : Carried(of.owner(), of.ring(), value), fills_(fills) {}
  /// Asked of a producer.
  bool fills() const { return fills_; }

private:
  bool fills_;
};

/// The end of a ring at which a role fills slots.
class Producer : public detail::End {
public:
  using detail::End::End;
  /// Waits until the slot is empty.
  void acquire(SourceLocation at = SourceLocation::current());
  /// Waits where it did not say that it is when it was asked.
  void acquire(const Token &token, SourceLocation at = SourceLocation::current());
  /// Asks whether it is, and does not wait.
  Token tryAcquire(SourceLocation at = SourceLocation::current()) const;
  /// The slot is full, as soon as what was moved to it has come.
  void commit(SourceLocation at = SourceLocation::current());
  /// Waits until every slot is empty again.
  void tail(SourceLocation at = SourceLocation::current());
};

/// The end at which a role takes them.
class Consumer : public detail::End {
public:
  using detail::End::End;
  /// Waits until the slot is full.
  void wait(SourceLocation at = SourceLocation::current());
  /// Waits where it did not say that it is when it was asked.
  void wait(const Token &token, SourceLocation at = SourceLocation::current());
  /// Asks whether it is, and does not wait.
  Token tryWait(SourceLocation at = SourceLocation::current()) const;
  /// The slot may be filled again. It may come later, from a copy that stayed behind.
  void release(SourceLocation at = SourceLocation::current());
};

/// A tile in shared memory, or in one of a core's; a pipeline over it gives it slots, of which an
/// end names one.
class Buffer : public Tile {
public:
  using Tile::Tile;
  Tile operator[](detail::EndAt at) const;
};

/// A ring of slots between roles.
class Pipeline {
public:
  /// Each end at its first slot; once for a role, directly in it.
  Producer producer(SourceLocation at = SourceLocation::current()) const;
  Consumer consumer(SourceLocation at = SourceLocation::current()) const;
  /// The same in the role of a core: its end is one pipe's.
  Producer producer(Pipe pipe, SourceLocation at = SourceLocation::current()) const;
  Consumer consumer(Pipe pipe, SourceLocation at = SourceLocation::current()) const;

protected:
  friend KernelBuilder;
  Pipeline(KernelBuilder &k, const std::string &name, const LoopOptions &stages,
           const std::vector<Buffer> &over, detail::Kind kind, SourceLocation at,
           const RingOptions &options = {});

  detail::Recorder *owner_;
  int ring_; // negative: a mistake that is recorded already
};

} // namespace sluice::lang
