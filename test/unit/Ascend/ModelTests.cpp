// Printed Ascend C executes on our model of the public API: right numbers in every order that the
// flags allow, the flags of the barrier level in its order, and no flag to spare.
#include "Ascend/ExpectedNotes.h"
#include "Ascend/Kernels.h"
#include "Emit/Ascend/Flags.h"

#include <gtest/gtest.h>

namespace sluice::test {
namespace {

const std::vector<Settings> &gemmSettings() {
  static const std::vector<Settings> all = {
      {},
      {{"bm", "64"}, {"bn", "48"}, {"bk", "64"}, {"out", "f32"}, {"a", "col"}},
      {{"bm", "64"}, {"bn", "64"}, {"bk", "64"}, {"b", "col"}},
      {{"bm", "64"}, {"bn", "64"}, {"bk", "64"}, {"dtype", "bf16"}, {"a", "col"}, {"b", "col"}},
      {{"bm", "32"}, {"bn", "32"}, {"bk", "32"}},
      {{"bm", "32"}, {"bn", "64"}, {"bk", "32"}, {"dtype", "bf16"}, {"out", "f32"}},
      {{"bm", "64"}, {"bn", "32"}, {"bk", "64"}, {"batch", "3"}},
      {{"bm", "32"}, {"bn", "48"}, {"bk", "64"}, {"batch", "2"}, {"a", "col"}, {"b", "col"}},
      {{"bm", "32"}, {"bn", "32"}, {"bk", "32"}, {"group", "2"}},
      {{"bm", "48"}, {"bn", "32"}, {"bk", "64"}, {"dtype", "s8"}, {"b", "col"}},
      {{"bm", "32"}, {"bn", "48"}, {"bk", "32"}, {"dtype", "f32"}, {"b", "col"}},
      // Turned by squares of two fractals.
      {{"bm", "48"}, {"bn", "64"}, {"bk", "128"}, {"dtype", "s8"}},
      {{"bm", "64"}, {"bn", "32"}, {"bk", "64"}, {"dtype", "s8"}, {"a", "col"}},
      {{"bm", "32"}, {"bn", "48"}, {"bk", "96"}, {"dtype", "s8"}, {"a", "col"}, {"b", "col"}},
      {{"bm", "32"}, {"bn", "48"}, {"bk", "64"}, {"dtype", "f32"}, {"batch", "2"}},
      {{"bm", "48"}, {"bn", "32"}, {"bk", "32"}, {"dtype", "f32"}, {"a", "col"}},
      {{"bm", "16"}, {"bn", "64"}, {"bk", "48"}, {"dtype", "f32"}, {"a", "col"}, {"b", "col"}},
      {{"bm", "256"}, {"bn", "128"}, {"bk", "64"}, {"dtype", "f32"}, {"a", "col"}},
      {{"bm", "128"}, {"bn", "256"}, {"bk", "256"}, {"dtype", "s8"}, {"a", "col"}},
      {{"M", "300"}, {"N", "200"}, {"K", "170"}}, // as planned
      // By units of L0C.
      {{"bm", "64"}, {"bn", "64"}, {"bk", "64"}, {"unit", "yes"}},
      {{"bm", "32"}, {"bn", "48"}, {"bk", "32"}, {"unit", "yes"}, {"batch", "2"}, {"out", "f32"}},
      {{"bm", "64"}, {"bn", "32"}, {"bk", "64"}, {"unit", "yes"}, {"dtype", "bf16"}, {"a", "col"}},
      {{"bm", "48"}, {"bn", "64"}, {"bk", "64"}, {"unit", "yes"}, {"dtype", "s8"}, {"b", "col"}},
      {{"bm", "64"}, {"bn", "48"}, {"bk", "32"}, {"unit", "yes"}, {"dtype", "f32"}, {"b", "col"}},
      {{"bm", "64"}, {"bn", "64"}, {"bk", "64"}, {"unit", "yes"}, {"dtype", "s8"}, {"a", "col"}},
      {{"bm", "48"}, {"bn", "64"}, {"bk", "32"}, {"unit", "yes"}, {"dtype", "f32"}, {"a", "col"}},
  };
  return all;
}

/// All kernels of this file, compiled once.
struct Library {
  std::vector<Program> programs; // gemm by its settings, then as named below
  int qk = 0, narrow = 0, halves = 0, pingPong = 0, units = 0, withoutBarrier = 0;
  int neverHandedOver = 0, handedOverEarly = 0, storedWithout = 0;
  std::optional<HostModel> model;
  std::string error;
};

class Builder {
public:
  Library build() {
    for (const Settings &settings : gemmSettings())
      add(ascendProgram("gemm", settings));
    all_.qk = add(ascendProgram("qk", {}));
    all_.narrow = add(ascendProgram("corpus/ascend/narrow_tile.ok.mlir"));
    all_.halves = add(ascendProgram("corpus/ascend/resident_halves.ok.mlir"));
    all_.pingPong = add(ascendProgram("corpus/ascend/qk_ping_pong.ok.mlir"));
    all_.units = add(ascendProgram("corpus/ascend/units.ok.mlir"));
    all_.withoutBarrier = bent("corpus/ascend/narrow_tile.ok.mlir", "PipeBarrier<PIPE_M>();", "");
    const char *units = "corpus/ascend/units.ok.mlir";
    all_.neverHandedOver = bent(units, ", handUnitsOver));", ", keepUnits));");
    all_.handedOverEarly = bent(units, ", keepUnits));", ", handUnitsOver));");
    all_.storedWithout = bent(units, ", handUnitsOver);", ");");
    if (!all_.error.empty())
      return std::move(all_);
    auto model = HostModel::compile(sources_, SLUICE_TEST_FOLDER "/ascendc");
    if (model)
      all_.model.emplace(std::move(*model));
    else
      all_.error = model.error().message;
    return std::move(all_);
  }

private:
  /// The text of a program, with other words once.
  int bent(const char *file, const std::string &words, const std::string &others) {
    const int which = add(ascendProgram(file));
    std::string &text = sources_.back().text;
    if (const size_t at = text.find(words); at != text.npos)
      text.replace(at, words.size(), others);
    else
      all_.error += "no " + words + " in the text of " + file + "\n";
    return which;
  }
  int add(Result<Program> program) {
    if (!program) {
      all_.error += program.error().message + "\n";
      return 0;
    }
    auto source = emitAscend(*program);
    if (!source) {
      all_.error += source.error().message + "\n";
      return 0;
    }
    all_.programs.push_back(std::move(*program));
    sources_.push_back(std::move(*source));
    return int(sources_.size()) - 1;
  }

  Library all_;
  std::vector<EmittedSource> sources_;
};

const Library &library() {
  static const Library all = Builder().build();
  return all;
}

class AscendModel : public testing::Test {
protected:
  void SetUp() override { ASSERT_EQ(library().error, ""); }
  const HostModel &model() { return *library().model; }
  int qk() { return library().qk; }

  /// Right numbers under each of these seeds.
  void runsRight(int which, Problem problem, const std::vector<unsigned> &seeds) {
    const Program &program = library().programs[which];
    ASSERT_EQ(model().record(which, program, problem.launch, problem.tensors), "");
    for (const unsigned seed : seeds) {
      clearOutput(program, problem);
      EXPECT_EQ(model().play(seed), "") << "seed " << seed;
      EXPECT_EQ(wrong(program, problem), "") << "seed " << seed;
    }
  }

  /// What is wrong without this flag, under some order; empty: nothing.
  std::string without(const ascend::FlagGroup &group, int which, Problem problem) {
    const Program &program = library().programs[which];
    const std::map<Pipe, int> queues = {
        {Pipe::mte2, 0}, {Pipe::mte1, 1}, {Pipe::m, 2}, {Pipe::fix, 3}};
    std::vector<ModelFlag> dropped;
    for (int64_t id = group.first; id <= group.last; ++id)
      dropped.push_back({queues.at(group.source), queues.at(group.destination), int(id)});
    std::string what = model().record(which, program, problem.launch, problem.tensors, dropped);
    for (unsigned seed = 0; seed < 24 && what.empty(); ++seed) {
      clearOutput(program, problem);
      what = model().play(seed);
      if (what.empty())
        what = wrong(program, problem);
    }
    return what;
  }

  /// Without any flag but those of `implied` something is wrong.
  void needsEveryFlag(int which, const Problem &problem, const std::string &implied = "") {
    const Program &program = library().programs[which];
    const Ranges ranges(program);
    const ascend::Flags flags(program, ranges);
    EXPECT_GE(flags.groups().size(), 6u);
    for (const ascend::FlagGroup &group : flags.groups())
      EXPECT_EQ(without(group, which, problem) == "", group.name == implied)
          << "without " << group.name;
  }

  void keepsOrder(int which, Problem problem) {
    const Program &program = library().programs[which];
    ASSERT_EQ(model().record(which, program, problem.launch, problem.tensors), "");
    for (int queue = 0; queue < 4; ++queue)
      for (const int64_t block : {0, which == qk() || which == library().units ? 0 : 1}) {
        constexpr Pipe pipes[] = {Pipe::mte2, Pipe::mte1, Pipe::m, Pipe::fix};
        const auto expected = expectedNotes(program, problem.launch, {block, "aic", pipes[queue]});
        EXPECT_GT(expected.size(), 1u); // more than the barrier at the end
        EXPECT_EQ(model().notes(program, block, queue), expected) << "pipe " << queue;
      }
  }
};

TEST_F(AscendModel, GemmIsRightForEveryLayoutTypeAndShape) {
  const std::vector<GemmSize> sizes = {{1, 1, 1},      {16, 16, 16},       {33, 47, 65},
                                       {100, 70, 129}, {64, 48, 256},      {200, 150, 70},
                                       {5, 300, 17},   {65, 49, 128, 1, 8}};
  for (int which = 0; which < qk(); ++which)
    for (GemmSize size : sizes) {
      size.batch = which == 6 ? 3 : 2;
      SCOPED_TRACE("setting " + std::to_string(which) + " M " + std::to_string(size.M) + " N " +
                   std::to_string(size.N) + " K " + std::to_string(size.K));
      runsRight(which, gemmProblem(library().programs[which], size), {7, 40});
    }
}

TEST_F(AscendModel, LinesFurtherApartThanOneCallTakesAreCopiedOneByOne) {
  runsRight(4, gemmProblem(library().programs[4], {33, 5, 40, 1, 70000}), {0});
  runsRight(1, gemmProblem(library().programs[1], {33, 5, 40, 1, 70000}), {0});
  runsRight(15, gemmProblem(library().programs[15], {33, 5, 40, 1, 70000}), {0});
}

TEST_F(AscendModel, NothingToDoIsDone) {
  runsRight(4, gemmProblem(library().programs[4], {32, 32, 0}), {0}); // K = 0: zeros
}

TEST_F(AscendModel, GemmIsRightInEveryOrderOfThePipes) {
  std::vector<unsigned> seeds;
  for (unsigned seed = 0; seed < 40; ++seed)
    seeds.push_back(seed);
  runsRight(4, gemmProblem(library().programs[4], {200, 170, 100}), seeds);
}

TEST_F(AscendModel, WhatIsTurnedBySquaresIsRightInEveryOrderOfThePipes) {
  std::vector<unsigned> seeds;
  for (unsigned seed = 0; seed < 30; ++seed)
    seeds.push_back(seed);
  for (const int which : {12, 15}) // of 8 and of 32 bits, both operands
    runsRight(which, gemmProblem(library().programs[which], {100, 70, 150}), seeds);
}

TEST_F(AscendModel, QkIsRight) {
  runsRight(qk(), qkProblem(library().programs[qk()], 3), {0, 5, 23, 31});
}

TEST_F(AscendModel, ProgramsOfTheBarrierLevelAreRight) {
  for (const int which : {library().narrow, library().halves}) {
    const Program &program = library().programs[which];
    runsRight(which, scoresProblem(program, 100, 150), {0, 5, 23, 31});
    needsEveryFlag(which, scoresProblem(program, 100, 200));
  }
}

TEST_F(AscendModel, TheLoopOfTheRequestIsRight) { // tilelang-ascend #1237, primed and drained
  const int which = library().pingPong;
  const Program &program = library().programs[which];
  runsRight(which, scoresProblem(program, 100, 300, 128), {0, 5, 23, 31});
  keepsOrder(which, scoresProblem(program, 200, 300, 128));
  needsEveryFlag(which, scoresProblem(program, 20, 500, 128));
}

TEST_F(AscendModel, SumsComeByUnits) {
  const int which = library().units;
  const Program &program = library().programs[which];
  runsRight(which, scoresProblem(program, 64, 256), {0, 5, 11, 23, 31, 47});
  keepsOrder(which, scoresProblem(program, 64, 256));
}

TEST_F(AscendModel, ProductsAndStoresAgreeOnUnits) {
  const Problem problem = scoresProblem(library().programs[library().units], 64, 256);
  const auto isWrong = [&](int which, const char *how) {
    Problem own = problem;
    std::string what =
        model().record(which, library().programs[library().units], own.launch, own.tensors);
    for (unsigned seed = 0; seed < 48 && what.empty(); ++seed)
      what = model().play(seed);
    EXPECT_TRUE(what.find(how) != what.npos) << what;
  };
  isWrong(library().neverHandedOver, "FIX waits for units of L0C");
  isWrong(library().handedOverEarly, "M waits for units of L0C");
  isWrong(library().storedWithout, "Fixpipe without unitFlag meets sums with it");
}

TEST_F(AscendModel, GemmByUnitsHasNoFlagsBetweenMAndFix) {
  const int byUnits = qk() - 7;
  for (int which = byUnits; which < qk(); ++which) {
    const Program &program = library().programs[which];
    const Ranges ranges(program);
    const ascend::Flags flags(program, ranges);
    for (const ascend::FlagGroup &group : flags.groups())
      EXPECT_TRUE(group.source != Pipe::fix && group.destination != Pipe::fix) << group.name;
    runsRight(which, gemmProblem(program, {64, 64, 0, 2}), {0, 30}); // K = 0: zeros
    keepsOrder(which, gemmProblem(program, {300, 290, 100, 2}));
  }
}

TEST_F(AscendModel, SmallSumsNeedABarrierOfM) {
  Problem problem = scoresProblem(library().programs[library().narrow], 64, 64);
  EXPECT_EQ(model().record(library().withoutBarrier, library().programs[library().narrow],
                           problem.launch, problem.tensors),
            "Mmad adds to sums of fewer than 10 fractals that the Mmad before it may still be "
            "writing; PipeBarrier<PIPE_M> is missing");
}

TEST_F(AscendModel, EveryPipeDoesWhatTheBarrierLevelSaysInItsOrder) {
  for (const int which : {0, 3, 4, 7, 12, 15, 17, 18})
    keepsOrder(which, gemmProblem(library().programs[which], {300, 290, 100, 2}));
  keepsOrder(qk(), qkProblem(library().programs[qk()], 4));
}

TEST_F(AscendModel, GemmNeedsEveryFlag) {
  needsEveryFlag(4, gemmProblem(library().programs[4], {320, 320, 100}));
}

TEST_F(AscendModel, QkNeedsEveryFlag) {
  // MTE1 is in order: what tells M of a tile of K tells it of Q, which came before.
  needsEveryFlag(qk(), qkProblem(library().programs[qk()], 3), "full_q_l0a");
}

} // namespace
} // namespace sluice::test
