// Kernels that run on the host, with their launches: of the catalogue, and programs of test/.
#pragma once

#include "Program/Program.h"
#include "Support/Result.h"

#include <map>
#include <ostream>
#include <string>
#include <vector>

namespace sluice::test {

struct Config {
  std::string name, kernel;
  std::map<std::string, std::string> settings;
  Target target = Target::sm_90a;
};
void PrintTo(const Config &c, std::ostream *out);

std::vector<Config> hostConfigs();
std::vector<Config> moreHostConfigs();

/// A program of test/, its launch, and a word of what is new in it.
struct Text {
  std::string file;
  std::map<std::string, std::vector<int64_t>> shapes;
  std::vector<int64_t> arguments;
  std::string word;
  std::vector<int64_t> integers = {}; // of its tensor of i32
  Target target = Target::sm_90a;
  std::string name() const;
};
void PrintTo(const Text &t, std::ostream *out);

std::vector<Text> hostTexts();

struct HostCase {
  Program program;
  Launch launch;
};
Result<HostCase> caseOf(const Config &config);
Result<HostCase> caseOf(const Text &text);

Launch denseLaunch(const Program &program,
                   const std::map<std::string, std::vector<int64_t>> &shapes);

} // namespace sluice::test
