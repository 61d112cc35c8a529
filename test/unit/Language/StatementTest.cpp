// What each statement of the embedded language writes down.
#include "sluice/Compile.h"
#include "sluice/KernelBuilder.h"

#include <gtest/gtest.h>

#include <cmath>

namespace sluice::lang {
namespace {

/// Text of the kernel that `write` describes, without its first and last line and indentation.
template <typename F> std::string statements(F &&write) {
  KernelBuilder k("test");
  write(k);
  auto kernel = k.build();
  if (!kernel)
    return kernel.error().location.str() + ": " + kernel.error().message;
  std::string text = kernel->text(), body;
  for (size_t at = text.find('\n') + 1, end; at < text.size(); at = end + 1) {
    end = text.find('\n', at);
    if (text[at] == ' ')
      body += text.substr(at + 2, end - at - 1);
  }
  return body;
}

TEST(Statement, IndicesFold) {
  EXPECT_EQ((Index(7) + 3 * Index(2) - 1).constant(), 12);
  EXPECT_EQ(ceilDiv(Index(7), 2).constant(), 4);
  EXPECT_EQ(ceilDiv(Index(-7), 2).constant(), -3);
  EXPECT_EQ((Index(-7) / 2).constant(), -3);
  EXPECT_EQ((Index(-7) % 2).constant(), -1);
  EXPECT_EQ(min(Index(2), 3).constant(), 2);
  EXPECT_EQ(max(Index(2), 3).constant(), 3);
  EXPECT_FALSE((Index(INT64_MAX) + 1).isDefined());
  EXPECT_TRUE((Index(1) < 2).constant());
}

TEST(Statement, MutexesAreOfTheKernel) {
  KernelBuilder k("turns");
  k.mutexes();
  Tensor A = k.input("A", f32, 2), C = k.output("C", f32, 2);
  k.store(k.load(A.at({0, 0}), {64, 64}, "a"), C.at({0, 0}));
  const auto kernel = k.build();
  ASSERT_TRUE(kernel) << kernel.error().message;
  EXPECT_NE(kernel->text().find("sluice.mutexes"), std::string::npos) << kernel->text();
  CompileOptions options;
  options.target = Target::ascend910b;
  const auto elsewhere = compile(*kernel, options);
  ASSERT_FALSE(elsewhere);
  EXPECT_EQ(elsewhere.error().message,
            "unsupported: sluice.mutexes: ascend910b has no mutexes, ascend950 has; leave it out");
}

TEST(Statement, FastMathAndFoldsInTwoParts) {
  const std::string text = statements([](KernelBuilder &k) {
    Tensor A = k.input("A", f32, 2), C = k.output("C", f32, 2);
    Tile a = k.load(A.at({0, 0}), {64, 64}, "a");
    k.fastMath({.approximate = true, .contract = true});
    Tile c = k.map(
        {a}, f32, [](Element x) { return maximum(tanh(x) * x, 0); }, "c");
    k.fastMath({});
    Tile sum = k.reduce(
        c, 1, 0, [](Element x) { return x * x; }, [](Element s, Element x) { return s + x; },
        "sum");
    k.store(sum, C.at({0, 0}));
  });
  for (const char *line :
       {"math.tanh %a_0 fastmath<afn> : f32\n", "fastmath<contract> : f32\n", "arith.maximumf",
        "arith.mulf %c_0, %c_0 : f32\n", "arith.addf %state, "})
    EXPECT_NE(text.find(line), std::string::npos) << line << text;
}

TEST(Statement, HowFarAheadAndByWhatTilesAreLoaded) {
  const std::string text = statements([](KernelBuilder &k) {
    Tensor A = k.input("A", f32, 2), C = k.output("C", f32, 2);
    k.loop(4, stages(4).prefetch(2), "t", [&](Index t) {
      Tile a = k.load(A.at({0, t * 256}), {4, 256}, "a", {.by = LoadedBy::bulk});
      Tile c = k.map(
          {a}, f32, [](Element x) { return -x; }, "c");
      k.store(c, C.at({0, t * 256}));
    });
  });
  for (const char *mark :
       {"sluice.prefetch = 2", "sluice.stages = 4", "sluice.loaded_by = \"bulk\""})
    EXPECT_NE(text.find(mark), std::string::npos) << mark << text;
}

TEST(Statement, FunctionsMadeOfOthers) {
  const std::string text = statements([](KernelBuilder &k) {
    Tensor A = k.input("A", f32, 2), C = k.output("C", f32, 2);
    Tile a = k.load(A.at({0, 0}), {64, 64}, "a");
    Tile c = k.map(
        {a}, f32, [](Element x) { return relu(x) + sigmoid(x) + silu(x) + gelu(x) + geluTanh(x); },
        "c");
    k.store(c, C.at({0, 0}));
  });
  for (const char *line : {"arith.maxnumf %a_0, ", "math.exp ", "arith.divf %a_0, ", "math.erf ",
                           "math.tanh ", "arith.constant 4.471500e-02 : f32"})
    EXPECT_NE(text.find(line), std::string::npos) << line << text;
  EXPECT_EQ(relu(-2.0).number(), 0);
  EXPECT_EQ(sigmoid(0.0).number(), 0.5);
  EXPECT_NEAR(silu(1.0).number(), 0.7310585786300049, 1e-15);
  EXPECT_NEAR(gelu(1.0).number(), 0.8413447460685429, 1e-15);
  EXPECT_NEAR(geluTanh(1.0).number(), 0.8411919906082768, 1e-12);
}

TEST(Statement, FoldsIntoAnotherType) {
  const std::string text = statements([](KernelBuilder &k) {
    Tensor A = k.input("A", f16, 2), C = k.output("C", f32, 2);
    Tile a = k.load(A.at({0, 0}), {64, 64}, "a");
    Tile sum = k.reduce(
        a, 1, 0, f32, [](Element x) { return cast(x, f32) * cast(x, f32); },
        [](Element s, Element x) { return s + x; }, "sum");
    k.store(sum, C.at({0, 0}));
  });
  for (const char *line : {"outs(%sum : !sluice.buffer<64x1xf32>)", "arith.extf %a_0 : f16 to f32",
                           "arith.addf %state, "})
    EXPECT_NE(text.find(line), std::string::npos) << line << text;
}

TEST(Statement, FoldsAcrossACluster) {
  const std::string text = statements([](KernelBuilder &k) {
    Tensor A = k.input("A", f32, 2), C = k.output("C", f32, 2);
    k.grid(2, 3, GridOptions{.cluster = {2, 1}});
    Tile a = k.load(A.at({0, 0}), {8, 1}, "a");
    Tile sum = k.reduceAcross(
        0, a, 0, [](Element s, Element x) { return s + x; }, "sum");
    k.store(sum, C.at({0, 0}));
  });
  for (const char *line : {"cluster = array<i64: 2, 1>", "outs(%sum : !sluice.buffer<1x1xf32>)",
                           "axis 0 from [0.000000e+00] attributes {sluice.across = 0 : i64}"})
    EXPECT_NE(text.find(line), std::string::npos) << line << text;
}

TEST(Statement, NumbersOfAllRows) {
  const auto kernel = [](bool cluster) {
    return statements([&](KernelBuilder &k) {
      Tensor A = k.input("A", f32, 2);
      k.grid(2, 3, cluster ? GridOptions{.cluster = {2, 1}} : GridOptions());
      Tile a = k.load(A.at({0, 0}), {8, 1}, "a"), b = k.load(A.at({0, 1}), {8, 1}, "b");
      const std::vector<Tile> all = cluster ? k.allRowsAcross(0, {a, b}) : k.allRows({a, b});
      k.reduce(
          all[1], 1, 0, [](Element s, Element x) { return s + x; }, "sum");
    });
  };
  EXPECT_NE(kernel(false).find("to %b_of_all : <1x8xf32, minor 0>, <1x8xf32>"), std::string::npos)
      << kernel(false);
  EXPECT_NE(kernel(true).find("to %b_of_all {sluice.across = 0 : i64} : <1x8xf32, minor 0>, "
                              "<1x16xf32>"),
            std::string::npos)
      << kernel(true);
}

TEST(Statement, NumbersOfTheLaunchInElementFunctions) {
  const std::string text = statements([](KernelBuilder &k) {
    Tensor A = k.input("A", f32, 2), C = k.output("C", f32, 2);
    Element alpha = k.number("alpha");
    const std::vector<Tile> in = {k.load(A.at({0, 0}), {64, 64}, "a")};
    Tile c = k.map(
        in, f32, [&](const std::vector<Element> &x) { return alpha * x[0]; }, "c");
    k.store(c, C.at({0, 0}));
  });
  EXPECT_NE(text.find("arith.mulf %alpha, "), std::string::npos) << text;
}

TEST(Statement, IndicesInElementFunctions) {
  const std::string text = statements([](KernelBuilder &k) {
    Tensor A = k.input("A", f32, 2), C = k.output("C", f32, 2);
    k.loop(4, "t", [&](Index t) {
      Tile a = k.load(A.at({0, t * 64}), {64, 64}, "a");
      const Element from(t * 64), end(A.dim(1)), five(Index(5));
      Tile c = k.mapWithCoordinates({a}, f32, [&](Element x, Element, Element column) {
        return select((column + from < end) & (column < five), x, 0);
      });
      k.store(c, C.at({0, t * 64}));
    });
  });
  for (const char *line : {"arith.addi %col, %1 : index\n", "arith.cmpi slt, %4, %A.dim1 : index\n",
                           "%c5 = arith.constant 5 : index\n"})
    EXPECT_NE(text.find(line), std::string::npos) << line << text;
}

TEST(Statement, HintsForL2) {
  const std::string text = statements([](KernelBuilder &k) {
    Tensor A = k.input("A", f16, 2), C = k.output("C", f16, 2);
    Tile a = k.load(A.at({0, 0}), {64, 64}, "a", {.cache = CachePolicy::evictFirst});
    k.store(a, C.at({0, 0}), {.cache = CachePolicy::evictLast});
    k.store(a, C.at({64, 0}));
  });
  EXPECT_NE(text.find("to %a cache evict_first : "), std::string::npos) << text;
  EXPECT_NE(text.find("to %C[%c0, %c0] cache evict_last : "), std::string::npos) << text;
  EXPECT_NE(text.find("to %C[%c64, %c0] : "), std::string::npos) << text;
}

TEST(Statement, IndexArithmetic) {
  EXPECT_EQ(statements([](KernelBuilder &k) {
              Tensor A = k.input("A", f16, 2);
              Index m = A.dim(0);
              auto [i] = k.grid(ceilDiv(m, 64));
              Index row = i * 64, last = m - 64;
              k.load(A.at({min(row, last), i % 8 * 1 + 0}), {64, 64}, "a");
            }),
            R"(%A.dim0 = sluice.dim %A, 0 : <?x?xf16, align 2>
%c64 = arith.constant 64 : index
%c8 = arith.constant 8 : index
%0 = arith.ceildivsi %A.dim0, %c64 : index
%i = sluice.grid %0 : index
%1 = arith.muli %i, %c64 : index
%2 = arith.subi %A.dim0, %c64 : index
%3 = arith.minsi %1, %2 : index
%4 = arith.remsi %i, %c8 : index
%a = sluice.alloc "a" : !sluice.buffer<64x64xf16>
sluice.load %A[%3, %4] to %a : <?x?xf16, align 2>, <64x64xf16>
)");
}

TEST(Statement, TensorsKeepTheirOptions) {
  KernelBuilder k("tensors");
  k.input("A", f16, 2, {.minor = 0, .align = 16});
  k.inout("B", bf16, 3, {.extents = {4, 5, 6}});
  k.output("C", f32, 1);
  k.argument("n");
  k.epoch();
  auto kernel = k.build();
  ASSERT_TRUE(kernel);
  EXPECT_EQ(
      kernel->text(),
      "sluice.kernel @tensors(%A: !sluice.tensor<?x?xf16, minor 0, align 16> "
      "{sluice.name = \"A\"}, %B: !sluice.tensor<4x5x6xbf16, align 2> "
      "{sluice.inout, sluice.name = \"B\"}, %C: !sluice.tensor<?xf32, align 4> "
      "{sluice.name = \"C\", sluice.out}, %n: index {sluice.name = \"n\"}) {\n  sluice.epoch\n}\n");
}

TEST(Statement, TilesOfColumnMajorTensors) {
  EXPECT_EQ(statements([](KernelBuilder &k) {
              Tensor A = k.input("A", f16, 2, {.minor = 0});
              Tile a = k.load(A.at({0, 0}), {64, 32});
              Tile t = transpose(a);
              EXPECT_EQ(t.rows(), 32);
              EXPECT_EQ(t.cols(), 64);
            }),
            R"(%c0 = arith.constant 0 : index
%a = sluice.alloc "a" : !sluice.buffer<64x32xf16, minor 0>
sluice.load %A[%c0, %c0] to %a : <?x?xf16, minor 0, align 2>, <64x32xf16, minor 0>
%a.t = sluice.transpose %a : <64x32xf16, minor 0>
)");
}

TEST(Statement, LoopsAndBranches) {
  EXPECT_EQ(statements([](KernelBuilder &k) {
              Tile x = k.tile(f32, {64, 64}, "x");
              k.loop(4, stages(3).split(2), "t",
                     [&](Index t) { k.when(t == 2, [&] { k.fill(x, 1.5); }); });
              k.print(x);
              k.loop(2, slots({{"l1", 1}, {"l0c", 2}}), "u", [&](Index) { k.epoch(); });
            }),
            R"(%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c4 = arith.constant 4 : index
%c2 = arith.constant 2 : index
%x = sluice.alloc "x" : !sluice.buffer<64x64xf32>
scf.for %arg0 = %c0 to %c4 step %c1 {
  %0 = arith.cmpi eq, %arg0, %c2 : index
  scf.if %0 {
    sluice.fill %x with 1.500000e+00 : <64x64xf32>
  }
} {sluice.name = "t", sluice.split = 2 : i64, sluice.stages = 3 : i64}
sluice.print %x : <64x64xf32>
scf.for %arg0 = %c0 to %c2 step %c1 {
  sluice.epoch
} {sluice.name = "u", sluice.slots = {l0c = 2 : i64, l1 = 1 : i64}}
)");
}

TEST(Statement, RawText) {
  EXPECT_EQ(statements([](KernelBuilder &k) {
              Tile x = k.tile(f32, {64, 64}, "x"), y = k.tile(f32, {64, 64}, "y");
              Index n = k.argument("n");
              k.raw({{"sm_90a", "$=y = f($x, $n);"}},
                    {.writes = {{"y", y}},
                     .reads = {{"x", x}},
                     .scalars = {{"n", n}},
                     .model = [](const auto &in) { return exp2(in[0]); }});
            }),
            R"(%x = sluice.alloc "x" : !sluice.buffer<64x64xf32>
%y = sluice.alloc "y" : !sluice.buffer<64x64xf32>
sluice.raw {sm_90a = "$=y = f($x, $n);"} outs(%y : !sluice.buffer<64x64xf32>) )"
            R"(ins(%x : !sluice.buffer<64x64xf32>) with(%n) named ["y", "x", "n"] model {
^bb0(%x_0: f32):
  %0 = math.exp2 %x_0 : f32
  sluice.yield %0 : f32
}
)");
}

TEST(Statement, MapTypesMeet) {
  EXPECT_EQ(statements([](KernelBuilder &k) {
              Tile x = k.tile(f32, {64, 64}, "x"), b = k.tile(f16, {1, 64}, "b");
              k.map(
                  {x, b}, f16, [](auto x, auto b) { return max(x + b, 0); }, "y");
            }),
            R"(%x = sluice.alloc "x" : !sluice.buffer<64x64xf32>
%b = sluice.alloc "b" : !sluice.buffer<1x64xf16>
%y = sluice.alloc "y" : !sluice.buffer<64x64xf16>
sluice.map ins(%x, %b : !sluice.buffer<64x64xf32>, !sluice.buffer<1x64xf16>) )"
            R"(outs(%y : !sluice.buffer<64x64xf16>) {
^bb0(%x_0: f32, %b_1: f16):
  %0 = arith.extf %b_1 : f16 to f32
  %1 = arith.addf %x_0, %0 : f32
  %cst = arith.constant 0.000000e+00 : f32
  %2 = arith.maxnumf %1, %cst : f32
  %3 = arith.truncf %2 : f32 to f16
  sluice.yield %3 : f16
}
)");
}

TEST(Statement, IndicesThatElementsShare) {
  EXPECT_EQ(statements([](KernelBuilder &k) {
              Index n = k.argument("n");
              Tile x = k.tile(f32, {64, 64}, "x");
              k.updateWithCoordinates(x, {x}, [&](auto x, auto row, auto col) {
                Element first = row < Element(Index(8)), inside = col < Element(n);
                return select(first & inside, x, -1);
              });
            }),
            R"(%x = sluice.alloc "x" : !sluice.buffer<64x64xf32>
sluice.map ins(%x : !sluice.buffer<64x64xf32>) outs(%x : !sluice.buffer<64x64xf32>) coordinates {
^bb0(%x_0: f32, %row: index, %col: index):
  %c8 = arith.constant 8 : index
  %0 = arith.cmpi slt, %row, %c8 : index
  %1 = arith.cmpi slt, %col, %n : index
  %2 = arith.andi %0, %1 : i1
  %cst = arith.constant -1.000000e+00 : f32
  %3 = arith.select %2, %x_0, %cst : f32
  sluice.yield %3 : f32
}
)");
}

TEST(Statement, RowsAlongAnotherDimension) {
  EXPECT_EQ(
      statements([](KernelBuilder &k) {
        Tensor X = k.input("X", f16, 4, {.extents = {anyExtent, anyExtent, 3, 64}, .rows = 1});
        k.load(X.at({0, 1, 2, 0}), {64, 64}, "x");
      }),
      R"(%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%x = sluice.alloc "x" : !sluice.buffer<64x64xf16>
sluice.load %X[%c0, %c1, %c2, %c0] to %x : <?x?x3x64xf16, rows 1, align 2>, <64x64xf16>
)");
}

TEST(Statement, CoordinatesAndSelect) {
  EXPECT_EQ(statements([](KernelBuilder &k) {
              Tile x = k.tile(f32, {64, 64}, "x");
              k.mapWithCoordinates(
                  {x}, f32, [](auto x, auto row, auto col) { return select(col <= row, x, -1); },
                  "y");
            }),
            R"(%x = sluice.alloc "x" : !sluice.buffer<64x64xf32>
%y = sluice.alloc "y" : !sluice.buffer<64x64xf32>
sluice.map ins(%x : !sluice.buffer<64x64xf32>) outs(%y : !sluice.buffer<64x64xf32>) coordinates {
^bb0(%x_0: f32, %row: index, %col: index):
  %0 = arith.cmpi sle, %col, %row : index
  %cst = arith.constant -1.000000e+00 : f32
  %1 = arith.select %0, %x_0, %cst : f32
  sluice.yield %1 : f32
}
)");
}

TEST(Statement, RandomNumbers) {
  const std::string text = statements([](KernelBuilder &k) {
    const Seed seed = k.seed("seed");
    Tile x = k.tile(f32, {64, 64}, "x");
    k.mapWithCoordinates(std::vector<Tile>{x}, f32, [&](const auto &in) {
      const Element number = random(seed, 3, in[1], in[2]);
      return select(randomBits(seed, 4, in[1], in[2]) < 0, in[0], number);
    });
  });
  for (const char *line : {"%c3 = arith.constant 3 : index\n",
                           " = sluice.random[%row, %col] seed[%seed0, %seed1] stream %c3 : f32\n",
                           " = sluice.random[%row, %col] seed[%seed0, %seed1] stream %c4 : i32\n"})
    EXPECT_NE(text.find(line), std::string::npos) << line << text;
}

/// The first known answer of Philox.
TEST(Statement, RandomNumbersOfConstants) {
  const Seed seed = {0, 0};
  EXPECT_EQ(randomBits(seed, 0, 0, 0).number(), 0x6627e8d5);
  EXPECT_EQ(random(seed, 0, 0, 3).number(), 0x9b00db * 0x1p-24);
  EXPECT_TRUE(std::isnan(random(seed, 0, 0.5, 0).number()));
}

TEST(Statement, UpdateInPlace) {
  EXPECT_EQ(statements([](KernelBuilder &k) {
              Tile x = k.tile(f32, {64, 64}, "x");
              k.update(x, {x}, [](auto x) { return exp2(-x * 2); });
            }),
            R"(%x = sluice.alloc "x" : !sluice.buffer<64x64xf32>
sluice.map ins(%x : !sluice.buffer<64x64xf32>) outs(%x : !sluice.buffer<64x64xf32>) {
^bb0(%x_0: f32):
  %0 = arith.negf %x_0 : f32
  %cst = arith.constant 2.000000e+00 : f32
  %1 = arith.mulf %0, %cst : f32
  %2 = math.exp2 %1 : f32
  sluice.yield %2 : f32
}
)");
}

TEST(Statement, NamesStayApart) {
  EXPECT_EQ(statements([](KernelBuilder &k) {
              k.tile(f32, {8, 8}, "x");
              k.tile(f32, {8, 8}, "x");
            }),
            R"(%x = sluice.alloc "x" : !sluice.buffer<8x8xf32>
%x_2 = sluice.alloc "x_2" : !sluice.buffer<8x8xf32>
)");
}

TEST(Statement, Clips) {
  EXPECT_EQ(statements([](KernelBuilder &k) {
              Tensor C = k.output("C", f16, 2);
              Index end = k.argument("end");
              k.store(k.tile(f16, {8, 8}, "c"), clip(C.at({0, 8}), 0, end));
            }),
            R"(%c0 = arith.constant 0 : index
%c8 = arith.constant 8 : index
%c = sluice.alloc "c" : !sluice.buffer<8x8xf16>
%C.clip = sluice.clip %C, 0 to %end : <?x?xf16, align 2>
sluice.store %c to %C.clip[%c0, %c8] : <8x8xf16>, <?x?xf16, align 2>
)");
}

TEST(Statement, NamesOfWhatIsTheSame) {
  EXPECT_EQ(statements([](KernelBuilder &k) {
              Tensor C = k.output("C", f16, 2);
              Index row = k.name(C.dim(0) / 2, "row"), offset = k.name(row - 0, "offset");
              k.store(k.tile(f16, {8, 8}, "c"), C.at({row, offset}));
            }),
            R"(%C.dim0 = sluice.dim %C, 0 : <?x?xf16, align 2>
%c2 = arith.constant 2 : index
%c0 = arith.constant 0 : index
%row = arith.divsi %C.dim0, %c2 : index
%offset = arith.addi %row, %c0 : index
%c = sluice.alloc "c" : !sluice.buffer<8x8xf16>
sluice.store %c to %C[%row, %offset] : <8x8xf16>, <?x?xf16, align 2>
)");
}

TEST(Statement, Assumptions) {
  EXPECT_EQ(statements([](KernelBuilder &k) {
              Tensor A = k.input("A", f16, 2), B = k.input("B", f16, 2);
              Index ka = A.dim(1), kb = B.dim(0);
              k.assume(ka == kb, "A and B have the same K");
              Tensor L = k.input("L", i32, 1);
              k.prefetch(A.at({k.scalar(L.at({0})), 0}), {64, 64});
            }),
            R"(%A.dim1 = sluice.dim %A, 1 : <?x?xf16, align 2>
%B.dim0 = sluice.dim %B, 0 : <?x?xf16, align 2>
%c0 = arith.constant 0 : index
%0 = arith.cmpi eq, %A.dim1, %B.dim0 : index
sluice.assume %0, "A and B have the same K"
%l_element = sluice.scalar_load %L[%c0] : <?xi32, align 4>
sluice.prefetch %A[%l_element, %c0] box [64, 64] : <?x?xf16, align 2>
)");
}

} // namespace
} // namespace sluice::lang
