#include "Runtime/Library.h"

#include <dlfcn.h>

namespace sluice {

Result<Library> Library::open(std::initializer_list<const char *> names, const std::string &what) {
  std::string tried;
  for (const char *name : names) {
    if (void *handle = dlopen(name, RTLD_NOW | RTLD_LOCAL))
      return Library(handle);
    tried += (tried.empty() ? "" : ", ") + std::string(name);
  }
  return inputError("no " + what + " on this machine (looked for " + tried +
                    "); use a machine with an NVIDIA GPU");
}

void *Library::address(const char *symbol) const {
  return dlsym(handle_, symbol);
}

} // namespace sluice
