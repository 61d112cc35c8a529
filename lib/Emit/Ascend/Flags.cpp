#include "Emit/Ascend/Flags.h"

#include "Program/Agent.h"
#include "Program/Blocks.h"
#include "Program/CoreMeeting.h"
#include "Program/OperationFacts.h"

#include <algorithm>
#include <cctype>
#include <functional>
#include <map>
#include <set>
#include <tuple>

namespace sluice::ascend {
namespace {

using Tiles = std::set<int>;

/// What one set or wait may hand over: the tiles that its pipe touches before it or behind it in
/// its block.
struct Use {
  FlagDeed deed;
  IntegerRange id;
  Tiles touched;
};

class Uses {
public:
  using RangeOf = std::function<IntegerRange(const Index &)>;
  explicit Uses(RangeOf rangeOf) : rangeOf_(std::move(rangeOf)) {}

  void block(const Block &b) {
    for (size_t i = 0; i < b.stmts.size(); ++i) {
      const Operation &op = b.stmts[i].op;
      forBlocks(b.stmts[i], [this](const Block &inner) { block(inner); });
      if (const FlagDeed deed = flagDeed(op); deed.kind != FlagDeed::none && !deed.cross)
        add(b, i, deed);
    }
  }
  std::vector<Use> found;

private:
  void add(const Block &b, size_t at, const FlagDeed &deed) {
    const bool sets = deed.kind == FlagDeed::set;
    Use use{deed, rangeOf_(*deed.id), {}};
    for (size_t i = sets ? 0 : at + 1; i < (sets ? at : b.stmts.size()); ++i)
      touch(b.stmts[i], sets ? deed.source : deed.destination, use);
    found.push_back(std::move(use));
  }
  static void touch(const Stmt &s, Pipe pipe, Use &use) {
    walk({{s}, {}}, [&](const Stmt &inner) {
      if (inner.pipe != pipe)
        return;
      const Touched touched = touchedBy(inner.op);
      for (const std::vector<const View *> *views : {&touched.writes, &touched.reads})
        for (const View *v : *views)
          if (v->kind == View::buffer)
            use.touched.insert(v->object);
    });
  }

  RangeOf rangeOf_;
};

bool isOf(const Use &use, const FlagGroup &group) {
  return use.deed.source == group.source && use.deed.destination == group.destination &&
         use.id.least >= group.first && use.id.most <= group.last;
}

/// Groups whose ids meet are one.
std::vector<FlagGroup> joined(const std::vector<Use> &uses) {
  std::vector<FlagGroup> groups;
  for (const Use &use : uses) {
    FlagGroup own{use.deed.source, use.deed.destination, use.id.least, use.id.most, "", {}, true};
    for (size_t g = 0; g < groups.size();) {
      FlagGroup &other = groups[g];
      const bool same = other.source == own.source && other.destination == own.destination;
      if (!same || own.first > other.last || other.first > own.last) {
        ++g;
        continue;
      }
      own.first = std::min(own.first, other.first), own.last = std::max(own.last, other.last);
      groups.erase(groups.begin() + g);
      g = 0;
    }
    groups.push_back(own);
  }
  std::ranges::sort(
      groups, {}, [](const FlagGroup &g) { return std::tuple(g.source, g.destination, g.first); });
  return groups;
}

/// Whether a pipe writes a tile anywhere.
bool writes(const Program &program, Pipe pipe, int tile) {
  bool found = false;
  walk(program.body, [&](const Stmt &s) {
    for (const View *v : touchedBy(s.op).writes)
      found |= s.pipe == pipe && v->kind == View::buffer && v->object == tile;
  });
  return found;
}

/// What most sets and waits of the group touch; those that begin or end a ring touch nothing, or
/// what is not of it.
void findTiles(const std::vector<Use> &uses, FlagGroup &group) {
  std::map<int, int> votes;
  int most = 0;
  for (const Use &use : uses)
    if (isOf(use, group))
      for (const int tile : use.touched)
        most = std::max(most, ++votes[tile]);
  for (const auto &[tile, count] : votes)
    if (count == most)
      group.tiles.push_back(tile);
}

/// Between the same pipes: what a flag of fewer tiles hands over is its own.
void leaveToOthers(std::vector<FlagGroup> &groups) {
  const std::vector<FlagGroup> all = groups;
  for (size_t i = 0; i < all.size(); ++i)
    for (const FlagGroup &other : all) {
      const bool isPart = other.tiles.size() < all[i].tiles.size() &&
                          std::ranges::includes(all[i].tiles, other.tiles);
      if (isPart && other.source == all[i].source && other.destination == all[i].destination)
        std::erase_if(groups[i].tiles, [&](int tile) {
          return std::ranges::find(other.tiles, tile) != other.tiles.end();
        });
    }
}

std::string lower(std::string_view text) {
  std::string result;
  for (unsigned char c : text)
    result += static_cast<char>(std::tolower(c));
  return result;
}

} // namespace

namespace {

class PlainIds {
public:
  void block(Block &b) {
    for (Stmt &s : b.stmts) {
      if (auto *scalar = std::get_if<Scalar>(&s.op))
        learn(*scalar);
      else if (auto *set = std::get_if<SetFlag>(&s.op))
        fold(set->id);
      else if (auto *wait = std::get_if<WaitFlag>(&s.op))
        fold(wait->id);
      else
        forBlocks(s, [this](Block &inner) { block(inner); });
    }
  }

private:
  void learn(const Scalar &s) {
    if (s.op == ScalarOp::constant)
      constants_[s.result] = s.imm;
    if (s.op != ScalarOp::add)
      return;
    for (const size_t i : {0, 1})
      if (auto by = constants_.find(s.operands[1 - i]); by != constants_.end())
        sums_[s.result] = {s.operands[i], by->second};
  }
  void fold(Index &id) const {
    if (auto sum = sums_.find(id.value); sum != sums_.end())
      id = {sum->second.value, sum->second.constant + id.constant};
  }

  std::map<ValueId, int64_t> constants_;
  std::map<ValueId, Index> sums_;
};

} // namespace

namespace {

/// What is set between cores: the workspaces that the pipe touches before it in its block, of
/// those that nobody handed over since.
class CrossUses {
public:
  explicit CrossUses(const Program &program) : program_(program) {}

  void block(const Block &b, bool onCube) {
    for (size_t i = 0; i < b.stmts.size(); ++i) {
      const Stmt &s = b.stmts[i];
      auto *role = std::get_if<Role>(&s.op);
      const bool cube = role ? role->core == "aic" : onCube;
      forBlocks(s, [&](const Block &inner) { block(inner, cube); });
      if (auto *set = std::get_if<CrossSet>(&s.op))
        add(b, i, *set, onCube);
    }
  }
  std::map<int64_t, CrossFlag> found;

private:
  void add(const Block &b, size_t at, const CrossSet &set, bool onCube) {
    CrossFlag &flag = found[set.id.constant];
    flag.id = set.id.constant;
    flag.fromCube = onCube;
    if (set.mode == allCores)
      return void(flag.meets = true);
    bool writes = false;
    Tiles touched;
    for (size_t i = at; i-- > 0 && touched.empty();)
      walk({{b.stmts[i]}, {}}, [&](const Stmt &s) {
        const Touched views = touchedBy(s.op);
        for (const std::vector<const View *> *some : {&views.writes, &views.reads})
          for (const View *v : *some)
            if (s.pipe == set.pipe && v->kind == View::tensor && isWorkspace(v->object)) {
              touched.insert(v->object);
              writes |= some == &views.writes;
            }
      });
    if (touched.empty())
      return; // it begins a ring
    flag.tensors.assign(touched.begin(), touched.end());
    flag.fills = writes;
  }
  bool isWorkspace(int tensor) const {
    return !program_.tensors[tensor].input && !program_.tensors[tensor].output;
  }

  const Program &program_;
};

} // namespace

std::vector<CrossFlag> crossFlagsOf(const Program &program) {
  CrossUses uses(program);
  uses.block(program.body, true);
  std::vector<CrossFlag> flags;
  for (auto &[id, flag] : uses.found) {
    flag.name = flag.meets             ? "all_cores"
                : flag.tensors.empty() ? "cross"
                : flag.fills           ? "full"
                                       : "empty";
    for (const int tensor : flag.tensors)
      flag.name += "_" + program.tensors[tensor].name;
    flags.push_back(flag);
  }
  return flags;
}

Program withPlainFlagIds(Program program) {
  PlainIds().block(program.body);
  return program;
}

Flags::Flags(const Program &program, const Ranges &ranges) : ranges_(ranges) {
  walk(program.body, [&](const Stmt &s) {
    if (auto *scalar = std::get_if<Scalar>(&s.op))
      definitions_[scalar->result] = scalar;
  });
  Uses uses([this](const Index &id) { return rangeOf(id); });
  uses.block(program.body);
  groups_ = joined(uses.found);
  for (FlagGroup &group : groups_)
    findTiles(uses.found, group);
  leaveToOthers(groups_);
  for (FlagGroup &group : groups_) {
    group.fills = std::ranges::any_of(
        group.tiles, [&](int tile) { return writes(program, group.source, tile); });
    group.name = group.fills ? "full" : "empty";
    for (const int tile : group.tiles)
      group.name += "_" + program.buffers[tile].name;
    if (group.tiles.empty())
      group.name = lower(name(group.source)) + "_" + lower(name(group.destination));
  }
}

/// Slots of a ring, and what is a constant away from them, beside what is known of every integer.
IntegerRange Flags::rangeOf(ValueId v) const {
  const auto found = definitions_.find(v);
  if (found == definitions_.end())
    return ranges_.of(v);
  const Scalar &s = *found->second;
  if (s.op == ScalarOp::cursorSlot && s.imm > 0)
    return {0, s.imm - 1};
  if (s.op != ScalarOp::add)
    return ranges_.of(v);
  IntegerRange operands[3] = {rangeOf(s.operands[0]), rangeOf(s.operands[1]), {}};
  bool overflows = false;
  return meet(ranges_.of(v), arithmetic(s.op, operands, overflows));
}

IntegerRange Flags::rangeOf(const Index &id) const {
  if (id.isConstant())
    return IntegerRange::of(id.constant);
  const IntegerRange operands[3] = {rangeOf(id.value), IntegerRange::of(id.constant), {}};
  bool overflows = false;
  return arithmetic(ScalarOp::add, operands, overflows);
}

size_t Flags::groupOf(Pipe source, Pipe destination, const Index &id) const {
  const IntegerRange range = rangeOf(id);
  const auto found = std::ranges::find_if(groups_, [&](const FlagGroup &g) {
    return g.source == source && g.destination == destination && g.first <= range.least &&
           range.most <= g.last;
  });
  return found - groups_.begin(); // every use is in a group
}

} // namespace sluice::ascend
