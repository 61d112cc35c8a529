// The printed text, word for word, against test/Emit/*.cu. SLUICE_UPDATE=1 writes the files anew.
#include "Emit/Ascend/Words.h"
#include "Emit/Cuda/Words.h"
#include "Emit/Emit.h"
#include "Emit/Kernels.h"
#include "Emit/Text.h"
#include "Launch/DeviceHeaders.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <regex>
#include <sstream>

namespace sluice::test {
namespace {

namespace fs = std::filesystem;

fs::path goldenFolder() {
  return fs::path(__FILE__).parent_path().parent_path().parent_path() / "Emit";
}

std::string read(const fs::path &path) {
  std::stringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

void printsAs(const Program &program, const std::string &file) {
  auto source = emitCuda(program);
  ASSERT_TRUE(source) << source.error().message;
  if (std::getenv("SLUICE_UPDATE"))
    std::ofstream(goldenFolder() / file) << source->text;
  EXPECT_EQ(source->text, read(goldenFolder() / file)) << file;
}

TEST(PrintCuda, Gemm) {
  printsAs(gemm({}), "gemm.cu");
}

TEST(PrintCuda, GemmWithLateReleaseAndSetmaxnreg) {
  printsAs(gemm({.bn = 256, .stages = 4, .lag = true, .reallocate = true}), "gemm_late.cu");
}

TEST(PrintCuda, GemmLoadedByThreadsStoredByCopyEngine) {
  printsAs(gemm({.stages = 2,
                 .load = GemmOptions::threads,
                 .store = GemmOptions::copyEngine,
                 .align = 16}),
           "gemm_threads.cu");
}

TEST(PrintCuda, GemmWithHintsForL2) {
  printsAs(gemm({.store = GemmOptions::copyEngine, .cluster = true, .hints = true}),
           "gemm_hints.cu");
}

TEST(PrintCuda, Attention) {
  printsAs(attention({}), "attention.cu");
}

TEST(PrintCuda, NoLineIsLongerThanAHundredColumns) {
  for (const Program &p : {gemm({}), attention({})}) {
    std::stringstream lines(emitCuda(p)->text);
    for (std::string line; std::getline(lines, line);)
      EXPECT_LE(line.size(), 100u) << line;
  }
}

TEST(PrintCuda, ScopesCountersAndTheKernelBefore) {
  auto source = emitCuda(signals());
  ASSERT_TRUE(source) << source.error().message;
  size_t at = 0;
  for (const char *line : {
           "int *turnsGlobal",
           "launchDependents();",
           "waitForPreviousKernel();",
           "mbarrierArrive<Scope::cluster>(bar[0]);",
           "mbarrierArriveRemote<Scope::cluster>(bar[1], 1);",
           "mbarrierArriveExpectTx<Scope::cluster>(bar[0], 16);",
           "mbarrierArriveExpectTxRemote<Scope::cluster>(bar[1], 1, 16);",
           "mbarrierWait<Scope::cluster>(bar[0], 0);",
           "fenceProxyAsyncGlobal();",
           "counterWait<Scope::gpu>(turnsGlobal + i64(x) * turnsStride0 + i64(3), x);",
           "counterWait(turnsGlobal + i64(x) * turnsStride0 + i64(3), 2);",
           "counterAdd<Scope::gpu>(turnsGlobal + i64(x) * turnsStride0 + i64(3), 1);",
           "counterAddRelaxed<Scope::cluster>(turnsGlobal + i64(x) * turnsStride0 + i64(3), -1);",
       }) {
    const size_t found = source->text.find(line, at);
    ASSERT_NE(found, std::string::npos) << line << "\n" << source->text;
    at = found;
  }
}

TEST(PrintCuda, NamesOfTheProgramNeverCollideWithKeywordsOrEachOther) {
  Program p = gemm({});
  p.buffers[0].name = p.buffers[1].name = "float";
  p.mbarriers[0].name = "2 full!";
  auto source = emitCuda(p);
  ASSERT_TRUE(source);
  EXPECT_NE(source->text.find(" float1{smem + 0};"), std::string::npos) << source->text;
  EXPECT_NE(source->text.find(" float2{smem + 49152};"), std::string::npos);
  EXPECT_NE(source->text.find("Mbarriers barrier2_full_{"), std::string::npos);
}

/// Functions and types that headers declare at the margin, for the device.
std::set<std::string> declaredBy(std::span<const DeviceHeader> headers) {
  static const std::regex function("^(?:template <.*> )?__(?:device|aicore)__ [^(]*?(\\w+)\\(.*"),
      type("^(?:template <.*> )?(?:struct|enum class) (?:alignas\\(\\w+\\) )?(\\w+)\\b.*");
  std::set<std::string> names;
  for (const DeviceHeader &h : headers) {
    if (h.name.starts_with("sluice/host") || h.name.starts_with("sluice/values"))
      continue;
    std::stringstream lines{std::string(h.text)};
    for (std::string line; std::getline(lines, line);)
      if (std::smatch found;
          std::regex_match(line, found, function) || std::regex_match(line, found, type))
        names.insert(found[1]);
  }
  return names;
}

TEST(Names, AreNoFunctionsOrTypesOfTheHeaders) {
  const auto cudas = declaredBy(deviceHeaders()), ascends = declaredBy(ascendHeaders());
  EXPECT_GT(cudas.size(), 200u);
  EXPECT_TRUE(cudas.contains("tcgen05CommitMulticast") && ascends.contains("quotient"));
  emit::Names cuda(cuda::reserved, cuda::declared), ascend(ascend::reserved, ascend::declared);
  for (const std::string &name : cudas)
    EXPECT_NE(cuda.take(name), name);
  for (const std::string &name : ascends)
    EXPECT_NE(ascend.take(name), name);
}

TEST(Text, IsNotBrokenBetweenQuotes) {
  emit::Text text;
  const std::string words = "\"a: it says \\\"" + std::string(70, 'x') + ", and so on\\\"\"";
  text.line("fail(first + second + third + fourth, " + words + ", last);");
  EXPECT_EQ(text.str(), "fail(first + second + third + fourth,\n    " + words + ", last);\n");
}

TEST(Text, NamesThePlaceWhereItChanges) {
  emit::Text text;
  text.at("gemm.cpp:1");
  text.line("a();");
  text.at("gemm.cpp:2"); // a statement that prints nothing
  text.at("gemm.cpp:2");
  text.line("b();").line("c();");
  text.at("gemm.cpp:2");
  text.line("d();");
  EXPECT_EQ(text.str(), "a();  // gemm.cpp:1\nb();  // gemm.cpp:2\nc();\nd();\n");
}

} // namespace
} // namespace sluice::test
