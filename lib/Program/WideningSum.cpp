#include "Program/WideningSum.h"

namespace sluice {

bool isWideningSum(const ElementFn &fn) {
  if (fn.inputs != 2 || fn.coordinates || fn.shared || fn.results.size() != 1)
    return false;
  const ElementNode &sum = fn.nodes[fn.results[0]];
  if (sum.op != ElementOp::add || sum.type != DType::f32)
    return false;
  const ElementNode &x = fn.nodes[sum.operands[0]], &wide = fn.nodes[sum.operands[1]];
  if (x.op != ElementOp::argument || x.imm != 0 || x.type != DType::f32 ||
      wide.op != ElementOp::cast)
    return false;
  const ElementNode &y = fn.nodes[wide.operands[0]];
  return y.op == ElementOp::argument && y.imm == 1 && y.type == DType::f16;
}

} // namespace sluice
