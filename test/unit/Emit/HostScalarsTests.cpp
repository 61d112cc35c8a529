// Scalars drawn at random: what the text of a launcher computes is what an assumption is.
#include "Emit/HostScalars.h"
#include "Launch/DeviceHeaders.h"
#include "Program/Assumption.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <random>
#include <unistd.h>

using namespace sluice;

namespace {

namespace fs = std::filesystem;

constexpr int expressions = 400, launches = 6;

/// Two arguments, numbers, and what is computed of them; nothing leaves 64 bits but by a shift.
Assumption drawn(std::mt19937 &random) {
  Assumption a;
  const auto add = [&a](ScalarOp op, std::vector<ValueId> operands, int64_t imm, int object) {
    a.scalars.push_back({op, ValueId(a.scalars.size()), std::move(operands), imm, object});
  };
  const int64_t numbers[] = {0, 1, -1, 2, 64, -7, 63, 65536, 2147483647, int64_t{1} << 33};
  add(ScalarOp::argument, {}, 0, 0);
  add(ScalarOp::argument, {}, 0, 1);
  for (int i = 0; i < 3; ++i)
    add(ScalarOp::constant, {}, numbers[random() % std::size(numbers)], -1);
  for (int i = 0; i < 6; ++i) {
    const auto op =
        ScalarOp(int(ScalarOp::add) + random() % (int(ScalarOp::select) - int(ScalarOp::add) + 1));
    const bool grows = op == ScalarOp::mul; // of numbers of 33 bits at most
    std::vector<ValueId> operands;
    for (int o = 0; o < (op == ScalarOp::select ? 3 : 2); ++o)
      operands.push_back(ValueId(random() % (grows ? 4 : a.scalars.size())));
    add(op, std::move(operands), 0, -1);
  }
  return a;
}

int64_t value(const Assumption &a, const std::vector<int64_t> &arguments) {
  int64_t frame[maxLaunchScalars];
  evaluate(
      a.scalars, [&](const Scalar &s) { return arguments[s.object]; }, frame);
  return frame[a.scalars.size() - 1];
}

/// The numbers that the text of a program shows, by the host's compiler.
std::vector<int64_t> compiledScalars(const std::string &text) {
  const fs::path folder =
      fs::temp_directory_path() / ("sluice-scalars-" + std::to_string(getpid()));
  EXPECT_TRUE(writeDeviceHeaders(folder.string()));
  const std::string file = (folder / "scalars").string();
  std::ofstream(file + ".cpp") << text;
  const std::string compile = "c++ -std=c++17 -fwrapv -DSLUICE_HOST -I " + folder.string() + " " +
                              file + ".cpp -o " + file + " && " + file + " > " + file + ".txt";
  EXPECT_EQ(std::system(compile.c_str()), 0) << compile;
  std::vector<int64_t> shown;
  std::ifstream in(file + ".txt");
  for (int64_t x; in >> x;)
    shown.push_back(x);
  fs::remove_all(folder);
  return shown;
}

TEST(HostScalars, ComputeWhatAnAssumptionIs) {
  Program program;
  program.arguments = {{"m", DType::i32}, {"n", DType::i32}};
  std::string text = "#include <sluice/host_integers.h>\n#include <algorithm>\n#include <cstdio>\n"
                     "using namespace sluice;\n";
  std::string calls;
  std::vector<int64_t> expected;
  std::vector<std::string> texts;
  std::mt19937 random(11);
  for (int e = 0; e < expressions; ++e) {
    const Assumption a = drawn(random);
    HostScalars scalars(program);
    texts.push_back(scalars.condition(a, [](const Scalar &) { return ""; }));
    ASSERT_TRUE(scalars.known()) << texts.back();
    const std::string name = "f" + std::to_string(e);
    text += "i64 " + name + "(i64 m, i64 n) { return " + texts.back() + "; }\n";
    for (int l = 0; l < launches; ++l) {
      const int64_t corners[] = {0, -1, 5, -130, 63, 64, 100000, INT32_MAX, INT32_MIN};
      const int64_t m = corners[random() % std::size(corners)];
      const int64_t n = corners[random() % std::size(corners)];
      calls += "  std::printf(\"%lld\\n\", " + name + "(" + std::to_string(m) + ", " +
               std::to_string(n) + "));\n";
      expected.push_back(value(a, {m, n}));
    }
  }
  const std::vector<int64_t> found = compiledScalars(text + "int main() {\n" + calls + "}\n");
  ASSERT_EQ(found.size(), expected.size());
  for (size_t i = 0; i < found.size(); ++i)
    ASSERT_EQ(found[i], expected[i]) << texts[i / launches];
}

} // namespace
