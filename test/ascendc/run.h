// What a library of printed kernels shows to the tests: call a kernel on the model, then run its
// queues as often as wanted. Behind the texts, callKernel(which, parameters) calls one of them.
#pragma once

#include "model.h"

#include <memory>

void callKernel(int which, const int64_t *parameters);

namespace ascendc {

struct Launched {
  int which;
  int64_t blocks;
  const int64_t *parameters; // addresses and numbers, in the order of the signature
  const Region *regions;     // the tensors
  int tensors;
  const Flag *dropped; // flags whose sets and waits are left out
  int flags;
};

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

/// Calls the kernel for every block; yields what is wrong with a call, or nothing.
const char *ascendRecord(const ascendc::Launched *launched) {
  using namespace ascendc;
  return told([&] {
    cores().clear();
    call().regions.assign(launched->regions, launched->regions + launched->tensors);
    call().blocks = launched->blocks;
    for (int64_t block = 0; block < launched->blocks; ++block) {
      cores().push_back(std::make_unique<Core>());
      call().core = cores().back().get();
      call().block = block;
      core().dropped.insert(launched->dropped, launched->dropped + launched->flags);
      callKernel(launched->which, launched->parameters);
    }
  });
}

/// Runs the queues of every block in an order that `seed` chooses; yields what is wrong.
const char *ascendPlay(unsigned seed) {
  using namespace ascendc;
  return told([&] {
    for (const auto &core : cores()) {
      call().core = core.get();
      core->play(seed);
    }
  });
}

/// Calls of a pipe of a block in the order of the text, a line each.
const char *ascendNotes(int64_t block, int queue) {
  using namespace ascendc;
  message().clear();
  for (const std::string &note : cores().at(block)->notes[queue])
    message() += note + "\n";
  return message().c_str();
}
}
