#include "Program/VectorForms.h"

#include "Program/Boxes.h"
#include "Program/WideningSum.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sluice {
namespace {

constexpr int64_t foldedColumns = 64; // f32 in 256 bytes, a repeat

class Matcher {
public:
  Matcher(const Program &program, const Map &map) : program_(program), map_(map), fn_(map.fn) {}

  std::optional<VectorForm> form() const {
    if (map_.outs.size() != 1 || fn_.results.size() != 1)
      return std::nullopt;
    const ElementNode &n = node(plain(fn_.results[0]));
    if (fn_.coordinates)
      return map_.ins.empty() ? columnNumbers(n) : filling(n);
    if (isNumber(fn_.results[0]))
      return map_.ins.empty()
                 ? std::optional(
                       VectorForm{VectorForm::fill, {}, node(fn_.results[0]).type, fn_.results[0]})
                 : std::nullopt;
    if (isElement(fn_.results[0], 0) && map_.ins[0].transposed)
      return VectorForm{VectorForm::turn};
    if (isElement(fn_.results[0], 0))
      return isSpread() ? VectorForm{VectorForm::spread} : VectorForm{VectorForm::move};
    if (n.op == ElementOp::cast && isElement(n.operands[0], 0))
      return VectorForm{VectorForm::cast};
    if (n.type == DType::i32)
      return ofIntegers(n);
    if (program_.type(map_.outs[0]) != DType::f32 || n.type != DType::f32)
      return std::nullopt;
    if (isWideningSum(fn_) && isSame(map_.ins[0], map_.outs[0]))
      return VectorForm{VectorForm::widened};
    if (isOfOne(n.op) && isElement(n.operands[0], 0))
      return VectorForm{VectorForm::unary, n.op, n.type};
    return isOfTwo(n.op) ? ofTwo(n) : std::nullopt;
  }

private:
  const ElementNode &node(int i) const { return fn_.nodes[i]; }
  /// Without a change of what 32 bits stand for.
  int plain(int i) const { return node(i).op == ElementOp::bits ? node(i).operands[0] : i; }
  std::optional<VectorForm> ofTwo(const ElementNode &n) const {
    if (!isElement(plain(n.operands[0]), 0))
      return std::nullopt;
    if (isElement(plain(n.operands[1]), 1))
      return VectorForm{VectorForm::binary, n.op, n.type};
    const bool takes = n.op != ElementOp::sub && n.op != ElementOp::div;
    if (takes && isNumber(n.operands[1]))
      return VectorForm{VectorForm::withNumber, n.op, n.type, n.operands[1]};
    return std::nullopt;
  }
  /// How sums and products beyond 32 bits end the documents do not tell: the lowering alone, which
  /// does not ask, writes them.
  std::optional<VectorForm> ofIntegers(const ElementNode &n) const {
    const bool bitwise = n.op == ElementOp::andI || n.op == ElementOp::orI;
    if (bitwise && isElement(plain(n.operands[0]), 0) && isElement(plain(n.operands[1]), 1))
      return VectorForm{VectorForm::bitwise, n.op, n.type};
    const bool known = n.op == ElementOp::add || n.op == ElementOp::sub || n.op == ElementOp::mul ||
                       n.op == ElementOp::max || n.op == ElementOp::min;
    return known ? ofTwo(n) : std::nullopt;
  }
  std::optional<VectorForm> columnNumbers(const ElementNode &n) const {
    const bool numbers = n.op == ElementOp::cast && n.type == DType::i32 &&
                         isCoordinate(n.operands[0], 1) && map_.outs[0].rows() == 1;
    return numbers ? std::optional(VectorForm{VectorForm::numbers}) : std::nullopt;
  }
  bool isElement(int i, int which) const {
    return node(i).op == ElementOp::argument && node(i).imm == which && which < fn_.inputs;
  }
  bool isShared(int i) const {
    return node(i).op == ElementOp::argument && node(i).imm >= fn_.arguments() - fn_.shared;
  }
  bool isCoordinate(int i, int axis) const {
    return node(i).op == ElementOp::argument && fn_.coordinates && node(i).imm == fn_.inputs + axis;
  }
  /// The same for all elements: constants, indices as floats, and arithmetic on them.
  bool isNumber(int i) const {
    const ElementNode &n = node(i);
    switch (n.op) {
    case ElementOp::constant:
    case ElementOp::parameter:
      return true;
    case ElementOp::argument:
      return isShared(i);
    case ElementOp::cast:
    case ElementOp::neg:
    case ElementOp::add:
    case ElementOp::sub:
    case ElementOp::mul:
    case ElementOp::div:
      return std::ranges::all_of(n.operands, [this](int o) { return isNumber(o); });
    default:
      return false;
    }
  }
  bool isSpread() const {
    const View &in = map_.ins[0], &out = map_.outs[0];
    return in.cols() == 1 && out.cols() != 1;
  }
  static bool isOfOne(ElementOp op) {
    return op == ElementOp::exp || op == ElementOp::log || op == ElementOp::sqrt ||
           op == ElementOp::abs;
  }
  static bool isOfTwo(ElementOp op) {
    return op == ElementOp::add || op == ElementOp::sub || op == ElementOp::mul ||
           op == ElementOp::div || op == ElementOp::max || op == ElementOp::maximum ||
           op == ElementOp::min || op == ElementOp::minimum;
  }

  /// select(place < limit, x, number), in place.
  std::optional<VectorForm> filling(const ElementNode &n) const {
    if (n.op != ElementOp::select || !isElement(n.operands[1], 0) || !isNumber(n.operands[2]) ||
        map_.ins.size() != 1 || !isSame(map_.ins[0], map_.outs[0]))
      return std::nullopt;
    const ElementNode &below = node(n.operands[0]);
    if (below.op != ElementOp::lt)
      return std::nullopt;
    VectorForm form{VectorForm::columns, {}, n.type, n.operands[2]};
    if (isCoordinate(below.operands[0], 0))
      form.kind = VectorForm::rows;
    else if (!isCoordinate(below.operands[0], 1))
      return std::nullopt;
    int limit = below.operands[1];
    if (const ElementNode &sum = node(limit);
        form.kind == VectorForm::columns && sum.op == ElementOp::add)
      for (const int side : {0, 1})
        if (isCoordinate(sum.operands[side], 0) && !form.slopes) {
          form.slopes = true;
          limit = sum.operands[1 - side];
        }
    if (node(limit).op == ElementOp::constant)
      form.limit = {kNone, int64_t(node(limit).value)};
    else if (isShared(limit))
      form.limit = map_.shared[node(limit).imm - (fn_.arguments() - fn_.shared)];
    else
      return std::nullopt;
    return form;
  }
  static bool isSame(const View &x, const View &y) {
    return x.kind == y.kind && x.object == y.object && x.slot == y.slot && x.offset == y.offset &&
           x.shape == y.shape;
  }

  const Program &program_;
  const Map &map_;
  const ElementFn &fn_;
};

} // namespace

std::optional<VectorForm> vectorForm(const Program &program, const Map &map) {
  return Matcher(program, map).form();
}

bool isOfOneColumn(const Program &program, const View &box, const View &tile) {
  const std::vector<int> dims = dimensionsOfTile(box);
  return tile.cols() == 1 && dims.size() == 2 &&
         (tile.rows() > 1 || dims[0] == program.tensors[box.object].minor);
}

bool isOneFold(const Program &program, const Reduce &fold) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const bool least = fold.combine == ElementOp::max || fold.combine == ElementOp::maximum;
  const bool most = fold.combine == ElementOp::min || fold.combine == ElementOp::minimum;
  const double start = least ? -infinity : most ? infinity : 0;
  return fold.axis == 1 && fold.out.cols() == 1 && !fold.element &&
         program.type(fold.in) == DType::f32 && program.type(fold.out) == DType::f32 &&
         fold.in.cols() <= foldedColumns && (least || most || fold.combine == ElementOp::add) &&
         fold.identity == start;
}

} // namespace sluice
