// Pipelines by the names that CUTLASS gives them: each fixes who fills slots, who takes them and
// how they signal, and is checked against what the roles do. docs/pipelines.md sets them side by
// side.
#pragma once

#include "sluice/Pipeline.h"

#include <string>
#include <utility>
#include <vector>

namespace sluice::lang {

/// Filled by threads: copies from registers, stores of theirs, loads that TMA cannot do.
class PipelineAsync : public Pipeline {
public:
  PipelineAsync(KernelBuilder &k, const std::string &name, const LoopOptions &stages,
                const std::vector<Buffer> &over = {},
                SourceLocation at = SourceLocation::current());
};

/// Filled by TMA.
class PipelineTmaAsync : public Pipeline {
public:
  PipelineTmaAsync(KernelBuilder &k, const std::string &name, const LoopOptions &stages,
                   const std::vector<Buffer> &over, SourceLocation at = SourceLocation::current());
};

/// Filled by TMA; some roles multiply what it brings, others read it with their threads.
class PipelineTmaMultiConsumersAsync : public Pipeline {
public:
  PipelineTmaMultiConsumersAsync(KernelBuilder &k, const std::string &name,
                                 const LoopOptions &stages, const std::vector<Buffer> &over,
                                 SourceLocation at = SourceLocation::current());
};

/// Filled by cp.async, 4, 8 or 16 bytes at a time, which needs tensors so aligned: what the
/// producer loads is copied so. To threads these copies say themselves that they have ended, and
/// the producer goes on to the next slot; for products and TMA its commit waits for them.
class PipelineCpAsync : public Pipeline {
public:
  PipelineCpAsync(KernelBuilder &k, const std::string &name, const LoopOptions &stages,
                  const std::vector<Buffer> &over, SourceLocation at = SourceLocation::current());
};

/// Blackwell: filled by TMA, multiplied by products in tensor memory.
class PipelineTmaUmma : public Pipeline {
public:
  PipelineTmaUmma(KernelBuilder &k, const std::string &name, const LoopOptions &stages,
                  const std::vector<Buffer> &over, const RingOptions &options = {},
                  SourceLocation at = SourceLocation::current());
};

/// Blackwell: products fill it, in tensor memory, and threads take what they have added up.
class PipelineUmmaAsync : public Pipeline {
public:
  PipelineUmmaAsync(KernelBuilder &k, const std::string &name, const LoopOptions &stages,
                    const std::vector<Buffer> &over, const RingOptions &options = {},
                    SourceLocation at = SourceLocation::current());
};

/// Blackwell: threads fill it, in shared or in tensor memory, and products multiply it or add to
/// it.
class PipelineAsyncUmma : public Pipeline {
public:
  PipelineAsyncUmma(KernelBuilder &k, const std::string &name, const LoopOptions &stages,
                    const std::vector<Buffer> &over, const RingOptions &options = {},
                    SourceLocation at = SourceLocation::current());
};

/// The end of a PipelineTmaStore: the role writes a slot, and one of its threads has TMA store it.
class StoreProducer : public detail::End {
public:
  using detail::End::End;
  /// Waits until TMA has read the slot.
  void acquire(SourceLocation at = SourceLocation::current());
  /// What the role wrote to it is on its way to the tensor.
  void commit(const Tile &slot, const Box &to, SourceLocation at = SourceLocation::current());
  /// The same in parts, each to a place of its own.
  void commit(const std::vector<std::pair<Tile, Box>> &parts,
              SourceLocation at = SourceLocation::current());
  /// Waits until TMA has read every slot.
  void tail(SourceLocation at = SourceLocation::current());
};

/// From the threads of a role to TMA, which stores: no barrier in memory, one thread's groups.
class PipelineTmaStore {
public:
  PipelineTmaStore(KernelBuilder &k, const std::string &name, const LoopOptions &stages,
                   const Buffer &over, SourceLocation at = SourceLocation::current());
  StoreProducer producer(SourceLocation at = SourceLocation::current()) const;

private:
  detail::Recorder *owner_;
  int ring_;
};

/// A role's place in an order: between wait and arrive none of the others is.
class Turn {
public:
  void wait(SourceLocation at = SourceLocation::current());
  void arrive(SourceLocation at = SourceLocation::current());

private:
  friend class PipelineOrder;
  std::vector<Consumer> before_; // whose turns come first
  std::vector<Producer> behind_;
};

/// Roles take turns: the first named, the second ..., and again.
class PipelineOrder {
public:
  PipelineOrder(KernelBuilder &k, const std::string &name, std::vector<std::string> roles,
                SourceLocation at = SourceLocation::current());
  /// Of the role around it; once.
  Turn turn(SourceLocation at = SourceLocation::current()) const;

private:
  struct Link {
    size_t from, to; // of the roles
    Pipeline ring;
  };
  detail::Recorder *owner_;
  std::string name_;
  std::vector<std::string> roles_;
  std::vector<Link> links_; // none: a mistake that is recorded already
};

} // namespace sluice::lang
