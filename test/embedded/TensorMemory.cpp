// Products in tensor memory: of one CTA, and of a pair.
#include "Embedded.h"

namespace sluice::lang {

namespace {

/// C = A B in f32, tiles of 128 x 128 in each CTA: a role loads, one thread multiplies, four warps
/// store what has been added up.
struct Sums {
  KernelBuilder k;
  bool pair;
  Tensor A, B, C;
  Index row = 0, col = 0, half = 0;

  Sums(std::string name, bool pair)
      : k(std::move(name)), pair(pair), A(k.input("A", f16, 2, {.align = 16})),
        B(k.input("B", f16, 2, {.align = 16})), C(k.output("C", f32, 2, {.align = 16})) {
    Index down = ceilDiv(C.dim(0), 128), across = ceilDiv(C.dim(1), 128);
    if (pair) {
      auto [i, j] = k.grid(ceilDiv(down, 2) * 2, across, {.cluster = {2, 1}, .pair = true});
      row = i * 128, col = j * 128, half = k.rank() * 64;
    } else {
      auto [i, j] = k.grid(down, across);
      row = i * 128, col = j * 128;
    }
  }

  Result<Kernel> write() {
    const int64_t columns = pair ? 64 : 128; // of B, in each CTA
    Index steps = max(ceilDiv(A.dim(1), 64), 1);
    Buffer a = k.shared(f16, {128, 64}, "a"), b = k.shared(f16, {64, columns}, "b");
    Buffer sum = k.tensorMemory(f32, {128, 128}, "sum");
    PipelineTmaUmma ring(k, "ring", stages(3), {a, b});
    PipelineUmmaAsync sums(k, "sums", stages(1), {sum});
    k.role("load", warps(1), [&] {
      Producer to = ring.producer();
      k.loop(steps, "t", [&](Index t) {
        to.acquire();
        k.load(A.at({row, t * 64}), a[to]);
        k.load(B.at({t * 64, col + half}), b[to]);
        to.commit();
        to.advance();
      });
      to.tail();
    });
    k.role("mma", pair ? warps(1).leader() : warps(1), [&] {
      Consumer from = ring.consumer();
      Producer to = sums.producer();
      to.acquire();
      k.loop(steps, "t", [&](Index t) {
        from.wait();
        k.mma(sum, a[from], b[from], {.accumulates = t > 0});
        from.release();
        from.advance();
      });
      to.commit();
    });
    k.role("epilogue", warps(4), [&] {
      Consumer from = sums.consumer();
      from.wait();
      k.store(k.read(sum, f32, "c"), C.at({row, col}));
      from.release();
    });
    return k.build();
  }
};

} // namespace

Result<Kernel> tensorMemory() {
  return Sums("tensor_memory", false).write();
}

Result<Kernel> tensorMemoryOfPair() {
  return Sums("tensor_memory_of_pair", true).write();
}

} // namespace sluice::lang
