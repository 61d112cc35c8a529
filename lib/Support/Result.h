// Errors as values: a message, where it happened, and the exit code class it belongs to.
#pragma once

#include "Support/Location.h"

#include <string>
#include <utility>
#include <variant>

namespace sluice {

struct Error {
  enum Kind { input, unsupported } kind = input; // exit 2 / exit 3 of the command line
  std::string message;
  Location location;
};

/// A value or an Error.
template <typename T> class Result {
public:
  Result(T value) : state_(std::move(value)) {}
  Result(Error error) : state_(std::move(error)) {}
  explicit operator bool() const { return state_.index() == 0; }
  T &operator*() { return std::get<0>(state_); }
  const T &operator*() const { return std::get<0>(state_); }
  T *operator->() { return &std::get<0>(state_); }
  const T *operator->() const { return &std::get<0>(state_); }
  const Error &error() const { return std::get<1>(state_); }

private:
  std::variant<T, Error> state_;
};

inline Error inputError(std::string message, Location at = {}) {
  return {Error::input, std::move(message), std::move(at)};
}
inline Error unsupportedError(std::string message, Location at = {}) {
  return {Error::unsupported, std::move(message), std::move(at)};
}

} // namespace sluice
