// The kernels of the catalogue compute what their references say, at extents that are no multiples
// of the tiles too, and the checker proves them there.
#include "Kernels/Launched.h"

#include "sluice/Compile.h"

namespace sluice {
namespace {

using Settings = std::map<std::string, std::string>;

struct Case {
  const char *kernel;
  Target target;
  Settings settings;
};

void expectRight(const Case &c) {
  const KernelEntry &entry = *findKernel(c.kernel);
  const Arch &arch = defaultArch(c.target);
  auto parameters = resolve(entry, c.settings);
  ASSERT_TRUE(parameters) << parameters.error().message;
  auto kernel = entry.build(*parameters, arch);
  ASSERT_TRUE(kernel) << kernel.error().message;
  CompileOptions options;
  options.target = c.target;
  auto program = compile(*kernel, options);
  ASSERT_TRUE(program) << program.error().message;

  expectProvenAndRight(entry, *parameters, *program, arch);
}

class KernelRuns : public testing::TestWithParam<Case> {};
TEST_P(KernelRuns, AreProvenAndRight) {
  expectRight(GetParam());
}

const Case runCases[] = {
    {"gemm", Target::sm_90a, {{"M", "136"}, {"N", "72"}, {"K", "200"}}},
    {"gemm", Target::sm_90a, {{"M", "67"}, {"N", "33"}, {"K", "101"}}},
    {"gemm", Target::sm_90a, {{"M", "0"}, {"N", "33"}, {"K", "101"}}},
    {"gemm", Target::sm_90a, {{"M", "64"}, {"N", "33"}, {"K", "0"}}},
    {"gemm",
     Target::sm_90a,
     {{"M", "136"}, {"N", "72"}, {"K", "200"}, {"a", "col"}, {"b", "col"}, {"dtype", "bf16"}}},
    {"gemm",
     Target::sm_90a,
     {{"M", "72"}, {"N", "136"}, {"K", "72"}, {"epilogue", "bias_gelu"}, {"out", "f32"}}},
    {"gemm", Target::ascend910b, {{"M", "136"}, {"N", "72"}, {"K", "300"}}},
    {"gemm",
     Target::ascend910b,
     {{"M", "67"}, {"N", "33"}, {"K", "301"}, {"a", "col"}, {"b", "col"}, {"out", "f32"}}},
    {"gemm",
     Target::sm_90a,
     {{"M", "30"}, {"N", "264"}, {"K", "200"}, {"bm", "24"}, {"swap", "yes"}, {"a", "col"}}},
    {"gemm",
     Target::sm_90a,
     {{"M", "13"}, {"N", "136"}, {"K", "72"}, {"swap", "yes"}, {"b", "col"}, {"dtype", "bf16"}}},
    {"gemm",
     Target::sm_90a,
     {{"M", "19"}, {"N", "61"}, {"K", "65"}, {"swap", "yes"}, {"epilogue", "gelu"}}}, // not by TMA
    {"gemm",
     Target::sm_90a,
     {{"M", "300"},
      {"N", "264"},
      {"K", "72"},
      {"swap", "yes"},
      {"epilogue", "relu"},
      {"out", "f32"}}},
    {"gemm",
     Target::sm_90a,
     {{"M", "16"}, {"N", "256"}, {"K", "300"}, {"swap", "yes"}, {"split", "2"}, {"bn", "64"}}},
    {"gemm",
     Target::sm_90a,
     {{"M", "21"},
      {"N", "120"},
      {"K", "72"},
      {"swap", "yes"},
      {"epilogue", "bias_gelu"},
      {"scales", "both"}}},
    {"gemm",
     Target::sm_90a,
     {{"M", "32"}, {"N", "136"}, {"K", "200"}, {"swap", "yes"}, {"split", "4"}, {"out", "f32"}}},
    {"gemm",
     Target::sm_90a,
     {{"M", "40"}, {"N", "200"}, {"K", "72"}, {"swap", "yes"}, {"bm", "16"}, {"cluster", "2x2"}}},
    {"gemm",
     Target::sm_90a,
     {{"M", "9"}, {"N", "136"}, {"K", "80"}, {"swap", "yes"}, {"dtype", "s8"}, {"b", "col"}}},
    {"gemm",
     Target::sm_90a,
     {{"M", "9"},
      {"N", "136"},
      {"K", "300"},
      {"swap", "yes"},
      {"dtype", "e4m3"},
      {"b", "col"},
      {"promote", "2"}}},
    {"grouped_gemm", Target::sm_90a, {{"rows", "500"}, {"N", "264"}, {"K", "200"}}},
    {"grouped_gemm",
     Target::sm_90a,
     {{"rows", "333"}, {"N", "65"}, {"K", "71"}, {"groups", "16"}, {"b", "col"}}}, // not by TMA
    {"grouped_gemm",
     Target::sm_90a,
     {{"rows", "77"}, {"N", "72"}, {"K", "0"}, {"groups", "1"}, {"dtype", "bf16"}}},
    {"grouped_gemm", Target::sm_90a, {{"rows", "0"}, {"N", "72"}, {"K", "64"}}},
    {"grouped_gemm",
     Target::sm_90a,
     {{"rows", "700"}, {"N", "300"}, {"K", "80"}, {"groups", "3"}, {"dtype", "s8"}, {"b", "col"}}},
    {"qk", Target::ascend910b, {{"iterations", "3"}}},
    {"qk", Target::ascend910b, {{"iterations", "2"}, {"l1_slots", "2"}, {"l0ab_slots", "1"}}},
    {"qk", Target::sm_90a, {{"iterations", "3"}, {"l1_slots", "2"}}},
    {"attention_tile", Target::sm_90a, {}},
    {"attention_tile", Target::sm_90a, {{"queries", "128"}, {"d", "128"}, {"dtype", "bf16"}}},
    {"attention", Target::sm_90a, {{"H", "2"}, {"Hkv", "1"}, {"S", "77"}, {"Skv", "300"}}},
    {"attention",
     Target::sm_90a,
     {{"H", "2"}, {"Hkv", "2"}, {"S", "300"}, {"Skv", "277"}, {"d", "64"}, {"causal", "yes"}}},
    {"attention",
     Target::sm_90a,
     {{"B", "1"}, {"H", "2"}, {"Hkv", "1"}, {"S", "130"}, {"Skv", "300"}, {"causal", "yes"}}},
    {"attention",
     Target::sm_90a,
     {{"B", "1"}, {"H", "1"}, {"Hkv", "1"}, {"S", "77"}, {"Skv", "150"}, {"d", "256"}}},
    {"attention", Target::sm_90a, {{"H", "1"}, {"Hkv", "1"}, {"S", "77"}, {"Skv", "0"}}},
    {"attention", Target::ascend910b, {{"H", "2"}, {"Hkv", "1"}, {"S", "77"}, {"Skv", "300"}}},
    {"attention",
     Target::ascend910b,
     {{"H", "2"}, {"Hkv", "2"}, {"S", "300"}, {"Skv", "277"}, {"d", "64"}, {"causal", "yes"}}},
    {"attention",
     Target::ascend910b,
     {{"B", "1"}, {"H", "1"}, {"Hkv", "1"}, {"S", "77"}, {"Skv", "150"}, {"d", "256"}}},
    {"attention", Target::ascend910b, {{"H", "1"}, {"Hkv", "1"}, {"S", "77"}, {"Skv", "0"}}},
    {"gather_gemm", Target::sm_90a, {{"M", "200"}, {"N", "144"}, {"K", "136"}, {"tokens", "300"}}},
    {"gather_gemm",
     Target::sm_90a,
     {{"M", "77"}, {"N", "61"}, {"K", "45"}, {"tokens", "9"}, {"dtype", "bf16"}}}, // not by TMA
    {"gather_gemm", Target::sm_90a, {{"M", "77"}, {"N", "64"}, {"K", "72"}, {"tokens", "0"}}},
    {"weights8", Target::sm_90a, {{"M", "200"}, {"N", "144"}, {"K", "300"}}},
    {"weights8",
     Target::sm_90a,
     {{"M", "77"}, {"N", "61"}, {"K", "45"}, {"dtype", "bf16"}}}, // not by TMA
    {"weights8", Target::sm_90a, {{"M", "77"}, {"N", "64"}, {"K", "0"}, {"out", "f32"}}},
    {"weights8",
     Target::sm_90a,
     {{"M", "70"}, {"N", "272"}, {"K", "136"}, {"bm", "64"}, {"bk", "64"}, {"stages", "4"}}},
    {"two_inputs", Target::sm_90a, {{"M", "200"}, {"N", "144"}, {"K1", "304"}, {"K2", "72"}}},
    {"two_inputs",
     Target::sm_90a,
     {{"M", "77"}, {"N", "61"}, {"K1", "45"}, {"K2", "300"}, {"dtype", "bf16"}}}, // not by TMA
    {"two_inputs", Target::sm_90a, {{"M", "77"}, {"N", "64"}, {"K1", "0"}, {"K2", "72"}}},
    {"two_inputs", Target::sm_90a, {{"M", "77"}, {"N", "64"}, {"K1", "72"}, {"K2", "0"}}},
    {"two_inputs", Target::sm_90a, {{"M", "77"}, {"N", "64"}, {"K1", "0"}, {"K2", "0"}}},
    {"conv2d", Target::sm_90a, {{"N", "2"}, {"H", "7"}, {"W", "9"}, {"C", "72"}, {"K", "40"}}},
    {"conv2d",
     Target::sm_90a,
     {{"N", "1"},
      {"H", "5"},
      {"W", "70"},
      {"C", "3"}, // not by TMA
      {"K", "65"},
      {"R", "2"},
      {"S", "5"},
      {"pad", "2"},
      {"dtype", "bf16"}}},
    {"conv2d",
     Target::sm_90a,
     {{"N", "2"}, {"H", "4"}, {"W", "300"}, {"C", "64"}, {"R", "1"}, {"S", "1"}, {"pad", "0"}}},
    {"conv2d",
     Target::sm_90a,
     {{"N", "1"}, {"H", "1"}, {"W", "1"}, {"C", "8"}, {"K", "8"}, {"R", "5"}, {"pad", "4"}}},
    {"conv2d", Target::sm_90a, {{"N", "1"}, {"H", "2"}, {"W", "9"}, {"pad", "0"}}}, // no rows
    {"conv2d", Target::sm_90a, {{"N", "1"}, {"H", "7"}, {"W", "9"}, {"C", "0"}}},
    {"silu_mul", Target::sm_90a, {{"plan", "no"}}},
    {"silu_mul", Target::sm_90a, {{"cols", "4097"}, {"dtype", "f16"}}}, // not by TMA
    {"silu_mul", Target::sm_90a, {{"rows", "77"}, {"cols", "1"}, {"dtype", "f32"}, {"ctas", "3"}}},
    {"silu_mul", Target::sm_90a, {{"rows", "0"}}},
    {"rmsnorm", Target::sm_90a, {{"plan", "no"}}},
    {"rmsnorm", Target::sm_90a, {{"rows", "300"}, {"cols", "1000"}, {"ctas", "7"}}},
    {"rmsnorm", Target::sm_90a, {{"cols", "3"}, {"dtype", "f16"}}},
    {"rmsnorm", Target::sm_90a, {{"rows", "5000"}, {"cols", "1"}, {"dtype", "f16"}}},
    {"rmsnorm", Target::sm_90a, {{"cols", "2048"}, {"dtype", "f32"}, {"stages", "2"}}},
    {"layernorm", Target::sm_90a, {{"rows", "100"}, {"cols", "3000"}}},
    {"layernorm", Target::sm_90a, {{"cols", "1"}, {"dtype", "f32"}}},
    {"layernorm", Target::sm_90a, {{"cols", "1025"}, {"affine", "no"}, {"ctas", "2"}}},
    {"layernorm", Target::sm_90a, {{"rows", "0"}}},
    {"softmax", Target::sm_90a, {{"rows", "1000"}, {"ctas", "7"}, {"plan", "no"}}},
    {"softmax", Target::sm_90a, {{"cols", "1001"}, {"dtype", "f16"}}}, // not by TMA
    {"softmax", Target::sm_90a, {{"cols", "1"}, {"dtype", "f32"}}},
    {"softmax", Target::sm_90a, {{"rows", "0"}, {"cols", "33"}}},
    {"log_softmax", Target::sm_90a, {{"cols", "2000"}, {"dtype", "f32"}, {"staging", "1"}}},
    {"log_softmax", Target::sm_90a, {{"cols", "77"}}},
    {"cross_entropy", Target::sm_90a, {{"rows", "300"}, {"cols", "1000"}}},
    {"cross_entropy", Target::sm_90a, {{"cols", "129"}, {"dtype", "f32"}}},
    {"cross_entropy", Target::sm_90a, {{"rows", "0"}}},
    {"softmax_backward", Target::sm_90a, {{"plan", "no"}}},
    {"softmax_backward", Target::sm_90a, {{"cols", "333"}, {"dtype", "f32"}}},
    {"copy", Target::sm_90a, {{"cols", "4100"}}},
    {"copy", Target::sm_90a, {{"rows", "0"}}},
    {"add", Target::sm_90a, {{"rows", "100"}, {"cols", "515"}, {"ctas", "3"}, {"line", "no"}}},
    {"add", Target::sm_90a, {{"cols", "1"}, {"dtype", "f32"}}},
    {"bias_gelu", Target::sm_90a, {{"rows", "300"}, {"cols", "4097"}}},
    {"bias_gelu", Target::sm_90a, {{"cols", "2000"}, {"dtype", "f32"}, {"staging", "1"}}},
    {"silu_mul_backward", Target::sm_90a, {{"cols", "1000"}, {"dtype", "f16"}}},
    {"silu_mul_backward", Target::sm_90a, {{"cols", "517"}, {"line", "no"}}},
    {"gelu_backward", Target::sm_90a, {{"cols", "4097"}, {"line", "no"}}},
    {"gelu_backward", Target::sm_90a, {{"cols", "3"}, {"dtype", "f32"}, {"line", "no"}}},
    // Their elements as one line of numbers: less than a piece, parts of a tile, several of a CTA.
    {"copy", Target::sm_90a, {{"rows", "1"}, {"cols", "1"}, {"line", "yes"}}},
    {"add", Target::sm_90a, {{"rows", "3"}, {"cols", "5"}, {"dtype", "f16"}, {"line", "yes"}}},
    {"silu_mul", Target::sm_90a, {{"rows", "0"}, {"cols", "77"}, {"line", "yes"}}},
    {"copy", Target::sm_90a, {{"rows", "5"}, {"cols", "4097"}, {"line", "yes"}}},
    {"gelu_backward",
     Target::sm_90a,
     {{"rows", "50"}, {"cols", "4097"}, {"dtype", "f32"}, {"line", "yes"}, {"share", "2"}}},
    {"silu_mul_backward",
     Target::sm_90a,
     {{"rows", "100"}, {"cols", "517"}, {"line", "yes"}, {"ctas", "3"}}},
    {"add", Target::sm_90a, {{"rows", "100"}, {"cols", "4096"}, {"line", "yes"}, {"plan", "no"}}},
    {"scale_bias_relu", Target::sm_90a, {{"cols", "1000"}, {"dtype", "f16"}}},
    {"scale_bias_relu", Target::sm_90a, {{"rows", "1"}, {"cols", "4097"}}},
    {"dropout", Target::sm_90a, {{"seed", "-81985529216486896"}, {"stream", "7"}}},
    {"dropout", Target::sm_90a, {{"rows", "100"}, {"cols", "4097"}, {"dtype", "f16"}}},
    {"dropout", Target::sm_90a, {{"cols", "1"}, {"p", "0.5"}, {"dtype", "f32"}}},
    {"dropout", Target::sm_90a, {{"cols", "300"}, {"p", "1"}}},
    {"add_dropout", Target::sm_90a, {{"cols", "1000"}, {"p", "0.999"}, {"staging", "1"}}},
    {"add_dropout", Target::sm_90a, {{"cols", "515"}, {"seed", "9"}, {"dtype", "f32"}}},
    {"cross_entropy_backward", Target::sm_90a, {{"rows", "300"}, {"cols", "1000"}}},
    {"cross_entropy_backward", Target::sm_90a, {{"cols", "9001"}, {"dtype", "f32"}}},
    {"rmsnorm", Target::sm_90a, {{"cols", "1000"}, {"saved", "yes"}, {"affine", "no"}}},
    {"layernorm", Target::sm_90a, {{"cols", "1023"}, {"saved", "yes"}}},
    {"add_rmsnorm", Target::sm_90a, {{"cols", "4096"}, {"saved", "yes"}, {"plan", "no"}}},
    {"add_layernorm", Target::sm_90a, {{"cols", "333"}, {"dtype", "f32"}}},
    {"rmsnorm_backward", Target::sm_90a, {{"rows", "300"}, {"cols", "1000"}, {"ctas", "7"}}},
    {"rmsnorm_backward", Target::sm_90a, {{"cols", "1"}, {"dtype", "f32"}}},
    {"rmsnorm_backward", Target::sm_90a, {{"rows", "0"}, {"ctas", "3"}}},
    {"layernorm_backward", Target::sm_90a, {{"cols", "1000"}, {"ctas", "2"}, {"dtype", "f16"}}},
    {"layernorm_backward", Target::sm_90a, {{"cols", "4097"}}},
    {"layernorm_backward", Target::sm_90a, {{"cols", "4097"}, {"weights", "auto"}}},
    {"layernorm_backward", Target::sm_90a, {{"cols", "2048"}}}, // four rows a tile
    {"norm_weights_backward", Target::sm_90a, {{"rows", "300"}, {"cols", "4097"}}},
    {"norm_weights_backward", Target::sm_90a, {{"rows", "0"}, {"cols", "3"}, {"mean", "no"}}},
    {"sum_rows", Target::sm_90a, {{"cols", "1000"}}},
    {"sum_rows", Target::sm_90a, {{"rows", "3"}, {"cols", "4097"}, {"dtype", "f32"}}},
    {"sum_rows", Target::sm_90a, {{"rows", "0"}, {"cols", "1"}}},
    {"quantise", Target::sm_90a, {{"cols", "1000"}}},
    {"quantise", Target::sm_90a, {{"cols", "4097"}, {"dtype", "f32"}, {"to", "e5m2"}}},
    {"quantise", Target::sm_90a, {{"rows", "0"}, {"cols", "3"}, {"dtype", "f16"}}},
    {"rope", Target::sm_90a, {}},
    {"rope", Target::sm_90a, {{"rows", "65"}, {"heads", "3"}, {"d", "64"}, {"dtype", "f32"}}},
    {"rope", Target::sm_90a, {{"rows", "1"}, {"heads", "1"}, {"d", "16"}, {"dtype", "f16"}}},
    {"rope", Target::sm_90a, {{"rows", "0"}}},
    {"transpose", Target::sm_90a, {{"rows", "130"}, {"cols", "264"}}},
    {"transpose", Target::sm_90a, {{"rows", "3"}, {"cols", "4097"}, {"dtype", "f32"}}},
    {"transpose", Target::sm_90a, {{"rows", "129"}, {"cols", "1"}, {"dtype", "f16"}}},
    {"transpose", Target::sm_90a, {{"rows", "0"}, {"cols", "77"}}},
    {"argmax", Target::sm_90a, {{"cols", "1000"}}},
    {"argmax", Target::sm_90a, {{"rows", "300"}, {"cols", "3"}, {"dtype", "f16"}}},
    {"argmax", Target::sm_90a, {{"rows", "0"}, {"cols", "4097"}, {"dtype", "f32"}}},
    // Rows that lie apart: by TMA, by threads, in pieces that are shifted.
    {"softmax", Target::sm_90a, {{"cols", "1000"}, {"pad", "24"}}},
    {"softmax", Target::sm_90a, {{"cols", "1000"}, {"pad", "1"}, {"dtype", "f16"}}},
    {"silu_mul", Target::sm_90a, {{"cols", "333"}, {"pad", "3"}}},
    {"copy", Target::sm_90a, {{"cols", "4097"}, {"pad", "7"}, {"dtype", "f32"}}},
    {"add_rmsnorm", Target::sm_90a, {{"cols", "1000"}, {"pad", "8"}, {"saved", "yes"}}},
    {"layernorm_backward", Target::sm_90a, {{"cols", "333"}, {"pad", "5"}}},
    {"quantise", Target::sm_90a, {{"cols", "1000"}, {"pad", "8"}}},
    {"layernorm", Target::sm_90a, {{"rows", "5"}, {"cols", "9000"}, {"pad", "4"}}},
    {"rmsnorm", Target::sm_90a, {{"rows", "3"}, {"cols", "8192"}, {"parts", "8"}, {"pad", "4"}}},
    // Rows in two passes.
    {"quantise", Target::sm_90a, {{"rows", "5"}, {"cols", "9001"}, {"plan", "no"}}},
    {"argmax", Target::sm_90a, {{"rows", "5"}, {"cols", "20001"}, {"plan", "no"}}},
    {"add_rmsnorm",
     Target::sm_90a,
     {{"rows", "5"}, {"cols", "9000"}, {"saved", "yes"}, {"plan", "no"}}},
    {"add_layernorm",
     Target::sm_90a,
     {{"rows", "5"}, {"cols", "9001"}, {"saved", "yes"}, {"plan", "no"}}},
    {"rmsnorm_backward",
     Target::sm_90a,
     {{"rows", "5"}, {"cols", "9000"}, {"weights", "no"}, {"plan", "no"}}},
    {"layernorm_backward",
     Target::sm_90a,
     {{"rows", "5"}, {"cols", "9001"}, {"weights", "no"}, {"plan", "no"}}},
    {"rmsnorm", Target::sm_90a, {{"rows", "9"}, {"cols", "9000"}, {"ctas", "2"}, {"plan", "no"}}},
    {"layernorm",
     Target::sm_90a,
     {{"rows", "5"}, {"cols", "5000"}, {"dtype", "f32"}, {"plan", "no"}}},
    {"layernorm",
     Target::sm_90a,
     {{"rows", "9"}, {"cols", "8192"}, {"affine", "no"}, {"plan", "no"}}},
    {"softmax",
     Target::sm_90a,
     {{"rows", "9"}, {"cols", "9001"}, {"dtype", "f16"}, {"plan", "no"}}}, // not by TMA
    {"softmax", Target::sm_90a, {{"rows", "0"}, {"cols", "16384"}, {"plan", "no"}}},
    {"log_softmax",
     Target::sm_90a,
     {{"rows", "5"}, {"cols", "16384"}, {"staging", "1"}, {"plan", "no"}}},
    {"softmax_backward", Target::sm_90a, {{"rows", "5"}, {"cols", "9000"}, {"plan", "no"}}},
    {"cross_entropy",
     Target::sm_90a,
     {{"rows", "9"}, {"cols", "20000"}, {"stages", "2"}, {"plan", "no"}}},
    // Rows that warps share: whole, and in two visits of pieces.
    {"rmsnorm", Target::sm_90a, {{"rows", "9"}, {"cols", "16384"}, {"parts", "8"}, {"ctas", "2"}}},
    {"rmsnorm", Target::sm_90a, {{"rows", "3"}, {"cols", "40000"}, {"parts", "8"}}},
    {"layernorm", Target::sm_90a, {{"rows", "5"}, {"cols", "9000"}, {"parts", "8"}}},
    {"layernorm", Target::sm_90a, {{"rows", "3"}, {"cols", "40000"}, {"parts", "8"}}},
    {"softmax", Target::sm_90a, {{"rows", "5"}, {"parts", "8"}, {"staging", "1"}}},
    {"softmax", Target::sm_90a, {{"cols", "8"}, {"parts", "8"}, {"dtype", "f32"}}},
    {"softmax", Target::sm_90a, {{"rows", "0"}, {"parts", "8"}}},
    {"softmax", Target::sm_90a, {{"rows", "5"}, {"cols", "4104"}, {"parts", "8"}}}, // not by TMA
    {"log_softmax", Target::sm_90a, {{"rows", "5"}, {"cols", "33000"}, {"parts", "8"}}},
    {"softmax_backward", Target::sm_90a, {{"rows", "5"}, {"cols", "20000"}, {"parts", "8"}}},
    {"quantise", Target::sm_90a, {{"rows", "5"}, {"cols", "16384"}, {"parts", "8"}}},
    {"argmax", Target::sm_90a, {{"rows", "5"}, {"cols", "8192"}, {"parts", "8"}}},
    {"argmax", Target::sm_90a, {{"rows", "3"}, {"cols", "40000"}, {"parts", "8"}}},
    {"cross_entropy", Target::sm_90a, {{"rows", "7"}, {"parts", "8"}, {"share", "2"}}},
    {"cross_entropy", Target::sm_90a, {{"cols", "8"}, {"parts", "8"}, {"dtype", "f32"}}},
    {"cross_entropy", Target::sm_90a, {{"rows", "0"}, {"parts", "8"}}},
    {"cross_entropy", Target::sm_90a, {{"rows", "5"}, {"cols", "4104"}, {"parts", "8"}}},
    {"cross_entropy", Target::sm_90a, {{"rows", "3"}, {"cols", "40000"}, {"parts", "8"}}},
    {"cross_entropy", Target::sm_90a, {{"rows", "3"}, {"cols", "65536"}, {"parts", "32"}}},
    {"cross_entropy", Target::sm_90a, {{"rows", "1"}, {"cols", "262144"}, {"parts", "64"}}},
    {"cross_entropy",
     Target::sm_90a,
     {{"rows", "5"}, {"cols", "9600"}, {"parts", "16"}, {"share", "2"}, {"dtype", "f16"}}},
    {"cross_entropy",
     Target::sm_90a,
     {{"rows", "0"}, {"cols", "40960"}, {"parts", "64"}, {"pad", "8"}}},
    {"add_rmsnorm", Target::sm_90a, {{"rows", "5"}, {"parts", "8"}, {"saved", "yes"}}},
    {"add_layernorm",
     Target::sm_90a,
     {{"rows", "3"}, {"cols", "40000"}, {"parts", "8"}, {"saved", "yes"}}},
    {"layernorm_backward", Target::sm_90a, {{"rows", "5"}, {"cols", "16384"}, {"parts", "8"}}},
    {"rmsnorm_backward",
     Target::sm_90a,
     {{"rows", "3"}, {"cols", "40000"}, {"parts", "8"}, {"weights", "no"}}},
    // The last parts are short, or have nothing.
    {"softmax", Target::sm_90a, {{"rows", "5"}, {"cols", "6072"}, {"parts", "8"}}},
    {"softmax", Target::sm_90a, {{"rows", "5"}, {"cols", "20003"}, {"parts", "16"}, {"ctas", "4"}}},
    {"rmsnorm", Target::sm_90a, {{"rows", "3"}, {"cols", "40003"}, {"parts", "8"}}},
    {"layernorm", Target::sm_90a, {{"rows", "5"}, {"cols", "9001"}, {"parts", "8"}}},
    {"layernorm", Target::sm_90a, {{"rows", "3"}, {"cols", "40003"}, {"parts", "8"}}},
    {"layernorm", Target::sm_90a, {{"rows", "3"}, {"cols", "100"}, {"parts", "8"}}},
    {"layernorm", Target::sm_90a, {{"rows", "3"}, {"cols", "1001"}, {"parts", "16"}}},
    {"add_layernorm", Target::sm_90a, {{"rows", "3"}, {"cols", "5001"}, {"parts", "8"}}},
    {"log_softmax",
     Target::sm_90a,
     {{"rows", "3"}, {"cols", "5001"}, {"parts", "8"}, {"dtype", "f32"}, {"share", "2"}}},
    {"softmax_backward", Target::sm_90a, {{"rows", "3"}, {"cols", "9400"}, {"parts", "8"}}},
    {"quantise", Target::sm_90a, {{"rows", "3"}, {"cols", "9001"}, {"parts", "8"}}},
    {"argmax", Target::sm_90a, {{"rows", "5"}, {"cols", "4097"}, {"parts", "16"}}},
    {"cross_entropy", Target::sm_90a, {{"rows", "5"}, {"cols", "9001"}, {"parts", "8"}}},
    {"cross_entropy", Target::sm_90a, {{"rows", "3"}, {"cols", "50257"}, {"parts", "32"}}},
    {"layernorm_backward", Target::sm_90a, {{"rows", "5"}, {"cols", "4097"}, {"parts", "8"}}},
    {"rmsnorm_backward",
     Target::sm_90a,
     {{"rows", "3"}, {"cols", "9001"}, {"parts", "16"}, {"dtype", "f32"}}},
    // As planned.
    {"softmax", Target::sm_90a, {{"rows", "5"}, {"cols", "16384"}}},
    {"softmax", Target::sm_90a, {{"rows", "5"}, {"cols", "9400"}}},
    {"layernorm", Target::sm_90a, {{"rows", "3"}, {"cols", "24704"}}},
    {"rmsnorm", Target::sm_90a, {{"rows", "3"}, {"cols", "8192"}, {"pad", "4"}}},
    {"log_softmax", Target::sm_90a, {{"rows", "300"}, {"cols", "2048"}, {"dtype", "f32"}}},
    {"softmax_backward", Target::sm_90a, {{"rows", "5"}, {"cols", "8192"}}},
    {"cross_entropy", Target::sm_90a, {{"rows", "3"}, {"cols", "65536"}}},
    {"cross_entropy", Target::sm_90a, {{"rows", "5"}, {"cols", "4097"}}},
    {"add_layernorm", Target::sm_90a, {{"rows", "3"}, {"cols", "8192"}, {"saved", "yes"}}},
    {"quantise", Target::sm_90a, {{"rows", "3"}, {"cols", "16384"}}},
    {"argmax", Target::sm_90a, {{"rows", "3"}, {"cols", "16384"}}},
    {"silu_mul_backward", Target::sm_90a, {{"rows", "50"}, {"cols", "4096"}, {"dtype", "f32"}}},
    {"layernorm_backward", Target::sm_90a, {{"rows", "5"}, {"cols", "16384"}}},
    {"rmsnorm_backward", Target::sm_90a, {{"rows", "3"}, {"cols", "40064"}, {"weights", "auto"}}},
};
INSTANTIATE_TEST_SUITE_P(Catalog, KernelRuns, testing::ValuesIn(runCases));

/// Tiles of few columns, whose rows no swizzle of B may divide.
class NarrowGemm : public testing::TestWithParam<
                       std::tuple<const char *, std::pair<const char *, const char *>>> {};
TEST_P(NarrowGemm, IsProvenAndRight) {
  const auto [columns, operands] = GetParam();
  const auto [type, b] = operands;
  if (std::string(type) == "s8" && std::string(columns) == "40")
    GTEST_SKIP() << "no instruction has s8 of 40 columns";
  expectRight(
      {"gemm",
       Target::sm_90a,
       {{"M", "77"}, {"N", "56"}, {"K", "144"}, {"dtype", type}, {"b", b}, {"bn", columns}}});
}
using Operands = std::pair<const char *, const char *>;
INSTANTIATE_TEST_SUITE_P(
    Catalog, NarrowGemm,
    testing::Combine(testing::Values("8", "16", "24", "32", "40", "48"),
                     testing::Values(Operands("f16", "row"), Operands("bf16", "col"),
                                     Operands("tf32", "col"), Operands("e4m3", "col"),
                                     Operands("s8", "col"))));

/// Types whose operands are contiguous along K; rows that TMA can address, and not.
class GemmOfType
    : public testing::TestWithParam<std::tuple<const char *, const char *, const char *>> {};
TEST_P(GemmOfType, IsProvenAndRight) {
  const auto [type, out, depth] = GetParam();
  expectRight(
      {"gemm",
       Target::sm_90a,
       {{"M", "77"}, {"N", "61"}, {"K", depth}, {"dtype", type}, {"out", out}, {"b", "col"}}});
}
INSTANTIATE_TEST_SUITE_P(Products, GemmOfType,
                         testing::Combine(testing::Values("tf32", "e4m3", "e5m2", "s8"),
                                          testing::Values("auto", "f16", "bf16", "f32"),
                                          testing::Values("45", "304")));

// Shapes x layouts x types x stages on both targets: 2 x 5 x 4 x 2 x 2 products.
using Point = std::tuple<Target, std::array<const char *, 3>, const char *, const char *, int>;

class GemmSweep : public testing::TestWithParam<Point> {};
TEST_P(GemmSweep, IsProvenAndRight) {
  auto [target, shape, order, type, stages] = GetParam();
  Settings settings = {{"M", shape[0]}, {"N", shape[1]}, {"K", shape[2]}, {"dtype", type}};
  settings["a"] = order[0] == 'r' ? "row" : "col";
  settings["b"] = order[1] == 'r' ? "row" : "col";
  settings["stages"] = std::to_string(stages);
  // A step of 64 on both targets, so that short products take several.
  settings["bk"] = "64";
  expectRight({"gemm", target, settings});
}

constexpr std::array<const char *, 3> shapes[] = {{"1", "1", "1"},
                                                  {"128", "128", "256"},
                                                  {"131", "61", "193"},
                                                  {"8", "264", "72"},
                                                  {"200", "136", "320"}};
INSTANTIATE_TEST_SUITE_P(Products, GemmSweep,
                         testing::Combine(testing::Values(Target::sm_90a, Target::ascend910b),
                                          testing::ValuesIn(shapes),
                                          testing::Values("rr", "rc", "cr", "cc"),
                                          testing::Values("f16", "bf16"), testing::Values(1, 3)));
INSTANTIATE_TEST_SUITE_P(OfBytesAndF32, GemmSweep,
                         testing::Combine(testing::Values(Target::ascend910b, Target::ascend950),
                                          testing::ValuesIn(shapes),
                                          testing::Values("rr", "rc", "cr", "cc"),
                                          testing::Values("s8", "f32"), testing::Values(2)));

} // namespace
} // namespace sluice
