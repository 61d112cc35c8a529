// Index expressions of a kernel: extents, grid coordinates, loop variables and arithmetic on them.
#pragma once

#include <concepts>
#include <cstdint>
#include <source_location>

namespace sluice::lang {

namespace detail {
class Recorder; // lib/Language: writes the kernel down

/// A value of the kernel under construction. No value: it came from a mistake that is already
/// recorded, and whatever uses it is left out quietly.
struct Handle {
  Recorder *owner = nullptr;
  const void *value = nullptr;
};
} // namespace detail

using SourceLocation = std::source_location;

/// An integer that all threads share: a C++ integer, or a run-time value of the kernel.
class Index {
public:
  template <std::integral I> Index(I constant) : constant_(static_cast<int64_t>(constant)) {}
  explicit Index(detail::Handle handle) : handle_(handle) {}
  /// What dividing by zero or leaving 64 bits gives: a mistake where it is used.
  static Index undefined() {
    Index index(0);
    index.defined_ = false;
    return index;
  }

  /// Whether its value is known while the kernel is built.
  bool isConstant() const { return handle_.owner == nullptr; }
  bool isDefined() const { return defined_; }
  int64_t constant() const { return constant_; }
  const detail::Handle &handle() const { return handle_; }

private:
  detail::Handle handle_;
  int64_t constant_ = 0;
  bool defined_ = true;
};

/// from, from + step ... below `to`.
struct Range {
  Index from, to, step;
  template <std::convertible_to<Index> I> Range(I count) : from(0), to(count), step(1) {}
  Range(Index from, Index to, Index step = 1) : from(from), to(to), step(step) {}
};

/// An operand and the place where it was written down.
struct IndexAt {
  Index index;
  SourceLocation at;
  template <std::integral I>
  IndexAt(I constant, SourceLocation at = SourceLocation::current()) : index(constant), at(at) {}
  IndexAt(Index index, SourceLocation at = SourceLocation::current()) : index(index), at(at) {}
};

Index operator+(IndexAt a, IndexAt b);
Index operator-(IndexAt a, IndexAt b);
Index operator*(IndexAt a, IndexAt b);
/// Quotient and remainder round towards zero, as in C++.
Index operator/(IndexAt a, IndexAt b);
Index operator%(IndexAt a, IndexAt b);
/// Quotient rounded up.
Index ceilDiv(IndexAt a, IndexAt b);
Index min(IndexAt a, IndexAt b);
Index max(IndexAt a, IndexAt b);

/// A truth value that all threads share.
class Condition {
public:
  explicit Condition(bool constant) : constant_(constant) {}
  explicit Condition(detail::Handle handle) : handle_(handle) {}
  bool isConstant() const { return handle_.owner == nullptr; }
  bool constant() const { return constant_; }
  const detail::Handle &handle() const { return handle_; }

private:
  detail::Handle handle_;
  bool constant_ = false;
};

Condition operator==(IndexAt a, IndexAt b);
Condition operator!=(IndexAt a, IndexAt b);
Condition operator<(IndexAt a, IndexAt b);
Condition operator<=(IndexAt a, IndexAt b);
Condition operator>(IndexAt a, IndexAt b);
Condition operator>=(IndexAt a, IndexAt b);

/// An operand and the place where it was written down.
struct ConditionAt {
  Condition condition;
  SourceLocation at;
  ConditionAt(Condition condition, SourceLocation at = SourceLocation::current())
      : condition(condition), at(at) {}
};
/// Both, or either.
Condition operator&(ConditionAt a, ConditionAt b);
Condition operator|(ConditionAt a, ConditionAt b);

/// One of two.
Index select(Condition condition, IndexAt yes, IndexAt no);

/// What a role has found out to do next, and whether there is anything.
struct Next {
  Condition more;
  Index what;
};

} // namespace sluice::lang
