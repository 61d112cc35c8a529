#include "Peer.h"

#include "kernels/GemmEpilogue.h"

#include <algorithm>

namespace sluice::tool {
namespace {

Error refuse(const Loaded &loaded, const std::string &why) {
  return unsupportedError("unsupported: " + loaded.program.name + " " + loaded.shape + ": " + why);
}

/// A whole tensor of the launch.
VendorOperand operand(const Loaded &loaded, size_t tensor) {
  const Launch::Shape &shape = loaded.launch.tensors[tensor];
  return {loaded.program.tensors[tensor].type, shape.extents, shape.strides,
          static_cast<int>(tensor)};
}

VendorOperand operand(const Loaded &loaded, const std::string &name) {
  const auto &tensors = loaded.program.tensors;
  return operand(loaded, size_t(std::ranges::find(tensors, name, &Tensor::name) - tensors.begin()));
}

/// `count` of it along a dimension, from `first` on.
VendorOperand part(VendorOperand of, size_t dim, int64_t first, int64_t count) {
  of.offset += first * of.strides[dim] * byteSize(of.type);
  of.extents[dim] = count;
  return of;
}

/// Matrix `number` of those that lie side by side.
VendorOperand matrix(VendorOperand of, int64_t number) {
  of = part(std::move(of), 0, number, 1);
  of.extents.erase(of.extents.begin()), of.strides.erase(of.strides.begin());
  return of;
}

/// The vendor's epilogue that does the same.
Result<VendorEpilogue> vendorEpilogue(const Loaded &loaded) {
  const GemmEpilogue e = epilogueOf(*loaded.parameters);
  if (e.scaleOfRow || e.scaleOfCol)
    return refuse(loaded, "cuBLASLt has no factors of rows and columns; bench without scales");
  VendorEpilogue vendor;
  vendor.bias = e.bias, vendor.residual = e.residual;
  vendor.activation = e.activation == Activation::none   ? VendorEpilogue::none
                      : e.activation == Activation::relu ? VendorEpilogue::relu
                                                         : VendorEpilogue::gelu;
  vendor.alpha = e.alpha ? kGemmAlpha : 1;
  vendor.beta = e.beta ? kGemmBeta : 1;
  vendor.promoted = !loaded.parameters->isAuto("promote");
  return vendor;
}

Result<std::vector<VendorProduct>> productOf(const Loaded &loaded) {
  auto epilogue = vendorEpilogue(loaded);
  if (!epilogue)
    return epilogue.error();
  VendorProduct product{{}, *epilogue};
  for (size_t i = 0; i < loaded.program.tensors.size(); ++i)
    if (const Tensor &t = loaded.program.tensors[i]; t.input || t.output) // no workspace
      product.operands.push_back(operand(loaded, i));
  return std::vector{std::move(product)};
}

Result<std::vector<VendorProduct>> productsOfGroups(const Loaded &loaded) {
  const VendorOperand a = operand(loaded, "A"), b = operand(loaded, "B"), c = operand(loaded, "C");
  const int offsets = operand(loaded, "offsets").tensor;
  const std::vector<int64_t> &rows = loaded.launch.tensors[offsets].integers;
  std::vector<VendorProduct> products;
  for (size_t g = 0; g + 1 < rows.size(); ++g)
    if (const int64_t first = rows[g], count = rows[g + 1] - first; count > 0)
      products.push_back(
          {{part(a, 0, first, count), matrix(b, int64_t(g)), part(c, 0, first, count)}});
  if (products.empty())
    return refuse(loaded, "no group has rows, so there is nothing to time");
  return products;
}

/// The second is added to what the first has written.
Result<std::vector<VendorProduct>> productsOfTwoInputs(const Loaded &loaded) {
  const VendorOperand c = operand(loaded, "C");
  std::vector<VendorProduct> products;
  for (auto [a, b] : {std::pair{"A1", "B1"}, {"A2", "B2"}}) {
    VendorProduct product{{operand(loaded, a), operand(loaded, b), c}};
    if (product.operands[0].extents[1] == 0)
      continue;
    if (!products.empty()) {
      product.operands.push_back(c);
      product.epilogue.residual = true;
    }
    products.push_back(std::move(product));
  }
  if (products.empty())
    return refuse(loaded, "no input has columns, so there is nothing to time");
  return products;
}

} // namespace

Result<std::vector<VendorProduct>> peerOf(const Loaded &loaded) {
  const std::string name = loaded.entry ? loaded.entry->name : "";
  if (name == "gemm")
    return productOf(loaded);
  if (name == "grouped_gemm")
    return productsOfGroups(loaded);
  if (name == "two_inputs")
    return productsOfTwoInputs(loaded);
  if (name == "weights8") // which the library does not have: it runs alone
    return std::vector{
        VendorProduct{{operand(loaded, "A"), operand(loaded, "W"), operand(loaded, "C")}}};
  return std::vector<VendorProduct>{};
}

double operations(const std::vector<VendorProduct> &products) {
  double sum = 0;
  for (const VendorProduct &product : products) {
    double one = 2.0 * double(product.operands[0].extents.back());
    for (const int64_t extent : product.operands.back().extents)
      one *= double(extent);
    sum += one;
  }
  return sum;
}

} // namespace sluice::tool
