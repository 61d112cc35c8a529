#include "Campaign/Launches.h"

#include "Program/Assumption.h"
#include "Program/Strides.h"

#include <algorithm>
#include <map>
#include <set>

namespace sluice {
namespace {

constexpr size_t mostLaunches = 16;
constexpr int64_t mostStatements = 100'000;
constexpr int64_t mostElements = 1 << 22; // of a tensor
constexpr int64_t mostGrowth = 16;        // of a run over several tiles
constexpr int64_t smallTile = 32, largestExtent = 2048;

/// What the program reads of a launch: an extent, or (dimension -1) an
/// argument.
struct Unknown {
  int object, dimension;
  auto operator<=>(const Unknown &) const = default;
};

class Family {
public:
  Family(const Program &program, const Launch &given) : program_(program), given_(given) {
    for (const Buffer &b : program.buffers)
      slots_ = std::max(slots_, b.slots);
    for (const Mbarrier &b : program.mbarriers)
      slots_ = std::max(slots_, b.slots);
    createAgents();
    std::map<ValueId, int64_t> constants;
    walk(program.body, [&](const Stmt &s) { collect(s, constants); });
  }

  std::vector<Launch> run() {
    keep(given_);
    // One tile where extents are rounded up.
    const auto most = divisors_.lower_bound(smallTile);
    const int64_t tile = most == divisors_.end() ? *divisors_.rbegin() : *most;
    for (const Unknown &u : unknowns_)
      for (const int64_t value : candidates())
        keep(with(u, value, u.dimension < 0 ? value : tile));
    for (const int64_t value : candidates()) // tiles in both directions
      for (const Unknown &u : unknowns_)
        keep(with(u, value, value));
    if (kept_.empty()) // all are too long
      return {given_};
    keepManyTiles(tile);
    std::vector<const Launch *> all;
    for (const auto &[length, launch] : kept_)
      all.push_back(&launch);
    std::vector<Launch> out;
    const size_t count = std::min(all.size(), mostLaunches);
    for (size_t i = 0; i < count; ++i) // of too many, evenly many of every length
      out.push_back(*all[count > 1 ? i * (all.size() - 1) / (count - 1) : 0]);
    return out;
  }

private:
  void createAgents() {
    AgentId id;
    if (isAscend(program_.target))
      for (const char *core : {"aic", "aiv0"})
        for (const Pipe pipe :
             {Pipe::s, Pipe::mte1, Pipe::mte2, Pipe::mte3, Pipe::m, Pipe::fix, Pipe::v}) {
          id.core = core;
          id.pipe = pipe;
          agents_.push_back(id);
        }
    else
      for (id.warp = 0; id.warp < program_.warps; ++id.warp)
        agents_.push_back(id);
  }

  void collect(const Stmt &s, std::map<ValueId, int64_t> &constants) {
    if (auto *loop = std::get_if<For>(&s.op))
      if (auto step = constants.find(loop->step); step != constants.end() && step->second > 0)
        divisors_.insert(step->second);
    auto *scalar = std::get_if<Scalar>(&s.op);
    if (!scalar)
      return;
    if (scalar->op == ScalarOp::constant)
      constants[scalar->result] = scalar->imm;
    if (scalar->op == ScalarOp::argument)
      unknowns_.insert({scalar->object, -1});
    if (scalar->op == ScalarOp::dim && !isFixed(scalar->object, scalar->imm))
      unknowns_.insert({scalar->object, static_cast<int>(scalar->imm)});
    if (scalar->op == ScalarOp::ceilDiv || scalar->op == ScalarOp::divS)
      if (auto by = constants.find(scalar->operands[1]);
          by != constants.end() && by->second > 0 && by->second <= 1024)
        divisors_.insert(by->second);
  }

  /// A grid that does not grow with the problem deals tiles in turns: more of
  /// them than CTAs.
  void keepManyTiles(int64_t tile) {
    const int64_t ctas = ctasAt(1 << 12), longest = kept_.rbegin()->first;
    if (ctas <= 1 || ctas != ctasAt(1 << 14))
      return;
    for (int64_t k = 1; k <= std::min<int64_t>(2 * slots_, 4); ++k) {
      int64_t side = 1; // tiles in both directions
      while (side * side <= k * ctas)
        ++side;
      for (const Unknown &u : unknowns_)
        if (u.dimension >= 0) {
          keep(with(u, (k * ctas + 1) * tile, tile), mostGrowth * longest);
          keep(with(u, side * tile, side * tile), mostGrowth * longest);
        }
    }
  }

  int64_t ctasAt(int64_t extent) const {
    int64_t ctas = 1;
    for (const int64_t e : gridExtents(program_, with({0, 0}, extent, extent)))
      ctas *= e;
    return ctas;
  }

  bool isFixed(int tensor, int64_t dimension) const {
    const auto &extents = program_.tensors[tensor].extents;
    return static_cast<size_t>(dimension) < extents.size() && extents[dimension] >= 0;
  }

  /// 0 .. 2S steps of every length that the program divides by.
  std::vector<int64_t> candidates() const {
    std::set<int64_t> all;
    for (int64_t k = 0; k <= 2 * slots_; ++k)
      for (const int64_t step : divisors_)
        if (k * step <= largestExtent)
          all.insert(k * step);
    return {all.begin(), all.end()};
  }

  /// Extents that the program does not read are as large as the largest that it
  /// does.
  Launch with(const Unknown &which, int64_t value, int64_t tile) const {
    Launch launch = given_;
    const int64_t largest = std::max(value, tile);
    for (size_t i = 0; i < program_.tensors.size(); ++i) {
      Launch::Shape &shape = launch.tensors[i];
      for (size_t d = 0; d < shape.extents.size(); ++d) {
        const Unknown u{static_cast<int>(i), static_cast<int>(d)};
        if (!isFixed(u.object, u.dimension))
          shape.extents[d] = u == which ? value : unknowns_.count(u) ? tile : largest;
      }
    }
    if (which.dimension < 0)
      launch.arguments[which.object] = value;
    for (size_t i = 0; i < program_.tensors.size(); ++i)
      makeDense(launch.tensors[i], program_.tensors[i]);
    return launch;
  }

  /// An empty row has the smallest stride that the tensor may have.
  static void makeDense(Launch::Shape &shape, const Tensor &tensor) {
    shape.strides.assign(shape.extents.size(), 1);
    const int64_t emptyRow = elementsApart(tensor);
    const auto minor = static_cast<size_t>(tensor.minor);
    int64_t next = 1;
    const auto place = [&](size_t d) {
      shape.strides[d] = next;
      next *= shape.extents[d] > 0 ? shape.extents[d] : d == minor ? emptyRow : 1;
    };
    if (!shape.extents.empty())
      place(minor);
    for (size_t d = shape.extents.size(); d-- > 0;)
      if (d != minor)
        place(d);
  }

  bool isLegal(const Launch &launch) const {
    if (brokenAssumption(program_, launch))
      return false;
    for (size_t i = 0; i < program_.tensors.size(); ++i) {
      const Tensor &tensor = program_.tensors[i];
      const Launch::Shape &shape = launch.tensors[i];
      int64_t elements = 1;
      for (const int64_t extent : shape.extents)
        elements *= extent;
      if (elements > mostElements)
        return false;
      if (std::ranges::find(shape.extents, 0) != shape.extents.end())
        continue; // nothing to reach by a stride
      if (!keepsLines(tensor, shape))
        return false;
    }
    const std::vector<int64_t> grid = gridExtents(program_, launch);
    for (size_t d = 0; d < grid.size(); ++d)
      if (grid[d] < 1 || grid[d] % program_.cluster[d])
        return false;
    return true;
  }

  void keep(const Launch &launch, int64_t longest = mostStatements) {
    if (&launch != &given_ && !isLegal(launch))
      return;
    std::vector<const Stmt *> done;
    for (const AgentId &id : agents_) {
      for (Agent agent(program_, launch, id);
           agent.current() && static_cast<int64_t>(done.size()) < mostStatements; agent.advance()) {
        done.push_back(agent.current());
        if (auto *read = std::get_if<ScalarRead>(&done.back()->op); read && read->response)
          agent.set(read->result, -1); // all clusters are launched
      }
      done.push_back(nullptr);
    }
    const auto length = static_cast<int64_t>(done.size());
    if (length >= mostStatements && &launch != &given_)
      return;
    if (length <= longest && seen_.insert(std::move(done)).second)
      kept_.emplace(length, launch);
  }

  const Program &program_;
  const Launch &given_;
  int64_t slots_ = 1;
  std::vector<AgentId> agents_; // of the first CTA (core)
  std::set<Unknown> unknowns_;
  std::set<int64_t> divisors_{1};
  std::set<std::vector<const Stmt *>> seen_;
  std::multimap<int64_t, Launch> kept_; // by the number of actions
};

} // namespace

std::vector<Launch> launchesOf(const Program &program, const Launch &given) {
  return Family(program, given).run();
}

} // namespace sluice
