// Kernels along rows at awkward shapes: no rows, one column, rows that start anywhere, rows that no
// warp holds, elements between rows; all types. Points are drawn with a fresh seed, which is
// printed; SLUICE_SEED repeats one. Each is right against float64, or refused by name.
#include "Kernels/Launched.h"

#include "sluice/Compile.h"

#include <cstdlib>
#include <iostream>
#include <random>

namespace sluice {
namespace {

using Settings = std::map<std::string, std::string>;

constexpr const char *kernels[] = {"copy",
                                   "add",
                                   "bias_gelu",
                                   "silu_mul",
                                   "silu_mul_backward",
                                   "gelu_backward",
                                   "scale_bias_relu",
                                   "dropout",
                                   "add_dropout",
                                   "rmsnorm",
                                   "layernorm",
                                   "add_rmsnorm",
                                   "add_layernorm",
                                   "rmsnorm_backward",
                                   "layernorm_backward",
                                   "norm_weights_backward",
                                   "sum_rows",
                                   "softmax",
                                   "log_softmax",
                                   "softmax_backward",
                                   "cross_entropy",
                                   "cross_entropy_backward",
                                   "quantise",
                                   "argmax",
                                   "rope",
                                   "transpose"};

class Draw {
public:
  Draw(uint64_t seed, int64_t most) : random_(seed), most_(most) {}

  const KernelEntry &kernel() { return *findKernel(one(kernels)); }
  /// What is planned differs.
  const Arch &machine() { return *findArch(one({"h100", "h200"})); }

  /// Settings that the kernel has; rows x cols are at most `most` elements.
  Settings settingsOf(const KernelEntry &entry) {
    Settings settings;
    const int64_t cols = columns();
    int64_t rows = rowsAtMost(most_ / cols);
    settings["rows"] = std::to_string(rows);
    settings["cols"] = std::to_string(cols);
    settings["dtype"] = one({"f32", "f16", "bf16"});
    settings["pad"] = one({"0", "0", "0", "1", "4", "8", "24"});
    settings["stages"] = one({"4", "4", "4", "1", "2", "3", "0", "0"});
    if (random_() % 4 == 0 && settings["stages"] != "0")
      settings["ctas"] = one({"1", "3"});
    if (random_() % 8 == 0)
      settings["plan"] = "no";
    else if (const int64_t line = cols + std::stoll(settings["pad"]);
             line % 8 == 0 && cols % 8 == 0 && random_() % 4 == 0)
      settings["staging"] = "1"; // TMA stores rows of multiples of 16 bytes
    else if (random_() % 6 == 0)
      settings["parts"] = one({"8", "8", "16"}); // of any number of columns
    if (settings["stages"] == "0" && !settings.contains("parts") && random_() % 2 == 0)
      settings["height"] = one({"8", "16", "32"}), settings.erase("staging");
    settings["tile"] = one({"auto", "tokens", "heads"});
    const bool planned = !settings.contains("plan") && !settings.contains("ctas");
    if (planned && settings["pad"] == "0" && cols >= 256 && random_() % 3 == 0)
      settings["line"] = "yes", settings.erase("staging"), settings.erase("parts");
    settings["weights"] = one({"auto", "auto", "no"});
    settings["d"] = one({"16", "64", "128"});
    settings["heads"] = one({"1", "3", "8"});
    const bool ring = entry.name == "rope" || entry.name == "transpose"; // always
    if (ring && settings["stages"] == "0")
      settings["stages"] = "1";
    std::erase_if(settings, [&](const auto &setting) { return !has(entry, setting); });
    return settings;
  }

private:
  static bool has(const KernelEntry &entry, const std::pair<const std::string, std::string> &of) {
    const auto it = std::ranges::find(entry.parameters, of.first, &Parameter::name);
    return it != entry.parameters.end() &&
           (it->choices.empty() || std::ranges::find(it->choices, of.second) != it->choices.end());
  }
  template <typename T, size_t N> const T &one(const T (&of)[N]) { return of[random_() % N]; }

  /// One in twelve is of a vocabulary.
  int64_t columns() {
    if (random_() % 12 == 0)
      return one({int64_t{100003}, int64_t{262144}, int64_t{128256}});
    return one({int64_t{1}, int64_t{3}, int64_t{7}, int64_t{8}, int64_t{9}, int64_t{156},
                int64_t{255}, int64_t{257}, int64_t{1024}, int64_t{4097}, int64_t{8192},
                int64_t{16392}});
  }
  int64_t rowsAtMost(int64_t most) {
    const int64_t rows = one({int64_t{0}, int64_t{1}, int64_t{2}, int64_t{3}, int64_t{5},
                              int64_t{33}, int64_t{131}, int64_t{133}});
    return rows <= most ? rows : std::min<int64_t>(most, 1 + static_cast<int64_t>(random_() % 3));
  }

  std::mt19937_64 random_;
  int64_t most_;
};

uint64_t freshSeed() {
  const char *given = std::getenv("SLUICE_SEED");
  const uint64_t seed = given ? std::strtoull(given, nullptr, 10) : std::random_device{}();
  std::cout << "seed " << seed << '\n';
  return seed;
}

std::string told(const KernelEntry &entry, const Settings &settings, const Arch &arch) {
  std::string text = entry.name + " on " + arch.name + ":";
  for (const auto &[name, value] : settings)
    text.append(" ").append(name).append("=").append(value);
  return text;
}

/// Whether it is right; else what it is refused with, which names what does not go.
std::string refusalOf(const KernelEntry &entry, const Settings &settings, const Arch &arch) {
  auto parameters = resolve(entry, settings);
  if (!parameters)
    return parameters.error().message;
  auto kernel = entry.build(*parameters, arch);
  if (!kernel)
    return kernel.error().message;
  CompileOptions options;
  options.target = Target::sm_90a;
  auto program = compile(*kernel, options);
  if (!program)
    return program.error().message;
  expectProvenAndRight(entry, *parameters, *program, arch);
  return "";
}

/// So many points of at most so many elements; one in eight may be refused.
void sweep(int points, int64_t most) {
  Draw draw(freshSeed(), most);
  int refused = 0;
  for (int i = 0; i < points; ++i) {
    const KernelEntry &entry = draw.kernel();
    const Settings settings = draw.settingsOf(entry);
    const Arch &arch = draw.machine();
    const std::string point = told(entry, settings, arch);
    SCOPED_TRACE(point);
    const std::string refusal = refusalOf(entry, settings, arch);
    if (refusal.empty())
      continue;
    std::cout << point << "\n  refused: " << refusal << '\n';
    const bool counted = refusal.find(entry.name) != std::string::npos &&
                         refusal.find_first_of("0123456789") != std::string::npos;
    const bool named = counted || refusal.find("leave sluice.") != std::string::npos;
    EXPECT_TRUE(named) << refusal;
    ++refused;
  }
  EXPECT_LE(refused, points / 8 + 3);
}

TEST(RowsAtDrawnShapes, AreRight) {
  sweep(20, 200'000);
}
TEST(RowsAtDrawnShapesSlow, AreRight) {
  sweep(150, 1'100'000);
}

} // namespace
} // namespace sluice
