#include "Emit/Standalone.h"

#include "Emit/Cuda/HostScalars.h"
#include "Emit/Cuda/Printer.h"
#include "Emit/SyncIds.h"
#include "Machine/Agent.h"
#include "Machine/OperationText.h"

#include <algorithm>
#include <sstream>

namespace sluice {
namespace {

using cuda::Text;

/// Element type of a tensor on the host; empty: it has none.
std::string typeOf(const Tensor &t) {
  return t.type == DType::i1 || t.type == DType::index ? "" : cuda::typeName(t.type);
}

std::string join(const std::vector<std::string> &parts) {
  std::string text;
  for (const std::string &part : parts)
    text += (text.empty() ? "" : ", ") + part;
  return text;
}

class Host {
public:
  Host(const Program &program, const LaunchPlan &plan, const Standalone &how)
      : program_(program), plan_(plan), how_(how) {}

  Result<std::string> print() {
    for (const Tensor &t : program_.tensors)
      if (typeOf(t).empty())
        return refuse("tensor " + t.name + " has elements of type " + std::string(name(t.type)));
    if (auto read = controlTensor(); !read.empty())
      return refuse("the kernel's loops and branches depend on the numbers in tensor " + read +
                    ", which nobody but you can fill; emit without --standalone and write a main");
    cuda::HostScalars scalars(program_);
    const std::vector<std::string> grid = scalars.grid();
    if (!scalars.known())
      return refuse("its grid depends on more than extents of tensors and arguments");
    Text text;
    text.blank().line("// ---- The host's side").blank();
    launch(text, grid);
    text.blank();
    main(text);
    return text.str();
  }

private:
  Error refuse(const std::string &why) const {
    return unsupportedError("unsupported: --standalone of kernel " + program_.name + ": " + why,
                            program_.loc);
  }

  std::string controlTensor() const {
    std::string read;
    walk(program_.body, [&](const Stmt &s) {
      if (auto *o = std::get_if<Scalar>(&s.op); o && o->op == ScalarOp::load)
        read = program_.tensors[o->object].name;
    });
    return read;
  }

  std::string argumentText(const KernelParameter &p) const {
    switch (p.kind) {
    case KernelParameter::tensorMap:
      return p.name;
    case KernelParameter::pointer:
      return program_.tensors[p.object].name + ".data()";
    case KernelParameter::extent:
      return "int(" + program_.tensors[p.object].name + ".extent(" + std::to_string(p.dim) + "))";
    case KernelParameter::stride:
      return program_.tensors[p.object].name + ".stride(" + std::to_string(p.dim) + ")";
    case KernelParameter::argument:
      return isFloat(program_.arguments[p.object].type)
                 ? program_.arguments[p.object].name
                 : "int(" + program_.arguments[p.object].name + ")";
    }
    return "";
  }

  void tensorMap(Text &text, const KernelParameter &p) const {
    const TensorMapPlan &m = plan_.maps[p.object];
    std::vector<std::string> dims, box;
    for (int d : m.dims)
      dims.push_back(std::to_string(d));
    for (int64_t b : m.box)
      box.push_back(std::to_string(b));
    text.line("const TensorMap " + p.name + " = " + program_.tensors[m.tensor].name + ".map({" +
              join(dims) + "}, {" + join(box) + "}, " + std::to_string(m.swizzle) + ");");
  }

  void launch(Text &text, const std::vector<std::string> &grid) const {
    std::vector<std::string> parameters, sides, arguments;
    for (const Tensor &t : program_.tensors)
      parameters.push_back("const host::Tensor<" + typeOf(t) + "> &" + t.name);
    for (const Argument &a : program_.arguments)
      parameters.push_back((isFloat(a.type) ? "float " : "i64 ") + a.name);
    for (const std::string &side : grid)
      sides.push_back("unsigned(" + side + ")");
    for (const KernelParameter &p : plan_.parameters)
      arguments.push_back(argumentText(p));
    text.line("/// Does not wait. The grid follows from the extents.");
    text.open("void launch(" + join(parameters) + ") {");
    for (const KernelParameter &p : plan_.parameters)
      if (p.kind == KernelParameter::tensorMap)
        tensorMap(text, p);
    text.line("const dim3 grid(" + (sides.empty() ? "1" : join(sides)) + ");");
    text.line("if (grid.x == 0 || grid.y == 0 || grid.z == 0)");
    text.line("  return;");
    text.line("::" + plan_.kernel + "<<<grid, " + std::to_string(plan_.threads) + ", " +
              std::to_string(plan_.sharedBytes) + ">>>(" + join(arguments) + ");");
    text.line("host::check(cudaGetLastError(), \"the launch\", \"" + program_.name + "\");");
    text.close();
  }

  std::string callOfLaunch() const {
    std::vector<std::string> arguments;
    for (const Tensor &t : program_.tensors)
      arguments.push_back(t.name);
    arguments.insert(arguments.end(), how_.arguments.begin(), how_.arguments.end());
    return "launch(" + join(arguments) + ");";
  }

  void declareSizes(Text &text) const {
    for (const Standalone::Size &c : how_.constants)
      text.line("[[maybe_unused]] const i64 " + c.name + " = " + std::to_string(c.value) + ";");
    for (const auto &[name, value] : how_.numbers)
      text.line("const float " + name + " = " + cuda::floatLiteral(value) + ";");
    std::vector<std::string> sizes, entries;
    for (const Standalone::Size &s : how_.sizes) {
      sizes.push_back(s.name + " = " + std::to_string(s.value));
      entries.push_back("{\"" + s.name + "\", &" + s.name + "}");
    }
    if (!sizes.empty())
      text.line("i64 " + join(sizes) + ";");
    text.line("host::readSizes(argc, argv, {" + join(entries) + "});");
  }

  void fillTensors(Text &text) const {
    int seed = 0;
    for (const Tensor &t : program_.tensors) {
      text.line("host::Tensor<" + typeOf(t) + "> " + t.name + "(\"" + t.name + "\", {" +
                join(how_.extents.at(t.name)) + "}, " + std::to_string(t.minor) + ", " +
                std::to_string(t.align) + ");");
    }
    for (const Tensor &t : program_.tensors) {
      if (t.input && t.type != DType::i32) // those are counts and positions
        text.line(t.name + ".randomise(" + std::to_string(++seed) + ");");
      else
        text.line(t.name + (t.output && !t.input && isCompared(t) ? ".poison();" : ".zero();"));
    }
  }

  bool hasReference(const Tensor &t) const {
    return t.name == how_.output && !how_.reference.empty();
  }
  /// With the reference, or at least looked through for NaN.
  bool isCompared(const Tensor &t) const { return isFloat(t.type) || hasReference(t); }

  void compare(Text &text) const {
    text.line("bool good = true;");
    for (const Tensor &t : program_.tensors) {
      if (!t.output || t.input || !isCompared(t))
        continue;
      text.line(t.name + ".download();");
      if (!hasReference(t)) {
        text.line("good = host::isWritten(" + t.name + ") && good;");
        continue;
      }
      text.open("auto expected = [&](i64 i, i64 j) -> double {");
      std::stringstream lines(how_.reference);
      for (std::string line; std::getline(lines, line);)
        text.line(line);
      text.close("};");
      std::ostringstream tolerance;
      tolerance << how_.tolerance;
      text.line("good = host::compare(" + t.name + ", double(" + how_.terms + "), " +
                tolerance.str() + ", expected) && good;");
    }
  }

  /// "mma: wait full at gemm.cpp:45" for every synchronisation, in the order of their numbers.
  void syncNames(Text &text) const {
    text.open("const std::vector<const char *> names = {");
    for (const Synchronisation &s : synchronisations(program_)) {
      std::string line = (s.role ? s.role->name + ": " : "") + operationName(s.stmt->op);
      if (const MbarrierRef *barrier = mbarrierOf(s.stmt->op))
        line += " " + program_.mbarriers[barrier->object].name;
      const Location &at = s.stmt->loc;
      if (at.line > 0)
        line += " at " + at.file.substr(at.file.rfind('/') + 1) + ":" + std::to_string(at.line);
      text.line("\"" + line + "\",");
    }
    text.close("};");
  }

  void synchronise(Text &text) const {
    const std::string tail = ", \"the kernel\", \"" + program_.name + "\");";
    if (!how_.watchdog) {
      text.line("host::check(cudaDeviceSynchronize()" + tail);
      return;
    }
    text.line("const cudaError_t ended = cudaDeviceSynchronize();");
    text.line("if (ended != cudaSuccess)");
    text.line("  watchdog.report(names);");
    text.line("host::check(ended" + tail);
  }

  void main(Text &text) const {
    text.open("int main(int argc, char **argv) {");
    declareSizes(text);
    text.line("host::needDevice(9, 0);");
    text.line("host::check(cudaFuncSetAttribute(::" + plan_.kernel +
              ", cudaFuncAttributeMaxDynamicSharedMemorySize, " +
              std::to_string(plan_.sharedBytes) +
              "), \"cudaFuncSetAttribute\", \"shared memory\");");
    fillTensors(text);
    if (how_.watchdog) {
      syncNames(text);
      text.line("const host::Watchdog watchdog;");
    }
    text.line(callOfLaunch());
    synchronise(text);
    compare(text);
    text.line("const double ms = host::time([&] { " + callOfLaunch() + " });");
    text.line("std::printf(\"time   %.4f ms\", ms);");
    if (!how_.work.empty())
      text.line("std::printf(\", %.1f TFLOPS\", " + how_.work + " / ms / 1e9);");
    text.line("std::printf(\"\\n\");");
    text.line("return good ? 0 : 1;");
    text.close();
  }

  const Program &program_;
  const LaunchPlan &plan_;
  const Standalone &how_;
};

} // namespace

Result<std::string> standaloneText(const Program &program, const EmittedSource &source,
                                   const Standalone &how) {
  auto host = Host(program, source.plan, how).print();
  if (!host)
    return host.error();
  std::string text = source.text;
  const std::string include = "#include <sluice/device.cuh>\n";
  if (const size_t at = text.find(include); at != std::string::npos)
    text.insert(at + include.size(), "#include <sluice/host.cuh>\n");
  return text + *host;
}

} // namespace sluice
