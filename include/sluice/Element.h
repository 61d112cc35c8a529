// Element expressions: what `map` and `reduce` do with single elements of tiles. What each
// operation computes, to the last bit, is written in docs/semantics.md.
#pragma once

#include "Program/Types.h"
#include "sluice/Index.h"

#include <limits>

namespace sluice::lang {

/// What element functions may trade for speed; docs/semantics.md says how much.
struct FastMath {
  bool approximate = false; // tanh, erf, exp, exp2 and quotients by the machine's approximations
  bool contract = false;    // a product and the sum that it goes to round once
};

/// One element of a tile, or a number. Operands of two float types meet in the wider one (f16 and
/// bf16 meet in f32); a number takes the type of the other operand.
class Element {
public:
  template <typename T>
  requires std::is_arithmetic_v<T> Element(T number) : number_(static_cast<double>(number)) {}
  /// The same for all elements of a tile: a loop's variable, an extent, a coordinate of the grid.
  explicit Element(const Index &index)
      : handle_(index.handle()), type_(DType::index),
        number_(index.isDefined() ? static_cast<double>(index.constant())
                                  : std::numeric_limits<double>::quiet_NaN()) {}
  Element(detail::Handle handle, DType type) : handle_(handle), type_(type) {}

  bool isNumber() const { return handle_.owner == nullptr; }
  double number() const { return number_; }
  DType type() const { return type_; } // not of a number
  const detail::Handle &handle() const { return handle_; }

private:
  detail::Handle handle_;
  DType type_ = DType::f32;
  double number_ = 0;
};

/// An operand and the place where it was written down.
struct ElementAt {
  Element element;
  SourceLocation at;
  template <typename T>
  requires std::is_arithmetic_v<T> ElementAt(T number,
                                             SourceLocation at = SourceLocation::current())
      : element(number), at(at) {}
  ElementAt(Element element, SourceLocation at = SourceLocation::current())
      : element(element), at(at) {}
};

Element operator+(ElementAt a, ElementAt b);
Element operator-(ElementAt a, ElementAt b);
Element operator*(ElementAt a, ElementAt b);
Element operator/(ElementAt a, ElementAt b);
Element operator-(ElementAt a);
/// Of a number and NaN: the number. -0 is below 0.
Element max(ElementAt a, ElementAt b);
Element min(ElementAt a, ElementAt b);
/// NaN where an operand is.
Element maximum(ElementAt a, ElementAt b);
Element minimum(ElementAt a, ElementAt b);
Element fma(ElementAt a, ElementAt b, ElementAt c); // a * b + c, rounded once
Element abs(ElementAt a);

Element exp(ElementAt a);
Element exp2(ElementAt a);
Element log(ElementAt a);
Element log2(ElementAt a);
Element tanh(ElementAt a);
Element erf(ElementAt a);
Element sqrt(ElementAt a);
Element rsqrt(ElementAt a);

/// Made of those above. relu of NaN is 0.
Element relu(ElementAt a);
Element sigmoid(ElementAt a); // 1 / (1 + exp(-a))
Element silu(ElementAt a);    // a / (1 + exp(-a))
Element gelu(ElementAt a);    // by erf
Element geluTanh(ElementAt a);

/// Truth values (i1).
Element operator<(ElementAt a, ElementAt b);
Element operator<=(ElementAt a, ElementAt b);
Element operator>(ElementAt a, ElementAt b);
Element operator>=(ElementAt a, ElementAt b);
Element operator==(ElementAt a, ElementAt b);
Element operator!=(ElementAt a, ElementAt b);
Element operator&(ElementAt a, ElementAt b);
Element operator|(ElementAt a, ElementAt b);
Element select(ElementAt condition, ElementAt yes, ElementAt no);

/// Rounds to nearest even where the new type is narrower.
Element cast(ElementAt a, DType type);

} // namespace sluice::lang
