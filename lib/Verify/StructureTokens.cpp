// R41, as far as it needs no run: what a token is used for, and by whom.
#include "Program/Agent.h"
#include "Program/OperationFacts.h"
#include "Program/Tokens.h"
#include "Verify/Names.h"
#include "Verify/Structure.h"

namespace sluice {
namespace {

/// Empty when a wait may be spared by what the test says.
std::string differenceOf(const Stmt &wait, const Stmt &test) {
  if (wait.exec != test.exec)
    return "other threads execute the test";
  if (std::get<MbarrierWait>(wait.op).scope != std::get<MbarrierTest>(test.op).scope)
    return "the test has another scope";
  return "";
}

void checkWait(const StructureContext &c, const Tokens &tokens, const Stmt &s) {
  auto *wait = std::get_if<MbarrierWait>(&s.op);
  if (!wait || wait->token == kNone)
    return;
  const std::string &name = c.program.mbarriers[wait->barrier.object].name;
  if (!tokens.isToken(wait->token))
    c.refuse("R20", operationName(s.op) + place(s.loc) + ": its token is of no test", s.loc, name);
  for (const Stmt *test : tokens.testsOf(wait->token))
    if (const std::string why = differenceOf(s, *test); !why.empty())
      c.refuse("R41",
               operationName(s.op) + place(s.loc) + " takes the token of the test" +
                   place(test->loc) + ", but " + why + ". Let both say the same",
               s.loc, name);
}

std::string nameOf(const Stmt &s) {
  if (std::holds_alternative<If>(s.op))
    return "branch";
  return std::holds_alternative<For>(s.op) ? "loop" : operationName(s.op);
}

void checkUse(const StructureContext &c, const Tokens &tokens, const Stmt &s) {
  if (tokens.misused(s) != kNone)
    c.refuse("R41",
             nameOf(s) + place(s.loc) +
                 " reads a token: what a test says depends on the schedule. Hand it to a wait",
             s.loc);
}

void checkLife(const StructureContext &c, const std::vector<const Stmt *> &tested, const Stmt &s) {
  auto *inval = std::get_if<MbarrierInval>(&s.op);
  if (!inval || !tested[inval->barrier.object])
    return;
  const std::string &name = c.program.mbarriers[inval->barrier.object].name;
  c.refuse("R41",
           operationName(s.op) + place(s.loc) + " ends the life of " + name + ", which is tested" +
               place(tested[inval->barrier.object]->loc) +
               ". Leave it valid, or wait for it without tests",
           s.loc, name);
}

} // namespace

void checkTokens(const StructureContext &c) {
  const Tokens tokens(c.program);
  std::vector<const Stmt *> tested(c.program.mbarriers.size(), nullptr);
  walk(c.program.body, [&](const Stmt &s) {
    if (auto *test = std::get_if<MbarrierTest>(&s.op))
      tested[test->barrier.object] = &s;
  });
  walk(c.program.body, [&](const Stmt &s) {
    checkWait(c, tokens, s);
    checkUse(c, tokens, s);
    checkLife(c, tested, s);
  });
}

} // namespace sluice
