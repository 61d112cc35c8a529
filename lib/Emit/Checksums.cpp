#include "Emit/Checksums.h"

#include "Program/Agent.h"
#include "Program/Blocks.h"
#include "Program/LayoutMap.h"
#include "Program/OperationFacts.h"

#include <cstring>
#include <functional>
#include <set>

namespace sluice {
namespace {

bool roundsAlike(const ElementFn &fn) {
  for (const ElementNode &n : fn.nodes)
    switch (n.op) {
    case ElementOp::div:
    case ElementOp::exp:
    case ElementOp::exp2:
    case ElementOp::log:
    case ElementOp::log2:
    case ElementOp::tanh:
    case ElementOp::erf:
    case ElementOp::sqrt:
    case ElementOp::rsqrt:
      return false;
    default:
      break;
    }
  return true;
}

/// What a statement reads of shared memory, and what its own threads write there.
void forEachView(const Program &p, const Stmt &s, const std::function<void(const View &)> &read,
                 const std::function<void(const View &)> &write) {
  auto visit = [&](const View &v, const std::function<void(const View &)> &to) {
    if (const Buffer *b = p.buffer(v); b && b->space == Space::smem)
      to(v);
  };
  const OperationFacts facts = factsOf(s.op);
  const bool numbers =
      std::holds_alternative<ScalarRead>(s.op) || std::holds_alternative<ScalarWrite>(s.op);
  if (facts.ofTensorMemory || numbers || std::holds_alternative<Print>(s.op))
    return;
  const bool own = !facts.byAsyncProxy && !facts.barrier.completes;
  for (const View *v : facts.views.reads)
    visit(*v, read);
  for (const View *v : own ? facts.views.writes : std::vector<const View *>())
    visit(*v, write);
}

/// Every byte of a slot belongs to an element, and they make whole words. Between packed numbers is
/// padding (R52).
bool isDense(const Buffer &b) {
  const int64_t bytes = checksumBytes(b);
  return bytes == b.shape[0] * b.shape[1] * byteSize(b.type) && bytes % 4 == 0 && !isPacked(b.type);
}

class Finder {
public:
  explicit Finder(const Program &program) : program_(program), slots_(program.values, nullptr) {
    const bool alike = roundsAlike(program);
    walk(program.body, [&](const Stmt &s) {
      if (auto *scalar = std::get_if<Scalar>(&s.op); scalar && scalar->op == ScalarOp::cursorSlot)
        slots_[scalar->result] = scalar;
    });
    block(program.body, [&](const Block &b) { handedOver(b, alike); });
    block(program.body, [&](const Block &b) { reads(b); });
  }
  std::map<const Stmt *, std::vector<int>> found;

private:
  /// The bodies of roles, and what is outside of them.
  static void block(const Block &b, const std::function<void(const Block &)> &visit) {
    visit(b);
    for (const Stmt &s : b.stmts)
      if (auto *role = std::get_if<Role>(&s.op))
        visit(role->body);
  }

  /// Visits every statement of the block, but not those of roles in it.
  static void inside(const Block &b, const std::function<void(const Stmt &)> &visit) {
    for (const Stmt &s : b.stmts) {
      visit(s);
      if (!std::holds_alternative<Role>(s.op))
        forBlocks(s, [&visit](const Block &inner) { inside(inner, visit); });
    }
  }

  /// Buffers that a phase of a barrier stands for: what copies complete on it, and what a role that
  /// arrives on it writes.
  void handedOver(const Block &body, bool alike) {
    std::set<int> written, arrivals;
    inside(body, [&](const Stmt &s) {
      if (auto *o = std::get_if<TmaLoad>(&s.op))
        behind_[o->barrier.object].insert(o->destination.object);
      else if (auto *o = std::get_if<MbarrierArrive>(&s.op))
        arrivals.insert(o->barrier.object);
      else if (auto *o = std::get_if<CpAsyncArrive>(&s.op))
        arrivals.insert(o->barrier.object);
      auto *copy = std::get_if<Copy>(&s.op);
      if (alike || (copy && copy->source.kind == View::tensor))
        forEachView(
            program_, s, [](const View &) {}, [&](const View &v) { written.insert(v.object); });
    });
    for (int barrier : arrivals)
      behind_[barrier].insert(written.begin(), written.end());
  }

  bool sameSlot(const Index &a, const Index &b) const {
    if (a.constant != b.constant || a.isConstant() != b.isConstant())
      return false;
    if (a.isConstant() || a.value == b.value)
      return true;
    const Scalar *x = slots_[a.value], *y = slots_[b.value];
    return x && y && x->operands == y->operands && x->imm == y->imm;
  }

  /// A wait and a read by the same slot in one body belong together.
  void reads(const Block &body) {
    inside(body, [&](const Stmt &s) {
      auto *wait = std::get_if<MbarrierWait>(&s.op);
      if (!wait || s.exec != Exec::threads)
        return;
      std::set<int> buffers;
      inside(body, [&](const Stmt &reader) {
        forEachView(
            program_, reader,
            [&](const View &v) {
              const Buffer &b = program_.buffers[v.object];
              if (behind_[wait->barrier.object].count(v.object) &&
                  sameSlot(wait->barrier.slot, v.slot) && isDense(b))
                buffers.insert(v.object);
            },
            [](const View &) {});
      });
      if (!buffers.empty())
        found[&s].assign(buffers.begin(), buffers.end());
    });
  }

  const Program &program_;
  std::vector<const Scalar *> slots_;
  std::map<int, std::set<int>> behind_;
};

/// The finaliser of SplitMix64 (Steele, Lea, Flood).
uint64_t ofWord(uint32_t word, uint32_t index) {
  uint64_t x = (uint64_t(index) << 32 | word) + 0x9e3779b97f4a7c15ull;
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ull;
  x = (x ^ x >> 27) * 0x94d049bb133111ebull;
  return x ^ x >> 31;
}

} // namespace

bool roundsAlike(const Program &program) {
  bool alike = true;
  walk(program.body, [&](const Stmt &s) {
    if (auto *map = std::get_if<Map>(&s.op))
      alike &= roundsAlike(map->fn);
    if (auto *raw = std::get_if<Raw>(&s.op))
      alike &= raw->writes.empty();
    if (auto *reduce = std::get_if<Reduce>(&s.op))
      alike &= !reduce->element || roundsAlike(*reduce->element);
  });
  return alike;
}

std::map<const Stmt *, std::vector<int>> slotsRead(const Program &program) {
  return Finder(program).found;
}

int64_t checksumBytes(const Buffer &buffer) {
  return LayoutMap::of(buffer)->bytes();
}

uint64_t checksum(std::span<const std::byte> bytes) {
  uint64_t sum = 0;
  for (uint32_t i = 0; i < bytes.size() / 4; ++i) {
    uint32_t word;
    std::memcpy(&word, bytes.data() + 4 * i, 4);
    sum += ofWord(word, i);
  }
  return sum;
}

Tensor checksumsTensor() {
  return {"checksums", DType::i32, 1, 0, 16, true, true, {}};
}

int64_t checksumWords(const Program &program, int64_t ctas, int64_t kept) {
  return 2 * ctas * program.warps * (1 + kept);
}

} // namespace sluice
