// The body of `reduce`: threads fold what they hold, and then each other's results. So a body is
// taken apart into an operation that joins any two results and a function of the element.
#include "Transform/Program/ElementFnImport.h"

#include "llvm/Support/FormatVariadic.h"

#include <cmath>

namespace sluice {
namespace {

class Splitter {
public:
  /// `step` takes the state and the element.
  explicit Splitter(ElementFn step) : step_(std::move(step)) {}

  std::optional<Fold> split(double start) {
    const int result = behindRounding(step_.results[0]);
    if (isState(result) && std::isfinite(start))
      return leaves(start, isFloat(node(result).type) ? DType::f32 : node(result).type);
    const ElementNode joined = sumOfProducts(node(result));
    if (!isCombine(joined.op))
      return std::nullopt;
    for (int side : {0, 1}) {
      const int element = joined.operands[1 - side];
      if (isState(joined.operands[side]) && !usesState(element))
        return Fold{joined.op, functionOf(element)};
    }
    return std::nullopt;
  }

private:
  /// Of a body that yields its state, as a product with 1.0 is read: the start, whatever is joined.
  static Fold leaves(double start, DType type) {
    ElementFn fn;
    fn.inputs = 1;
    fn.nodes = {{ElementOp::constant, type, {}, 0, start}};
    fn.results = {0};
    return Fold{ElementOp::max, std::move(fn)};
  }
  const ElementNode &node(int i) const { return step_.nodes[i]; }
  /// Of fma(a, b, state): the product, which threads add to what they hold.
  ElementNode sumOfProducts(ElementNode joined) {
    if (joined.op != ElementOp::fma)
      return joined;
    ElementNode product = joined;
    product.op = ElementOp::mul;
    product.operands.pop_back();
    joined.op = ElementOp::add;
    joined.operands = {joined.operands[2], int(step_.nodes.size())};
    step_.nodes.push_back(std::move(product));
    return joined;
  }
  bool isArgument(int i, int which) const {
    return node(i).op == ElementOp::argument && node(i).imm == which;
  }
  /// Partial results are f32 for every float: that the state is widened before and rounded behind
  /// says nothing.
  bool widens(int i, int from, int to) const {
    return node(i).op == ElementOp::cast && isFloat(node(from).type) && isFloat(node(to).type) &&
           byteSize(node(from).type) < byteSize(node(to).type);
  }
  int behindRounding(int i) const {
    const bool rounds = node(i).op == ElementOp::cast && widens(i, i, node(i).operands[0]);
    return rounds ? node(i).operands[0] : i;
  }
  bool isState(int i) const {
    return isArgument(i, 0) ||
           (node(i).op == ElementOp::cast && widens(i, node(i).operands[0], i) &&
            isArgument(node(i).operands[0], 0));
  }
  bool usesState(int i) const {
    return isArgument(i, 0) || llvm::any_of(node(i).operands, [&](int o) { return usesState(o); });
  }

  std::optional<ElementFn> functionOf(int result) {
    if (isArgument(result, 1))
      return std::nullopt;
    ElementFn fn;
    fn.inputs = 1;
    fn.results = {copied(result, fn)};
    return fn;
  }
  int copied(int i, ElementFn &to) {
    if (auto at = copies_.find(i); at != copies_.end())
      return at->second;
    ElementNode copy = node(i);
    for (int &operand : copy.operands)
      operand = copied(operand, to);
    if (copy.op == ElementOp::argument)
      copy.imm = 0;
    to.nodes.push_back(std::move(copy));
    return copies_[i] = int(to.nodes.size()) - 1;
  }

  ElementFn step_;
  llvm::DenseMap<int, int> copies_;
};

} // namespace

std::optional<Fold> importFold(mlir::Block &body, double start, const ElementParameters &parameters,
                               std::string &reason) {
  const auto step = importElementFn(body, 2, false, parameters, reason);
  if (!step)
    return std::nullopt;
  auto fold = Splitter(*step).split(start);
  if (!fold)
    reason = "partial results are folded too: the body joins the state and a function of the "
             "element by a sum, a product, max, min, and, or, or xor";
  else if (!isStart(fold->combine, start))
    reason = llvm::formatv("starts from {0}; partial results do so too, and a {1} starts from {2}",
                           start, fold->combine == ElementOp::mul ? "product" : "sum",
                           fold->combine == ElementOp::mul ? 1 : 0);
  return reason.empty() ? fold : std::nullopt;
}

} // namespace sluice
