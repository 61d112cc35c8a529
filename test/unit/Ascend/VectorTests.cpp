// Printed Ascend C of the vector cores executes on our model of the public API: right numbers in
// every order that the flags allow, the barrier level's order, and no flag to spare.
#include "Arch/Arch.h"
#include "Ascend/Kernels.h"
#include "Emit/Ascend/Flags.h"
#include "Emit/Ascend/VectorForms.h"
#include "Kernels/Launched.h"
#include "Program/Agent.h"

#include <gtest/gtest.h>

namespace sluice::test {
namespace {

struct Case {
  std::string kernel;
  Settings settings;
};

const std::vector<Case> &cases() {
  static const std::vector<Case> all = {
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
      // The cube core's sums come through a workspace.
      {"gemm",
       {{"M", "100"},
        {"N", "70"},
        {"K", "129"},
        {"epilogue", "bias"},
        {"bm", "32"},
        {"bn", "32"},
        {"bk", "32"}}},
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
      // Three tiles for each core: slots are used again.
      {"softmax", {{"rows", "7000"}, {"cols", "60"}, {"dtype", "f32"}}},
      {"rmsnorm", {{"rows", "9300"}, {"cols", "64"}}},
      {"layernorm", {{"rows", "150"}, {"cols", "4000"}, {"dtype", "f16"}}},
      {"silu_mul", {{"rows", "9300"}, {"cols", "60"}, {"dtype", "f32"}}},
      {"copy", {{"rows", "9300"}, {"cols", "31"}, {"dtype", "f32"}}},
  };
  return all;
}

std::string nameOf(const Case &c) {
  std::string text = c.kernel;
  for (const auto &[name, value] : c.settings)
    text += " " + name + "=" + value;
  return text;
}

constexpr int withoutBarriers = 2;

struct Library {
  std::vector<Program> programs; // in the order of the cases
  std::vector<EmittedSource> sources;
  std::optional<HostModel> model;
  std::string error;
};

const Library &library() {
  static const Library all = [] {
    Library l;
    for (const Case &c : cases()) {
      auto program = ascendProgram(c.kernel, c.settings);
      auto source = program ? emitAscend(*program) : Result<EmittedSource>(program.error());
      if (!source) {
        l.error += nameOf(c) + ": " + source.error().message + "\n";
        continue;
      }
      l.programs.push_back(std::move(*program));
      l.sources.push_back(std::move(*source));
    }
    if (!l.error.empty())
      return l;
    // Behind the cases: one of them without barriers of V.
    std::string text = l.sources[withoutBarriers].text;
    const std::string barrier = "PipeBarrier<PIPE_V>();";
    for (size_t at = 0; (at = text.find(barrier, at)) != text.npos;)
      text.erase(at, barrier.size());
    l.sources.push_back({text, l.sources[withoutBarriers].plan});
    auto model = HostModel::compile(l.sources, SLUICE_TEST_FOLDER "/ascendc");
    if (model)
      l.model.emplace(std::move(*model));
    else
      l.error = model.error().message;
    return l;
  }();
  return all;
}

/// A launch with random inputs, and what its outputs shall be.
struct Rows {
  const KernelEntry &entry;
  Parameters parameters;
  const Program &program;
  std::vector<HostTensor> tensors;
  Matrices expected;

  Rows(const Case &c, const Program &p)
      : entry(*findKernel(c.kernel)), parameters(*resolve(entry, c.settings)), program(p),
        tensors(tensorsOf(entry, parameters, program)) {
    Matrices inputs;
    for (size_t i = 0; i < tensors.size(); ++i)
      if (program.tensors[i].input)
        inputs[program.tensors[i].name] = toMatrix(tensors[i]);
    expected = *entry.reference(parameters, inputs);
  }
  Launch launch() const { return launchOf(program, tensors); }
  /// Outputs hold something no kernel writes; the model works on copies.
  std::vector<ModelTensor> copies() const {
    std::vector<ModelTensor> all;
    for (size_t i = 0; i < tensors.size(); ++i) {
      const auto *bytes = reinterpret_cast<const uint8_t *>(tensors[i].bytes.data());
      all.push_back({{bytes, bytes + tensors[i].bytes.size()}});
    }
    return all;
  }
  std::string wrong(const std::vector<ModelTensor> &results) const {
    for (size_t i = 0; i < tensors.size(); ++i) {
      HostTensor t = tensors[i];
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
};

class AscendVectors : public testing::Test {
protected:
  void SetUp() override { ASSERT_EQ(library().error, ""); }
  const HostModel &model() { return *library().model; }

  /// What is wrong in one of these orders; empty: nothing.
  std::string wrong(int which, const Rows &rows, const std::vector<unsigned> &seeds,
                    const std::vector<ModelFlag> &dropped = {}) {
    std::vector<ModelTensor> tensors = rows.copies();
    std::string what = model().record(which, rows.program, rows.launch(), tensors, dropped);
    for (size_t i = 0; i < seeds.size() && what.empty(); ++i) {
      for (size_t t = 0; t < tensors.size(); ++t)
        if (rows.program.tensors[t].output)
          std::ranges::fill(tensors[t].bytes, 0x5a); // as between the rows
      what = model().play(seeds[i]);
      if (what.empty())
        what = rows.wrong(tensors);
    }
    return what;
  }
};

std::vector<unsigned> seedsTo(unsigned end) {
  std::vector<unsigned> seeds;
  for (unsigned seed = 0; seed < end; ++seed)
    seeds.push_back(seed);
  return seeds;
}

TEST_F(AscendVectors, EveryKernelIsRight) {
  for (size_t i = 0; i < cases().size(); ++i)
    EXPECT_EQ(wrong(int(i), Rows(cases()[i], library().programs[i]), {8, 31}), "")
        << nameOf(cases()[i]);
}

TEST_F(AscendVectors, SoftmaxIsRightInEveryOrderOfThePipes) {
  for (const int which : {1, 2, 5})
    EXPECT_EQ(wrong(which, Rows(cases()[which], library().programs[which]), seedsTo(40)), "");
}

TEST_F(AscendVectors, NeedBarriersOfV) {
  const Rows rows(cases()[withoutBarriers], library().programs[withoutBarriers]);
  EXPECT_NE(wrong(int(cases().size()), rows, seedsTo(24)), "");
}

/// Of gemm, each flag between the cores.
TEST_F(AscendVectors, NeedEveryFlagBetweenCores) {
  const int which = int(cases().size()) - 6;
  const Program &program = library().programs[which];
  const Rows rows(cases()[which], program);
  const auto flags = ascend::crossFlagsOf(program);
  EXPECT_EQ(flags.size(), 2u);
  EXPECT_EQ(wrong(which, rows, seedsTo(30)), "");
  for (const ascend::CrossFlag &flag : flags)
    EXPECT_NE(wrong(which, rows, seedsTo(24), {{6, 6, int(flag.id)}}), "") << flag.name;
}

TEST_F(AscendVectors, NeedEveryFlag) {
  const std::map<Pipe, int> queues = {{Pipe::mte2, 0}, {Pipe::v, 4}, {Pipe::mte3, 5}};
  for (int which = int(cases().size()) - 5; which < int(cases().size()); ++which) {
    const Program &program = library().programs[which];
    const Rows rows(cases()[which], program);
    const Ranges ranges(program);
    const ascend::Flags flags(program, ranges);
    EXPECT_GE(flags.groups().size(), 4u);
    for (const ascend::FlagGroup &group : flags.groups()) {
      std::vector<ModelFlag> dropped;
      for (int64_t id = group.first; id <= group.last; ++id)
        dropped.push_back({queues.at(group.source), queues.at(group.destination), int(id)});
      // MTE2 is in order: what tells V of rows tells it of the weights, which came before.
      const bool implied = cases()[which].kernel == "rmsnorm" && group.name == "full_w";
      EXPECT_EQ(wrong(which, rows, seedsTo(12), dropped) == "", implied)
          << nameOf(cases()[which]) << " without " << group.name;
    }
  }
}

/// What a pipe of a vector core does, in the words of HostModel::notes.
std::vector<std::string> expectedVectorNotes(const Program &program, const Launch &launch,
                                             int64_t core, Pipe pipe) {
  AgentId id;
  id.cta = {core / 2, 0, 0};
  id.core = core % 2 ? "aiv1" : "aiv0";
  id.warp = int(core % 2);
  id.pipe = pipe;
  std::vector<std::string> notes;
  const auto add = [&](const std::string &note) {
    if (notes.empty() || notes.back() != note)
      notes.push_back(note);
  };
  const auto flag = [&](const char *deed, Pipe from, Pipe to, int64_t number) {
    add(deed + std::string(name(from)) + "_" + std::string(name(to)) + " id " +
        std::to_string(number));
  };
  for (Agent agent(program, launch, id); const Stmt *s = agent.current(); agent.advance()) {
    const auto tile = [&](const View &v) {
      return program.buffers[v.object].name + "[" + std::to_string(agent.value(v.slot)) + "]";
    };
    if (auto *set = std::get_if<SetFlag>(&s->op))
      flag("set ", set->source, set->destination, agent.value(set->id));
    else if (auto *wait = std::get_if<WaitFlag>(&s->op))
      flag("wait ", wait->source, wait->destination, agent.value(wait->id));
    else if (std::holds_alternative<PipeBarrier>(s->op))
      add("barrier V");
    else if (auto *copy = std::get_if<Copy>(&s->op))
      add(pipe == Pipe::mte2 ? "load " + tile(copy->destination) : "store " + tile(copy->source));
    else if (auto *fold = std::get_if<Reduce>(&s->op))
      add("v " + tile(fold->out) + " " + tile(fold->in));
    else if (auto *map = std::get_if<Map>(&s->op)) {
      const auto kind = ascend::vectorForm(program, *map)->kind;
      if (kind == ascend::VectorForm::fill || kind == ascend::VectorForm::columns ||
          kind == ascend::VectorForm::rows)
        continue; // Duplicate is not noted
      std::string note = "v " + tile(map->outs[0]);
      for (const View &in : map->ins)
        note += " " + tile(in);
      add(note);
    }
  }
  return notes;
}

TEST_F(AscendVectors, EveryPipeDoesWhatTheBarrierLevelSaysInItsOrder) {
  const std::pair<Pipe, int> pipes[] = {{Pipe::mte2, 0}, {Pipe::v, 4}, {Pipe::mte3, 5}};
  for (const int which : {2, 5, 8, 11, 14, 19}) {
    const Program &program = library().programs[which];
    const Rows rows(cases()[which], program);
    std::vector<ModelTensor> tensors = rows.copies();
    ASSERT_EQ(model().record(which, program, rows.launch(), tensors), "");
    for (const auto &[pipe, queue] : pipes)
      for (const int64_t core : {0, 1}) {
        const auto expected = expectedVectorNotes(program, rows.launch(), core, pipe);
        EXPECT_FALSE(expected.empty());
        EXPECT_EQ(model().notes(program, core, queue), expected)
            << nameOf(cases()[which]) << " pipe " << queue;
      }
  }
}

/// Programs of test/, with these extents, against the virtual machine.
struct OfAuthor {
  std::string file;
  std::vector<std::vector<int64_t>> extents;
};

void computesAsTheVirtualMachine(const OfAuthor &of) {
  const auto program = ascendProgram(of.file);
  ASSERT_TRUE(program) << program.error().message;
  const auto source = emitAscend(*program);
  ASSERT_TRUE(source) << source.error().message;
  const auto model = HostModel::compile({*source}, SLUICE_TEST_FOLDER "/ascendc");
  ASSERT_TRUE(model) << model.error().message;
  std::vector<HostTensor> tensors;
  std::vector<ModelTensor> copies;
  for (size_t i = 0; i < of.extents.size(); ++i) {
    const Tensor &t = program->tensors[i];
    tensors.push_back(HostTensor::dense(t.type, of.extents[i], t.minor));
    if (t.input && !t.output)
      fillNormal(tensors.back(), 3, i);
    const auto *bytes = reinterpret_cast<const uint8_t *>(tensors.back().bytes.data());
    copies.push_back({{bytes, bytes + tensors.back().bytes.size()}});
  }
  const Launch launch = launchOf(*program, tensors);
  ASSERT_EQ(model->record(0, *program, launch, copies), "");
  const auto run = simulate(*program, defaultArch(Target::ascend910b), {}, tensors, {});
  ASSERT_TRUE(run) << run.error().message;
  const int out = int(tensors.size()) - 1;
  HostTensor result = tensors[out];
  for (const unsigned seed : {0, 1, 8, 30}) {
    ASSERT_EQ(model->play(seed), "");
    std::memcpy(result.bytes.data(), copies[out].bytes.data(), result.bytes.size());
    EXPECT_LE(relativeError(toMatrix(result), toMatrix(tensors[out])), 1e-5)
        << of.file << " seed " << seed;
  }
}

TEST(AscendPrograms, ComputeWhatTheVirtualMachineDoes) {
  computesAsTheVirtualMachine(
      {"Transform/vector_instructions.mlir", {{200, 192}, {1, 192}, {200, 192}}});
  computesAsTheVirtualMachine(
      {"corpus/ascend/cross_core.ok.mlir", {{64, 64}, {300, 64}, {128, 64}, {320, 64}}});
}

} // namespace
} // namespace sluice::test
