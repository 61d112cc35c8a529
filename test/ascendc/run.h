// What a library of printed kernels shows to the tests: call a kernel on the model, then run its
// queues as often as wanted. Behind the texts, callKernel(which, parameters) calls one of them.
#pragma once

#include "play.h"

#include <cstring>

void callKernel(int which, const int64_t *parameters);

namespace ascendc {

struct Launched {
  int which;
  int64_t blocks;
  const int64_t *parameters; // addresses, numbers, bits of floats, as the signature has them
  const Region *regions;     // the tensors
  int tensors;
  const Flag *dropped; // flags whose sets and waits are left out
  int flags;
};

/// Of its bits.
inline float floatOf(int64_t bits) {
  float number;
  std::memcpy(&number, &bits, sizeof number);
  return number;
}

/// All cores of a launch; those of a block that belong together follow each other.
inline std::vector<std::unique_ptr<Core>> &cores() {
  static std::vector<std::unique_ptr<Core>> all;
  return all;
}
inline std::string &message() {
  static std::string text;
  return text;
}
template <typename Action> const char *told(Action action) {
  message().clear();
  try {
    action();
  } catch (const Fault &fault) {
    message() = fault.what();
  }
  return message().c_str();
}

} // namespace ascendc

extern "C" {

/// Calls the kernel for every core; yields what is wrong with a call, or nothing. A grid of vector
/// cores alone has two blocks for each of the program's.
const char *ascendRecord(const ascendc::Launched *launched) {
  using namespace ascendc;
  return told([&] {
    cores().clear();
    call().regions.assign(launched->regions, launched->regions + launched->tensors);
    call().asksForKind = true;
    callKernel(launched->which, launched->parameters);
    call().asksForKind = false;
    const Kind kind = call().kind;
    call().blocks = kind == vectors ? 2 * launched->blocks : launched->blocks;
    for (int64_t block = 0; block < launched->blocks; ++block) {
      if (kind != vectors)
        cores().push_back(std::make_unique<Core>(true, block, 0));
      for (int64_t half = 0; half < 2 && kind != cubes; ++half)
        cores().push_back(
            std::make_unique<Core>(false, 2 * block + half, kind == mixed ? half : 0));
    }
    for (const auto &core : cores()) {
      call().core = core.get();
      core->dropped.insert(launched->dropped, launched->dropped + launched->flags);
      callKernel(launched->which, launched->parameters);
    }
  });
}

/// Runs the queues of every block in an order that `seed` chooses; yields what is wrong.
const char *ascendPlay(unsigned seed) {
  using namespace ascendc;
  return told([&] {
    const bool meet =
        std::any_of(cores().begin(), cores().end(), [](const auto &c) { return c->meetsAll; });
    const size_t together = meet ? cores().size() : call().kind == mixed ? 3 : 1;
    for (size_t first = 0; first < cores().size(); first += together) {
      std::vector<Core *> some;
      for (size_t i = 0; i < together; ++i)
        some.push_back(cores()[first + i].get());
      Play(some, seed).run();
    }
  });
}

/// Calls of a pipe of a core in the order of the text, a line each.
const char *ascendNotes(int64_t core, int queue) {
  using namespace ascendc;
  message().clear();
  for (const std::string &note : cores().at(core)->notes[queue])
    message() += note + "\n";
  return message().c_str();
}
}
