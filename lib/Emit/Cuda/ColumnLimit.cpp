#include "Emit/Cuda/ColumnLimit.h"

#include <algorithm>
#include <cmath>

namespace sluice::cuda {
namespace {

/// The nodes that `result` is computed of, and it, as a function of the same arguments.
ElementFn partOf(const ElementFn &fn, int result) {
  std::vector<bool> needed(fn.nodes.size());
  needed[result] = true;
  for (int i = result; i >= 0; --i)
    for (const int operand : fn.nodes[i].operands)
      needed[operand] = needed[operand] || needed[i];
  ElementFn part = fn;
  part.nodes.clear();
  std::vector<int> numbers(fn.nodes.size());
  for (int i = 0; i <= result; ++i) {
    if (!needed[i])
      continue;
    ElementNode node = fn.nodes[i];
    for (int &operand : node.operands)
      operand = numbers[operand];
    numbers[i] = int(part.nodes.size());
    part.nodes.push_back(std::move(node));
  }
  part.results = {numbers[result]};
  return part;
}

bool isInteger32(DType type) {
  return type == DType::i32 || type == DType::index;
}

/// Whether it is computed of the row, and else of what is the same for all elements.
bool isOfRow(const ElementFn &fn) {
  const auto isArgument = [](const ElementNode &n) { return n.op == ElementOp::argument; };
  const auto isRow = [&](const ElementNode &n) { return isArgument(n) && n.imm == fn.inputs; };
  return std::ranges::any_of(fn.nodes, isRow) &&
         std::ranges::all_of(fn.nodes, [&](const ElementNode &n) {
           const bool ofElement = isArgument(n) && !isRow(n) && n.imm < fn.inputs + 2;
           return n.op != ElementOp::random && !ofElement;
         });
}

/// How a value changes from one column to the next.
enum class Slope : uint8_t { none, one, other };

/// Of every node, in the order of the function; integers wrap around as those of 32 bits do.
std::vector<Slope> slopesOf(const ElementFn &fn, const std::vector<bool> &ofRows) {
  std::vector<Slope> slopes;
  for (const ElementNode &n : fn.nodes) {
    const auto of = [&](size_t k) { return slopes[n.operands[k]]; };
    const bool same = std::ranges::all_of(
        n.operands, [&](int operand) { return slopes[operand] == Slope::none; });
    const bool integer = isInteger32(n.type);
    Slope slope = same ? Slope::none : Slope::other;
    if (n.op == ElementOp::argument)
      slope = n.imm < fn.inputs        ? (ofRows[n.imm] ? Slope::none : Slope::other)
              : n.imm == fn.inputs + 1 ? Slope::one
                                       : Slope::none;
    else if (n.op == ElementOp::add && integer && (of(0) == Slope::none || of(1) == Slope::none))
      slope = std::max(of(0), of(1));
    else if (n.op == ElementOp::sub && integer && of(1) == Slope::none)
      slope = of(0);
    else if (n.op == ElementOp::cast && integer && isInteger32(fn.nodes[n.operands[0]].type))
      slope = of(0);
    else if (n.op == ElementOp::random)
      slope = Slope::other;
    slopes.push_back(slope);
  }
  return slopes;
}

} // namespace

std::optional<ColumnLimit> columnLimitOf(const ElementFn &fn) {
  if (!fn.coordinates || fn.results.size() != 1)
    return {};
  const ElementNode &choice = fn.nodes[fn.results[0]];
  if (choice.op != ElementOp::select)
    return {};
  const ElementNode &before = fn.nodes[choice.operands[0]];
  if (before.op != ElementOp::lt)
    return {};
  const ElementNode &column = fn.nodes[before.operands[0]];
  if (column.op != ElementOp::argument || column.imm != fn.inputs + 1)
    return {};
  ColumnLimit limit{partOf(fn, before.operands[1]), partOf(fn, choice.operands[1])};
  return isOfRow(limit.end) ? std::optional(std::move(limit)) : std::nullopt;
}

std::optional<ColumnChoice> columnChoiceOf(const ElementFn &fn, const std::vector<bool> &ofRows) {
  if (!fn.coordinates || fn.results.size() != 1)
    return {};
  const ElementNode &choice = fn.nodes[fn.results[0]];
  if (choice.op != ElementOp::select)
    return {};
  const ElementNode &same = fn.nodes[choice.operands[0]], &other = fn.nodes[choice.operands[2]];
  const bool zero =
      other.op == ElementOp::constant && other.value == 0 && !std::signbit(other.value);
  if (same.op != ElementOp::eq || !zero || fn.nodes[same.operands[0]].type != DType::i32)
    return {};
  const std::vector<Slope> slopes = slopesOf(fn, ofRows);
  for (const auto &[column, place] : {std::pair(0, 1), std::pair(1, 0)})
    if (slopes[same.operands[column]] == Slope::one && slopes[same.operands[place]] == Slope::none)
      return ColumnChoice{partOf(fn, same.operands[column]), partOf(fn, same.operands[place]),
                          partOf(fn, choice.operands[1])};
  return {};
}

} // namespace sluice::cuda
