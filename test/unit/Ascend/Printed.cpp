#include "Ascend/Printed.h"

#include <algorithm>

namespace sluice::test {
namespace {

std::vector<Case> cases() {
  return {
      {"softmax", {{"rows", "33"}, {"cols", "4096"}}},
      {"softmax", {{"rows", "7"}, {"cols", "1000"}, {"dtype", "f32"}}},
      {"softmax", {{"rows", "260"}, {"cols", "65"}, {"dtype", "f16"}}},
      {"softmax", {{"rows", "1"}, {"cols", "1"}, {"dtype", "f32"}}},
      {"softmax", {{"rows", "50"}, {"cols", "4097"}, {"pad", "3"}}},
      {"softmax", {{"rows", "300"}, {"cols", "192"}, {"dtype", "f32"}}},
      {"log_softmax", {{"rows", "40"}, {"cols", "777"}, {"dtype", "f32"}}},
      {"rmsnorm", {{"rows", "33"}, {"cols", "4096"}}},
      {"rmsnorm", {{"rows", "100"}, {"cols", "333"}, {"dtype", "f16"}}},
      {"rmsnorm", {{"rows", "70"}, {"cols", "64"}, {"dtype", "f32"}, {"affine", "no"}}},
      {"layernorm", {{"rows", "33"}, {"cols", "2048"}}},
      {"layernorm", {{"rows", "90"}, {"cols", "500"}, {"dtype", "f32"}}},
      {"layernorm", {{"rows", "5"}, {"cols", "3000"}, {"dtype", "f16"}, {"affine", "no"}}},
      {"silu_mul", {{"rows", "33"}, {"cols", "4096"}}},
      {"silu_mul", {{"rows", "130"}, {"cols", "77"}, {"dtype", "f32"}}},
      {"silu_mul", {{"rows", "3"}, {"cols", "5000"}, {"dtype", "f16"}, {"pad", "8"}}},
      {"add", {{"rows", "33"}, {"cols", "4096"}}},
      {"add", {{"rows", "129"}, {"cols", "100"}, {"dtype", "f32"}}},
      {"copy", {{"rows", "33"}, {"cols", "4096"}}},
      {"copy", {{"rows", "257"}, {"cols", "31"}, {"dtype", "f32"}}},
      {"scale_bias_relu", {{"rows", "66"}, {"cols", "1300"}}},
      {"softmax_backward", {{"rows", "66"}, {"cols", "640"}, {"dtype", "f16"}}},
      {"silu_mul_backward", {{"rows", "20"}, {"cols", "900"}, {"dtype", "f32"}}},
      {"add_rmsnorm", {{"rows", "34"}, {"cols", "1024"}}},
      {"add_layernorm", {{"rows", "34"}, {"cols", "600"}, {"dtype", "f32"}}},
      // Comparisons of data, and choices by them.
      {"argmax", {{"rows", "70"}, {"cols", "129"}, {"dtype", "f16"}}},
      {"argmax", {{"rows", "9"}, {"cols", "2000"}, {"dtype", "f32"}}},
      {"cross_entropy", {{"rows", "66"}, {"cols", "200"}}},
      {"cross_entropy", {{"rows", "5"}, {"cols", "3000"}, {"dtype", "f32"}}},
      {"cross_entropy_backward", {{"rows", "66"}, {"cols", "300"}, {"dtype", "f32"}}},
      {"cross_entropy_backward", {{"rows", "11"}, {"cols", "2500"}}},
      // One number for each row is loaded, and stored.
      {"rmsnorm_backward", {{"rows", "70"}, {"cols", "129"}, {"dtype", "f16"}, {"weights", "no"}}},
      {"rmsnorm_backward", {{"rows", "5"}, {"cols", "3000"}, {"weights", "no"}}},
      {"layernorm_backward",
       {{"rows", "66"}, {"cols", "200"}, {"dtype", "f32"}, {"weights", "no"}}},
      // Sums over rows beside dX.
      {"rmsnorm_backward", {{"rows", "700"}, {"cols", "129"}, {"dtype", "f16"}, {"ctas", "24"}}},
      {"rmsnorm_backward", {{"rows", "90"}, {"cols", "2000"}, {"ctas", "24"}}},
      {"layernorm_backward", {{"rows", "500"}, {"cols", "60"}, {"dtype", "f32"}, {"ctas", "24"}}},
      {"norm_weights_backward", {{"rows", "100"}, {"cols", "700"}, {"lines", "16"}}},
      {"layernorm", {{"rows", "41"}, {"cols", "100"}, {"saved", "yes"}, {"dtype", "f32"}}},
      // Rows and columns exchanged.
      {"transpose", {{"rows", "131"}, {"cols", "70"}}},
      {"transpose", {{"rows", "1"}, {"cols", "200"}, {"dtype", "f16"}}},
      {"transpose", {{"rows", "300"}, {"cols", "257"}, {"dtype", "f32"}}},
      {"transpose", {{"rows", "260"}, {"cols", "190"}, {"along", "rows"}}, 2},
      {"sum_rows", {{"rows", "131"}, {"cols", "300"}}},
      {"sum_rows", {{"rows", "64"}, {"cols", "33"}, {"dtype", "f32"}}},
      {"sum_rows", {{"rows", "0"}, {"cols", "9"}, {"dtype", "f16"}}},
      {"sum_rows", {{"rows", "70"}, {"cols", "400"}, {"dtype", "f32"}}, 2},
      {"add_rmsnorm", {{"rows", "9"}, {"cols", "2000"}, {"saved", "yes"}}},
      {"gemm",
       {{"M", "100"},
        {"N", "70"},
        {"K", "40"},
        {"batch", "2"},
        {"scales", "both"},
        {"out", "f32"},
        {"bm", "32"},
        {"bn", "96"}, // a repeat, and half of one
        {"bk", "32"}}},
      // The cube core's sums come through a workspace.
      {"gemm",
       {{"M", "100"},
        {"N", "70"},
        {"K", "129"},
        {"dtype", "s8"},
        {"b", "col"},
        {"out", "f16"},
        {"scales", "both"}}},
      {"gemm",
       {{"M", "60"},
        {"N", "40"},
        {"K", "70"},
        {"dtype", "s8"},
        {"a", "col"},
        {"out", "f32"},
        {"epilogue", "bias_relu"}}},
      {"gemm",
       {{"M", "60"},
        {"N", "70"},
        {"K", "40"},
        {"dtype", "f32"},
        {"a", "col"},
        {"epilogue", "bias"}}},
      {"gemm",
       {{"M", "100"},
        {"N", "70"},
        {"K", "129"},
        {"epilogue", "bias"},
        {"bm", "32"},
        {"bn", "32"},
        {"bk", "32"}},
       2},
      {"gemm",
       {{"M", "300"},
        {"N", "520"},
        {"K", "64"},
        {"epilogue", "bias_relu"},
        {"out", "f32"},
        {"dtype", "bf16"},
        {"bm", "32"},
        {"bn", "64"},
        {"bk", "64"}}},
      {"gemm",
       {{"M", "50"},
        {"N", "70"},
        {"K", "40"},
        {"batch", "2"},
        {"epilogue", "bias_gelu"},
        {"bm", "32"},
        {"bn", "64"},
        {"bk", "32"}}},
      {"gemm",
       {{"M", "130"}, {"N", "140"}, {"K", "40"}, {"epilogue", "bias_gelu_tanh"}}}, // planned
      {"gemm", {{"M", "50"}, {"N", "70"}, {"K", "40"}, {"epilogue", "bias_gelu"}, {"out", "f32"}}},
      {"gemm",
       {{"M", "50"},
        {"N", "70"},
        {"K", "40"},
        {"epilogue", "gelu_tanh"},
        {"dtype", "f32"},
        {"b", "col"}}},
      {"bias_gelu", {{"rows", "20"}, {"cols", "700"}}},
      {"rope", {{"rows", "70"}, {"heads", "3"}, {"d", "64"}}},
      {"bias_gelu", {{"rows", "35"}, {"cols", "264"}, {"dtype", "f32"}}},
      {"gelu_backward", {{"rows", "20"}, {"cols", "700"}, {"dtype", "f32"}}},
      {"attention",
       {{"B", "1"}, {"H", "2"}, {"Hkv", "1"}, {"S", "70"}, {"Skv", "150"}, {"d", "64"}}},
      {"attention",
       {{"B", "1"}, {"H", "1"}, {"Hkv", "1"}, {"S", "150"}, {"Skv", "140"}, {"causal", "yes"}}},
      {"attention",
       {{"B", "2"},
        {"H", "1"},
        {"Hkv", "1"},
        {"S", "70"},
        {"Skv", "40"},
        {"d", "256"},
        {"dtype", "f16"},
        {"causal", "yes"}}},
      {"attention",
       {{"B", "1"},
        {"H", "2"},
        {"Hkv", "1"},
        {"S", "70"},
        {"Skv", "150"},
        {"d", "64"},
        {"dtype", "f16"},
        {"handed", "dtype"}}},
      {"attention",
       {{"B", "1"},
        {"H", "2"},
        {"Hkv", "1"},
        {"S", "70"},
        {"Skv", "150"},
        {"d", "64"},
        {"dtype", "f16"},
        {"handed", "values"}}},
      {"attention",
       {{"B", "1"},
        {"H", "2"},
        {"Hkv", "1"},
        {"S", "70"},
        {"Skv", "300"},
        {"d", "64"},
        {"dtype", "f16"},
        {"handed", "values"},
        {"behind", "2"}}},
      {"attention",
       {{"B", "1"},
        {"H", "1"},
        {"Hkv", "1"},
        {"S", "150"},
        {"Skv", "140"},
        {"causal", "yes"},
        {"behind", "2"}}},
      {"attention",
       {{"B", "1"},
        {"H", "1"},
        {"Hkv", "1"},
        {"S", "130"},
        {"Skv", "140"},
        {"handed", "values"}}}, // folds share scratch
      {"gemm",
       {{"M", "50"},
        {"N", "70"},
        {"K", "40"},
        {"alpha", "yes"},
        {"beta", "yes"},
        {"residual", "yes"},
        {"epilogue", "bias_relu"},
        {"out", "f32"}}},
      {"gemm", {{"M", "50"}, {"N", "70"}, {"K", "40"}, {"alpha", "yes"}, {"scales", "both"}}},
      // Cores that share the steps of a tile, with one part each, or several.
      {"gemm",
       {{"M", "100"},
        {"N", "90"},
        {"K", "300"},
        {"bm", "64"},
        {"bn", "64"},
        {"bk", "64"},
        {"split", "3"},
        {"epilogue", "bias_relu"},
        {"residual", "yes"}}},
      {"gemm",
       {{"M", "70"},
        {"N", "130"},
        {"K", "500"},
        {"bm", "48"},
        {"bn", "64"},
        {"bk", "32"},
        {"split", "4"},
        {"dtype", "bf16"},
        {"out", "f32"},
        {"a", "col"}},
       5},
      {"gemm",
       {{"M", "40"},
        {"N", "64"},
        {"K", "70"},
        {"bm", "32"},
        {"bn", "32"},
        {"bk", "64"},
        {"split", "8"},
        {"dtype", "s8"}}},
      // Three tiles for each core: slots are used again.
      {"attention",
       {{"B", "1"},
        {"H", "3"},
        {"Hkv", "3"},
        {"S", "60"},
        {"Skv", "100"},
        {"d", "64"},
        {"bm", "32"},
        {"bn", "32"}},
       2},
      {"softmax", {{"rows", "580"}, {"cols", "60"}, {"dtype", "f32"}}, 2},
      {"rmsnorm", {{"rows", "770"}, {"cols", "64"}}, 2},
      {"layernorm", {{"rows", "12"}, {"cols", "4000"}, {"dtype", "f16"}}, 2},
      {"silu_mul", {{"rows", "770"}, {"cols", "60"}, {"dtype", "f32"}}, 2},
      {"copy", {{"rows", "770"}, {"cols", "31"}, {"dtype", "f32"}}, 2},
      {"log_softmax", {{"rows", "580"}, {"cols", "60"}, {"dtype", "f32"}}, 2},
      {"softmax_backward", {{"rows", "770"}, {"cols", "60"}, {"dtype", "f32"}}, 2},
      {"add_rmsnorm", {{"rows", "770"}, {"cols", "64"}}, 2},
      {"add_layernorm", {{"rows", "770"}, {"cols", "64"}}, 2},
      {"silu_mul_backward", {{"rows", "770"}, {"cols", "60"}, {"dtype", "f32"}}, 2},
      {"add", {{"rows", "770"}, {"cols", "31"}, {"dtype", "f32"}}, 2},
      {"bias_gelu", {{"rows", "770"}, {"cols", "60"}}, 2},
      {"gelu_backward", {{"rows", "770"}, {"cols", "60"}}, 2},
      {"rope", {{"rows", "300"}, {"heads", "1"}, {"d", "64"}}, 2},
      {"scale_bias_relu", {{"rows", "770"}, {"cols", "60"}}, 2},
      {"cross_entropy", {{"rows", "770"}, {"cols", "60"}}, 2},
      {"cross_entropy_backward", {{"rows", "770"}, {"cols", "60"}}, 2},
      {"argmax", {{"rows", "770"}, {"cols", "60"}}, 2},
      {"norm_weights_backward", {{"rows", "770"}, {"cols", "60"}, {"lines", "64"}}, 2},
      {"rmsnorm_backward", {{"rows", "770"}, {"cols", "64"}, {"weights", "no"}}, 2},
      {"layernorm_backward", {{"rows", "770"}, {"cols", "64"}, {"weights", "no"}}, 2},
  };
}

constexpr const char *files[] = {
    "Transform/vector_instructions.mlir",  "corpus/ascend/cross_core.ok.mlir",
    "Transform/vector_plane.mlir",         "Transform/vector_choices.mlir",
    "Transform/turned_and_not.mlir",       "Transform/vector_rows.mlir",
    "corpus/ascend/parts_of_tiles.ok.mlir"};

class KernelPrinter {
public:
  PrintedKernels build() {
    all_.cases = cases();
    for (const Case &c : all_.cases)
      add(nameOf(c), ascendProgram(c.kernel, c.settings, c.cores));
    for (const char *file : files)
      add(file, ascendProgram(file));
    if (!all_.error.empty())
      return std::move(all_);
    addWithoutBarriers(all_.of("softmax"));
    auto model = HostModel::compile(all_.sources, SLUICE_TEST_FOLDER "/ascendc");
    if (model)
      all_.model.emplace(std::move(*model));
    else
      all_.error = model.error().message;
    return std::move(all_);
  }

private:
  void add(const std::string &name, Result<Program> program) {
    auto source = program ? emitAscend(*program) : Result<EmittedSource>(program.error());
    if (!source) {
      all_.error += name + ": " + source.error().message + "\n";
      return;
    }
    all_.programs.push_back(std::move(*program));
    all_.sources.push_back(std::move(*source));
  }
  void addWithoutBarriers(int softmax) {
    all_.withoutBarriers = int(all_.sources.size());
    std::string text = all_.sources[softmax].text;
    const std::string barrier = "PipeBarrier<PIPE_V>();";
    for (size_t at = 0; (at = text.find(barrier, at)) != text.npos;)
      text.erase(at, barrier.size());
    all_.sources.push_back({text, all_.sources[softmax].plan});
  }

  PrintedKernels all_;
};

} // namespace

std::string nameOf(const Case &c) {
  std::string text = c.kernel;
  for (const auto &[name, value] : c.settings)
    text += " " + name + "=" + value;
  return text;
}

int PrintedKernels::of(const std::string &kernel, int64_t cores) const {
  const auto found = std::ranges::find_if(
      cases, [&](const Case &c) { return c.kernel == kernel && c.cores == cores; });
  return int(found - cases.begin());
}

const PrintedKernels &printedKernels() {
  static const PrintedKernels all = KernelPrinter().build();
  return all;
}

RandomLaunch::RandomLaunch(int which)
    : of(printedKernels().cases[which]), program(printedKernels().programs[which]), which_(which),
      entry(*findKernel(of.kernel)), parameters(*resolve(entry, of.settings)),
      tensors(tensorsOf(entry, parameters, program)) {
  Matrices inputs;
  for (size_t i = 0; i < tensors.size(); ++i)
    if (program.tensors[i].input)
      inputs[program.tensors[i].name] = toMatrix(tensors[i]);
  expected = *entry.reference(parameters, inputs);
}

/// The model works on copies.
std::vector<ModelTensor> RandomLaunch::copies() const {
  std::vector<ModelTensor> all;
  for (const HostTensor &t : tensors) {
    const auto *bytes = reinterpret_cast<const uint8_t *>(t.bytes.data());
    all.push_back({{bytes, bytes + t.bytes.size()}});
  }
  return all;
}

std::string RandomLaunch::record() const {
  std::vector<ModelTensor> results = copies();
  return printedKernels().model->record(which_, program, launch(), results);
}

std::string RandomLaunch::wrong(const std::vector<unsigned> &seeds,
                                const std::vector<ModelFlag> &dropped, int text) const {
  const HostModel &model = *printedKernels().model;
  std::vector<ModelTensor> results = copies();
  std::string what = model.record(text < 0 ? which_ : text, program, launch(), results, dropped);
  for (size_t i = 0; i < seeds.size() && what.empty(); ++i) {
    for (size_t t = 0; t < results.size(); ++t)
      if (program.tensors[t].output)
        std::ranges::fill(results[t].bytes, 0x5a); // as between the rows
      else if (!program.tensors[t].input)
        std::ranges::fill(results[t].bytes, 0xff); // workspaces: no numbers
    what = model.play(seeds[i]);
    if (what.empty())
      what = wrong(results);
  }
  return what;
}

std::string RandomLaunch::wrongWithout(Pipe source, Pipe destination, int64_t first,
                                       int64_t last) const {
  constexpr Pipe queues[] = {Pipe::mte2, Pipe::mte1, Pipe::m, Pipe::fix, Pipe::v, Pipe::mte3};
  const auto queueOf = [&](Pipe pipe) { return int(std::ranges::find(queues, pipe) - queues); };
  std::vector<ModelFlag> dropped;
  for (int64_t id = first; id <= last; ++id)
    dropped.push_back({queueOf(source), queueOf(destination), int(id)});
  return wrong(seedsTo(24), dropped);
}

std::string RandomLaunch::wrong(const std::vector<ModelTensor> &results) const {
  for (size_t i = 0; i < tensors.size(); ++i) {
    HostTensor t = tensors[i];
    if (!t.bytes.empty())
      std::memcpy(t.bytes.data(), results[i].bytes.data(), t.bytes.size());
    const double error = program.tensors[i].output
                             ? relativeError(toMatrix(t), expected.at(program.tensors[i].name))
                             : 0;
    if (!(error <= defaultTolerance(t.type)))
      return program.tensors[i].name + ": relative error " + std::to_string(error);
    if (const int64_t pad = padOf(entry, parameters, program.tensors[i]); pad > 0)
      expectKept(t, pad);
  }
  return "";
}

std::vector<unsigned> seedsTo(unsigned end) {
  std::vector<unsigned> seeds;
  for (unsigned seed = 0; seed < end; ++seed)
    seeds.push_back(seed);
  return seeds;
}

} // namespace sluice::test
