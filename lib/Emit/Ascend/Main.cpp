// The host's side of a kernel in Ascend C: a program on aclrt, and what builds it.
#include "Emit/MainText.h"

#include <algorithm>

namespace sluice {
namespace {

class AscendMain : MainText {
public:
  using MainText::MainText;

  Result<std::string> print() {
    const auto grid = sidesOfGrid();
    if (!grid)
      return grid.error();
    Text text;
    text.line("// The host's side of kernel " + program_.name + ", printed by sluice.");
    text.line("// Build: cmake -B build && cmake --build build && ./build/" + program_.name);
    text.line("#include <sluice/host.h>").blank();
    text.line("#include \"aclrtlaunch_" + plan_.kernel + ".h\"").blank();
    text.line("using namespace sluice;").blank();
    launch(text, grid->empty() ? "1" : grid->front());
    text.blank();
    main(text);
    return text.str();
  }

private:
  std::string typeOf(const Tensor &t) const override {
    switch (t.type) {
    case DType::f16:
      return "host::f16";
    case DType::bf16:
      return "host::bf16";
    case DType::f32:
      return "float";
    case DType::s8:
      return "host::s8";
    default:
      return t.type == DType::i32 ? "int" : "";
    }
  }

  /// Of a kernel of vector cores alone each of the grid has two blocks.
  bool isOfVectorsAlone() const {
    return std::ranges::all_of(program_.buffers,
                               [](const Buffer &b) { return b.space == Space::ub; });
  }

  void launch(Text &text, const std::string &grid) const {
    std::vector<std::string> parameters = {"aclrtStream stream"}, arguments;
    for (const Tensor &t : program_.tensors)
      parameters.push_back("const host::Tensor<" + typeOf(t) + "> &" + t.name);
    for (const Argument &a : program_.arguments)
      parameters.push_back((isFloat(a.type) ? "float " : "i64 ") + a.name);
    for (const KernelParameter &p : plan_.parameters)
      arguments.push_back(argumentText(p));
    text.line("/// Does not wait. The grid follows from the extents.");
    text.open("void launch(" + joinedText(parameters) + ") {");
    text.line("const i64 blocks = " + std::string(isOfVectorsAlone() ? "2 * " : "") + "i64(" +
              grid + ");");
    text.line("if (blocks == 0)");
    text.line("  return;");
    text.line("host::check(int(ACLRT_LAUNCH_KERNEL(" + plan_.kernel +
              ")(uint32_t(blocks), stream, " + joinedText(arguments) + ")), \"the launch\", \"" +
              program_.name + "\");");
    text.close();
  }

  void main(Text &text) const {
    std::vector<std::string> all = {"device.stream()"};
    for (const Tensor &t : program_.tensors)
      all.push_back(t.name);
    all.insert(all.end(), how_.arguments.begin(), how_.arguments.end());
    const std::string call = "launch(" + joinedText(all) + ");";
    text.open("int main(int argc, char **argv) {");
    declareSizes(text);
    assumptions(text);
    text.line("const host::Device device;");
    fillTensors(text);
    text.line(call);
    text.line("device.wait(\"" + program_.name + "\");");
    compare(text);
    text.line("const double ms = host::time(device, [&] { " + call + " });");
    text.line("std::printf(\"time   %.4f ms\", ms);");
    if (!how_.work.empty())
      text.line("std::printf(\", %.1f TFLOPS\", " + how_.work + " / ms / 1e9);");
    text.line("std::printf(\"\\n\");");
    text.line("return good ? 0 : 1;");
    text.close();
  }
};

} // namespace

Result<std::string> ascendMainText(const Program &program, const EmittedSource &source,
                                   const Standalone &how) {
  return AscendMain(program, source.plan, how).print();
}

std::string ascendBuildText(const Program &program) {
  emit::Text t;
  const std::string kernel = program.name;
  t.line("# Kernel " + kernel +
         " and its host program with CANN, whose set_env.sh has been sourced.");
  t.line("cmake_minimum_required(VERSION 3.16)");
  t.line("project(" + kernel + " LANGUAGES CXX)");
  t.line("set(SOC_VERSION \"Ascend910B2\" CACHE STRING \"the processor, as npu-smi info says\")");
  t.line("set(RUN_MODE npu CACHE STRING \"\")");
  t.line("set(ASCEND_CANN_PACKAGE_PATH $ENV{ASCEND_HOME_PATH} CACHE PATH \"where CANN is\")");
  t.line("find_file(ASCENDC_CMAKE ascendc.cmake NO_DEFAULT_PATH REQUIRED PATHS");
  t.line("  ${ASCEND_CANN_PACKAGE_PATH}/compiler/tikcpp/ascendc_kernel_cmake");
  t.line("  ${ASCEND_CANN_PACKAGE_PATH}/tools/tikcpp/ascendc_kernel_cmake)");
  t.line("include(${ASCENDC_CMAKE})");
  t.line("ascendc_library(kernels STATIC " + kernel + ".cpp)");
  t.line("ascendc_include_directories(kernels PRIVATE ${CMAKE_CURRENT_SOURCE_DIR})");
  t.line("add_executable(" + kernel + " main.cpp)");
  t.line("target_compile_features(" + kernel + " PRIVATE cxx_std_17)");
  t.line("target_include_directories(" + kernel + " PRIVATE ${CMAKE_CURRENT_SOURCE_DIR}");
  t.line("  ${ASCEND_CANN_PACKAGE_PATH}/include)");
  t.line("target_link_directories(" + kernel + " PRIVATE ${ASCEND_CANN_PACKAGE_PATH}/lib64)");
  t.line("target_link_libraries(" + kernel + " PRIVATE kernels ascendcl)");
  return t.str();
}

} // namespace sluice
