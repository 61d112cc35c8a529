// Element functions between accumulator and store on ascend910b: the cube core hands its tiles to
// the two vector cores through a workspace.
#include "Kernels/Launched.h"

#include "sluice/Compile.h"
#include "sluice/KernelBuilder.h"

#include <functional>

namespace sluice {
namespace {

using Settings = std::map<std::string, std::string>;

Result<Program> compiled(const Kernel &kernel) {
  CompileOptions options;
  options.target = Target::ascend910b;
  return compile(kernel, options);
}

class AscendEpilogue : public testing::TestWithParam<Settings> {};

TEST_P(AscendEpilogue, IsProvenAndRight) {
  const KernelEntry &entry = *findKernel("gemm");
  const Arch &arch = defaultArch(Target::ascend910b);
  auto parameters = resolve(entry, GetParam());
  ASSERT_TRUE(parameters) << parameters.error().message;
  auto kernel = entry.build(*parameters, arch);
  ASSERT_TRUE(kernel) << kernel.error().message;
  auto program = compiled(*kernel);
  ASSERT_TRUE(program) << program.error().message;

  expectProvenAndRight(entry, *parameters, *program, arch);
}

const Settings epilogueCases[] = {
    {{"M", "128"}, {"N", "128"}, {"K", "256"}, {"epilogue", "bias"}},
    {{"M", "67"}, {"N", "33"}, {"K", "301"}, {"epilogue", "bias_relu"}, {"out", "f32"}},
    {{"M", "136"}, {"N", "72"}, {"K", "40"}, {"epilogue", "bias_gelu"}, {"dtype", "bf16"}},
    {{"M", "5"}, {"N", "200"}, {"K", "0"}, {"epilogue", "bias"}},
    {{"M", "0"}, {"N", "33"}, {"K", "64"}, {"epilogue", "bias"}},
    // 72 tiles on 24 cores: every slot of the workspace is used again.
    {{"M", "141"},
     {"N", "118"},
     {"K", "50"},
     {"epilogue", "bias_gelu"},
     {"bm", "16"},
     {"bn", "16"}},
    // Tiles that fit into the unified buffer once only.
    {{"M", "128"}, {"N", "300"}, {"K", "64"}, {"epilogue", "bias"}, {"bn", "256"}, {"bk", "64"}},
};
INSTANTIATE_TEST_SUITE_P(Gemm, AscendEpilogue, testing::ValuesIn(epilogueCases));

/// C = end(A B) in tiles of 32 x 32, one column of them.
Result<Kernel>
product(const std::function<lang::Tile(lang::KernelBuilder &, const lang::Tile &)> &end) {
  using namespace lang;
  KernelBuilder k("product");
  lang::Tensor A = k.input("A", f16, 2), B = k.input("B", f16, 2), C = k.output("C", f32, 2);
  auto [i] = k.grid(ceilDiv(C.dim(0), 32));
  lang::Index row = i * 32;
  Tile acc = k.accumulator(f32, {32, 32}, "acc");
  k.loop(ceilDiv(A.dim(1), 32), stages(2), "k", [&, i = row](lang::Index t) {
    Tile a = k.load(A.at({i, t * 32}), {32, 32}, "a");
    Tile b = k.load(B.at({t * 32, 0}), {32, 32}, "b");
    k.mma(acc, a, b);
  });
  k.store(end(k, acc), C.at({row, 0}));
  return k.build();
}

/// 50 x 32 x 70: the tile of the last rows is not full.
std::vector<HostTensor> productTensors(const Program &program) {
  std::vector<HostTensor> tensors;
  for (const Tensor &t : program.tensors) {
    std::vector<int64_t> extents = t.name == "A"   ? std::vector<int64_t>{50, 70}
                                   : t.name == "B" ? std::vector<int64_t>{70, 32}
                                   : t.name == "C" ? std::vector<int64_t>{50, 32}
                                                   : t.extents;
    tensors.push_back(HostTensor::dense(t.type, extents, t.minor));
    if (t.input)
      fillNormal(tensors.back(), 3, tensors.size());
  }
  return tensors;
}

std::vector<std::byte> resultOf(const Program &program) {
  auto tensors = productTensors(program);
  const Arch &arch = defaultArch(Target::ascend910b);
  Verdict verdict = check(program, arch, launchOf(program, tensors));
  EXPECT_EQ(verdict.kind, Verdict::proven)
      << (verdict.violations.empty() ? "" : verdict.violations[0].message);
  auto run = simulate(program, arch, {}, tensors, {});
  EXPECT_TRUE(run && !run->violation);
  for (size_t i = 0; i < tensors.size(); ++i)
    if (program.tensors[i].output)
      return tensors[i].bytes;
  return {};
}

lang::Tile doubled(lang::KernelBuilder &k, const lang::Tile &t) {
  return k.map(
      {t}, lang::f32, [](lang::Element x) { return x * 2; }, "twice");
}
lang::Tile positive(lang::KernelBuilder &k, const lang::Tile &t) {
  return k.map(
      {t}, lang::f32, [](lang::Element x) { return lang::max(x, 0); }, "positive");
}

TEST(AscendElementFunctions, FollowOneAnother) {
  using Builder = lang::KernelBuilder;
  auto two = product([](Builder &k, const lang::Tile &t) { return doubled(k, positive(k, t)); });
  auto one = product([](Builder &k, const lang::Tile &t) {
    auto both = [](lang::Element x) { return lang::max(x, 0) * 2; };
    return k.map({t}, lang::f32, both, "both");
  });
  ASSERT_TRUE(two && one);
  auto chain = compiled(*two), single = compiled(*one);
  ASSERT_TRUE(chain) << chain.error().message;
  ASSERT_TRUE(single) << single.error().message;
  EXPECT_EQ(resultOf(*chain), resultOf(*single));
}

void eraseCrossWaits(Block &block) {
  std::erase_if(block.stmts, [](const Stmt &s) { return std::holds_alternative<CrossWait>(s.op); });
  for (Stmt &s : block.stmts) {
    if (auto *loop = std::get_if<For>(&s.op))
      eraseCrossWaits(loop->body);
    else if (auto *role = std::get_if<Role>(&s.op); role && role->core == "aiv")
      eraseCrossWaits(role->body);
  }
}

TEST(AscendElementFunctions, NeedTheFlagOfTheCubeCore) {
  auto kernel = product(positive);
  ASSERT_TRUE(kernel);
  auto program = compiled(*kernel);
  ASSERT_TRUE(program) << program.error().message;
  eraseCrossWaits(program->body);
  Verdict verdict = check(*program, defaultArch(Target::ascend910b),
                          launchOf(*program, productTensors(*program)));
  ASSERT_EQ(verdict.kind, Verdict::violated);
  EXPECT_EQ(verdict.violations[0].rule, "R26") << verdict.violations[0].message;
}

} // namespace
} // namespace sluice
