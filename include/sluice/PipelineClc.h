// Blackwell: clusters that have not been launched, asked for by one role and taken by it and others
// (cluster launch control). docs/pipelines.md has it beside CUTLASS's.
//
//   PipelineClcFetchAsync work(k, "work", stages(2));
//   k.role("scheduler", warps(1), [&] {
//     RequestProducer to = work.producer();
//     RequestConsumer from = work.consumer();
//     k.repeat([&] { to.ask(); return from.take(); }, [](Index) {});
//     to.tail();
//   });
//   k.role("math", warps(4), [&] {
//     RequestConsumer from = work.consumer();
//     compute(first);
//     k.repeat([&] { return from.take(); }, [&](Index number) { compute(number); });
//   });
#pragma once

#include "sluice/Index.h"
#include "sluice/Pipeline.h"

#include <string>

namespace sluice::lang {

/// The end of a role that asks.
class RequestProducer {
public:
  RequestProducer(KernelBuilder &k, const Producer &end, Buffer response)
      : k_(&k), end_(end), response_(std::move(response)) {}
  /// For a cluster that has not been launched, once the slot of the response is free; and goes on
  /// to the next slot. It may ask while the last response that the CTA has read gave one.
  void ask(SourceLocation at = SourceLocation::current());
  /// Waits until every response has been taken.
  void tail(SourceLocation at = SourceLocation::current());

private:
  KernelBuilder *k_;
  Producer end_;
  Buffer response_;
};

/// The end of a role that takes responses.
class RequestConsumer {
public:
  RequestConsumer(KernelBuilder &k, const Consumer &end, Buffer response)
      : k_(&k), end_(end), response_(std::move(response)) {}
  /// The number in the grid, x fastest, of the first CTA of the cluster that was given, while one
  /// was; gives the slot back, and goes on to the next one.
  Next take(SourceLocation at = SourceLocation::current());

private:
  KernelBuilder *k_;
  Consumer end_;
  Buffer response_;
};

/// From a role that asks, in clusters of the leader, to itself and those of every CTA that work.
class PipelineClcFetchAsync {
public:
  PipelineClcFetchAsync(KernelBuilder &k, const std::string &name, const LoopOptions &stages,
                        SourceLocation at = SourceLocation::current());
  RequestProducer producer(SourceLocation at = SourceLocation::current()) const;
  RequestConsumer consumer(SourceLocation at = SourceLocation::current()) const;

private:
  KernelBuilder *k_;
  Buffer response_;
  Pipeline ring_;
};

} // namespace sluice::lang
