// Positions in rings, which nobody threads by hand: loops carry those that they move, branches
// yield them, and copies stay behind.
#include "sluice/KernelBuilder.h"

#include <gtest/gtest.h>

namespace sluice::lang {
namespace {

/// Two rings without tiles, and what `write` says in the role that waits for both, as text.
template <typename F> std::string inTwoRings(F &&write) {
  KernelBuilder k("test");
  Index n = k.argument("n");
  Pipeline x = k.pipeline("x", stages(3)), y = k.pipeline("y", stages(3));
  k.role("give", warps(1), [&] {
    Producer gx = x.producer(), gy = y.producer();
    for (Producer *to : {&gx, &gy})
      to->acquire(), to->commit();
  });
  k.role("take", warps(4), [&] {
    Consumer from = x.consumer(), other = y.consumer();
    other.wait();
    write(k, n, from);
    from.wait();
  });
  auto kernel = k.build();
  if (!kernel)
    return kernel.error().location.str() + ": " + kernel.error().message;
  const std::string text = kernel->text(), begin = "sluice.wait %y[%cursor_0] : <3>\n";
  const size_t at = text.find(begin) + begin.size();
  return text.substr(at, text.rfind("  }") - at);
}

TEST(Position, LoopsCarryWhatTheyMove) {
  EXPECT_EQ(inTwoRings([](KernelBuilder &k, Index n, Consumer &from) {
              k.loop(n, "t", [&](Index) { from.advance(); });
            }),
            R"(    %0 = scf.for %arg0 = %c0 to %n step %c1)"
            R"( iter_args(%arg1 = %cursor) -> (!sluice.cursor<3>) {
      %next = sluice.cursor.advance %arg1 : <3>
      scf.yield %next : !sluice.cursor<3>
    } {sluice.name = "t"}
    sluice.wait %x[%0] : <3>
)");
  EXPECT_EQ(inTwoRings([](KernelBuilder &k, Index n, Consumer &from) {
              k.loop(n, "t", [&](Index) { from.wait(); });
            }),
            R"(    scf.for %arg0 = %c0 to %n step %c1 {
      sluice.wait %x[%cursor] : <3>
    } {sluice.name = "t"}
    sluice.wait %x[%cursor] : <3>
)");
}

TEST(Position, LoopsInsideEachOther) {
  EXPECT_EQ(inTwoRings([](KernelBuilder &k, Index n, Consumer &from) {
              k.loop(n, "t", [&](Index) {
                k.loop(2, "u", [&](Index) { from.advance(2); });
                k.loop(2, "v", [&](Index) { from.wait(); });
              });
            }),
            R"(    %0 = scf.for %arg0 = %c0 to %n step %c1)"
            R"( iter_args(%arg1 = %cursor) -> (!sluice.cursor<3>) {
      %1 = scf.for %arg2 = %c0 to %c2 step %c1 iter_args(%arg3 = %arg1) -> (!sluice.cursor<3>) {
        %next = sluice.cursor.advance %arg3 by 2 : <3>
        scf.yield %next : !sluice.cursor<3>
      } {sluice.name = "u"}
      scf.for %arg2 = %c0 to %c2 step %c1 {
        sluice.wait %x[%1] : <3>
      } {sluice.name = "v"}
      scf.yield %1 : !sluice.cursor<3>
    } {sluice.name = "t"}
    sluice.wait %x[%0] : <3>
)");
}

TEST(Position, CopiesStayBehind) {
  EXPECT_EQ(
      inTwoRings([](KernelBuilder &k, Index n, Consumer &from) {
        Consumer late = from;
        k.loop(n, "t", [&](Index t) {
          k.when(t > 0, [&] { late.release(); });
          late = from;
          from.advance(t);
        });
      }),
      R"(    %0:2 = scf.for %arg0 = %c0 to %n step %c1)"
      R"( iter_args(%arg1 = %cursor, %arg2 = %cursor) -> (!sluice.cursor<3>, !sluice.cursor<3>) {
      %1 = arith.cmpi sgt, %arg0, %c0 : index
      scf.if %1 {
        sluice.release %x[%arg2] : <3>
      }
      %next = sluice.cursor.advance_by %arg1, %arg0 : <3>
      scf.yield %next, %arg1 : !sluice.cursor<3>, !sluice.cursor<3>
    } {sluice.name = "t"}
    sluice.wait %x[%0#0] : <3>
)");
}

TEST(Position, ACopyOfWhatStaysIsThatItself) {
  EXPECT_EQ(inTwoRings([](KernelBuilder &k, Index n, Consumer &from) {
              Consumer late = from;
              late.advance();
              k.loop(n, "t", [&](Index) {
                late.release();
                late = from;
              });
              late.release();
            }),
            R"(    %next = sluice.cursor.advance %cursor : <3>
    %0 = scf.for %arg0 = %c0 to %n step %c1 iter_args(%arg1 = %next) -> (!sluice.cursor<3>) {
      sluice.release %x[%arg1] : <3>
      scf.yield %cursor : !sluice.cursor<3>
    } {sluice.name = "t"}
    sluice.release %x[%0] : <3>
    sluice.wait %x[%cursor] : <3>
)");
}

TEST(Position, BranchesYieldWhatTheyMove) {
  EXPECT_EQ(inTwoRings([](KernelBuilder &k, Index n, Consumer &from) {
              k.when(n > 1, [&] { from.advance(); });
            }),
            R"(    %0 = arith.cmpi sgt, %n, %c1 : index
    %1 = scf.if %0 -> (!sluice.cursor<3>) {
      %next = sluice.cursor.advance %cursor : <3>
      scf.yield %next : !sluice.cursor<3>
    } else {
      scf.yield %cursor : !sluice.cursor<3>
    }
    sluice.wait %x[%1] : <3>
)");
  EXPECT_EQ(inTwoRings([](KernelBuilder &k, Index n, Consumer &from) {
              k.when(
                  n > 1, [&] { from.wait(); }, [&] { from.advance(); });
            }),
            R"(    %0 = arith.cmpi sgt, %n, %c1 : index
    %1 = scf.if %0 -> (!sluice.cursor<3>) {
      sluice.wait %x[%cursor] : <3>
      scf.yield %cursor : !sluice.cursor<3>
    } else {
      %next = sluice.cursor.advance %cursor : <3>
      scf.yield %next : !sluice.cursor<3>
    }
    sluice.wait %x[%1] : <3>
)");
  EXPECT_EQ(inTwoRings([](KernelBuilder &k, Index n, Consumer &from) {
              k.when(
                  n > 1, [&] { from.wait(); }, [&] { from.release(); });
            }),
            R"(    %0 = arith.cmpi sgt, %n, %c1 : index
    scf.if %0 {
      sluice.wait %x[%cursor] : <3>
    } else {
      sluice.release %x[%cursor] : <3>
    }
    sluice.wait %x[%cursor] : <3>
)");
}

TEST(Position, RepeatedStatements) {
  EXPECT_EQ(inTwoRings([](KernelBuilder &k, Index n, Consumer &from) {
              k.repeat(
                  [&] {
                    from.advance();
                    return Next{n > 4, n};
                  },
                  [&](Index) { from.wait(); });
            }),
            R"(    %0:2 = scf.while (%arg0 = %cursor) : (!sluice.cursor<3>))"
            R"( -> (index, !sluice.cursor<3>) {
      %next = sluice.cursor.advance %arg0 : <3>
      %1 = arith.cmpi sgt, %n, %c4 : index
      scf.condition(%1) %n, %next : index, !sluice.cursor<3>
    } do {
    ^bb0(%arg0: index, %arg1: !sluice.cursor<3>):
      sluice.wait %x[%arg1] : <3>
      scf.yield %arg1 : !sluice.cursor<3>
    }
    sluice.wait %x[%0#1] : <3>
)");
}

TEST(Position, Ranges) {
  EXPECT_EQ(inTwoRings([](KernelBuilder &k, Index n, Consumer &from) {
              k.loop(Range(n, 9, 2), "t", [&](Index) { from.wait(); });
            }),
            R"(    scf.for %arg0 = %n to %c9 step %c2 {
      sluice.wait %x[%cursor] : <3>
    } {sluice.name = "t"}
    sluice.wait %x[%cursor] : <3>
)");
}

TEST(Position, WarpgroupsComeFirst) {
  KernelBuilder k("test");
  Pipeline x = k.pipeline("x", stages(1));
  k.role("load", warps(1).registers(24), [&] {
    Producer to = x.producer();
    to.acquire();
    to.commit();
  });
  k.role("other", warps(2).registers(24), [&] { x.consumer().wait(); });
  k.role("math", warps(8).registers(240), [&] { x.consumer().wait(); });
  auto kernel = k.build();
  ASSERT_TRUE(kernel) << kernel.error().message;
  for (const char *line :
       {"role \"load\" warps 8 to 9 registers 24", "role \"other\" warps 9 to 11 registers 24",
        "role \"math\" warps 0 to 8 registers 240", "warps = 12", "to [\"other\", \"math\"]"})
    EXPECT_NE(kernel->text().find(line), std::string::npos) << line << kernel->text();
}

} // namespace
} // namespace sluice::lang
