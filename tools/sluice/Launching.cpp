#include "Launching.h"

#include "Console.h"
#include "Defaults.h"

#include "Program/Assumption.h"
#include "Program/Extent.h"
#include "Program/Joined.h"
#include "Program/Strides.h"
#include "Support/Nearest.h"

#include <algorithm>
#include <charconv>
#include <optional>

namespace sluice::tool {

std::optional<int64_t> parseNumber(std::string_view text) {
  int64_t value = 0;
  auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (code != std::errc{} || end != text.data() + text.size())
    return {};
  return value;
}

namespace {

/// Extent that a file does not fix and nobody sets. Equal everywhere, so that tensors fit together.
constexpr int64_t kDefaultExtent = 512;
constexpr int64_t kLargestBytes = int64_t(1) << 40;

/// A number such as 0.5, as an argument.
std::optional<int64_t> parseReal(std::string_view text) {
  float value = 0;
  auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (code != std::errc{} || end != text.data() + text.size())
    return {};
  return argumentOf(value);
}

std::string argumentText(const Argument &argument, int64_t value) {
  if (argument.type != DType::f32)
    return std::to_string(value);
  char text[32];
  const auto end = std::to_chars(text, text + sizeof text, floatOfArgument(value)).ptr;
  return {text, end};
}

std::string extentsText(const std::vector<int64_t> &extents) {
  std::string text;
  for (int64_t e : extents)
    text += (text.empty() ? "" : ",") + std::to_string(e);
  return "[" + text + "]";
}

Launch::Shape denseShape(const Tensor &tensor, const std::vector<int64_t> &extents) {
  Launch::Shape shape{extents, std::vector<int64_t>(extents.size())};
  int64_t next = 1;
  auto place = [&](size_t d) {
    shape.strides[d] = next;
    next *= std::max<int64_t>(extents[d], 1);
  };
  if (!extents.empty())
    place(size_t(tensor.minor));
  for (size_t d = extents.size(); d-- > 0;)
    if (d != size_t(tensor.minor))
      place(d);
  return shape;
}

/// An extent that a launch takes; elements of a tensor must be countable in bytes.
Result<bool> checkSize(const Tensor &tensor, const std::vector<int64_t> &extents) {
  for (const int64_t e : extents)
    if (e > mostExtent)
      return inputError("tensor " + tensor.name + extentsText(extents) + ": an extent of " +
                        std::to_string(e) + " does not fit printed code, the limit is 2^31 - 2^20");
  int64_t bytes = byteSize(tensor.type);
  for (int64_t e : extents)
    if (__builtin_mul_overflow(bytes, std::max<int64_t>(e, 1), &bytes) || bytes > kLargestBytes)
      return inputError("tensor " + tensor.name + extentsText(extents) + " is too large");
  return true;
}

/// Assumption on a tensor's strides (Tensor::align): what the kernel was compiled for.
Result<bool> checkAlignment(const Tensor &tensor, const Launch::Shape &shape) {
  if (std::ranges::find(shape.extents, 0) != shape.extents.end()) // nothing to reach by a stride
    return true;
  if (isPacked(tensor.type) && shape.extents[size_t(tensor.minor)] % packedLine)
    return inputError("tensor " + tensor.name + extentsText(shape.extents) + ": its numbers of " +
                      std::string(name(tensor.type)) + " come 128 at a time, and it has " +
                      std::to_string(shape.extents[size_t(tensor.minor)]) + " side by side");
  for (size_t d = 0; d < shape.strides.size(); ++d) {
    const int64_t bits = shape.strides[d] * bitsInTensors(tensor.type), bytes = bits / 8;
    if (int(d) != tensor.minor && shape.extents[d] > 1 && bits % (8 * tensor.align) != 0)
      return inputError("tensor " + tensor.name + extentsText(shape.extents) + ": its stride of " +
                        std::to_string(bytes) + " bytes is not a multiple of " +
                        std::to_string(tensor.align) + ", which the kernel assumes");
  }
  return true;
}

/// Extents as a launch passes them. `pad`: elements between what the first dimension counts.
Result<bool> addTensor(const Tensor &own, const std::vector<int64_t> &extents, Launch &launch,
                       int64_t pad = 0) {
  Tensor tensor = passed(own);
  if (tensor.isLine) // of any rank
    tensor.rank = int(extents.size()), tensor.minor = tensor.rank - 1;
  if (int(extents.size()) != tensor.rank)
    return inputError("tensor " + tensor.name + " has " + std::to_string(tensor.rank) +
                          " dimensions, " + extentsText(extents) + " has " +
                          std::to_string(extents.size()),
                      tensor.loc);
  for (size_t d = 0; d < tensor.extents.size() && d < extents.size(); ++d)
    if (tensor.extents[d] >= 0 && tensor.extents[d] != extents[d])
      return inputError("tensor " + tensor.name + extentsText(extents) +
                            ": the kernel fixes extent " + std::to_string(d) + " to " +
                            std::to_string(tensor.extents[d]),
                        tensor.loc);
  if (auto good = checkSize(tensor, extents); !good)
    return good;
  Launch::Shape shape = denseShape(tensor, extents);
  if (pad > 0)
    shape.strides[0] += pad;
  Launch::Shape inside = seen(own, shape);
  if (tensor.isLine) {
    if (inside.given.empty())
      return inputError("tensor " + tensor.name + extentsText(extents) + " with " +
                        std::to_string(pad) + " elements between rows is no line of numbers");
    if (elementsTogether(own, inside) > mostExtent)
      return inputError("tensor " + tensor.name + extentsText(extents) +
                        " is passed as one line, " + "of at most 2^31 - 2^20 elements");
  } else if (auto good = checkAlignment(tensor, shape); !good) {
    return good;
  }
  launch.tensors.push_back(std::move(inside));
  return true;
}

/// "512x256".
Result<std::vector<int64_t>> parseExtents(const std::string &name, const std::string &text) {
  std::vector<int64_t> extents;
  for (size_t begin = 0; begin <= text.size();) {
    size_t end = std::min(text.find('x', begin), text.size());
    auto number = parseNumber(std::string_view(text).substr(begin, end - begin));
    if (!number || *number < 0 || *number > kLargestBytes)
      return inputError("--set " + name + "=" + text + ": extents are written 512x256");
    extents.push_back(*number);
    begin = end + 1;
  }
  return extents;
}

Result<std::vector<int64_t>> fileExtents(const Tensor &tensor, const Settings &set,
                                         const Inputs &inputs) {
  const auto in = inputs.find(tensor.name);
  if (auto text = set.find(tensor.name); text != set.end()) {
    auto extents = parseExtents(tensor.name, text->second);
    if (extents && in != inputs.end() && *extents != in->second.extents)
      return inputError("--in " + tensor.name + " has extents " + extentsText(in->second.extents) +
                        ", but --set says " + tensor.name + "=" + text->second);
    return extents;
  }
  if (in != inputs.end())
    return in->second.extents;
  std::vector<int64_t> extents(size_t(tensor.rank), kDefaultExtent);
  for (size_t d = 0; d < tensor.extents.size(); ++d)
    if (tensor.extents[d] >= 0)
      extents[d] = tensor.extents[d];
  return extents;
}

/// What neither the tensor's type nor anybody says of a launch.
std::vector<Scalar> openExtents(const Program &program, const Settings &set, const Inputs &inputs) {
  std::vector<Scalar> open;
  for (size_t i = 0; i < program.tensors.size(); ++i) {
    const Tensor &tensor = program.tensors[i];
    for (int d = 0; d < tensor.rank; ++d)
      if (!set.contains(tensor.name) && !inputs.contains(tensor.name) &&
          (size_t(d) >= tensor.extents.size() || tensor.extents[size_t(d)] < 0))
        open.push_back({ScalarOp::dim, kNone, {}, d, int(i)});
  }
  return open;
}

/// The same extents and arguments, dense; fails where no launch has them.
Result<Launch> denseLaunch(const Program &program, const Launch &launch) {
  Launch dense;
  for (size_t i = 0; i < program.tensors.size(); ++i) {
    const Tensor &tensor = program.tensors[i];
    if (auto good = addTensor(tensor, given(tensor, launch.tensors[i]).extents, dense); !good)
      return good.error();
  }
  dense.arguments = launch.arguments;
  return dense;
}

/// Numbers that nobody gives, so that the launch keeps what the kernel assumes. `arguments`: which.
void chooseOpen(const Program &program, std::vector<Scalar> open,
                const std::vector<size_t> &arguments, Launch &launch) {
  for (const size_t i : arguments) {
    const bool real = program.arguments[i].type == DType::f32;
    launch.arguments[i] = real ? *parseReal("1") : 1;
    if (!real)
      open.push_back({ScalarOp::argument, kNone, {}, 0, int(i)});
  }
  Launch chosen = launch;
  keepAssumptions(program, open, chosen);
  if (auto dense = denseLaunch(program, chosen))
    launch = std::move(*dense);
  for (const size_t i : arguments)
    note("argument " + program.arguments[i].name + " has no value; beside the proof of every " +
         "launch the one with " + program.arguments[i].name + "=" +
         argumentText(program.arguments[i], launch.arguments[i]) + " is run");
}

} // namespace

Result<Settings> inferParameters(const KernelEntry &entry, const Parameters &parameters,
                                 const Settings &set, const Inputs &inputs) {
  Settings settings = set;
  std::map<std::string, std::string> origin; // parameter -> input that gave it
  std::vector<TensorShape> shapes = entry.shapes(parameters);
  std::vector<std::string> names;
  for (const TensorShape &shape : shapes)
    names.push_back(shape.tensor);
  for (const auto &[name, tensor] : inputs) {
    auto shape = std::ranges::find(shapes, name, &TensorShape::tensor);
    if (shape == shapes.end())
      return inputError(unknownName("tensor of " + entry.name, name, names));
    if (shape->extents.size() != tensor.extents.size())
      return inputError("--in " + name + ": the file has " + std::to_string(tensor.extents.size()) +
                        " dimensions, the tensor " + std::to_string(shape->extents.size()));
    for (size_t d = 0; d < tensor.extents.size(); ++d) {
      const Extent named = parseExtent(shape->extents[d]);
      if (!named.tells()) // compared when the other tensors have told
        continue;
      const auto &[what, more, per, times] = named;
      const std::string extent = std::to_string(tensor.extents[d] - more);
      std::string start = "--in " + name + " has extents " + extentsText(tensor.extents) + ", so ";
      if (what.empty()) {
        if (tensor.extents[d] != more)
          return inputError(start + "extent " + std::to_string(d) + " is not " +
                            std::to_string(more));
        continue;
      }
      auto [at, isNew] = settings.emplace(what, extent);
      if (isNew)
        origin[what] = "--in " + name;
      else if (at->second != extent)
        return inputError(start + what + " = " + extent + ", but " +
                          (origin.contains(what) ? origin[what] : "--set") + " says " + what +
                          " = " + at->second);
    }
  }
  return settings;
}

Result<Launch> entryLaunch(const KernelEntry &entry, const Parameters &parameters,
                           const Program &program) {
  Launch launch;
  std::vector<TensorShape> shapes = entry.shapes(parameters);
  for (const Tensor &tensor : program.tensors) {
    auto shape = std::ranges::find(shapes, tensor.name, &TensorShape::tensor);
    if (!tensor.input && !tensor.output) { // a workspace has the extents of its type
      if (auto good = addTensor(tensor, tensor.extents, launch); !good)
        return good.error();
      continue;
    }
    if (shape == shapes.end())
      return inputError("kernel '" + entry.name + "' gives no extents for tensor " + tensor.name);
    std::vector<int64_t> extents;
    for (const std::string &text : shape->extents)
      extents.push_back(parameters.value(parseExtent(text)));
    if (auto good = addTensor(tensor, extents, launch, shape->pad); !good)
      return good.error();
  }
  std::map<std::string, int64_t> values;
  if (entry.arguments)
    values = entry.arguments(parameters);
  for (const Argument &argument : program.arguments) {
    auto value = values.find(argument.name);
    if (value == values.end())
      return inputError("kernel '" + entry.name + "' gives no value for argument " + argument.name);
    launch.arguments.push_back(value->second);
  }
  return launch;
}

Result<bool> steer(const KernelEntry &entry, const Parameters &parameters, const Program &program,
                   const Inputs &inputs, uint64_t seed, Launch &launch) {
  for (const SteeringInput &steering : entry.steering) {
    const auto tensor = std::ranges::find(program.tensors, steering.tensor, &Tensor::name);
    if (tensor == program.tensors.end())
      return inputError("kernel '" + entry.name + "' has no tensor " + steering.tensor);
    auto &integers = launch.tensors[size_t(tensor - program.tensors.begin())].integers;
    const auto file = inputs.find(steering.tensor);
    if (file == inputs.end()) {
      integers = steering.make(parameters, seed);
      continue;
    }
    integers = integersOf(file->second);
    if (const std::string wrong = steering.wrong(parameters, integers); !wrong.empty())
      return inputError("--in " + steering.tensor + ": " + wrong);
  }
  return true;
}

Result<bool> checkNames(const Settings &set, const Inputs &inputs,
                        const std::vector<Program> &programs) {
  std::vector<std::string> tensors, all;
  for (const Program &program : programs) {
    for (const Tensor &t : program.tensors)
      tensors.push_back(t.name);
    for (const Argument &a : program.arguments)
      all.push_back(a.name);
  }
  all.insert(all.end(), tensors.begin(), tensors.end());
  for (const auto &[name, value] : set)
    if (std::ranges::find(all, name) == all.end())
      return inputError(unknownName("tensor or argument", name, all));
  for (const auto &[name, tensor] : inputs)
    if (std::ranges::find(tensors, name) == tensors.end())
      return inputError(unknownName("tensor", name, tensors));
  return true;
}

Result<Launch> fileLaunch(const Program &program, const Settings &set, const Inputs &inputs,
                          Missing missing) {
  Launch launch;
  for (const Tensor &tensor : program.tensors) {
    auto extents = fileExtents(passed(tensor), set, inputs);
    if (!extents)
      return extents.error();
    if (auto good = addTensor(tensor, *extents, launch); !good)
      return good.error();
  }
  std::vector<size_t> open;
  for (const Argument &argument : program.arguments) {
    auto text = set.find(argument.name);
    if (text == set.end() && missing == Missing::chosen) {
      open.push_back(launch.arguments.size());
      launch.arguments.push_back(0);
      continue;
    }
    if (text == set.end())
      return inputError("argument " + argument.name + " has no value; give --set " + argument.name +
                        "=VALUE");
    const bool real = argument.type == DType::f32;
    auto number = real ? parseReal(text->second) : parseNumber(text->second);
    if (!number)
      return inputError("--set " + argument.name + "=" + text->second + ": it must be " +
                        (real ? "a number" : "an integer"));
    if (!real && (*number < INT32_MIN || *number > INT32_MAX))
      return inputError("--set " + argument.name + "=" + text->second +
                        ": it must be -2147483648 to 2147483647, arguments have 32 bits");
    launch.arguments.push_back(*number);
  }
  if (brokenAssumption(program, launch) || !open.empty())
    chooseOpen(program, openExtents(program, set, inputs), open, launch);
  return launch;
}

std::string shapeText(const Program &program, const Launch &launch) {
  std::string text;
  for (size_t i = 0; i < program.tensors.size(); ++i)
    text += (text.empty() ? "" : " ") + program.tensors[i].name +
            extentsText(given(program.tensors[i], launch.tensors[i]).extents);
  for (size_t i = 0; i < program.arguments.size(); ++i)
    text += (text.empty() ? "" : " ") + program.arguments[i].name + "=" +
            argumentText(program.arguments[i], launch.arguments[i]);
  return text;
}

} // namespace sluice::tool
