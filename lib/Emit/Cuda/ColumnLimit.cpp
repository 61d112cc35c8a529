#include "Emit/Cuda/ColumnLimit.h"

#include <algorithm>

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

} // namespace sluice::cuda
