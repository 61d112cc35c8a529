#include "Emit/Standalone.h"

#include "Emit/Cuda/ElementText.h"
#include "Emit/Cuda/HostScalars.h"
#include "Emit/Cuda/Printer.h"
#include "Emit/Stamps.h"
#include "Emit/SyncIds.h"
#include "Program/Assumption.h"
#include "Program/Joined.h"
#include "Program/OperationFacts.h"

#include <algorithm>
#include <set>
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

/// As a literal of C++.
std::string quoted(const std::string &words) {
  std::string text = "\"";
  for (const char c : words)
    text += c == '"' || c == '\\' ? std::string("\\") + c : std::string(1, c);
  return text + "\"";
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
    if (hasChecksums()) {
      ctas(text, grid);
      text.blank();
    }
    main(text);
    return text.str();
  }

private:
  Error refuse(const std::string &why) const {
    return unsupportedError("unsupported: --standalone of kernel " + program_.name + ": " + why,
                            program_.loc);
  }

  /// A tensor whose numbers steer the kernel and that we cannot fill.
  std::string controlTensor() const {
    std::string read;
    walk(program_.body, [&](const Stmt &s) {
      if (auto *o = std::get_if<Scalar>(&s.op); o && o->op == ScalarOp::load)
        if (const std::string &name = program_.tensors[o->object].name; !how_.integers.count(name))
          read = name;
    });
    return read;
  }

  std::string argumentText(const KernelParameter &p) const {
    switch (p.kind) {
    case KernelParameter::tensorMap:
      return p.name;
    case KernelParameter::pointer: // of a tensor, or of records
      return plan_.tensors[p.object].name +
             (p.object < int(program_.tensors.size()) ? ".data()" : "");
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
    std::vector<std::string> dims, box, parts;
    for (int d : m.dims)
      dims.push_back(std::to_string(d));
    for (int64_t b : m.box)
      box.push_back(std::to_string(b));
    for (const MapPart &part : m.parts)
      parts.push_back("{" + std::to_string(part.extent) + ", " + std::to_string(part.step) + "}");
    text.line("const TensorMap " + p.name + " = " + program_.tensors[m.tensor].name + ".map({" +
              join(dims) + "}, {" + join(box) + "}, " + std::to_string(m.swizzle) + ", " +
              std::to_string(m.promotion) + (parts.empty() ? "" : ", {" + join(parts) + "}") +
              ");");
  }

  std::vector<std::string> parameters() const {
    std::vector<std::string> all;
    for (const Tensor &t : program_.tensors)
      all.push_back("const host::Tensor<" + typeOf(t) + "> &" + t.name);
    for (const Argument &a : program_.arguments)
      all.push_back((isFloat(a.type) ? "float " : "i64 ") + a.name);
    return all;
  }

  void launch(Text &text, const std::vector<std::string> &grid) const {
    std::vector<std::string> parameters = this->parameters(), sides, arguments;
    if (hasStamps())
      parameters.emplace_back("Stamp *stamps");
    if (hasChecksums())
      parameters.emplace_back("u64 *checksums");
    for (size_t d = 0; d < grid.size(); ++d)
      sides.push_back("host::sideOfGrid(" + std::to_string(d) + ", " + grid[d] + ", " +
                      std::to_string(plan_.cluster[d]) + ")");
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

  /// CTAs of a launch, all of which take sums.
  void ctas(Text &text, const std::vector<std::string> &grid) const {
    std::string count = grid.empty() ? "1" : "";
    for (const std::string &side : grid)
      count += (count.empty() ? "i64(" : " * i64(") + side + ")";
    text.open("i64 ctasOf(" + join(parameters()) + ") {");
    text.line("return " + count + ";");
    text.close();
  }

  std::vector<std::string> arguments() const {
    std::vector<std::string> all;
    for (const Tensor &t : program_.tensors)
      all.push_back(t.name);
    all.insert(all.end(), how_.arguments.begin(), how_.arguments.end());
    return all;
  }

  std::string callOfLaunch() const {
    std::vector<std::string> all = arguments();
    if (hasStamps())
      all.emplace_back("stamps.data()");
    if (hasChecksums())
      all.emplace_back("checksums.data()");
    return "launch(" + join(all) + ");";
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

  void fillBy(Text &text, const std::string &tensor, const std::string &element) const {
    text.open(tensor + ".fill([&](i64 i) {");
    text.line("return " + element + ";");
    text.close("});");
  }

  /// A workspace, which lowering has added, has those of its type.
  std::vector<std::string> extentsOf(const Tensor &t) const {
    if (const auto given = how_.extents.find(t.name); given != how_.extents.end())
      return given->second;
    std::vector<std::string> fixed;
    for (const int64_t extent : t.extents)
      fixed.push_back(std::to_string(extent));
    return fixed;
  }

  /// Extents as the tensors will have them.
  void assumptions(Text &text) const {
    cuda::HostScalars scalars(program_);
    const auto extent = [this](const Scalar &s) {
      const std::string size = extentsOf(program_.tensors[s.object])[s.imm];
      return size.find_first_of(" +-") == size.npos ? size : "(" + size + ")";
    };
    for (const Assumption &a : plan_.assumptions) { // and limits
      text.line("if (!" + scalars.condition(a, extent) + ")");
      text.line("  host::fail(\"%s\", " +
                quoted(placeText(a) + ": kernel " + program_.name + " assumes \"" + a.text + "\"") +
                ");");
    }
  }

  void fillTensors(Text &text) const {
    int seed = 0;
    for (const Tensor &own : program_.tensors) {
      const Tensor t = passed(own);
      text.line("host::Tensor<" + typeOf(t) + "> " + t.name + "(\"" + t.name + "\", {" +
                join(extentsOf(t)) + "}, " + std::to_string(t.minor) + ", " +
                std::to_string(t.align) + ");");
    }
    for (const Tensor &t : program_.tensors) {
      if (auto steers = how_.integers.find(t.name); steers != how_.integers.end())
        fillBy(text, t.name, steers->second);
      else if (t.input && t.type != DType::i32) // those are counts and positions
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

  /// "mma: wait full at gemm.cpp:45"
  std::string nameOf(const Role *role, const Stmt &s) const {
    std::string name = (role ? role->name + ": " : "") + operationName(s.op);
    if (const MbarrierRef *barrier = mbarrierOf(s.op))
      name += " " + program_.mbarriers[barrier->object].name;
    const Location &at = s.loc;
    if (at.line > 0)
      name += " at " + at.file.substr(at.file.rfind('/') + 1) + ":" + std::to_string(at.line);
    return name;
  }

  void names(Text &text, const std::string &variable, const std::vector<std::string> &all) const {
    text.open("const std::vector<const char *> " + variable + " = {");
    for (const std::string &name : all)
      text.line("\"" + name + "\",");
    text.close("};");
  }

  /// Of every synchronisation, in the order of their numbers.
  std::vector<std::string> syncNames() const {
    std::vector<std::string> all;
    for (const Synchronisation &s : synchronisations(program_))
      all.push_back(nameOf(s.role, *s.stmt));
    return all;
  }

  /// Of every event with stamps, in the order of their numbers.
  std::vector<std::string> eventNames() const {
    std::map<const Stmt *, const Role *> roles;
    walk(program_.body, [&](const Stmt &s) {
      if (auto *role = std::get_if<Role>(&s.op))
        walk(role->body, [&](const Stmt &own) { roles[&own] = role; });
    });
    std::vector<std::string> all;
    for (const Stmt *s : stampedStatements(program_))
      all.push_back(nameOf(roles[s], *s));
    return all;
  }

  bool hasStamps() const { return how_.printed.stampedCta.has_value(); }
  bool hasChecksums() const { return how_.printed.checksums > 0; }

  /// Memory for what the kernel writes down.
  void records(Text &text) const {
    const std::string warps = std::to_string(program_.warps);
    if (hasStamps())
      text.line("const host::Records<Stamp> stamps(\"stamps\", " + warps + " * (1 + " +
                std::to_string(kStampsKept) + "));");
    if (!hasChecksums())
      return;
    text.line("const i64 ctas = ctasOf(" + join(arguments()) + ");");
    text.line("const host::Records<u64> checksums(\"checksums\", ctas * " + warps + " * (1 + " +
              std::to_string(how_.printed.checksums) + "));");
  }

  void printRecords(Text &text) const {
    const std::string warps = std::to_string(program_.warps);
    if (hasStamps()) {
      names(text, "events", eventNames());
      text.line("host::printStamps(stamps, " + warps + ", " + std::to_string(kStampsKept) + ", " +
                std::to_string(*how_.printed.stampedCta) + ", events);");
    }
    if (hasChecksums())
      text.line("host::printChecksums(checksums, ctas, " + warps + ", " +
                std::to_string(how_.printed.checksums) + ");");
  }

  void synchronise(Text &text) const {
    const std::string tail = ", \"the kernel\", \"" + program_.name + "\");";
    if (!how_.printed.watchdog) {
      text.line("host::check(cudaDeviceSynchronize()" + tail);
      return;
    }
    text.line("const cudaError_t ended = cudaDeviceSynchronize();");
    text.line("if (ended != cudaSuccess)");
    text.line("  watchdog.report(names);");
    text.line("host::check(ended" + tail);
  }

  /// A kernel that prints tiles says everything once.
  bool prints() const {
    bool found = false;
    walk(program_.body, [&](const Stmt &s) { found |= std::holds_alternative<Print>(s.op); });
    return found;
  }

  /// Counters that a launch need not leave at zero: no workspaces.
  std::set<int> counters() const {
    std::set<int> found;
    walk(program_.body, [&](const Stmt &s) {
      if (auto *add = std::get_if<CounterAdd>(&s.op))
        found.insert(add->counter.object);
    });
    std::erase_if(found, [this](int tensor) {
      return !program_.tensors[tensor].input && !program_.tensors[tensor].output;
    });
    return found;
  }

  void time(Text &text) const {
    std::string before;
    for (const int counter : counters())
      before += (before.empty() ? "" : " ") + program_.tensors[counter].name + ".zero();";
    text.line("const double ms = host::time([&] { " + callOfLaunch() + " }" +
              (before.empty() ? "" : ", [&] { " + before + " }") + ");");
    text.line("std::printf(\"time   %.4f ms\", ms);");
    if (!how_.work.empty())
      text.line("std::printf(\", %.1f TFLOPS\", " + how_.work + " / ms / 1e9);");
    text.line("std::printf(\"\\n\");");
  }

  void main(Text &text) const {
    text.open("int main(int argc, char **argv) {");
    declareSizes(text);
    assumptions(text);
    text.line("host::needDevice(9, 0);");
    text.line("host::check(cudaFuncSetAttribute(::" + plan_.kernel +
              ", cudaFuncAttributeMaxDynamicSharedMemorySize, " +
              std::to_string(plan_.sharedBytes) +
              "), \"cudaFuncSetAttribute\", \"shared memory\");");
    if (plan_.cluster[0] * plan_.cluster[1] * plan_.cluster[2] > 8) // what every device takes
      text.line("host::check(cudaFuncSetAttribute(::" + plan_.kernel +
                ", cudaFuncAttributeNonPortableClusterSizeAllowed, 1), \"cudaFuncSetAttribute\", "
                "\"clusters of more than 8 CTAs\");");
    fillTensors(text);
    if (how_.printed.watchdog) {
      names(text, "names", syncNames());
      text.line("const host::Watchdog watchdog;");
    }
    records(text);
    text.line(callOfLaunch());
    synchronise(text);
    printRecords(text);
    compare(text);
    if (!prints())
      time(text);
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
    text.insert(at + include.size(), how.printed.stampedCta || how.printed.checksums
                                         ? "#include <sluice/host_records.cuh>\n"
                                         : "#include <sluice/host.cuh>\n");
  return text + *host;
}

} // namespace sluice
