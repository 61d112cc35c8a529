#include "Emit/Cuda/ElementText.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>

namespace sluice::cuda {

std::string floatLiteral(double x) {
  float f = static_cast<float>(x);
  if (std::isnan(f))
    return "__int_as_float(0x7fffffff)";
  if (std::isinf(f))
    return f < 0 ? "-infinity()" : "infinity()";
  std::string text;
  for (int digits = 1; digits <= 9; ++digits) { // the shortest that reads back
    char shorter[40];
    std::snprintf(shorter, sizeof shorter, "%.*g", digits, f);
    text = shorter;
    if (std::strtof(shorter, nullptr) == f)
      break;
  }
  return text.find_first_of(".e") == std::string::npos ? text + ".0f" : text + "f";
}

std::string integerLiteral(int64_t x) {
  if (x == INT32_MIN) // C++ knows no negative literals
    return "(-2147483647 - 1)";
  return std::to_string(x) + (x == static_cast<int32_t>(x) ? "" : "ll");
}

bool isAtom(const std::string &text) {
  int depth = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    depth += (text[i] == '(' || text[i] == '[') - (text[i] == ')' || text[i] == ']');
    if (depth == 0 && (text[i] == ' ' || (i == 0 && text[i] == '-')))
      return false;
  }
  return true;
}

const char *cppType(DType type) {
  return type == DType::i1 ? "bool" : isFloat(type) ? "float" : "int";
}

namespace {

/// Names of the functions of device/sluice/element.cuh and of CUDA C++; null: it has none.
const char *function(const ElementNode &n) {
  const bool real = isFloat(n.type);
  switch (n.op) {
  case ElementOp::mul:
    return real && !n.contract ? "__fmul_rn" : nullptr;
  case ElementOp::max:
    return real ? "fmaxf" : "max";
  case ElementOp::min:
    return real ? "fminf" : "min";
  case ElementOp::maximum:
    return "maximum";
  case ElementOp::minimum:
    return "minimum";
  case ElementOp::abs:
    return "fabsf";
  case ElementOp::fma:
    return "fmaf";
  case ElementOp::exp:
    return n.approximate ? "expApprox" : "expf";
  case ElementOp::div:
    return n.approximate && isFloat(n.type) ? "quotientApprox" : nullptr;
  case ElementOp::exp2:
    return n.approximate ? "exp2Approx" : "exp2f";
  case ElementOp::log:
    return "logf";
  case ElementOp::log2:
    return "log2f";
  case ElementOp::tanh:
    return n.approximate ? "tanhApprox" : "tanhf";
  case ElementOp::erf:
    return n.approximate ? "erfApprox" : "erff";
  case ElementOp::sqrt:
    return "sqrtf";
  case ElementOp::rsqrt:
    return "rsqrtf";
  default:
    return nullptr;
  }
}

/// Between two operands.
const char *infix(const ElementNode &n) {
  const bool truth = n.type == DType::i1;
  switch (n.op) {
  case ElementOp::add:
    return " + ";
  case ElementOp::sub:
    return " - ";
  case ElementOp::mul:
    return " * ";
  case ElementOp::div:
    return " / ";
  case ElementOp::lt:
    return " < ";
  case ElementOp::le:
    return " <= ";
  case ElementOp::gt:
    return " > ";
  case ElementOp::ge:
    return " >= ";
  case ElementOp::eq:
    return " == ";
  case ElementOp::ne:
    return " != ";
  case ElementOp::andI:
    return truth ? " && " : " & ";
  case ElementOp::orI:
    return truth ? " || " : " | ";
  default: // xorI
    return truth ? " != " : " ^ ";
  }
}

class ElementWriter {
public:
  ElementWriter(const ElementFn &fn, const ElementPlace &place)
      : fn_(fn), place_(place), uses_(fn.nodes.size()), asResult_(fn.nodes.size()) {
    for (const ElementNode &n : fn.nodes)
      for (size_t k = 0; k < n.operands.size(); ++k)
        uses_[n.operands[k]] += !isTakenApart(n, k);
    for (int r : fn.results)
      ++asResult_[r];
  }

  std::vector<std::string> print() {
    for (size_t i = 0; i < fn_.nodes.size(); ++i) {
      sizes_.push_back(size(fn_.nodes[i]));
      ofAll_.push_back(isOfAll(fn_.nodes[i]));
      texts_.push_back(named(i, roundedText(i)));
    }
    std::vector<std::string> results;
    for (int r : fn_.results)
      results.push_back(texts_[r]);
    return results;
  }

private:
  const ElementNode &node(size_t i) const { return fn_.nodes[i]; }
  bool isSum(size_t i) const {
    return node(i).op == ElementOp::add && node(i).type == DType::index;
  }
  /// Of a column that is a sum the parts alone are in the text of its random number.
  bool isTakenApart(const ElementNode &n, size_t operand) const {
    return n.op == ElementOp::random && operand == 4 && isSum(size_t(n.operands[operand]));
  }
  static bool isNarrow(DType type) { return isFloat(type) && type != DType::f32; }

  // ---- Integers of 64 bits (`index`) are int where they stay small

  /// An upper bound of the absolute value of an index.
  double size(const ElementNode &n) const {
    constexpr double coordinates = 1 << 20; // tiles are smaller
    if (n.type != DType::index)
      return n.type == DType::i32 ? 0x1p31 : 0x1p7;
    const auto of = [&](size_t k) { return sizes_[n.operands[k]]; };
    switch (n.op) {
    case ElementOp::argument:
      return n.imm < fn_.arguments() - fn_.shared
                 ? coordinates
                 : place_.shared.at(n.imm - (fn_.arguments() - fn_.shared));
    case ElementOp::constant:
      return std::fabs(n.value);
    case ElementOp::add:
    case ElementOp::sub:
      return of(0) + of(1);
    case ElementOp::mul:
      return std::max(of(0), 1.0) * std::max(of(1), 1.0);
    case ElementOp::max:
    case ElementOp::min:
      return std::max(of(0), of(1));
    case ElementOp::select:
      return std::max(of(1), of(2));
    case ElementOp::cast:
      return of(0);
    default: // bitwise
      return 2 * std::max(of(0), of(1)) + 1;
    }
  }
  bool isLong(size_t i) const {
    return node(i).type == DType::index && sizes_[i] > double(INT32_MAX);
  }
  const char *typeOf(size_t i) const { return isLong(i) ? "i64" : cppType(node(i).type); }

  // ---- Texts

  std::string operand(const ElementNode &n, size_t k, bool alone = false) const {
    const std::string &text = texts_[n.operands[k]];
    return alone || isAtom(text) ? text : "(" + text + ")";
  }

  /// "f(x, y)"; where integers of 64 bits are asked, all are.
  std::string call(const std::string &f, const ElementNode &n, bool wide = false) const {
    std::string text = f + "(";
    for (size_t k = 0; k < n.operands.size(); ++k)
      text += (k ? ", " : "") + (wide ? "i64(" + operand(n, k, true) + ")" : operand(n, k, true));
    return text + ")";
  }

  std::string text(size_t i) const {
    const ElementNode &n = node(i);
    switch (n.op) {
    case ElementOp::argument:
      return place_.arguments.at(n.imm);
    case ElementOp::parameter:
      return place_.parameter(n.imm);
    case ElementOp::constant:
      return n.type == DType::i1 ? (n.value != 0 ? "true" : "false")
             : isFloat(n.type)   ? floatLiteral(n.value)
                                 : integerLiteral(static_cast<int64_t>(n.value));
    case ElementOp::neg:
      return "-" + operand(n, 0);
    case ElementOp::select:
      return operand(n, 0) + " ? " + operand(n, 1) + " : " + operand(n, 2);
    case ElementOp::cast:
      return cast(n);
    case ElementOp::bits:
      return (n.type == DType::i32 ? "__float_as_int(" : "__int_as_float(") + operand(n, 0, true) +
             ")";
    case ElementOp::random:
      return randomText(n, isFloat(n.type) ? "randomUniform(" : "randomBits(");
    case ElementOp::ge:
      return asksRandom(n)
                 ? "uniformIsAtLeast(" + randomText(node(size_t(n.operands[0])), "randomBits(") +
                       ", " + operand(n, 1, true) + ")"
                 : realText(n);
    default:
      return isExactInteger(n.type) ? integerText(i) : realText(n);
    }
  }

  /// Adds what a sum of indices is the sum of; of sums in it, of those that are for it alone.
  void addParts(size_t i, bool whole, std::string &list) const {
    if (!isSum(i) || (!whole && uses_[i] > 1)) {
      list += ", " + texts_[i];
      return;
    }
    for (const int part : node(i).operands)
      addParts(size_t(part), false, list);
  }

  /// Whether it is the same for all elements.
  bool isOfAll(const ElementNode &n) const {
    const bool ofElement = n.op == ElementOp::argument && n.imm < fn_.arguments() - fn_.shared;
    return !ofElement && n.op != ElementOp::random &&
           std::ranges::all_of(n.operands, [&](int k) { return ofAll_[size_t(k)]; });
  }
  /// A random number of f32, for nothing else, with what is the same for all elements.
  bool asksRandom(const ElementNode &n) const {
    const auto drawn = size_t(n.operands[0]);
    return node(drawn).op == ElementOp::random && isFloat(node(drawn).type) &&
           uses_[drawn] + asResult_[drawn] == 1 && ofAll_[size_t(n.operands[1])];
  }

  /// The column in its parts, as device/sluice/element.cuh has it.
  std::string randomText(const ElementNode &n, std::string text) const {
    for (size_t k = 0; k < 4; ++k) // seed, stream, row
      text += (k ? ", " : "") + operand(n, k, true);
    addParts(size_t(n.operands[4]), true, text);
    return text + ")";
  }

  std::string realText(const ElementNode &n) const {
    if (const char *f = function(n))
      return call(f, n);
    return operand(n, 0) + infix(n) + operand(n, 1);
  }

  std::string integerText(size_t i) const {
    const ElementNode &n = node(i);
    if (const char *f = function(n))
      return call(f, n, isLong(i));
    const bool wraps = n.op >= ElementOp::add && n.op <= ElementOp::mul;
    if (wraps && (n.type == DType::i32 || isLong(i)))
      return call(std::string(n.op == ElementOp::add   ? "wrapAdd"
                              : n.op == ElementOp::sub ? "wrapSub"
                                                       : "wrapMul") +
                      "<" + typeOf(i) + ">",
                  n);
    const std::string exact = operand(n, 0) + infix(n) + operand(n, 1);
    return wraps && n.type == DType::s8 ? "lowByte(" + exact + ")" : exact;
  }

  /// A value of any type as a float, from which a number of type `to` is rounded.
  std::string asFloat(size_t i, DType to) const {
    if (isFloat(node(i).type))
      return texts_[i];
    const bool twice = to == DType::bf16 && byteSize(node(i).type) >= 4;
    return (twice ? "oddFloat(" : "float(") + texts_[i] + ")";
  }

  std::string cast(const ElementNode &n) const {
    const auto from = static_cast<size_t>(n.operands[0]);
    const DType given = node(from).type;
    const std::string &text = texts_[from];
    if (isFloat(n.type))
      return isNarrow(n.type) ? rounded(n.type, asFloat(from, n.type)) : asFloat(from, n.type);
    if (given == n.type)
      return text;
    if (isFloat(given)) {
      const std::string whole = "__float2int_rz(" + text + ")"; // saturates; 0 of NaN
      return n.type == DType::s8 ? "max(-128, min(127, " + whole + "))" : whole;
    }
    if (n.type == DType::s8)
      return given == DType::i1 ? "int(" + text + ")"
             : isLong(from)     ? "lowByte(int(" + text + "))"
                                : "lowByte(" + text + ")";
    if (n.type == DType::index && given == DType::i32)
      return "i64(" + text + ")";
    return given == DType::s8 || (given == DType::index && !isLong(from)) ? text
                                                                          : "int(" + text + ")";
  }

  static std::string rounded(DType type, const std::string &text) {
    return "rounded<" + std::string(name(type)) + ">(" + text + ")";
  }

  /// Rounded to the type of the node, unless that happens where it is put.
  std::string roundedText(size_t i) const {
    const ElementNode &n = node(i);
    if (!isNarrow(n.type) || n.op == ElementOp::argument)
      return text(i);
    bool stored = false;
    for (size_t r = 0; r < fn_.results.size(); ++r)
      stored |= fn_.results[r] == int(i) && place_.resultTypes[r] == n.type;
    if (stored && uses_[i] == 0)
      return n.op == ElementOp::cast ? asFloat(n.operands[0], n.type) : text(i);
    return n.op == ElementOp::cast ? text(i) : rounded(n.type, text(i));
  }

  std::string named(size_t i, std::string text) {
    const ElementOp op = node(i).op;
    const bool plain = op == ElementOp::argument && isAtom(text) && text.find('(') == text.npos;
    if (uses_[i] + asResult_[i] < 2 || op == ElementOp::constant || op == ElementOp::parameter ||
        plain)
      return text;
    std::string name = place_.names.take("", "x");
    place_.out.line("const " + std::string(typeOf(i)) + " " + name + " = " + text + ";");
    return name;
  }

  const ElementFn &fn_;
  const ElementPlace &place_;
  std::vector<int> uses_, asResult_;
  std::vector<double> sizes_;
  std::vector<bool> ofAll_;
  std::vector<std::string> texts_;
};

} // namespace

std::vector<std::string> elementText(const ElementFn &fn, const ElementPlace &place) {
  return ElementWriter(fn, place).print();
}

} // namespace sluice::cuda
