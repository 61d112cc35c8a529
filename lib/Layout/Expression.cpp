#include "Layout/Expression.h"

#include "Layout/Algebra.h"
#include "Support/Nearest.h"

#include <cctype>
#include <functional>

namespace sluice {
namespace {

/// Integers in nested parentheses, and where they stand in the text.
struct Numbers {
  int64_t value = 0;
  std::vector<Numbers> parts = {};
  bool isTuple = false;
  size_t column = 0;
};

/// What stands for a layout, a number or a name in a call.
struct Argument {
  TileLayout layout;
  std::optional<int64_t> number = std::nullopt; // a single integer; also a layout
  std::string word = {};                        // a name; no layout
  size_t column = 0;
};

Error at(size_t column, const std::string &message) {
  return inputError("column " + std::to_string(column) + ": " + message);
}

/// The layouts of a call, none of them swizzled.
using Plain = std::vector<ShapeStride>;

struct Function {
  const char *call; // what it takes
  size_t least, most;
  std::function<Result<ShapeStride>(const Plain &)> apply;
  bool keepsSwizzle = false; // of the first layout, which then stands in front of the result
};

constexpr size_t kAny = 16;

Plain behindFirst(const Plain &all) {
  return {all.begin() + 1, all.end()};
}

/// One operand is of the whole layout, several are mode by mode.
template <auto Whole, auto ByMode> Result<ShapeStride> wholeOrByMode(const Plain &all) {
  return all.size() == 2 ? Whole(all[0], all[1]) : ByMode(all[0], behindFirst(all));
}

using Binary = Result<ShapeStride> (*)(const ShapeStride &, const ShapeStride &);
using Listed = Result<ShapeStride> (*)(const ShapeStride &, const std::vector<ShapeStride> &);

const std::vector<Function> &functions() {
  constexpr Binary divide = &logicalDivide, multiply = &logicalProduct;
  constexpr Listed divideModes = &logicalDivide, multiplyModes = &logicalProduct;
  static const std::vector<Function> all = {
      {"coalesce(layout)", 1, 1, [](const Plain &p) { return coalesce(p[0]); }, true},
      {"composition(outer,inner)", 2, 2, [](const Plain &p) { return composition(p[0], p[1]); },
       true},
      {"complement(layout,total)", 2, 2,
       [](const Plain &p) { return complement(p[0], size(p[1])); }},
      {"logical_divide(layout,tiler...)", 2, kAny, wholeOrByMode<divide, divideModes>, true},
      {"zipped_divide(layout,tiler...)", 2, kAny, wholeOrByMode<divide, &zippedDivide>, true},
      {"logical_product(block,grid...)", 2, kAny, wholeOrByMode<multiply, multiplyModes>},
      {"zipped_product(block,grid...)", 2, kAny, wholeOrByMode<multiply, &zippedProduct>},
      {"right_inverse(layout)", 1, 1, [](const Plain &p) { return rightInverse(p[0]); }},
      {"left_inverse(layout)", 1, 1, [](const Plain &p) { return leftInverse(p[0]); }}};
  return all;
}

std::string nameOf(const std::string &call) {
  return call.substr(0, call.find('('));
}

class Parser {
public:
  explicit Parser(std::string_view text) : text_(text) {}

  Result<TileLayout> whole() {
    auto value = argument();
    if (!value)
      return value.error();
    if (!value->word.empty())
      return at(value->column, "'" + value->word + "' is no layout");
    skip();
    if (at_ < text_.size())
      return at(column(), "unexpected '" + std::string(1, text_[at_]) + "'");
    return std::move(value->layout);
  }

private:
  Result<Argument> argument() {
    if (++depth_ > kDeepest)
      return at(column(), "more than " + std::to_string(kDeepest) + " calls inside each other");
    skip();
    const size_t begin = column();
    const std::string word = name();
    Result<Argument> result = word.empty()                ? layout()
                              : word == "Sw" && peek('<') ? swizzled()
                              : peek('(')                 ? call(word, begin)
                                                          : Argument{{}, {}, word};
    if (result)
      result->column = begin;
    --depth_;
    return result;
  }

  /// (4,8) or (4,8):(1,4)
  Result<Argument> layout() {
    auto shape = numbers();
    if (!shape)
      return shape.error();
    if (auto good = checkExtents(*shape); !good)
      return good.error();
    Argument result;
    if (take(':')) {
      auto stride = numbers();
      if (!stride)
        return stride.error();
      auto joined = join(*shape, *stride);
      if (!joined)
        return joined.error();
      result.layout.layout.layout = std::move(*joined);
    } else {
      int64_t next = 1;
      result.layout.layout.layout = compact(*shape, next);
      if (!shape->isTuple)
        result.number = shape->value;
    }
    if (auto good = checkSize(result.layout.layout, shape->column); !good)
      return good.error();
    return result;
  }

  /// Behind "Sw": <3,4,3> o layout
  Result<Argument> swizzled() {
    const size_t begin = column();
    int64_t number[3] = {};
    take('<');
    for (int i = 0; i < 3; ++i) {
      if (i > 0 && !take(','))
        return expected("',': a swizzle has bits, base and shift");
      const bool negative = i == 2 && take('-');
      auto value = integer();
      if (!value)
        return value.error();
      number[i] = negative ? -*value : *value;
    }
    if (!take('>'))
      return expected("'>'");
    const auto [bits, base, shift] = number;
    if (bits > 20 || base > 20 || shift > 20 || shift < -20 || std::abs(shift) < bits)
      return at(begin, "a swizzle has bits, base and shift of at most 20, and no more bits than it "
                       "shifts");
    skip();
    if (name() != "o")
      return expected("'o' and a layout");
    auto inner = argument();
    if (!inner)
      return inner;
    if (!inner->word.empty() || inner->layout.layout.swizzle.bits)
      return at(inner->column, "a swizzle stands in front of a layout without one");
    inner->layout.dealt.reset();
    inner->number.reset();
    inner->layout.layout.swizzle = {static_cast<int>(bits), static_cast<int>(base),
                                    static_cast<int>(shift)};
    if (auto good = checkSize(inner->layout.layout, begin); !good)
      return good.error();
    return inner;
  }

  Result<Argument> call(const std::string &name, size_t begin) {
    auto arguments = list();
    if (!arguments)
      return arguments.error();
    if (isNamedLayout(name))
      return named(name, *arguments, begin);
    for (const Function &f : functions())
      if (nameOf(f.call) == name)
        return apply(f, *arguments, begin);
    std::vector<std::string> names;
    for (const std::string &known : layoutFunctions())
      names.push_back(nameOf(known));
    return at(begin, unknownName("function", name, names));
  }

  Result<std::vector<Argument>> list() {
    std::vector<Argument> arguments;
    take('(');
    do {
      auto next = argument();
      if (!next)
        return next.error();
      arguments.push_back(std::move(*next));
    } while (take(','));
    if (!take(')'))
      return expected("',' or ')'");
    return arguments;
  }

  static Result<Argument> apply(const Function &f, const std::vector<Argument> &arguments,
                                size_t begin) {
    if (arguments.size() < f.least || arguments.size() > f.most)
      return at(begin, "it takes " + std::string(f.call));
    Plain plain;
    for (const Argument &a : arguments) {
      if (!a.word.empty())
        return at(a.column, "'" + a.word + "' is no layout");
      if (a.layout.layout.swizzle.bits && !(f.keepsSwizzle && plain.empty()))
        return at(a.column, nameOf(f.call) + " takes no swizzle here");
      plain.push_back(a.layout.layout.layout);
    }
    auto result = f.apply(plain);
    if (!result)
      return at(begin, nameOf(f.call) + ": " + result.error().message);
    return Argument{{{arguments.front().layout.layout.swizzle, std::move(*result)}}};
  }

  static Result<Argument> named(const std::string &name, const std::vector<Argument> &arguments,
                                size_t begin) {
    std::string takes;
    for (const std::string &known : namedLayouts())
      if (nameOf(known) == name)
        takes = known;
    const bool typed = takes.find("type") != std::string::npos;
    if (arguments.size() != (typed ? 3 : 2) || !arguments[0].number || !arguments[1].number)
      return at(begin, "it takes " + takes);
    const auto type = typed ? parseDType(arguments[2].word) : DType::f16;
    if (!type || (typed && (*type == DType::i1 || *type == DType::index)))
      return at(arguments[2].column, "the type of elements is s8, i32, e4m3, e5m2, f16, bf16, tf32 "
                                     "or f32");
    auto made = namedLayout(name, {*arguments[0].number, *arguments[1].number}, *type);
    if (!made)
      return at(begin, name + ": " + made.error().message);
    if (auto good = checkSize(made->layout, begin); !good)
      return good.error();
    return Argument{std::move(*made)};
  }

  // ---- Numbers ----

  Result<Numbers> numbers() {
    skip();
    Numbers result;
    result.column = column();
    if (!take('(')) {
      auto value = integer();
      if (!value)
        return value.error();
      result.value = *value;
      return result;
    }
    if (++depth_ > kDeepest)
      return at(result.column, "more than " + std::to_string(kDeepest) + " open parentheses");
    result.isTuple = true;
    do {
      auto part = numbers();
      if (!part)
        return part;
      result.parts.push_back(std::move(*part));
    } while (take(','));
    --depth_;
    if (!take(')'))
      return expected("',' or ')'");
    return result;
  }

  Result<int64_t> integer() {
    skip();
    const size_t begin = column();
    int64_t value = 0;
    size_t digits = 0;
    for (; at_ < text_.size() && std::isdigit(static_cast<unsigned char>(text_[at_])); ++at_) {
      value = value * 10 + (text_[at_] - '0');
      ++digits;
      if (value > mostSize)
        return at(begin, "the number is larger than 2^40");
    }
    if (digits == 0)
      return expected("a number");
    return value;
  }

  static Result<bool> checkExtents(const Numbers &shape) {
    if (!shape.isTuple && shape.value == 0)
      return at(shape.column, "an extent is at least 1");
    for (const Numbers &part : shape.parts)
      if (auto good = checkExtents(part); !good)
        return good;
    return true;
  }

  static Result<bool> checkSize(const Swizzled &s, size_t column) {
    constexpr int64_t mostSwizzled = int64_t{1} << 22; // its cosize is counted
    if (s.swizzle.bits && size(s.layout) > mostSwizzled)
      return at(column, "a swizzled layout has at most 2^22 elements");
    if (size(s.layout) > mostSize || cosize(s.layout) > mostSize)
      return at(column, "the layout has more than 2^40 elements or offsets");
    return true;
  }

  static Result<ShapeStride> join(const Numbers &shape, const Numbers &stride) {
    if (shape.isTuple != stride.isTuple || shape.parts.size() != stride.parts.size())
      return at(stride.column, "the stride has not the form of the shape");
    if (!shape.isTuple)
      return ShapeStride(Leaf{shape.value, stride.value});
    Plain modes;
    for (size_t i = 0; i < shape.parts.size(); ++i) {
      auto mode = join(shape.parts[i], stride.parts[i]);
      if (!mode)
        return mode;
      modes.push_back(std::move(*mode));
    }
    return ShapeStride(std::move(modes));
  }

  /// Without strides the first mode is the fastest. Sizes beyond mostSize stay there.
  static ShapeStride compact(const Numbers &shape, int64_t &next) {
    if (!shape.isTuple) {
      const Leaf leaf{shape.value, next};
      next = size(ShapeStride(Plain{Leaf{next, 1}, Leaf{shape.value, 1}}));
      return leaf;
    }
    Plain modes;
    for (const Numbers &part : shape.parts)
      modes.push_back(compact(part, next));
    return modes;
  }

  // ---- Characters ----

  size_t column() const { return at_ + 1; }
  void skip() {
    while (at_ < text_.size() && text_[at_] == ' ')
      ++at_;
  }
  bool peek(char c) {
    skip();
    return at_ < text_.size() && text_[at_] == c;
  }
  bool take(char c) {
    const bool there = peek(c);
    at_ += there;
    return there;
  }
  std::string name() {
    const size_t begin = at_;
    const auto belongs = [&](char c) {
      return std::isalpha(static_cast<unsigned char>(c)) || c == '_' ||
             (at_ > begin && std::isdigit(static_cast<unsigned char>(c)));
    };
    while (at_ < text_.size() && belongs(text_[at_]))
      ++at_;
    return std::string(text_.substr(begin, at_ - begin));
  }
  Error expected(const std::string &what) {
    skip();
    const std::string found =
        at_ < text_.size() ? "'" + std::string(1, text_[at_]) + "'" : "the end";
    return at(column(), "expected " + what + ", found " + found);
  }

  static constexpr int kDeepest = 32;
  std::string_view text_;
  size_t at_ = 0;
  int depth_ = 0;
};

} // namespace

Result<TileLayout> parseLayoutExpression(std::string_view text) {
  return Parser(text).whole();
}

std::vector<std::string> layoutFunctions() {
  std::vector<std::string> all = namedLayouts();
  for (const Function &f : functions())
    all.emplace_back(f.call);
  return all;
}

} // namespace sluice
