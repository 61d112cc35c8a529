#include "Console.h"
#include "Verbs.h"

#include <new>

int main(int argc, char **argv) {
  try {
    return sluice::tool::commandLine(argc, argv);
  } catch (const std::bad_alloc &) {
    return sluice::tool::report(sluice::unsupportedError("out of memory"));
  }
}
