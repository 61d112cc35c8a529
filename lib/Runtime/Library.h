// A shared library that is looked for at run time.
#pragma once

#include "Support/Result.h"

#include <initializer_list>
#include <string>

namespace sluice {

class Library {
public:
  /// The first of `names` that loads; an error that says `what` is missing and what to do.
  static Result<Library> open(std::initializer_list<const char *> names, const std::string &what);

  /// Sets `function` to the symbol; false where the library has none.
  template <typename Function> bool find(const char *symbol, Function *&function) const {
    function = reinterpret_cast<Function *>(address(symbol));
    return function != nullptr;
  }

private:
  explicit Library(void *handle) : handle_(handle) {}
  void *address(const char *symbol) const;

  void *handle_; // stays open until the process ends
};

} // namespace sluice
