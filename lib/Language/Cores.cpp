// Roles of an Ascend machine's cores, and the pipes that use the ends of rings there.
#include "Language/Recorder.h"

using namespace mlir;

namespace sluice::lang::detail {

static std::string nameOf(StringRef core) {
  return core == "aiv" ? "the vector cores" : "the cube core";
}

/// Pipes that move tiles or compute on a core.
static bool hasPipe(StringRef core, Pipe pipe) {
  if (core == "aiv")
    return pipe == Pipe::mte2 || pipe == Pipe::v || pipe == Pipe::mte3;
  return pipe == Pipe::mte2 || pipe == Pipe::mte1 || pipe == Pipe::m || pipe == Pipe::fix;
}
static std::string pipesOf(StringRef core) {
  return core == "aiv" ? "mte2, v, mte3" : "mte2, mte1, m, fix";
}

void Roles::begin(const std::string &name, Core core, SourceLocation at) {
  const StringRef kind = core == Core::vector ? "aiv" : "aic";
  const bool good = mayBegin(name, at);
  for (Role &other : roles_) {
    const std::string who = "role '" + name + "' of " + nameOf(kind);
    const auto theirs = other.op.getCore();
    if (good && !theirs)
      r_.fail(at, who + " beside role '" + other.op.getName().str() +
                      "' of warps; a kernel is of one machine");
    else if (good && *theirs == kind)
      r_.fail(at,
              who + ", whose stream is role '" + other.op.getName().str() + "'; a core runs one");
  }
  auto &b = r_.builder;
  enter(ir::RoleOp::create(b, r_.at(at), b.getStringAttr(name), IntegerAttr(), IntegerAttr(),
                           b.getStringAttr(kind), IntegerAttr(), /*leader=*/false),
        warps(0));
}

bool Roles::inWarps(const std::string &what, SourceLocation at) {
  if (!inRole(what, at))
    return false;
  if (current_.getCore())
    r_.fail(at, what + " in a role of " + nameOf(*current_.getCore()) + "; it is for warps");
  return !current_.getCore();
}

bool Roles::inCore(const std::string &what, SourceLocation at) {
  if (current_ && current_.getCore() == "aiv")
    return true;
  r_.fail(at, what + " outside of a role of the vector cores");
  return false;
}

bool Roles::checkPipe(const Ring &ring, const std::string &end, Pipe pipe, SourceLocation at) {
  const auto core = current_.getCore();
  const std::string said(sluice::name(pipe));
  if (!core && pipe != Pipe::none)
    r_.fail(at, "pipe " + said + " for the " + end + " in role '" + current_.getName().str() +
                    "', which is of warps");
  else if (core && ring.kind != Kind::any)
    r_.fail(at, "the " + end +
                    ", whose name says how NVIDIA's threads and TMA signal, in a role of " +
                    nameOf(*core) + "; declare it with pipeline()");
  else if (core && !hasPipe(*core, pipe))
    r_.fail(at, "the " + end + " in a role of " + nameOf(*core) +
                    " is one of its pipes: " + pipesOf(*core));
  else
    return true;
  return false;
}

/// Flags between cores, and the way from L0C through global memory, are those of A2.
void Roles::placeOnCores() {
  if (llvm::any_of(roles_, [](Role &role) { return role.op.getCore().has_value(); }))
    r_.kernel().setTarget(StringRef(sluice::name(Target::ascend910b)));
}

} // namespace sluice::lang::detail
