#include "Launch/Allocations.h"

#include <atomic>
#include <cstdlib>
#include <new>

static std::atomic<int64_t> counted{0};

int64_t sluice::test::allocations() {
  return counted;
}

void *operator new(size_t bytes) {
  ++counted;
  if (void *p = std::malloc(bytes))
    return p;
  throw std::bad_alloc();
}
void operator delete(void *p) noexcept {
  std::free(p);
}
void operator delete(void *p, size_t) noexcept {
  std::free(p);
}
