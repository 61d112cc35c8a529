// Element functions drawn at random: what their text computes is what the virtual machine does.
#include "Emit/Cuda/ElementText.h"
#include "Emit/Cuda/Words.h"
#include "Launch/DeviceHeaders.h"
#include "Program/Philox.h"
#include "Simulate/Kernels.h"
#include "Support/Rounding.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <optional>
#include <random>
#include <unistd.h>

using namespace sluice;

namespace {

namespace fs = std::filesystem;
using enum DType;
using enum ElementOp;

constexpr int functions = 250, rows = 60, results = 3;
const std::vector<DType> argumentTypes = {f32, f32, f16, bf16, i32, i32, index, index};

/// A number that conversions, roundings and overflows turn on.
double interesting(std::mt19937 &random, DType type) {
  static const std::vector<double> reals = {
      0.0,       -0.0,     1,       -1,    0.5,      NAN,      INFINITY, -INFINITY, 0x1p-149,
      -0x1p-140, 0x1p-126, 0x1p-25, 65519, 65520,    3.4e38,   -3.4e38,  1.0 / 3,   2.5,
      127.5,     -128.5,   3e9,     -3e9,  16777217, 0x1.01p0, 88.8,     -126.5,    -149.2};
  static const std::vector<double> integers = {
      0, 1, -1, 2147483647, -2147483648.0, 127, -128, 128, 16777217, (1 << 30) + (1 << 22) + 1.0};
  if (type == index)
    return random() % 256;
  const auto &from = isFloat(type) ? reals : integers;
  if (random() % 3)
    return from[random() % from.size()];
  const double spread = isFloat(type) ? 0x1p-28 : 1;
  return roundTo(type, static_cast<int32_t>(random()) * spread);
}

class RandomFunction {
public:
  explicit RandomFunction(uint32_t seed) : random_(seed) {
    for (size_t i = 0; i < argumentTypes.size(); ++i)
      fn_.nodes.push_back({argument, argumentTypes[i], {}, int(i), 0});
    fn_.inputs = int(argumentTypes.size()) - 2;
    fn_.coordinates = true;
  }
  ElementFn draw() {
    for (int i = 0; i < 14; ++i)
      fn_.nodes.push_back(node());
    for (int i = 0; i < results; ++i) // the last ones
      fn_.results.push_back(int(fn_.nodes.size()) - 1 - i);
    return std::move(fn_);
  }

private:
  template <typename T> T oneOf(std::initializer_list<T> of) {
    return of.begin()[random_() % of.size()];
  }

  /// A node of the type, the last ones more often; a new constant where there is none.
  int operand(DType type) {
    std::vector<int> of;
    for (size_t i = 0; i < fn_.nodes.size(); ++i)
      if (fn_.nodes[i].type == type)
        of.insert(of.end(), i + 3 > fn_.nodes.size() ? 4 : 1, int(i));
    if (!of.empty() && random_() % 6)
      return of[random_() % of.size()];
    const double value = type == i1      ? double(random_() % 2)
                         : type == index ? oneOf({3.0, -7.0, 0x1p33 + 1, -0x1p50})
                                         : interesting(random_, type);
    fn_.nodes.push_back({constant, type, {}, 0, roundTo(type, value)});
    return int(fn_.nodes.size()) - 1;
  }
  ElementNode of(ElementOp op, DType type, std::initializer_list<DType> operands) {
    ElementNode node{op, type, {}, 0, 0};
    for (const DType t : operands)
      node.operands.push_back(operand(t));
    return node;
  }
  DType anyType() { return oneOf({f32, f32, f16, bf16, e4m3, e5m2, i32, s8, index}); }

  ElementNode converted() {
    DType from = anyType(), to = anyType();
    if (isFloat(from) && to == index)
      to = i32;
    if (from == index && isFloat(to))
      from = i32;
    return of(cast, to, {random_() % 8 || to == index ? from : i1});
  }
  ElementNode node() {
    const DType type = anyType();
    if (random_() % 16 == 0)
      return of(ElementOp::random, oneOf({f32, i32}), {index, index, index, index, index});
    switch (random_() % 8) {
    case 0:
    case 1:
      return converted();
    case 2:
      return of(oneOf({lt, le, gt, ge, eq, ne}), i1, {type, type});
    case 3:
      return of(oneOf({andI, orI, xorI}), i1, {i1, i1});
    case 4:
      return of(select, type, {i1, type, type});
    default:
      break;
    }
    if (!isFloat(type))
      return of(oneOf({add, sub, mul, max, min, andI, orI, xorI}), type, {type, type});
    if (random_() % 4 == 0)
      return of(oneOf({neg, abs, exp, exp2, log, log2, tanh, erf, sqrt, rsqrt}), type, {type});
    if (random_() % 8 == 0)
      return of(fma, type, {type, type, type});
    return of(oneOf({add, sub, mul, div, max, min, maximum, minimum}), type, {type, type});
  }

  std::mt19937 random_;
  ElementFn fn_;
};

/// "void function3(float a0, float a1 ...) { ... show(x1); }"
std::string textOf(const ElementFn &fn, int number) {
  cuda::Text text(1);
  cuda::Names names(cuda::reserved, cuda::declared);
  std::string parameters;
  cuda::ElementPlace place{text, names, {}, {}, {}};
  for (size_t i = 0; i < argumentTypes.size(); ++i) {
    place.arguments.push_back(names.take("a" + std::to_string(i)));
    parameters += (i ? ", " : "") + std::string(cuda::cppType(argumentTypes[i])) + " " +
                  place.arguments.back();
  }
  for (const int r : fn.results)
    place.resultTypes.push_back(fn.nodes[r].type);
  const auto texts = cuda::elementText(fn, place);
  for (size_t r = 0; r < texts.size(); ++r) {
    const DType type = place.resultTypes[r];
    const bool narrow = isFloat(type) && type != f32; // rounded where they are put
    text.line("show(" + (narrow ? "rounded<" + std::string(name(type)) + ">(" : "(") + texts[r] +
              "));");
  }
  return "void function" + std::to_string(number) + "(" + parameters + ") {\n" + text.str() + "}\n";
}

/// A literal of the value, as an argument of a call.
std::string literal(DType type, double value) {
  if (!isFloat(type))
    return cuda::integerLiteral(static_cast<int64_t>(value));
  return "__int_as_float(int(" + std::to_string(std::bit_cast<uint32_t>(float(value))) + "u))";
}

/// NaN is NaN, whatever its bits.
std::string shown(const Elements &e, int64_t i) {
  if (isExactInteger(e.type))
    return std::to_string(e.integers[i]);
  if (e.type == i1)
    return std::to_string(int(e.reals[i]));
  const float x = e.reals[i];
  return std::isnan(x) ? "nan" : std::to_string(std::bit_cast<uint32_t>(x)) + " real";
}

constexpr const char *show = R"(
void show(float x) {
  if (x != x)
    std::puts("nan");
  else
    std::printf("%u real\n", unsigned(__float_as_int(x)));
}
void show(long long x) { std::printf("%lld\n", x); }
void show(int x) { std::printf("%d\n", x); }
void show(bool x) { std::printf("%d\n", x); }
)";

/// The lines that the functions' texts show, by the host's compiler.
std::vector<std::string> compiled(const std::string &text) {
  const fs::path folder =
      fs::temp_directory_path() / ("sluice-elements-" + std::to_string(getpid()));
  EXPECT_TRUE(writeDeviceHeaders(folder.string()));
  const std::string file = (folder / "elements").string();
  std::ofstream(file + ".cpp") << text;
  const std::string compile = "c++ -std=c++17 -DSLUICE_HOST -I " + folder.string() + " " + file +
                              ".cpp -o " + file + " && " + file + " > " + file + ".txt";
  EXPECT_EQ(std::system(compile.c_str()), 0) << compile;
  std::vector<std::string> lines;
  std::ifstream in(file + ".txt");
  for (std::string line; std::getline(in, line);)
    lines.push_back(line);
  fs::remove_all(folder);
  return lines;
}

/// That the texts of the functions compute what the virtual machine does, of drawn rows.
void expectTheMachines(const std::vector<ElementFn> &drawn) {
  std::string text = "#include <sluice/number.cuh>\n#include <cstdio>\nusing namespace sluice;\n";
  text += show;
  std::string calls;
  std::vector<std::string> expected, texts;
  std::mt19937 random(7);
  for (const ElementFn &fn : drawn) {
    const auto f = int(texts.size());
    texts.push_back(textOf(fn, f));
    text += texts.back();
    std::vector<Elements> arguments;
    std::vector<const Elements *> given;
    for (const DType type : argumentTypes) {
      arguments.emplace_back(type, 0);
      for (int r = 0; r < rows; ++r)
        arguments.back().append(Elements(type, 1, interesting(random, type)));
    }
    for (const Elements &a : arguments)
      given.push_back(&a);
    const auto values = evaluateAll(fn, rows, given);
    for (int r = 0; r < rows; ++r) {
      std::string list;
      for (const Elements &a : arguments)
        list += (list.empty() ? "" : ", ") +
                literal(a.type, isExactInteger(a.type) ? double(a.integers[r]) : a.reals[r]);
      calls += "  function" + std::to_string(f) + "(" + list + ");\n";
      for (const Elements &e : values)
        expected.push_back(shown(e, r));
    }
  }
  const auto lines = compiled(text + "int main() {\n" + calls + "}\n");
  ASSERT_EQ(lines.size(), expected.size());
  for (size_t i = 0; i < lines.size(); ++i)
    ASSERT_EQ(lines[i], expected[i])
        << "result " << i % results << " of row " << i / results % rows << " of\n"
        << texts[i / results / rows];
}

TEST(ElementText, ComputesWhatTheVirtualMachineDoes) {
  std::vector<ElementFn> drawn;
  for (int f = 0; f < functions; ++f)
    drawn.push_back(RandomFunction(f + 1).draw());
  expectTheMachines(drawn);
}

/// A random number is compared by its bits: as the number that it is, also with one that it may be.
TEST(ElementText, ComparesRandomNumbers) {
  std::vector<ElementFn> all;
  const auto asked = [&](double p, std::optional<int64_t> at = {}) {
    ElementFn fn{int(argumentTypes.size()) - 2, true, {}, {}};
    for (size_t i = 0; i < argumentTypes.size(); ++i)
      fn.nodes.push_back({argument, argumentTypes[i], {}, int(i), 0});
    fn.nodes.push_back({constant, index, {}, 0, double(at.value_or(0))});
    const int last = at ? 8 : 7;
    fn.nodes.push_back({ElementOp::random, f32, {last, last, last, at ? 8 : 6, last}});
    fn.nodes.push_back({constant, f32, {}, 0, p});
    fn.nodes.push_back({ge, i1, {9, 10}});
    fn.results = {11, 11, 11};
    all.push_back(fn);
    return textOf(fn, 0);
  };
  for (const double p : {0.0, -0.0, 0.1, 0.5, 1 - 0x1p-24, 1.0, 2.0, -3.0, 0x1p-24, 0x1p-149,
                         double(NAN), double(INFINITY), -double(INFINITY)})
    EXPECT_NE(asked(roundTo(f32, p)).find("uniformIsAtLeast(randomBits("), std::string::npos);
  for (int64_t at = 0; at < 20; ++at) {
    const float one = uniformOf(randomBits({at, at, at, at, at}));
    asked(one, at), asked(std::nextafter(one, 1.0F), at), asked(std::nextafter(one, 0.0F), at);
  }
  expectTheMachines(all);
}

} // namespace
