#include "Verify/LoopOrder.h"

#include "Program/Agent.h"
#include "Program/Blocks.h"
#include "Program/CoreMeeting.h"
#include "Program/OperationFacts.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>

namespace sluice {
namespace {

/// What a trip count is a quotient or multiple of, as the text has it: an extent, an argument, an
/// integer of a tensor (each with its numbers), or what is computed from several of them.
using Unknown = std::tuple<ScalarOp, int64_t, int64_t>;
using Barrier = std::pair<bool, int>;    // (is it named, number)
constexpr int anyId = NamedBarrier::ids; // of a named barrier whose id is a variable

struct Loop {
  const For *loop;
  Unknown over;
  std::set<Barrier> barriers;
  bool behind; // the meeting of all cores: other cores have left their loops in front of it
};
using Sequence = std::vector<Loop>;               // of one role, in its order
using Column = std::vector<Loop>;                 // loops of different roles that go together
using Agents = std::tuple<int, int, std::string>; // warps; where all cores meet, the core

class Aligner {
public:
  Aligner(const Program &program, const CountedValues &values,
          std::unordered_map<const For *, int> &missing)
      : values_(values), missing_(missing), meeting_(coreMeetingOf(program)) {
    walk(program.body, [this](const Stmt &s) {
      if (auto *scalar = std::get_if<Scalar>(&s.op))
        scalars_[scalar->result] = scalar;
    });
    rolesIn(program.body);
  }

private:
  /// Lines up the loops of the roles that stand side by side in the block, or in a block of it.
  void rolesIn(const Block &block) {
    std::map<Agents, Sequence> roles;
    for (const Stmt &s : block.stmts)
      if (auto *role = std::get_if<Role>(&s.op))
        loopsIn(role->body,
                roles[{role->firstWarp, role->warps, meeting_ ? role->core : std::string()}]);
      else
        forBlocks(s, [this](const Block &inner) { rolesIn(inner); });
    std::vector<Sequence> sequences;
    for (auto &[warps, sequence] : roles)
      sequences.push_back(std::move(sequence));
    lineUp(std::move(sequences));
  }

  void loopsIn(const Block &block, Sequence &found) const {
    bool behind = false;
    for (const Stmt &s : block.stmts)
      if (meeting_ && &s == meeting_->wait) {
        behind = true;
      } else if (auto *loop = std::get_if<For>(&s.op); loop && !loop->isWhile()) {
        // A minimum with a constant is that constant in all launches but a few.
        const auto over = length(*loop);
        if (over && !values_.isFinite(loop->upper))
          found.push_back({loop, *over, barriersOf(*loop), behind});
      } else if (auto *branch = std::get_if<If>(&s.op)) {
        loopsIn(branch->thenBlock, found);
        loopsIn(branch->elseBlock, found);
      }
  }

  /// Of one from h to n that of n - h, as the proof asks for it.
  std::optional<Unknown> length(const For &loop) const {
    const auto upper = unknown(loop.upper);
    const auto lower =
        values_.isToldAtStart(loop.lower) ? std::optional<Unknown>() : unknown(loop.lower);
    return upper && lower ? mixed(ScalarOp::sub, {*upper, *lower}) : upper;
  }

  std::optional<Unknown> unknown(ValueId v) const {
    const auto [known, isNew] = unknowns_.try_emplace(v);
    if (isNew)
      known->second = peeled(v);
    return known->second;
  }

  std::optional<Unknown> peeled(ValueId v) const {
    const auto at = scalars_.find(v);
    if (at == scalars_.end())
      return Unknown{ScalarOp::constant, v, 0};
    const Scalar &s = *at->second;
    if (s.op == ScalarOp::constant)
      return {};
    if (s.op == ScalarOp::dim || s.op == ScalarOp::argument || s.op == ScalarOp::load)
      return Unknown{s.op, s.object, s.op == ScalarOp::dim ? s.imm : 0};
    std::vector<Unknown> parts;
    for (const ValueId operand : s.operands)
      if (const auto one = unknown(operand))
        parts.push_back(*one);
    if (parts.size() == 1)
      return parts.front();
    return parts.empty() ? Unknown{s.op, v, 0} : mixed(s.op, parts);
  }

  /// The same where it is computed alike.
  static Unknown mixed(ScalarOp of, const std::vector<Unknown> &parts) {
    int64_t mixed = 0;
    for (const auto &[op, object, number] : parts)
      mixed = (mixed * 31 + static_cast<int64_t>(op)) * 1009 + object * 31 + number;
    return {of, -1, mixed % (int64_t{1} << 40)};
  }

  static std::set<Barrier> barriersOf(const For &loop) {
    std::set<Barrier> barriers;
    walk(loop.body, [&](const Stmt &s) {
      if (const MbarrierRef *ref = mbarrierOf(s.op))
        barriers.insert({false, ref->object});
      const MeetingDeed meeting = meetingDeed(s.op);
      if (meeting.id)
        barriers.insert(
            {true, meeting.id->isConstant() ? static_cast<int>(meeting.id->constant) : anyId});
      if (meeting.kind == MeetingDeed::cluster)
        barriers.insert({true, -1});
    });
    return barriers;
  }

  /// Longest first, the others beside it, one after the other; then what is in them.
  void lineUp(std::vector<Sequence> sequences) {
    std::ranges::stable_sort(sequences, std::greater{}, &Sequence::size);
    std::vector<Column> columns;
    for (const Sequence &sequence : sequences)
      columns = merged(columns, sequence);
    for (const Sequence &sequence : sequences)
      count(sequence, columns);
    for (const Column &column : columns) {
      std::vector<Sequence> inside(column.size());
      for (size_t i = 0; i < column.size(); ++i)
        loopsIn(column[i].loop->body, inside[i]);
      if (std::ranges::any_of(inside, [](const Sequence &s) { return !s.empty(); }))
        lineUp(std::move(inside));
    }
  }

  /// Barriers that a loop shares with those of the column count most, standing side by side a
  /// little; nothing where they are over different unknowns, or all cores meet between them.
  static int match(const Column &column, const Loop &loop) {
    if (column.front().over != loop.over || column.front().behind != loop.behind)
      return 0;
    int shared = 0;
    for (const Loop &other : column)
      for (const auto &barrier : loop.barriers)
        shared += static_cast<int>(other.barriers.count(barrier));
    return 1 + 1000 * shared;
  }

  /// As two texts are lined up: best[i][j] is of the columns from i and the loops from j.
  static std::vector<Column> merged(const std::vector<Column> &columns, const Sequence &loops) {
    const size_t n = columns.size(), m = loops.size();
    std::vector best(n + 1, std::vector<int>(m + 1, 0));
    const auto beside = [&](size_t i, size_t j) {
      const int here = match(columns[i], loops[j]);
      return here > 0 ? here + best[i + 1][j + 1] : -1;
    };
    for (size_t i = n; i-- > 0;)
      for (size_t j = m; j-- > 0;)
        best[i][j] = std::max({best[i + 1][j], best[i][j + 1], beside(i, j)});
    std::vector<Column> all;
    size_t i = 0, j = 0;
    while (i < n || j < m) {
      if (i < n && j < m && beside(i, j) == best[i][j]) {
        all.push_back(columns[i++]);
        all.back().push_back(loops[j++]);
      } else if (j == m || (i < n && best[i + 1][j] == best[i][j])) {
        all.push_back(columns[i++]);
      } else {
        all.push_back({loops[j++]});
      }
    }
    return all;
  }

  void count(const Sequence &sequence, const std::vector<Column> &columns) {
    std::map<Unknown, int> before;
    size_t own = 0;
    for (const Column &column : columns) {
      const auto isOwn = [&](const Loop &l) {
        return own < sequence.size() && l.loop == sequence[own].loop;
      };
      if (std::ranges::none_of(column, isOwn)) {
        ++before[column.front().over];
        continue;
      }
      if (const int missing = before[column.front().over])
        missing_[sequence[own].loop] = missing;
      ++own;
    }
  }

  const CountedValues &values_;
  std::unordered_map<const For *, int> &missing_;
  const std::optional<CoreMeeting> meeting_;
  std::unordered_map<ValueId, const Scalar *> scalars_;
  mutable std::map<ValueId, std::optional<Unknown>> unknowns_; // by number, once worked out
};

} // namespace

LoopOrder::LoopOrder(const Program &program, const CountedValues &values) {
  Aligner(program, values, missing_);
  place(program.body, values, nullptr);
}

void LoopOrder::place(const Block &block, const CountedValues &values, const For *around) {
  for (const Stmt &s : block.stmts) {
    auto *loop = std::get_if<For>(&s.op);
    if (loop)
      around_[loop] = around;
    const bool known = !loop || (!loop->isWhile() && values.constant(loop->upper) &&
                                 values.constant(loop->lower) && values.constant(loop->step));
    forBlocks(s, [&](const Block &inner) { place(inner, values, known ? around : loop); });
  }
}

int LoopOrder::missingBefore(const For &loop) const {
  const auto at = missing_.find(&loop);
  return at == missing_.end() ? 0 : at->second;
}

} // namespace sluice
