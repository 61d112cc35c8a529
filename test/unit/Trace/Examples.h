// Timelines of two pipelines, computed by hand rules: what a run of them would record.
#pragma once

#include "Simulate/Timeline.h"

#include <algorithm>
#include <array>

namespace sluice {

/// A GEMM on Hopper with three stages: a load warp, a warpgroup, the TMA engine, the tensor core.
inline Timeline hopperGemm(int64_t iterations) {
  enum Row { load, mma, tma, tensorCore };
  Timeline t;
  t.rows = {{TimelineRow::role, "load"},
            {TimelineRow::role, "mma wg0"},
            {TimelineRow::engine, "TMA"},
            {TimelineRow::engine, "tensor core"}};
  constexpr int64_t stages = 3;
  constexpr double issue = 12, transfer = 180, latency = 420, compute = 256;
  const Location loadAt{"gemm.mlir", 21, 7}, mmaAt{"gemm.mlir", 34, 7};
  auto add = [&](TimelineEvent::Kind kind, Row row, double b, double e, std::string name,
                 int64_t slot, int64_t i, Location at) {
    if (e > b)
      t.events.push_back({kind, row, b, e, std::move(name), slot, i, std::move(at)});
  };
  std::array<double, stages> empty{}; // when the slot was released
  double loader = 40, consumer = 40, engine = 0, tensor = 0, busy = 0;
  for (int64_t i = 0; i < iterations; ++i) {
    const int64_t s = i % stages;
    const std::string slot = "[" + std::to_string(s) + "]";
    const double acquired = std::max(loader, empty[s]);
    add(TimelineEvent::wait, load, loader, acquired, "wait empty" + slot, s, i, loadAt);
    add(TimelineEvent::work, load, acquired, acquired + 2 * issue, "issue loads", s, i, loadAt);
    loader = acquired + 2 * issue;
    const double begin = std::max(loader, engine);
    engine = begin + transfer;
    add(TimelineEvent::work, tma, begin, begin + transfer / 2, "load a", s, i, loadAt);
    add(TimelineEvent::work, tma, begin + transfer / 2, engine, "load b", s, i, loadAt);
    const double full = std::max(consumer, engine + latency);
    add(TimelineEvent::wait, mma, consumer, full, "wait full" + slot, s, i, mmaAt);
    add(TimelineEvent::work, mma, full, full + issue, "issue mma", s, i, mmaAt);
    const double start = std::max(full + issue, tensor);
    tensor = start + compute;
    add(TimelineEvent::work, tensorCore, start, tensor, "mma", s, i, mmaAt);
    add(TimelineEvent::wait, mma, full + issue, tensor, "wait mma", s, i, mmaAt);
    consumer = empty[s] = tensor;
    busy += compute;
  }
  add(TimelineEvent::work, mma, consumer, consumer + 160, "store c", -1, -1, {"gemm.mlir", 44, 5});
  add(TimelineEvent::work, tma, consumer + 160, consumer + 420, "store c", -1, -1,
      {"gemm.mlir", 45, 5});
  t.cycles = consumer + 420;
  t.iterations = iterations;
  t.initiationInterval = compute + issue;
  t.serialInterval = 2 * issue + transfer + latency + issue + compute;
  t.critical = "tensor core";
  t.criticalBusy = compute;
  const double n = static_cast<double>(iterations);
  t.utilisation = {{"TMA", (transfer * n + 260) / t.cycles}, {"tensor core", busy / t.cycles}};
  t.stalls = {{"load", "empty", n * 232, iterations - stages}, {"mma wg0", "full", 644, 3}};
  t.notes = {"ring ab: slots 3, at most 3 in use"};
  return t;
}

/// The loop of an Ascend core with two slots in L0A and L0B: MTE2, MTE1, M, and FIX at the end.
inline Timeline ascendGemm(int64_t iterations) {
  enum Row { mte2, mte1, m, fix };
  Timeline t;
  for (const char *pipe : {"MTE2", "MTE1", "M", "FIX"})
    t.rows.push_back({TimelineRow::engine, pipe});
  constexpr double toL1 = 300, toL0 = 128, compute = 256;
  std::array<double, 2> l1Free{}, l0Free{};
  std::array<double, 4> at{};
  auto add = [&](Row row, double ready, const char *flag, double duration, const char *name,
                 int64_t slot, int64_t i) {
    const double begin = std::max(at[row], ready);
    if (begin > at[row])
      t.events.push_back(
          {TimelineEvent::wait,
           row,
           at[row],
           begin,
           "wait " + std::string(flag) + " id " + std::to_string(std::max<int64_t>(slot, 0)),
           slot,
           i,
           {}});
    t.events.push_back({TimelineEvent::work,
                        row,
                        begin,
                        begin + duration,
                        name,
                        slot,
                        i,
                        {"gemm_v0.mlir", 12 + row, 5}});
    return at[row] = begin + duration;
  };
  for (int64_t i = 0; i < iterations; ++i) {
    const int64_t s = i % 2;
    const double inL1 = add(mte2, l1Free[s], "MTE1->MTE2", toL1, "copy a, b to L1", s, i);
    for (int64_t k = 0; k < 2; ++k) {
      const double inL0 = add(mte1, std::max(inL1, l0Free[k]), k ? "M->MTE1" : "MTE2->MTE1", toL0,
                              "move to L0", k, i);
      l0Free[k] = add(m, inL0, "MTE1->M", compute / 2, "mmad", k, i);
    }
    l1Free[s] = at[mte1];
  }
  add(fix, at[m], "M->FIX", 380, "store c", -1, -1);
  t.cycles = at[fix];
  t.iterations = iterations;
  t.initiationInterval = toL1;
  t.serialInterval = toL1 + 2 * toL0 + compute;
  t.critical = "MTE2";
  t.criticalBusy = toL1;
  const double n = static_cast<double>(iterations);
  t.utilisation = {{"MTE2", toL1 * n / t.cycles},
                   {"MTE1", 2 * toL0 * n / t.cycles},
                   {"M", compute * n / t.cycles},
                   {"FIX", 380 / t.cycles}};
  t.stalls = {{"M", "flag MTE1->M", n * 44, 2 * iterations},
              {"MTE1", "flag MTE2->MTE1", n * 44, iterations}};
  t.notes = {"slots of a (L0A): 2, at most 2 in use", "slots of acc (L0C): 1"};
  return t;
}

} // namespace sluice
