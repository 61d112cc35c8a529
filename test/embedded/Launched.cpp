// Rows copied by CTAs that take the places of others which have not been launched.
#include "Embedded.h"

#include "sluice/PipelineClc.h"

namespace sluice::lang {

Result<Kernel> askedForClusters() {
  KernelBuilder k("asked_for_clusters");
  Tensor X = k.input("X", f32, 2), Y = k.output("Y", f32, 2);
  auto [i, j] = k.grid(ceilDiv(X.dim(0), 256) * 2, 1, {.cluster = {2, 1}});
  PipelineClcFetchAsync work(k, "work", stages(2));
  k.role("scheduler", warps(1).leader(), [&] {
    RequestProducer to = work.producer();
    RequestConsumer from = work.consumer();
    k.repeat(
        [&] {
          to.ask();
          return from.take();
        },
        [](Index) {});
    to.tail();
  });
  k.role("copy", warps(4), [&] {
    RequestConsumer from = work.consumer();
    Tile x = k.tile(f32, {128, 32}, "x");
    const Index right = k.uniform(i % 2);
    const auto copyRows = [&](Index cta) {
      k.load(X.at({cta * 128, 0}), x);
      k.store(x, Y.at({cta * 128, 0}));
    };
    copyRows(i);
    k.repeat([&] { return from.take(); }, [&](Index first) { copyRows(first + right); });
  });
  return k.build();
}

} // namespace sluice::lang
