#include "Verify/CountedWhiles.h"

#include "Program/Agent.h"
#include "Verify/Names.h"
#include "Verify/Rewriting.h"

#include <algorithm>

namespace sluice {
namespace {

constexpr size_t mostIndices = 3; // of an integer of a tensor

// ---- What decides -----------------------------------------------------------------------------

/// Writes the functions down. What is computed alike has one number, in the order in which it is
/// come to, so that the text is the same for loops that are built alike.
class Reading {
public:
  Reading(const Program &program, const For &loop) : loop_(loop), changing_(changingIn(loop)) {
    walk(program.body, [this](const Stmt &s) {
      if (auto *scalar = std::get_if<Scalar>(&s.op))
        scalars_[scalar->result] = scalar;
      else if (auto *branch = std::get_if<If>(&s.op))
        for (size_t i = 0; i < branch->results.size(); ++i)
          branches_[branch->results[i]] = {branch, i};
    });
  }

  std::optional<Decision> decision() {
    std::string ends = "while " + number(loop_.condition);
    for (size_t i = 0; i < found_.carried.size() && pure_; ++i) { // grows on the way
      const size_t place = placeOf(found_.carried[i]);
      ends += " " + number(loop_.inits[place]) + "->" + number(whereItGoesOn(place));
    }
    if (!pure_)
      return std::nullopt;
    found_.functions += ends;
    return std::move(found_);
  }

private:
  size_t placeOf(ValueId carried) const {
    return size_t(std::ranges::find(loop_.iterArgs, carried) - loop_.iterArgs.begin());
  }

  /// What a round hands to the next one. That a branch on the condition gives counts where it
  /// holds.
  ValueId whereItGoesOn(size_t place) const {
    const ValueId handed = loop_.body.yields[place];
    const auto at = branches_.find(handed);
    if (at == branches_.end() || at->second.first->condition != loop_.condition)
      return handed;
    return at->second.first->thenBlock.yields[at->second.second];
  }

  std::string number(ValueId v) {
    if (const auto at = numbers_.find(v); at != numbers_.end())
      return at->second;
    return numbers_[v] = numberOf(v);
  }

  std::string numberOf(ValueId v) {
    if (std::ranges::count(loop_.iterArgs, v)) {
      found_.carried.push_back(v);
      return "c" + std::to_string(found_.carried.size());
    }
    const auto at = scalars_.find(v);
    const bool changes = changing_.count(v) > 0;
    if (at == scalars_.end() || !isFunction(at->second->op)) {
      pure_ &= !changes;
      found_.inputs.push_back(v);
      return "i" + std::to_string(found_.inputs.size());
    }
    const Scalar &s = *at->second;
    std::string text = std::to_string(int(s.op)) + ":" + std::to_string(s.imm) + ":" +
                       std::to_string(s.object) + "(";
    for (const ValueId operand : s.operands)
      text += number(operand) + ",";
    const auto [known, isNew] = alike_.try_emplace(text + ")", std::to_string(alike_.size()));
    if (isNew)
      found_.functions += known->second + "=" + known->first + ";";
    return known->second;
  }

  /// Of its operands and of the launch.
  static bool isFunction(ScalarOp op) { return op < ScalarOp::cursorInit || op == ScalarOp::load; }

  const For &loop_;
  const std::set<ValueId> changing_;
  std::map<ValueId, const Scalar *> scalars_;
  std::map<ValueId, std::pair<const If *, size_t>> branches_; // of results: which, and the place
  std::map<ValueId, std::string> numbers_;
  std::map<std::string, std::string> alike_; // by what computes it
  Decision found_;
  bool pure_ = true;
};

// ---- As loops with bounds ---------------------------------------------------------------------

class WithBounds : public Rewriting {
public:
  explicit WithBounds(const Program &program) : Rewriting(program) {}

  std::optional<CountedWhiles> counted() {
    count(program_.body);
    auto program = result();
    if (!program)
      return std::nullopt;
    return CountedWhiles{std::move(*program), std::move(assumptions_)};
  }

private:
  void count(Block &block) {
    for (size_t i = 0; i < block.stmts.size(); ++i) {
      forBlocks(block.stmts[i], [this](Block &inner) { count(inner); });
      auto *loop = std::get_if<For>(&block.stmts[i].op);
      if (!loop || !loop->isWhile() || !hasForm(*loop))
        continue;
      const auto decision = decisionOf(program_, *loop);
      if (!decision || decision->inputs.size() > mostIndices)
        continue;
      std::vector<Stmt> behind = handOn(*loop);
      std::vector<Stmt> before = bound(*loop, *decision);
      unfold(*loop);
      rename(program_.body, renamed_);
      assumptions_.push_back("loops-end: the loop" + place(block.stmts[i].loc) +
                             ", which goes on while a value holds, comes to an end within 2^31 - "
                             "2^20 rounds");
      found_ = true;
      const auto at = block.stmts.begin() + int64_t(i);
      block.stmts.insert(at + 1, std::make_move_iterator(behind.begin()),
                         std::make_move_iterator(behind.end()));
      block.stmts.insert(block.stmts.begin() + int64_t(i), std::make_move_iterator(before.begin()),
                         std::make_move_iterator(before.end()));
      i += before.size() + behind.size();
    }
  }

  /// A step under a branch on the condition, at the end of a body that else computes (Importer).
  static bool hasForm(const For &loop) {
    if (loop.body.stmts.empty())
      return false;
    const auto *step = std::get_if<If>(&loop.body.stmts.back().op);
    if (!step || step->condition != loop.condition ||
        step->results.size() > loop.body.yields.size())
      return false;
    const size_t own = step->results.size();
    for (size_t i = 0; i < own; ++i)
      if (loop.body.yields[i] != step->results[i] || step->elseBlock.yields[i] != loop.iterArgs[i])
        return false;
    const auto computes = [](const Stmt &s) { return std::holds_alternative<Scalar>(s.op); };
    return step->elseBlock.stmts.empty() &&
           std::all_of(loop.body.stmts.begin(), loop.body.stmts.end() - 1, computes);
  }

  static const If &stepOf(const For &loop) { return std::get<If>(loop.body.stmts.back().op); }

  /// What the loop hands on beside its own values is computed behind it, from what these have come
  /// to.
  std::vector<Stmt> handOn(For &loop) {
    const size_t own = stepOf(loop).results.size();
    std::map<ValueId, ValueId> last;
    for (size_t i = 0; i < own; ++i)
      last[loop.iterArgs[i]] = loop.results[i];
    std::vector<Stmt> behind;
    for (size_t i = 0; i + 1 < loop.body.stmts.size(); ++i) {
      Scalar s = std::get<Scalar>(loop.body.stmts[i].op);
      for (ValueId &operand : s.operands)
        if (const auto at = last.find(operand); at != last.end())
          operand = at->second;
      last[s.result] = fresh();
      s.result = last[s.result];
      define(s);
      behind.push_back(statement(s, loop.body.stmts[i].loc));
    }
    for (size_t i = own; i < loop.results.size(); ++i) {
      const auto at = last.find(loop.body.yields[i]);
      renamed_[loop.results[i]] = at == last.end() ? loop.body.yields[i] : at->second;
    }
    return behind;
  }

  /// As many rounds as an integer says that stands for the functions, at the place of the inputs.
  std::vector<Stmt> bound(For &loop, const Decision &decision) {
    const auto [at, isNew] = objects_.try_emplace(decision.functions, int(program_.tensors.size()));
    std::vector<ValueId> inputs = decision.inputs;
    if (inputs.empty())
      inputs.push_back(constant(0));
    if (isNew) {
      Tensor integers{};
      integers.type = DType::i32;
      integers.rank = int(inputs.size());
      integers.minor = integers.rank - 1;
      integers.input = true;
      program_.tensors.push_back(integers);
    }
    std::vector<Stmt> before;
    const Scalar says{ScalarOp::load, fresh(), inputs, 0, at->second};
    define(says);
    before.push_back(statement(says));
    loop.lower = constant(0);
    loop.step = constant(1);
    loop.upper = says.result; // no rounds where it is negative
    loop.condition = kNone;
    return before;
  }

  void unfold(For &loop) {
    If step = std::move(std::get<If>(loop.body.stmts.back().op));
    const size_t own = step.results.size();
    loop.body.stmts.pop_back();
    std::ranges::move(step.thenBlock.stmts, std::back_inserter(loop.body.stmts));
    loop.body.yields = std::move(step.thenBlock.yields);
    loop.inits.resize(own);
    loop.iterArgs.resize(own);
    loop.results.resize(own);
  }

  std::map<std::string, int> objects_; // integers that the program does not have, by functions
  std::map<ValueId, ValueId> renamed_;
  std::vector<std::string> assumptions_;
};

} // namespace

std::optional<Decision> decisionOf(const Program &program, const For &loop) {
  return loop.isWhile() ? Reading(program, loop).decision() : std::nullopt;
}

std::optional<CountedWhiles> withCountedWhiles(const Program &program) {
  return WithBounds(program).counted();
}

} // namespace sluice
