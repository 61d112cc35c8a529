// The embedded language: a kernel is C++ that says what is moved and what is computed on tiles.
//
//   KernelBuilder k("gemm");
//   Tensor A = k.input("A", f16, 2), B = k.input("B", f16, 2), C = k.output("C", f16, 2);
//   auto [i, j] = k.grid(ceilDiv(C.dim(0), 128), ceilDiv(C.dim(1), 128));
//   Tile acc = k.accumulator(f32, {128, 128}, "acc");
//   k.loop(ceilDiv(A.dim(1), 64), stages(4), "k", [&](Index t) {
//     Tile a = k.load(A.at({i * 128, t * 64}), {128, 64}, "a");
//     Tile b = k.load(B.at({t * 64, j * 128}), {64, 128}, "b");
//     k.mma(acc, a, b);
//   });
//   k.store(k.cast(acc, f16), C.at({i * 128, j * 128}));
//   Result<Kernel> kernel = k.build();
//
// There is no concurrency here, statements happen in the order in which they stand;
// sluice/Pipeline.h has roles, which run side by side. Mistakes do not throw; build() reports the
// first one at the line of the author. A name is what the tile is called in printed code and in
// messages; where it is left out, one is made up. docs/embedded.md describes every operation.
// Handles (Index, Tile ...) belong to the builder that made them.
#pragma once

#include "Support/Result.h"
#include "sluice/Element.h"
#include "sluice/Kernel.h"
#include "sluice/Options.h"
#include "sluice/Pipeline.h"
#include "sluice/PipelineKinds.h"
#include "sluice/Random.h"
#include "sluice/Tile.h"

#include <array>
#include <concepts>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace sluice::lang {

namespace detail {
using ElementBody = std::function<Element(const std::vector<Element> &)>;

template <typename F, size_t... I> ElementBody bodyOf(F &&fn, std::index_sequence<I...>) {
  return [&fn](const std::vector<Element> &arguments) -> Element { return fn(arguments[I]...); };
}
template <size_t N, typename F> ElementBody bodyOf(F &&fn) {
  return bodyOf(fn, std::make_index_sequence<N>());
}
} // namespace detail

/// What raw text touches, by the names that it has there: $name is read, $=name written. A tile
/// that is both stands in both lists.
struct RawUse {
  std::vector<std::pair<std::string, Tile>> writes, reads;
  std::vector<std::pair<std::string, Index>> scalars = {};
  /// What it computes, for the virtual machine: the elements of the one tile that it writes, from
  /// those that it reads. Without it that tile is unknown there.
  detail::ElementBody model = {};
  bool async = false;   // by the async proxy, ended when the text ends
  bool divided = false; // each warp touches its rows of tiles in shared memory alone
};

/// What the rows of a tile are folded into: column c into c / together % count.
struct FoldColumns {
  int64_t count, together = 1;
};

class KernelBuilder {
public:
  explicit KernelBuilder(std::string name, SourceLocation at = SourceLocation::current());
  ~KernelBuilder();
  KernelBuilder(const KernelBuilder &) = delete;
  KernelBuilder &operator=(const KernelBuilder &) = delete;

  // ---- Arguments
  // ----------------------------------------------------------------------------------
  Tensor input(std::string name, DType type, int rank, TensorOptions options = {},
               SourceLocation at = SourceLocation::current());
  Tensor output(std::string name, DType type, int rank, TensorOptions options = {},
                SourceLocation at = SourceLocation::current());
  Tensor inout(std::string name, DType type, int rank, TensorOptions options = {},
               SourceLocation at = SourceLocation::current());
  /// The output may be launched as the memory of the input, with the same extents and strides. That
  /// all of the input is read before it is overwritten is proven, or refused.
  void inPlace(const Tensor &output, const Tensor &input,
               SourceLocation at = SourceLocation::current());
  /// A run-time integer; after the tensors.
  Index argument(std::string name, SourceLocation at = SourceLocation::current());
  /// A run-time number (f32) for element functions; after the tensors.
  Element number(std::string name, SourceLocation at = SourceLocation::current());
  /// The seed of random numbers, 64 bits: arguments NAME0 and NAME1, its lower and its upper half
  /// as integers of 32 bits; after the tensors.
  Seed seed(const std::string &name, SourceLocation at = SourceLocation::current());
  /// The same value; what it is called in printed code. Coordinates of a grid are called i, j, k.
  Index name(Index value, std::string name, SourceLocation at = SourceLocation::current());
  /// Ascend 950: pipes of a core hand slots on by mutexes, one a slot, where flags would.
  void mutexes(SourceLocation at = SourceLocation::current());
  /// What the caller must keep; checked at launch.
  void assume(Condition condition, std::string message,
              SourceLocation at = SourceLocation::current());

  // ---- Structure
  // ----------------------------------------------------------------------------------
  /// Extents of the grid; yields the coordinates of this CTA or core. At most once.
  std::array<Index, 1> grid(Index x, SourceLocation at = SourceLocation::current());
  std::array<Index, 1> grid(Index x, const GridOptions &options,
                            SourceLocation at = SourceLocation::current());
  std::array<Index, 2> grid(Index x, Index y, SourceLocation at = SourceLocation::current());
  std::array<Index, 2> grid(Index x, Index y, const GridOptions &options,
                            SourceLocation at = SourceLocation::current());
  std::array<Index, 3> grid(Index x, Index y, Index z,
                            SourceLocation at = SourceLocation::current());
  std::array<Index, 3> grid(Index x, Index y, Index z, const GridOptions &options,
                            SourceLocation at = SourceLocation::current());
  /// Of this CTA in its cluster: 0 is the leader.
  Index rank(SourceLocation at = SourceLocation::current());
  /// body(t) for t = 0 .. count-1, or for those of a range.
  template <typename F>
  void loop(Range count, const LoopOptions &options, const std::string &name, F &&body,
            SourceLocation at = SourceLocation::current()) {
    body(beginLoop(count, options, name, at));
    endLoop();
  }
  template <typename F>
  void loop(Range count, const std::string &name, F &&body,
            SourceLocation at = SourceLocation::current()) {
    loop(count, LoopOptions(), name, body, at);
  }
  template <typename F>
  void when(Condition condition, F &&body, SourceLocation at = SourceLocation::current()) {
    beginWhen(condition, at);
    body();
    endWhen();
  }
  template <typename F, std::invocable G>
  void when(Condition condition, F &&body, G &&otherwise,
            SourceLocation at = SourceLocation::current()) {
    beginWhen(condition, at);
    body();
    beginOtherwise();
    otherwise();
    endWhen();
  }

  /// Again and again: `next` finds out what comes, a Next, and `body` takes it while there is more.
  template <std::invocable F, std::invocable<Index> G>
  void repeat(F &&next, G &&body, SourceLocation at = SourceLocation::current()) {
    beginRepeat(at);
    body(beginRepeated(next(), at));
    endRepeat();
  }

  // ---- Roles and pipelines
  // ------------------------------------------------------------------------
  /// Statements of some warps, which run beside those of other roles. With rings between the roles
  /// (pipeline, shared) it stands directly in the kernel, and all of that is in some role. Without
  /// rings it names who does these statements of a kernel of tiles, anywhere, and the rings follow.
  template <typename F>
  void role(const std::string &name, Warps warps, F &&body,
            SourceLocation at = SourceLocation::current()) {
    beginRole(name, warps, at);
    body();
    endRole();
  }
  /// The stream of a core of an Ascend machine; of the two vector cores both run it.
  template <typename F>
  void role(const std::string &name, Core core, F &&body,
            SourceLocation at = SourceLocation::current()) {
    beginRole(name, core, at);
    body();
    endRole();
  }
  /// Which of the two vector cores this is: 0 or 1.
  Index subblock(SourceLocation at = SourceLocation::current());
  /// A tile in shared memory, for roles to share; directly in the kernel.
  Buffer shared(DType type, Shape shape, std::string name, BufferOptions options = {},
                SourceLocation at = SourceLocation::current());
  /// A tile in the tensor memory of Blackwell, whose products add up there: a row in each of its
  /// 128 lanes. Roles of four warps copy it out and in.
  Buffer tensorMemory(DType type, Shape shape, std::string name, BufferOptions options = {},
                      SourceLocation at = SourceLocation::current());
  /// A tile in a memory of a core (l1, l0a, l0b, l0c, ub), or between cores (global), with a part
  /// for each that computes.
  Buffer buffer(DType type, Shape shape, Space space, std::string name, BufferOptions options = {},
                SourceLocation at = SourceLocation::current());
  /// A ring over buffers, which get a slot for each stage; over none it hands on turns alone.
  Pipeline pipeline(std::string name, const LoopOptions &stages, std::vector<Buffer> over = {},
                    const RingOptions &options = {}, SourceLocation at = SourceLocation::current());
  /// Start of the measured region: what was issued before has ended, `trace` counts from here.
  /// Ascend alone.
  void epoch(SourceLocation at = SourceLocation::current());

  // ---- Movement
  // -----------------------------------------------------------------------------------
  /// A tile without values.
  Tile tile(DType type, Shape shape, std::string name = "",
            SourceLocation at = SourceLocation::current());
  /// Elements outside the tensor become zero.
  Tile load(const Box &from, Shape shape, std::string name = "",
            SourceLocation at = SourceLocation::current());
  Tile load(const Box &from, Shape shape, std::string name, LoadOptions options,
            SourceLocation at = SourceLocation::current());
  /// Into a tile that exists.
  void load(const Box &from, const Tile &to, LoadOptions options = {},
            SourceLocation at = SourceLocation::current());
  /// Elements outside the tensor are left out.
  void store(const Tile &from, const Box &to, StoreOptions options = {},
             SourceLocation at = SourceLocation::current());
  /// Adds to the tensor instead.
  void storeAdd(const Tile &from, const Box &to, StoreOptions options = {},
                SourceLocation at = SourceLocation::current());
  void copy(const Tile &from, const Tile &to, SourceLocation at = SourceLocation::current());
  /// What a tile holds, in a tile of its own; converted on the way.
  Tile read(const Tile &from, DType type, std::string name = "",
            SourceLocation at = SourceLocation::current());
  void fill(const Tile &tile, double value, SourceLocation at = SourceLocation::current());
  /// Its first rows and columns as text: on stdout of the virtual machine, by printf on a device.
  void print(const Tile &tile, SourceLocation at = SourceLocation::current());
  /// NVIDIA: brings a box of a tensor closer (L2) ahead of its load; `by` a tensor map or threads.
  void prefetch(const Box &box, Shape shape, std::optional<LoadedBy> by = {},
                SourceLocation at = SourceLocation::current());

  // ---- Numbers that data brings
  // ----------------------------------------------------------------------
  /// One element of an i32 tensor: a sequence length, a tile number.
  Index scalar(const Box &element, SourceLocation at = SourceLocation::current());
  /// The same number, which all roles that branch on it find alike.
  Index uniform(Index value, SourceLocation at = SourceLocation::current());
  /// One element of a buffer of i32: what a role has written there, for the others.
  Index scalar(const Tile &tile, Index row, Index col,
               SourceLocation at = SourceLocation::current());
  void setScalar(const Tile &tile, Index row, Index col, Index value,
                 SourceLocation at = SourceLocation::current());
  /// In a role: a counter in global memory, an i32 that is zero at launch. Its old value is known
  /// to a role of one warp; to others setScalar() hands it on.
  Index addToCounter(const Box &counter, Index value,
                     SourceLocation at = SourceLocation::current());
  /// Until it is `value` or more. Who adds to it is resident: the author says so.
  void waitForCounter(const Box &counter, Index value,
                      SourceLocation at = SourceLocation::current());
  /// In a role: all of its threads have come here.
  void meet(SourceLocation at = SourceLocation::current());

  // ---- Products
  // -----------------------------------------------------------------------------------
  /// A tile of zeros.
  Tile accumulator(DType type, Shape shape, std::string name = "acc",
                   SourceLocation at = SourceLocation::current());
  /// d[M,N] += a[M,K] b[K,N].
  void mma(const Tile &d, const Tile &a, const Tile &b, MmaOptions options = {},
           SourceLocation at = SourceLocation::current());
  /// sm_100a: with a factor (ue8m0) for each 32 along K of a row of a, of a column of b. Those of
  /// 128 rows or columns and of 128 along K are a tile of 32 rows of 16: byte 4 i + k of row l is
  /// that of row 32 i + l and of block k; those of the next 128 rows lie below.
  void mma(const Tile &d, const Tile &a, const Tile &b, const Tile &scalesA, const Tile &scalesB,
           MmaOptions options = {}, SourceLocation at = SourceLocation::current());
  /// a b in f32.
  Tile product(const Tile &a, const Tile &b, std::string name = "",
               SourceLocation at = SourceLocation::current());

  /// In a role: the product goes on beside what follows, until a wait leaves no more than `running`
  /// of those begun. Its operands stay as they are until then.
  void beginMma(const Tile &d, const Tile &a, const Tile &b,
                SourceLocation at = SourceLocation::current());
  void waitMma(int64_t running = 0, SourceLocation at = SourceLocation::current());

  // ---- Element by element
  // -------------------------------------------------------------------------
  /// What the element functions that follow may trade for speed; nothing at first.
  void fastMath(FastMath allowed);
  /// out = fn(in ...), rounded to `type`. An input with an extent of 1 is repeated.
  template <size_t N, typename F>
  Tile map(const Tile (&in)[N], DType type, F &&fn, std::string name = "",
           SourceLocation at = SourceLocation::current()) {
    return mapTiles({in, in + N}, type, false, detail::bodyOf<N>(fn), std::move(name), at);
  }
  /// The same for inputs whose number is known when the kernel is built.
  template <typename F>
  Tile map(const std::vector<Tile> &in, DType type, F &&fn, std::string name = "",
           SourceLocation at = SourceLocation::current()) {
    return mapTiles(in, type, false, detail::ElementBody(fn), std::move(name), at);
  }
  /// The same; fn takes two more: row and column of the element in the tile (type index). What is
  /// the same for all elements, such as a loop's variable t, is Element(t) there.
  template <size_t N, typename F>
  Tile mapWithCoordinates(const Tile (&in)[N], DType type, F &&fn, std::string name = "",
                          SourceLocation at = SourceLocation::current()) {
    return mapTiles({in, in + N}, type, true, detail::bodyOf<N + 2>(fn), std::move(name), at);
  }
  template <typename F>
  Tile mapWithCoordinates(const std::vector<Tile> &in, DType type, F &&fn, std::string name = "",
                          SourceLocation at = SourceLocation::current()) {
    return mapTiles(in, type, true, detail::ElementBody(fn), std::move(name), at);
  }
  /// The same into a tile that exists (and may be one of the inputs).
  template <size_t N, typename F>
  void update(const Tile &out, const Tile (&in)[N], F &&fn,
              SourceLocation at = SourceLocation::current()) {
    updateTile(out, {in, in + N}, false, detail::bodyOf<N>(fn), at);
  }
  template <size_t N, typename F>
  void updateWithCoordinates(const Tile &out, const Tile (&in)[N], F &&fn,
                             SourceLocation at = SourceLocation::current()) {
    updateTile(out, {in, in + N}, true, detail::bodyOf<N + 2>(fn), at);
  }
  Tile cast(const Tile &tile, DType type, std::string name = "",
            SourceLocation at = SourceLocation::current());

  /// Folds rows (axis 1, Rx1) or columns (axis 0, 1xC) with fn(state, element), starting from
  /// `identity`. The order of the fold is the machine's, so fn is an operation that joins partial
  /// results, such as +, max or &, of the state and a function of the element.
  template <typename F>
  Tile reduce(const Tile &in, int axis, double identity, F &&fn, std::string name = "",
              SourceLocation at = SourceLocation::current()) {
    return reduceTile(in, axis, identity, in.type(), detail::bodyOf<2>(fn), std::move(name), at);
  }
  /// The same in two parts: combine(state, element(x)).
  template <typename F, typename G>
  requires std::invocable<F, Element> && std::invocable<G, Element, Element>
      Tile reduce(const Tile &in, int axis, double identity, F &&element, G &&combine,
                  std::string name = "", SourceLocation at = SourceLocation::current()) {
    return reduce(in, axis, identity, in.type(), element, combine, std::move(name), at);
  }
  /// The same into a tile of another type, which is that of the state and of element(x): sums of
  /// f16 in f32.
  template <typename F, typename G>
  requires std::invocable<F, Element> && std::invocable<G, Element, Element>
      Tile reduce(const Tile &in, int axis, double identity, DType type, F &&element, G &&combine,
                  std::string name = "", SourceLocation at = SourceLocation::current()) {
    const auto step = [&](Element state, Element x) { return combine(state, Element(element(x))); };
    return reduceTile(in, axis, identity, type, detail::bodyOf<2>(step), std::move(name), at);
  }
  /// Folds rows into so many columns (Rxcount). Pieces of a row are added up so without an exchange
  /// of threads, which the fold of the whole ends. By whole rows 32 columns, 8 together (one for
  /// each lane), or a multiple of 256; in wgmma's layout a multiple of 8; of f32.
  template <typename F, typename G>
  Tile reduceInto(FoldColumns into, const Tile &in, double identity, DType type, F &&element,
                  G &&combine, std::string name = "",
                  SourceLocation at = SourceLocation::current()) {
    const auto step = [&](Element state, Element x) { return combine(state, Element(element(x))); };
    return reduceTile(in, 1, identity, type, detail::bodyOf<2>(step), std::move(name), at, {},
                      into);
  }
  /// Folds the rows of the tiles that the CTAs of a cluster have along a coordinate of the grid, as
  /// axis 0 does those of one tile; each CTA gets the result (1xC). Every CTA comes to it as often.
  template <typename F>
  Tile reduceAcross(int coordinate, const Tile &in, double identity, F &&fn, std::string name = "",
                    SourceLocation at = SourceLocation::current()) {
    return reduceTile(in, 0, identity, in.type(), detail::bodyOf<2>(fn), std::move(name), at,
                      coordinate);
  }
  /// The numbers of all rows of vectors (Rx1), side by side for every row (1xR): one exchange of
  /// the warps that hold them, for all of the vectors. What a row has in parts is joined so at
  /// once, mean and squares beside it, largest and sum of exponentials.
  std::vector<Tile> allRows(const std::vector<Tile> &in,
                            SourceLocation at = SourceLocation::current());
  /// The same of the tiles that the CTAs of a cluster have along a coordinate of the grid, one
  /// below the other. Every CTA comes to it as often.
  std::vector<Tile> allRowsAcross(int coordinate, const std::vector<Tile> &in,
                                  SourceLocation at = SourceLocation::current());
  Tile rowMax(const Tile &in, std::string name = "", SourceLocation at = SourceLocation::current());
  Tile rowSum(const Tile &in, std::string name = "", SourceLocation at = SourceLocation::current());

  /// Text in the target's own language, "sm_90a" for CUDA C++ and PTX, by target. It touches what
  /// `use` declares and nothing else, and is checked as any other operation.
  void raw(const std::map<std::string, std::string> &texts, const RawUse &use,
           SourceLocation at = SourceLocation::current());

  // ---- End
  // ----------------------------------------------------------------------------------------
  /// The kernel, or the first mistake. Once; afterwards nothing can be added.
  Result<Kernel> build(SourceLocation at = SourceLocation::current());
  /// All mistakes so far, in order.
  const std::vector<Error> &errors() const;
  /// For statements that others add to these.
  detail::Recorder &recorder() { return *recorder_; }

private:
  Tensor addTensor(std::string name, DType type, int rank, const TensorOptions &options,
                   const char *access, SourceLocation at);
  std::vector<Index> addGrid(std::vector<Index> extents, const GridOptions &options,
                             SourceLocation at);
  Index beginLoop(const Range &range, const LoopOptions &options, const std::string &name,
                  SourceLocation at);
  void endLoop();
  void beginWhen(Condition condition, SourceLocation at);
  void beginOtherwise();
  void endWhen();
  void beginRepeat(SourceLocation at);
  Index beginRepeated(const Next &next, SourceLocation at);
  void endRepeat();
  void beginRole(const std::string &name, Warps warps, SourceLocation at);
  void beginRole(const std::string &name, Core core, SourceLocation at);
  void endRole();
  void storeTile(const Tile &from, const Box &to, bool add, StoreOptions options,
                 SourceLocation at);
  Tile mapTiles(std::vector<Tile> in, DType type, bool coordinates, const detail::ElementBody &body,
                std::string name, SourceLocation at);
  void updateTile(const Tile &out, std::vector<Tile> in, bool coordinates,
                  const detail::ElementBody &body, SourceLocation at);
  Tile reduceTile(const Tile &in, int axis, double identity, DType type,
                  const detail::ElementBody &body, std::string name, SourceLocation at,
                  std::optional<int> across = std::nullopt, FoldColumns into = {1});
  std::vector<Tile> exchangeRows(const std::vector<Tile> &in, std::optional<int> across,
                                 SourceLocation at);

  std::unique_ptr<detail::Recorder> recorder_;
};

} // namespace sluice::lang
