#include "kernels/AttentionReference.h"

#include "Reference/Reference.h"

#include <algorithm>
#include <cmath>

namespace sluice {

/// One head of one batch: S x d.
static Matrix headOf(const Matrix &all, int64_t batch, int64_t head, int64_t places,
                     int64_t heads) {
  Matrix one(places, all.cols());
  for (int64_t s = 0; s < places; ++s)
    one.row(s) = all.row((batch * places + s) * heads + head);
  return one;
}

Result<Matrices> attentionOfHeads(const Parameters &p, const Matrices &in, const Matrix *lengths) {
  const int64_t S = p.number("S"), Skv = p.number("Skv"), H = p.number("H"), Hkv = p.number("Hkv");
  AttentionReference how;
  how.scale = 1 / std::sqrt(double(p.number("d")));
  how.causal = p.text("causal") == "yes";
  Matrix out(in.at("Q").rows(), in.at("Q").cols());
  for (int64_t b = 0; b < p.number("B"); ++b)
    for (int64_t h = 0; h < H; ++h) {
      const int64_t kv = h / (H / Hkv);
      const int64_t keys = lengths ? std::clamp<int64_t>(int64_t((*lengths)(b)), 0, Skv) : Skv;
      auto one = referenceAttention(headOf(in.at("Q"), b, h, S, H),
                                    headOf(in.at("K"), b, kv, Skv, Hkv).topRows(keys),
                                    headOf(in.at("V"), b, kv, Skv, Hkv).topRows(keys), how);
      if (!one)
        return one.error();
      for (int64_t s = 0; s < S; ++s)
        out.row((b * S + s) * H + h) = one->row(s);
    }
  return Matrices{{"O", std::move(out)}};
}

std::string attendedOnHost(const std::string &keys, const std::string &q, const std::string &k,
                           const std::string &v) {
  return "std::vector<double> s(size_t(" + keys +
         "), 0.0);\n"
         "double most = -INFINITY, total = 0, sum = 0;\n"
         "for (i64 k = 0; k < " +
         keys +
         "; ++k) {\n"
         "  for (i64 x = 0; x < d; ++x)\n"
         "    s[size_t(k)] += " +
         q + " * " + k +
         " / std::sqrt(double(d));\n"
         "  most = std::max(most, s[size_t(k)]);\n"
         "}\n"
         "for (i64 k = 0; k < " +
         keys +
         "; ++k) {\n"
         "  const double e = std::exp(s[size_t(k)] - most);\n"
         "  total += e;\n"
         "  sum += e * " +
         v +
         ";\n"
         "}\n"
         "return total > 0 ? sum / total : 0;\n";
}

HostReference attentionOnHost(bool causal, const std::string &length) {
  const std::string keys = length.empty() ? "Skv" : "keys";
  std::string element = "const i64 h = i % H, t = i / H % S, b = i / (H * S);\n"
                        "const i64 g = h / (H / Hkv);\n";
  if (!length.empty())
    element += "const i64 keys = " + length + ";\n";
  element +=
      "const i64 seen = " +
      (causal ? "std::min(std::max(t + 1 + " + keys + " - S, i64(0)), " + keys + ")" : keys) +
      ";\n";
  return {"O", element + attendedOnHost("seen", "Q(b, t, h, x)", "K(b, k, g, x)", "V(b, k, g, j)"),
          "Skv * d", "4.0 * double(B * H) * double(S) * double(Skv) * double(d)"};
}

} // namespace sluice
