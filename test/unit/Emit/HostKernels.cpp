#include "Emit/HostKernels.h"

#include "Arch/Arch.h"
#include "Program/TensorShape.h"
#include "Support/HostTensor.h"
#include "kernels/Catalog.h"
#include "sluice/Compile.h"

namespace sluice::test {
namespace {

Config gemmConfig(const std::string &name, std::map<std::string, std::string> settings) {
  for (auto [size, value] : {std::pair{"M", "300"}, {"N", "200"}, {"K", "264"}})
    settings.emplace(size, value);
  return {name, "gemm", std::move(settings)};
}

} // namespace

void PrintTo(const Config &c, std::ostream *out) {
  *out << c.name;
}
void PrintTo(const Text &t, std::ostream *out) {
  *out << t.file;
}

std::string Text::name() const {
  const size_t from = file.rfind('/') + 1;
  return file.substr(from, file.find('.') - from);
}

std::vector<Config> hostConfigs() {
  return {
      gemmConfig("plain", {}),
      gemmConfig("columns", {{"a", "col"}, {"b", "col"}, {"dtype", "bf16"}}),
      gemmConfig("cluster_of_four",
                 {{"mode", "persistent"}, {"cluster", "2x2"}, {"bm", "64"}, {"bn", "64"}}),
      gemmConfig("s8", {{"K", "272"}, {"dtype", "s8"}, {"b", "col"}}),
      gemmConfig("pipelined", {{"mode", "pipelined"}}),
      gemmConfig("hints", {{"cluster", "2x1"},
                           {"a_cache", "evict_first"},
                           {"b_cache", "evict_last"},
                           {"c_cache", "evict_first"}}),
      gemmConfig("narrow", {{"bn", "24"}, {"N", "40"}}),
      gemmConfig("swap", {{"swap", "yes"}, {"bm", "16"}, {"M", "24"}, {"epilogue", "bias"}}),
      gemmConfig("split", {{"split", "2"}, {"bm", "64"}, {"bn", "64"}}),
      {"attention", "attention_tile", {{"queries", "128"}}},
      {"qk", "qk", {{"iterations", "5"}, {"l1_slots", "2"}}},
      {"gather", "gather_gemm", {{"M", "200"}, {"N", "144"}, {"K", "136"}, {"tokens", "300"}}},
      {"weights8", "weights8", {{"M", "200"}, {"N", "144"}, {"K", "304"}}},
      {"two_inputs", "two_inputs", {{"M", "200"}, {"N", "144"}, {"K1", "304"}, {"K2", "72"}}},
      {"conv2d", "conv2d", {{"N", "2"}, {"H", "7"}, {"W", "9"}, {"C", "72"}, {"K", "40"}}},
      {"softmax", "softmax", {{"rows", "33"}, {"cols", "1000"}}},
      {"softmax_unaligned", "softmax", {{"rows", "33"}, {"cols", "1001"}}},
  };
}

std::vector<Config> moreHostConfigs() {
  return {
      gemmConfig("one_stage", {{"stages", "1"}, {"bm", "64"}, {"bn", "64"}}),
      gemmConfig("two_stages", {{"stages", "2"}, {"bk", "128"}, {"bn", "64"}}),
      gemmConfig(
          "swap_persistent",
          {{"swap", "yes"}, {"bm", "8"}, {"bn", "64"}, {"N", "9000"}, {"mode", "persistent"}}),
      gemmConfig("swap_split", {{"swap", "yes"}, {"bm", "32"}, {"out", "f32"}, {"split", "4"}}),
      gemmConfig("swap_scales",
                 {{"swap", "yes"}, {"bm", "32"}, {"split", "2"}, {"scales", "both"}}),
      gemmConfig("swap_residual", {{"swap", "yes"}, {"bm", "24"}, {"residual", "yes"}}),
      gemmConfig("swap_residual_by_threads", {{"swap", "yes"}, {"bm", "40"}, {"residual", "yes"}}),
      gemmConfig("swap_residual_persistent", {{"swap", "yes"},
                                              {"bm", "8"},
                                              {"bn", "64"},
                                              {"N", "9000"},
                                              {"mode", "persistent"},
                                              {"residual", "yes"}}),
      gemmConfig("swap_unaligned", {{"swap", "yes"}, {"M", "7"}, {"N", "71"}, {"K", "65"}}),
      gemmConfig("wide", {{"bn", "256"}, {"stages", "3"}}),
      gemmConfig("pingpong", {{"mode", "pingpong"}, {"bm", "64"}, {"bn", "64"}, {"stages", "3"}}),
      gemmConfig("pipelined_one_stage", {{"mode", "pipelined"}, {"stages", "1"}, {"bm", "64"}}),
      gemmConfig("pipelined_by_threads", {{"mode", "pipelined"}, {"N", "71"}, {"cluster", "2x1"}}),
      gemmConfig("blocks",
                 {{"bm", "256"}, {"bn", "160"}, {"staging", "2"}, {"mode", "persistent"}}),
      gemmConfig("high", {{"bm", "256"}, {"bn", "128"}, {"stages", "2"}}),
      gemmConfig("bias", {{"epilogue", "bias_relu"}, {"out", "f32"}}),
      gemmConfig("residual", {{"residual", "yes"}, {"scales", "both"}}),
      gemmConfig("steps_alternate", {{"mode", "persistent"},
                                     {"bm", "64"},
                                     {"bn", "64"},
                                     {"M", "1400"},
                                     {"N", "1000"},
                                     {"steps", "alternate"}}),
      gemmConfig("residual_persistent", {{"residual", "yes"}, {"mode", "persistent"}}),
      gemmConfig("residual_paced", {{"residual", "yes"}, {"mode", "persistent"}, {"K", "1100"}}),
      gemmConfig("batch", {{"batch", "2"}, {"mode", "persistent"}}),
      gemmConfig("unaligned", {{"M", "133"}, {"N", "71"}, {"K", "65"}, {"bm", "64"}, {"bn", "64"}}),
      gemmConfig("no_depth", {{"K", "0"}, {"bm", "64"}}),
      gemmConfig(
          "persistent",
          {{"mode", "persistent"}, {"M", "2000"}, {"N", "1500"}, {"bm", "64"}, {"bn", "64"}}),
      gemmConfig("cluster", {{"cluster", "2x1"}, {"bn", "128"}}),
      gemmConfig("cluster_across", {{"cluster", "1x2"}, {"bn", "64"}}),
      gemmConfig("tf32", {{"dtype", "tf32"}, {"b", "col"}}),
      gemmConfig("e4m3_by_threads", {{"dtype", "e4m3"}, {"b", "col"}, {"epilogue", "bias"}}),
      gemmConfig("promote", {{"dtype", "e4m3"},
                             {"b_dtype", "e5m2"},
                             {"b", "col"},
                             {"K", "1300"},
                             {"promote", "3"},
                             {"mode", "persistent"}}),
      gemmConfig("s8_f16", {{"dtype", "s8"}, {"b", "col"}, {"out", "f16"}}),
      gemmConfig("split_in_clusters",
                 {{"split", "4"}, {"cluster", "2x1"}, {"N", "64"}, {"bn", "64"}, {"bm", "64"}}),
      {"groups",
       "grouped_gemm",
       {{"rows", "300"}, {"N", "136"}, {"K", "200"}, {"groups", "5"}, {"bm", "64"}, {"bn", "64"}}},
      {"groups_by_threads",
       "grouped_gemm",
       {{"rows", "100"}, {"N", "71"}, {"K", "65"}, {"groups", "7"}, {"bm", "64"}, {"bn", "64"}}},
      gemmConfig("batch_by_threads", {{"batch", "3"}, {"N", "71"}, {"bm", "64"}, {"bn", "64"}}),
      {"weights8_by_threads",
       "weights8",
       {{"M", "77"}, {"N", "61"}, {"K", "45"}, {"dtype", "bf16"}}},
      {"two_inputs_by_threads",
       "two_inputs",
       {{"M", "77"}, {"N", "61"}, {"K1", "0"}, {"K2", "45"}}},
      {"conv2d_by_threads",
       "conv2d",
       {{"N", "1"}, {"H", "5"}, {"W", "70"}, {"C", "3"}, {"K", "65"}, {"S", "5"}, {"pad", "2"}}},
      {"attention_wide", "attention_tile", {{"keys", "256"}, {"d", "128"}}},
      {"attention_heads",
       "attention",
       {{"B", "1"}, {"H", "2"}, {"Hkv", "1"}, {"S", "77"}, {"Skv", "300"}, {"d", "64"}}},
      {"attention_causal",
       "attention",
       {{"B", "1"}, {"H", "1"}, {"Hkv", "1"}, {"S", "200"}, {"Skv", "277"}, {"causal", "yes"}}},
      {"attention_deep",
       "attention",
       {{"B", "1"}, {"H", "1"}, {"Hkv", "1"}, {"S", "70"}, {"Skv", "130"}, {"d", "256"}}},
      {"layernorm", "layernorm", {{"cols", "3000"}, {"dtype", "f16"}}},
      {"layernorm_unaligned", "layernorm", {{"cols", "333"}, {"affine", "no"}}},
      {"log_softmax", "log_softmax", {{"cols", "2048"}, {"dtype", "f32"}, {"staging", "1"}}},
      {"cross_entropy", "cross_entropy", {{"cols", "1000"}}},
      {"cross_entropy_shared", "cross_entropy", {{"rows", "5"}, {"cols", "9600"}, {"parts", "8"}}},
      {"cross_entropy_cluster",
       "cross_entropy",
       {{"rows", "3"}, {"cols", "72000"}, {"parts", "16"}, {"share", "2"}}},
      {"copy", "copy", {{"cols", "3000"}, {"staging", "1"}}},
      {"add_unaligned", "add", {{"cols", "515"}, {"line", "no"}}},
      {"add_line", "add", {{"cols", "515"}, {"line", "yes"}}},
      {"bias_gelu", "bias_gelu", {{"cols", "4097"}}},
      {"silu_mul_backward", "silu_mul_backward", {{"cols", "1000"}, {"line", "no"}}},
      {"silu_mul_backward_line",
       "silu_mul_backward",
       {{"cols", "1001"}, {"line", "yes"}, {"share", "2"}}},
      {"softmax_backward", "softmax_backward", {{"cols", "1000"}}},
      {"gelu_backward", "gelu_backward", {{"cols", "1000"}}},
      {"scale_bias_relu", "scale_bias_relu", {{"cols", "515"}}},
      {"dropout", "dropout", {{"cols", "1000"}, {"seed", "12345678901"}}},
      {"add_dropout_unaligned", "add_dropout", {{"cols", "515"}, {"p", "0.5"}}},
      {"cross_entropy_backward", "cross_entropy_backward", {{"cols", "1000"}}},
      {"add_layernorm", "add_layernorm", {{"cols", "1000"}, {"saved", "yes"}}},
      {"add_rmsnorm_shared", "add_rmsnorm", {{"rows", "3"}, {"parts", "8"}, {"saved", "yes"}}},
      {"rmsnorm_backward", "rmsnorm_backward", {{"cols", "1000"}, {"ctas", "3"}}},
      {"layernorm_backward", "layernorm_backward", {{"cols", "333"}, {"ctas", "3"}}},
      {"layernorm_backward_shared",
       "layernorm_backward",
       {{"rows", "9"}, {"cols", "9000"}, {"parts", "8"}, {"ctas", "3"}}},
      {"norm_weights_backward", "norm_weights_backward", {{"cols", "1000"}, {"lines", "16"}}},
      {"quantise", "quantise", {{"cols", "1000"}}},
      {"argmax", "argmax", {{"cols", "1000"}}},
      {"argmax_shared", "argmax", {{"rows", "5"}, {"cols", "8000"}, {"parts", "8"}}},
      {"rope", "rope", {{"rows", "70"}, {"heads", "3"}}},
      {"transpose", "transpose", {{"rows", "136"}, {"cols", "200"}}},
      {"transpose_unaligned", "transpose", {{"rows", "67"}, {"cols", "33"}}},
      {"sum_rows", "sum_rows", {{"rows", "100"}, {"cols", "333"}}},
      {"softmax_long", "softmax", {{"cols", "9000"}, {"ctas", "3"}, {"plan", "no"}}},
      {"softmax_shared", "softmax", {{"cols", "9000"}, {"parts", "8"}}},
      {"layernorm_shared", "layernorm", {{"rows", "3"}, {"cols", "40000"}, {"parts", "8"}}},
      {"softmax_shared_unaligned", "softmax", {{"rows", "9"}, {"cols", "4104"}, {"parts", "8"}}},
      {"softmax_cluster", "softmax", {{"rows", "9"}, {"cols", "9600"}, {"parts", "16"}}},
      {"softmax_cluster_long", "softmax", {{"rows", "2"}, {"cols", "72000"}, {"parts", "16"}}},
      {"layernorm_cluster",
       "layernorm",
       {{"rows", "3"}, {"cols", "4096"}, {"parts", "32"}, {"saved", "yes"}, {"staging", "1"}}},
      {"layernorm_long_unaligned", "layernorm", {{"rows", "9"}, {"cols", "9001"}, {"plan", "no"}}},
      {"layernorm_short_parts", "layernorm", {{"rows", "5"}, {"cols", "9001"}, {"parts", "8"}}},
      {"layernorm_in_shared",
       "layernorm",
       {{"rows", "5"}, {"cols", "8192"}, {"parts", "8"}, {"per_sm", "3"}, {"stages", "1"}}},
      {"layernorm_kept",
       "layernorm",
       {{"rows", "5"}, {"cols", "12001"}, {"parts", "8"}, {"per_sm", "2"}, {"stages", "2"}}},
      {"softmax_cluster_short_parts",
       "softmax",
       {{"rows", "3"}, {"cols", "20008"}, {"parts", "16"}, {"share", "2"}}},
      {"rmsnorm_backward_short_parts",
       "rmsnorm_backward",
       {{"rows", "9"}, {"cols", "4097"}, {"parts", "8"}, {"ctas", "3"}}},
  };
}

std::vector<Text> hostTexts() {
  return {
      {"corpus/remote/exchange.ok.mlir", {{"X", {128, 200}}, {"Y", {128, 200}}}, {}, "send ["},
      {"corpus/remote/row_sums.ok.mlir", {{"X", {150, 500}}, {"Y", {150, 1}}}, {2}, "send to ["},
      {"corpus/uniform/scheduler.ok.mlir",
       {{"X", {1024, 64}}, {"next", {1}}, {"Y", {1024, 64}}},
       {3},
       "count next 0 by 1"},
      {"corpus/launches/requests.ok.mlir",
       {{"X", {6400, 32}}, {"Y", {6400, 32}}},
       {},
       "cluster 148 of [",
       {},
       Target::sm_100a},
      {"tensor_memory/scaled.ok.mlir",
       {{"A", {200, 288}},
        {"B", {160, 288}},
        {"SA", {2, 96, 16}},
        {"SB", {2, 96, 16}},
        {"C", {200, 160}}},
       {},
       "tmem copy at 132 from [",
       {},
       Target::sm_100a},
      {"tensor_memory/packed.ok.mlir", // 128 lines of 96 bytes, and of 64
       {{"A", {200, 384}}, {"B", {160, 384}}, {"C", {200, 160}}},
       {},
       "load A 0 0 to [0,16384) bytes 12288 @",
       {},
       Target::sm_100a},
      {"tensor_memory/scaled_pair.ok.mlir",
       {{"A", {300, 288}},
        {"B", {160, 288}},
        {"SA", {3, 96, 16}},
        {"SB", {2, 96, 16}},
        {"C", {300, 160}}},
       {},
       "tmem copy at 140 from [",
       {},
       Target::sm_100a},
      {"tensor_memory/scaled_half.ok.mlir",
       {{"A", {128, 288}},
        {"B", {128, 288}},
        {"SA", {2, 96, 16}},
        {"SB", {2, 96, 16}},
        {"C", {256, 64}}},
       {},
       "mma at 0 a [",
       {},
       Target::sm_100a},
      {"tensor_memory/rows_down.ok.mlir",
       {{"X", {128, 16}}, {"Y", {4, 16}}, {"C", {128, 16}}},
       {},
       "tmem shift at 6291464",
       {},
       Target::sm_100a},
      {"tensor_memory/rows_down_pair.ok.mlir",
       {{"X", {256, 16}}, {"Y", {8, 16}}, {"C", {256, 16}}},
       {},
       "tmem copy at 2031616 from [",
       {},
       Target::sm_100a},
      {"corpus/uniform/counts.ok.mlir",
       {{"X", {100, 32}}, {"start", {7}}, {"Y", {100, 32}}},
       {6, 2},
       "copy [",
       {0, 10, 10, 45, 46, 80, 100}},
      {"language/turns.mlir", {{"T", {64, 32}}, {"turn", {1}}}, {5}, "wait for turn 0 at 4"},
      {"corpus/pipeline/cp_async_ring.ok.mlir",
       {{"X", {70, 200}}, {"Y", {70, 200}}},
       {},
       "copies arrive @"},
      {"Verify/Inputs/raw_ring.mlir", {{"Y", {100, 300}}}, {}, "raw text of tile, step: ["},
      {"corpus/roles/in_turn.ok.mlir",
       {{"A", {128, 64}}, {"B", {64, 200}}, {"C", {128, 200}}},
       {},
       "bar.arrive 2 of 256"},
      {"corpus/roles/parity.ok.mlir",
       {{"X", {200, 64}}, {"Y", {200, 64}}},
       {},
       "bar.sync 4 of 256"},
      {"corpus/roles/chosen.ok.mlir",
       {{"A", {128, 64}}, {"B", {64, 200}}, {"C", {128, 200}}},
       {},
       "bar.sync 2 of 128"},
      {"Transform/branches.mlir",
       {{"A", {200, 136}}, {"B", {136, 64}}, {"C", {200, 64}}, {"D", {200, 64}}},
       {1},
       "store C"},
      {"Emit/scalars.mlir", {{"n", {1}}}, {2147483647}, "count n 0 by -3"},
      {"Emit/integers_in_batches.mlir",
       {{"X", {2, 64, 8}}, {"Y", {2, 64, 8}}},
       {},
       "write Y + 512"},
  };
}

Launch denseLaunch(const Program &program,
                   const std::map<std::string, std::vector<int64_t>> &shapes) {
  Launch launch;
  for (const Tensor &t : program.tensors)
    launch.tensors.push_back(seen(t, shapeOf(denseFor(t, shapes.at(t.name)))));
  return launch;
}

Result<HostCase> caseOf(const Config &c) {
  const KernelEntry &entry = *findKernel(c.kernel);
  auto parameters = resolve(entry, c.settings);
  if (!parameters)
    return parameters.error();
  auto kernel = entry.build(*parameters, defaultArch(c.target));
  if (!kernel)
    return kernel.error();
  CompileOptions options;
  options.target = c.target;
  auto program = compile(*kernel, options);
  if (!program)
    return program.error();
  std::map<std::string, std::vector<int64_t>> shapes;
  for (const TensorShape &shape : entry.shapes(*parameters))
    for (const std::string &extent : shape.extents)
      shapes[shape.tensor].push_back(parameters->value(parseExtent(extent)));
  Launch launch = denseLaunch(*program, shapes);
  for (const SteeringInput &steering : entry.steering)
    for (size_t i = 0; i < program->tensors.size(); ++i)
      if (program->tensors[i].name == steering.tensor)
        launch.tensors[i].integers = steering.make(*parameters, 1);
  for (const Argument &argument : program->arguments)
    launch.arguments.push_back(entry.arguments(*parameters).at(argument.name));
  return HostCase{std::move(*program), std::move(launch)};
}

Result<HostCase> caseOf(const Text &text) {
  auto kernels = parseKernels(std::string(SLUICE_TEST_FOLDER) + "/" + text.file);
  if (!kernels)
    return kernels.error();
  CompileOptions options;
  options.target = text.target;
  auto program = compile(kernels->front(), options);
  if (!program)
    return program.error();
  Launch launch = denseLaunch(*program, text.shapes);
  launch.arguments = text.arguments;
  for (size_t i = 0; i < program->tensors.size(); ++i)
    if (program->tensors[i].type == DType::i32)
      launch.tensors[i].integers = text.integers;
  return HostCase{std::move(*program), std::move(launch)};
}

} // namespace sluice::test
