#include "kernels/Catalog.h"

#include <gtest/gtest.h>

using namespace sluice;

namespace {

KernelEntry entry() {
  return {.name = "k",
          .summary = "",
          .targets = {},
          .parameters = {{.name = "M", .value = "8", .help = "", .high = 64},
                         {.name = "tile", .value = "auto", .help = "", .low = 1, .high = 16},
                         {.name = "dtype", .value = "f16", .help = "", .choices = {"f16", "f32"}}},
          .shapes = {},
          .build = {},
          .reference = {}};
}

std::string wrong(const std::map<std::string, std::string> &settings) {
  auto parameters = resolve(entry(), settings);
  return parameters ? "" : parameters.error().message;
}

TEST(Catalog, DefaultsAndSettings) {
  auto parameters = resolve(entry(), {{"M", "0"}, {"dtype", "f32"}});
  ASSERT_TRUE(parameters);
  EXPECT_EQ(parameters->number("M"), 0);
  EXPECT_EQ(parameters->dtype("dtype"), DType::f32);
  EXPECT_TRUE(parameters->isAuto("tile"));
  EXPECT_EQ(parameters->number("tile"), 0);
  EXPECT_EQ(wrong({{"tile", "auto"}}), "");
}

TEST(Catalog, WrongSettingsAreNamed) {
  EXPECT_EQ(wrong({{"m0", "8"}}), "unknown parameter of k 'm0'; did you mean 'M'?");
  EXPECT_EQ(wrong({{"M", "8x"}}), "parameter M=8x: it must be an integer");
  EXPECT_EQ(wrong({{"M", ""}}), "parameter M=: it must be an integer");
  EXPECT_EQ(wrong({{"M", "65"}}), "parameter M=65: it must be 0 to 64");
  EXPECT_EQ(wrong({{"M", "auto"}}), ""); // its default
  EXPECT_EQ(wrong({{"dtype", "auto"}}), "parameter dtype=auto: it must be one of f16, f32");
  EXPECT_EQ(wrong({{"tile", "0"}}), "parameter tile=0: it must be 1 to 16");
  EXPECT_EQ(wrong({{"dtype", "f8"}}), "parameter dtype=f8: it must be one of f16, f32");
}

TEST(Catalog, Extents) {
  const Parameters p(std::map<std::string, std::string>{{"groups", "4"}});
  EXPECT_EQ(p.value(parseExtent("128")), 128);
  EXPECT_EQ(p.value(parseExtent("groups")), 4);
  EXPECT_EQ(p.value(parseExtent("groups+1")), 5);
}

TEST(Catalog, EveryEntryIsComplete) {
  for (const KernelEntry &e : catalog()) {
    SCOPED_TRACE(e.name);
    EXPECT_FALSE(e.targets.empty());
    auto parameters = resolve(e, {});
    ASSERT_TRUE(parameters) << parameters.error().message;
    EXPECT_FALSE(e.shapes(*parameters).empty());
    EXPECT_TRUE(e.reference);
    EXPECT_EQ(findKernel(e.name), &e);
  }
}

/// An extent that a manifest leaves open must be none that the kernel's text holds; what a planner
/// chooses by it is right for others too.
TEST(Catalog, ExtentsAtLaunchAreNotInTheText) {
  const std::map<std::string, std::string> tiles = {
      {"bm", "128"},      {"bn", "128"},  {"bk", "64"},      {"stages", "4"},
      {"cluster", "1x1"}, {"plan", "no"}, {"tile", "tokens"}};
  const Arch &arch = defaultArch(Target::sm_90a);
  int found = 0;
  for (const KernelEntry &e : catalog())
    for (const Parameter &p : e.parameters) {
      if (!p.atLaunch)
        continue;
      ++found;
      std::string texts[2];
      for (int i = 0; i < 2; ++i) {
        std::map<std::string, std::string> settings;
        for (const Parameter &known : e.parameters)
          if (auto tile = tiles.find(known.name); tile != tiles.end())
            settings.insert(*tile);
        if (e.name == "rope")
          settings["share"] = "4";
        settings[p.name] = i ? "8192" : "512";
        auto parameters = resolve(e, settings);
        ASSERT_TRUE(parameters) << parameters.error().message;
        auto kernel = e.build(*parameters, arch);
        ASSERT_TRUE(kernel) << kernel.error().message;
        texts[i] = kernel->text();
      }
      EXPECT_EQ(texts[0], texts[1]) << e.name << " " << p.name;
    }
  EXPECT_GE(found, 3);
}

} // namespace
