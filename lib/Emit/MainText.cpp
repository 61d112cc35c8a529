#include "Emit/MainText.h"

#include "Emit/Cuda/ElementText.h"
#include "Emit/HostScalars.h"
#include "Program/Assumption.h"
#include "Program/Joined.h"

#include <sstream>

namespace sluice {

std::string joinedText(const std::vector<std::string> &parts) {
  std::string text;
  for (const std::string &part : parts)
    text += (text.empty() ? "" : ", ") + part;
  return text;
}

namespace {

/// As a literal of C++.
std::string quoted(const std::string &words) {
  std::string text = "\"";
  for (const char c : words)
    text += c == '"' || c == '\\' ? std::string("\\") + c : std::string(1, c);
  return text + "\"";
}

} // namespace

std::optional<Error> MainText::unfillable() const {
  for (const Tensor &t : program_.tensors)
    if (typeOf(t).empty())
      return refuse("tensor " + t.name + " has elements of type " + std::string(name(t.type)));
  if (auto read = controlTensor(); !read.empty())
    return refuse("the kernel's loops and branches depend on the numbers in tensor " + read +
                  ", which nobody but you can fill; emit without --standalone and write a main");
  return std::nullopt;
}

Result<std::vector<std::string>> MainText::sidesOfGrid() const {
  if (auto wrong = unfillable())
    return *wrong;
  HostScalars scalars(program_);
  std::vector<std::string> sides = scalars.grid();
  if (!scalars.known())
    return refuse("its grid depends on more than extents of tensors and arguments");
  return sides;
}

std::string MainText::argumentText(const KernelParameter &p) const {
  switch (p.kind) {
  case KernelParameter::tensorMap:
    return p.name;
  case KernelParameter::pointer: // of a tensor, or of records
    return plan_.tensors[p.object].name +
           (p.object < int(program_.tensors.size()) ? ".data()" : "");
  case KernelParameter::extent:
    return "int(" + program_.tensors[p.object].name +
           (program_.tensors[p.object].isLine ? ".elements())"
                                              : ".extent(" + std::to_string(p.dim) + "))");
  case KernelParameter::stride:
    return program_.tensors[p.object].name + ".stride(" + std::to_string(p.dim) + ")";
  case KernelParameter::argument:
    return isFloat(program_.arguments[p.object].type)
               ? program_.arguments[p.object].name
               : "int(" + program_.arguments[p.object].name + ")";
  }
  return "";
}

Error MainText::refuse(const std::string &why) const {
  return unsupportedError("unsupported: --standalone of kernel " + program_.name + ": " + why,
                          program_.loc);
}

/// A tensor whose numbers steer the kernel and that we cannot fill.
std::string MainText::controlTensor() const {
  std::string read;
  walk(program_.body, [&](const Stmt &s) {
    if (auto *o = std::get_if<Scalar>(&s.op); o && o->op == ScalarOp::load)
      if (const std::string &name = program_.tensors[o->object].name; !how_.integers.count(name))
        read = name;
  });
  return read;
}

void MainText::declareSizes(Text &text) const {
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
    text.line("i64 " + joinedText(sizes) + ";");
  text.line("host::readSizes(argc, argv, {" + joinedText(entries) + "});");
}

void MainText::fillBy(Text &text, const std::string &tensor, const std::string &element) const {
  text.open(tensor + ".fill([&](i64 i) {");
  text.line("return " + element + ";");
  text.close("});");
}

/// A workspace, which lowering has added, has those of its type.
std::vector<std::string> MainText::extentsOf(const Tensor &t) const {
  if (const auto given = how_.extents.find(t.name); given != how_.extents.end())
    return given->second;
  std::vector<std::string> fixed;
  for (const int64_t extent : t.extents)
    fixed.push_back(std::to_string(extent));
  return fixed;
}

/// "(i64(rows) * (cols))".
std::string MainText::elementsOf(const Tensor &line) const {
  std::string product;
  for (const std::string &extent : extentsOf(line))
    product += product.empty() ? "(i64(" + extent + ")" : " * (" + extent + ")";
  return product + ")";
}

/// Extents as the tensors will have them.
void MainText::assumptions(Text &text) const {
  HostScalars scalars(program_);
  const auto extent = [this](const Scalar &s) {
    if (program_.tensors[s.object].isLine)
      return elementsOf(program_.tensors[s.object]);
    const std::string size = extentsOf(program_.tensors[s.object])[s.imm];
    return size.find_first_of(" +-*/") == size.npos ? size : "(" + size + ")";
  };
  for (const Assumption &a : plan_.assumptions) { // and limits
    text.line("if (!" + scalars.condition(a, extent) + ")");
    text.line("  host::fail(\"%s\", " +
              quoted(placeText(a) + ": kernel " + program_.name + " assumes \"" + a.text + "\"") +
              ");");
  }
}

void MainText::fillTensors(Text &text) const {
  int seed = 0;
  for (const Tensor &own : program_.tensors) {
    Tensor t = passed(own);
    const std::vector<std::string> extents = extentsOf(t);
    if (t.isLine) // nothing lies between rows
      t.minor = int(extents.size()) - 1, t.align = byteSize(t.type);
    text.line("host::Tensor<" + typeOf(t) + "> " + t.name + "(\"" + t.name + "\", {" +
              joinedText(extents) + "}, " + std::to_string(t.minor) + ", " +
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

bool MainText::hasReference(const Tensor &t) const {
  return t.name == how_.output && !how_.reference.empty();
}
/// With the reference, or at least looked through for NaN.
bool MainText::isCompared(const Tensor &t) const {
  return isFloat(t.type) || hasReference(t);
}

void MainText::compare(Text &text) const {
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

} // namespace sluice
