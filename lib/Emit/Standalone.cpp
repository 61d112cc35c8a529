#include "Emit/Standalone.h"

#include "Emit/Cuda/Printer.h"
#include "Emit/MainText.h"
#include "Emit/Stamps.h"
#include "Emit/SyncIds.h"
#include "Program/Blocks.h"
#include "Program/OperationFacts.h"

#include <algorithm>
#include <set>
#include <sstream>

namespace sluice {
namespace {

using cuda::Text;

class Host : MainText {
public:
  using MainText::MainText;

  Result<std::string> print() {
    const auto grid = sidesOfGrid();
    if (!grid)
      return grid.error();
    Text text;
    text.blank().line("// ---- The host's side").blank();
    launch(text, *grid);
    text.blank();
    if (hasChecksums()) {
      ctas(text, *grid);
      text.blank();
    }
    main(text);
    return text.str();
  }

private:
  /// Element type of a tensor on the host; empty: it has none.
  std::string typeOf(const Tensor &t) const override {
    return t.type == DType::i1 || t.type == DType::index ? "" : cuda::typeName(t.type);
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
              joinedText(dims) + "}, {" + joinedText(box) + "}, " + std::to_string(m.swizzle) +
              ", " + std::to_string(m.promotion) +
              (parts.empty() ? "" : ", {" + joinedText(parts) + "}") + ");");
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
    text.open("void launch(" + joinedText(parameters) + ") {");
    for (const KernelParameter &p : plan_.parameters)
      if (p.kind == KernelParameter::tensorMap)
        tensorMap(text, p);
    text.line("const dim3 grid(" + (sides.empty() ? "1" : joinedText(sides)) + ");");
    text.line("if (grid.x == 0 || grid.y == 0 || grid.z == 0)");
    text.line("  return;");
    text.line("::" + plan_.kernel + "<<<grid, " + std::to_string(plan_.threads) + ", " +
              std::to_string(plan_.sharedBytes) + ">>>(" + joinedText(arguments) + ");");
    text.line("host::check(cudaGetLastError(), \"the launch\", \"" + program_.name + "\");");
    text.close();
  }

  /// CTAs of a launch, all of which take sums.
  void ctas(Text &text, const std::vector<std::string> &grid) const {
    std::string count = grid.empty() ? "1" : "";
    for (const std::string &side : grid)
      count += (count.empty() ? "i64(" : " * i64(") + side + ")";
    text.open("i64 ctasOf(" + joinedText(parameters()) + ") {");
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
    return "launch(" + joinedText(all) + ");";
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
    walkRoles(program_.body, [&](const Stmt &s, const Role *role) { roles[&s] = role; });
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
    text.line("const i64 ctas = ctasOf(" + joinedText(arguments()) + ");");
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
