// Whole kernels of the catalogue as CUDA C++, word for word, against test/Emit/kernels/*.cu: what
// the lowering decides is seen in the text. SLUICE_UPDATE=1 in the environment writes them anew.
#include "Emit/Emit.h"
#include "kernels/Catalog.h"
#include "sluice/Compile.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

namespace sluice {
namespace {

namespace fs = std::filesystem;

struct Emitted {
  const char *file, *kernel;
  std::map<std::string, std::string> settings = {};
  Target target = Target::sm_90a;
};

void PrintTo(const Emitted &e, std::ostream *os) {
  *os << e.file;
}

std::string textOf(const Emitted &emitted) {
  const KernelEntry *entry = findKernel(emitted.kernel);
  const auto parameters = resolve(*entry, emitted.settings);
  if (!parameters)
    return parameters.error().message;
  const auto kernel = entry->build(*parameters, defaultArch(emitted.target));
  if (!kernel)
    return kernel.error().message;
  CompileOptions how;
  how.target = emitted.target;
  const auto program = compile(*kernel, how);
  if (!program)
    return program.error().message;
  EmitOptions options;
  options.places = false;
  const auto source = emitCuda(*program, options);
  return source ? source->text : source.error().message;
}

std::string read(const fs::path &path) {
  std::stringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

class EmittedKernel : public testing::TestWithParam<Emitted> {};

TEST_P(EmittedKernel, IsPrintedAs) {
  const fs::path tests = fs::path(__FILE__).parent_path().parent_path().parent_path();
  const fs::path path = tests / "Emit" / "kernels" / (std::string(GetParam().file) + ".cu");
  const std::string text = textOf(GetParam());
  if (std::getenv("SLUICE_UPDATE"))
    std::ofstream(path) << text;
  EXPECT_EQ(text, read(path)) << path;
}

INSTANTIATE_TEST_SUITE_P(
    Catalog, EmittedKernel,
    testing::Values(Emitted{"gemm", "gemm"},
                    Emitted{"gemm_persistent", "gemm", {{"mode", "persistent"}, {"bn", "256"}}},
                    Emitted{"gemm_pingpong", "gemm", {{"mode", "pingpong"}, {"bm", "64"}}},
                    Emitted{"gemm_pipelined", "gemm", {{"mode", "pipelined"}}},
                    Emitted{"gemm_split", "gemm", {{"split", "4"}}},
                    Emitted{"gemm_swap", "gemm", {{"M", "16"}, {"swap", "yes"}}},
                    Emitted{
                        "gemm_epilogue", "gemm", {{"epilogue", "bias_gelu"}, {"residual", "yes"}}},
                    Emitted{"gemm_mx",
                            "gemm",
                            {{"dtype", "e4m3"}, {"b", "col"}, {"scales", "mx"}, {"bn", "256"}},
                            Target::sm_100a},
                    Emitted{"grouped_gemm", "grouped_gemm"}, Emitted{"qk", "qk"},
                    Emitted{"attention_causal", "attention", {{"causal", "yes"}}},
                    Emitted{"attention_64", "attention", {{"d", "64"}}},
                    Emitted{"attention_turns", "attention", {{"turns", "yes"}}},
                    Emitted{"rmsnorm", "rmsnorm", {{"plan", "no"}}},
                    Emitted{"rmsnorm_in_place", "rmsnorm", {{"staging", "1"}}},
                    Emitted{"silu_mul", "silu_mul", {{"plan", "no"}}}),
    [](const auto &info) { return std::string(info.param.file); });

} // namespace
} // namespace sluice
