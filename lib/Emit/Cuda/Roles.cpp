// Roles as branches, and the registers of their threads.
#include "Emit/Cuda/Printer.h"

#include "Program/Registers.h"

#include <algorithm>
#include <set>

namespace sluice::cuda {

static std::string warpsFrom(int first, int end, const std::string &warp) {
  return first == 0 ? warp + " < " + std::to_string(end)
         : end - first == 1
             ? warp + " == " + std::to_string(first)
             : warp + " >= " + std::to_string(first) + " && " + warp + " < " + std::to_string(end);
}

/// Opens a branch of the chain, or the first one.
static void openBranch(Text &out, bool first, const std::string &head) {
  if (first)
    out.open(head);
  else
    out.next("} else " + head);
}

static bool meet(const WarpRange &x, const WarpRange &y) {
  return x.begin < y.end && y.begin < x.end;
}

/// The end of the roles from `at` on that share no warp: no warp executes two of them.
static size_t endOfApart(const Block &b, size_t at) {
  std::vector<WarpRange> before;
  for (size_t i = at; i < b.stmts.size(); ++i) {
    const auto *r = std::get_if<Role>(&b.stmts[i].op);
    if (!r)
      return i;
    const WarpRange warps{r->firstWarp, r->firstWarp + r->warps};
    if (std::ranges::any_of(before, [&](const WarpRange &other) { return meet(warps, other); }))
      return i;
    before.push_back(warps);
  }
  return b.stmts.size();
}

/// Whole warpgroups, and the roles in them, by their places in a block.
struct RolePrinter::Together {
  WarpRange warps;
  std::vector<size_t> roles;
};

/// The role at `at` and, where it changes registers, those up to `end` that share a warpgroup with
/// it or with one of these.
RolePrinter::Together RolePrinter::together(const Block &b, size_t at, size_t end) {
  const Role &first = std::get<Role>(b.stmts[at].op);
  Together all{warpgroupsOf(first), {at}};
  for (size_t before = 0; first.registers && before != all.roles.size();) {
    before = all.roles.size();
    all.roles.clear();
    for (size_t i = at; i < end; ++i)
      if (const WarpRange own = warpgroupsOf(std::get<Role>(b.stmts[i].op)); meet(own, all.warps)) {
        all.roles.push_back(i);
        all.warps = {std::min(all.warps.begin, own.begin), std::max(all.warps.end, own.end)};
      }
  }
  return all;
}

/// The roles that follow each other from `at` on become one chain of branches, as setmaxnreg
/// wants it. Roles that share a warpgroup and change its registers become one branch, in which its
/// warps do so together. Yields the index after them.
size_t RolePrinter::roles(const Block &b, size_t at) {
  const size_t end = endOfApart(b, at);
  std::set<size_t> printed;
  for (; at < end; ++at) {
    if (printed.contains(at))
      continue;
    const bool first = printed.empty();
    const Role &r = std::get<Role>(b.stmts[at].op);
    const Together all = together(b, at, end);
    if (all.roles.size() > 1 || (r.registers && all.warps.end - all.warps.begin != r.warps)) {
      rolesOfWarpgroups(b, all, first);
    } else {
      at_ = b.stmts[at].loc;
      role(r, first);
    }
    printed.insert(all.roles.begin(), all.roles.end());
  }
  out().close();
  return at;
}

/// Roles in one branch of the warpgroups that hold them.
void RolePrinter::rolesOfWarpgroups(const Block &b, const Together &all, bool first) {
  openBranch(out(), first, "if (" + warpsFrom(all.warps.begin, all.warps.end, "ctaWarp") + ") {");
  registersOfRole(std::get<Role>(b.stmts[all.roles.front()].op), out());
  for (const size_t i : all.roles) {
    at_ = b.stmts[i].loc;
    role(std::get<Role>(b.stmts[i].op), i == all.roles.front(), false);
  }
  out().close();
}

void RolePrinter::role(const Role &r, bool first, bool ownWarpgroups) {
  if (role_)
    fail("a role inside another role");
  auto names = names_.mark();
  bool outerWarp = usesWarp_;
  role_ = &r;
  usesWarp_ = usesThread_ = false;
  Text *outer = out_;
  int depth = outer->depth() + first; // later roles find the chain open
  Text body(depth), start(depth);
  out_ = &body;
  parts_.control.block(r.body);
  out_ = outer;
  if (ownWarpgroups)
    registersOfRole(r, start);
  if (usesWarp_)
    start.line(r.firstWarp ? "const int warp = ctaWarp - " + number(r.firstWarp) + ";"
                           : "const int warp = ctaWarp;");
  if (usesThread_)
    start.line(r.firstWarp
                   ? "const int thread = int(threadIdx.x) - " + number(32 * r.firstWarp) + ";"
                   : "const int thread = int(threadIdx.x);");
  declareRegisters(r.name, start);
  openBranch(*outer, first,
             "if (" + warpsFrom(r.firstWarp, r.firstWarp + r.warps, "ctaWarp") + ") { // " +
                 r.name);
  outer->append(start).append(body);
  role_ = nullptr;
  usesWarp_ = outerWarp;
  usesThread_ = false;
  names_.release(names);
}

/// setmaxnreg: a warpgroup changes its registers as a whole. PTX ISA "setmaxnreg".
void RolePrinter::registersOfRole(const Role &r, Text &text) {
  if (r.registers == 0)
    return;
  if (warpgroupsOf(r).end > program_.warps)
    return fail("role " + r.name + " sets its registers but is not made of whole warpgroups");
  if (r.registers % 8 || r.registers < 24 || r.registers > 256)
    return fail("role " + r.name + ": registers must be a multiple of 8 from 24 to 256");
  const int64_t atEntry = registersAtLaunch(program_.warps, 65536);
  if (r.registers < atEntry)
    text.line("registersShrink<" + number(r.registers) + ">();");
  else if (r.registers > atEntry)
    text.line("registersGrow<" + number(r.registers) + ">();");
}

void RolePrinter::declareRegisters(const std::string &role, Text &text) {
  for (size_t b = 0; b < program_.buffers.size(); ++b) {
    const Buffer &buffer = program_.buffers[b];
    if (buffer.space != Space::reg || buffer.role != role || tileNames_[b].empty())
      continue;
    text.line(tileNames_[b] + " " + bufferNames_[b] +
              (buffer.slots > 1 ? "[" + number(buffer.slots) + "]" : "") + ";");
  }
}

std::string RolePrinter::warp() {
  if (!role_ || warps() == program_.warps)
    return "ctaWarp";
  if (role_->warps == 1)
    return "0";
  usesWarp_ = true;
  return "warp";
}

std::string RolePrinter::thread() {
  usesThread_ = true;
  return role_ ? "thread" : "int(threadIdx.x)";
}

void RolePrinter::openGuard(Exec exec) {
  if (exec == Exec::threads)
    return closeGuard();
  bool oneWarp = warps() == 1;
  if (guard_ && (*guard_ == exec || oneWarp))
    return;
  closeGuard();
  guard_ = exec;
  guardBlocks_ = false;
  if (exec == Exec::warp || oneWarp)
    out().open("if (electLane()) {");
  else if (exec == Exec::one || warps() <= 4)
    out().open("if (" + warp() + " == 0 && electLane()) {");
  else
    out().open("if (" + warp() + " % 4 == 0 && electLane()) {");
}

/// Where the elected lane waited, the warp as a whole has waited.
void RolePrinter::closeGuard() {
  if (!guard_)
    return;
  guard_.reset();
  out().close();
  if (guardBlocks_)
    out().line("warpSync();");
}

} // namespace sluice::cuda
