#include "Program/RoleTable.h"

#include "Program/Blocks.h"
#include "Program/OperationFacts.h"
#include "Program/Walker.h"

#include <algorithm>
#include <map>
#include <set>

namespace sluice {
namespace {

// ---- What a role does --------------------------------------------------------------------------

/// What a copy by threads or a pipe is called, by where it goes.
std::string copyName(const Program &p, const Copy &copy) {
  const Buffer *to = p.buffer(copy.destination), *from = p.buffer(copy.source);
  const auto of = [&](const View &v) { return " " + p.tensors[v.object].name; };
  if (!to && from)
    return (from->space == Space::reg ? "st.global" : "store") + of(copy.destination);
  if (!from)
    return (copy.async                      ? "cp.async"
            : copy.rows                     ? "gather"
            : to && to->space == Space::reg ? "ld.global"
                                            : "load") +
           of(copy.source);
  const bool toRegisters = to->space == Space::reg, fromRegisters = from->space == Space::reg;
  if (toRegisters && fromRegisters)
    return "convert";
  if (toRegisters || fromRegisters)
    return toRegisters ? "ld.shared" : "st.shared";
  return "copy " + std::string(name(from->space)) + " to " + std::string(name(to->space));
}

/// What it is called in the table; empty: it only synchronises.
std::string deed(const Program &p, const Operation &op) {
  const auto tensor = [&](const View &v) { return " " + p.tensors[v.object].name; };
  if (auto *load = std::get_if<TmaLoad>(&op))
    return (load->multicast ? "TMA multicast" : "TMA load") + tensor(load->source);
  if (auto *copy = std::get_if<Copy>(&op))
    return copyName(p, *copy);
  if (auto *copy = std::get_if<RemoteCopy>(&op))
    return p.storesRegisters(*copy) ? "st.async" : "remote copy";
  const OperationFacts facts = factsOf(op);
  std::vector<const View *> views = facts.hint ? std::vector{facts.hint} : viewsOf(op);
  if (views.empty() && !std::holds_alternative<TmemDealloc>(op))
    return "";
  const auto named = std::ranges::find(views, View::tensor, &View::kind);
  return std::string(facts.name) + (named == views.end() ? "" : tensor(**named));
}

// ---- Roles ------------------------------------------------------------------------------------

void add(std::vector<std::string> &list, const std::string &text) {
  if (!text.empty() && std::ranges::find(list, text) == list.end())
    list.push_back(text);
}

class Collector {
public:
  explicit Collector(const Program &program) : p_(program) {}

  std::vector<RoleRow> rows() {
    follow(p_.body, nullptr);
    for (size_t i = 0; i < rows_.size(); ++i)
      nameTraffic(i);
    std::erase_if(rows_, [](const RoleRow &r) {
      return r.name.empty() && r.does.empty() && r.signals.empty() && r.waits.empty();
    });
    return rows_;
  }

private:
  void follow(const Block &block, const Role *role) {
    for (const Stmt &s : block.stmts) {
      if (auto *scalar = std::get_if<Scalar>(&s.op))
        scalars_[scalar->result] = scalar;
      else if (auto *inner = std::get_if<Role>(&s.op))
        enter(*inner);
      else if (factsOf(s.op).steers)
        forBlocks(s, [&](const Block &inside) { follow(inside, role); });
      else
        note(rowOf(s, role), s);
    }
  }

  void enter(const Role &role) {
    if (!isAscend(p_.target))
      rows_[rowNamed(role.name, role.firstWarp, role.warps)].registers = role.registers;
    follow(role.body, &role);
    if (!isAscend(p_.target))
      rows_[rowNamed(role.name, role.firstWarp, role.warps)].rank = rankOf(role.body);
  }

  /// The rank whose CTA alone does anything here: all stands under one question for it.
  std::optional<int64_t> rankOf(const Block &block) const {
    const If *branch = nullptr;
    for (const Stmt &s : block.stmts) {
      if (std::holds_alternative<Scalar>(s.op))
        continue;
      if (branch || !std::holds_alternative<If>(s.op))
        return {};
      branch = &std::get<If>(s.op);
    }
    const Scalar *asked =
        branch && branch->elseBlock.stmts.empty() ? scalar(branch->condition) : nullptr;
    if (!asked || asked->op != ScalarOp::eq)
      return {};
    const Scalar *a = scalar(asked->operands[0]), *b = scalar(asked->operands[1]);
    if (a && b && a->op == ScalarOp::constant)
      std::swap(a, b);
    const bool rank = a && b && a->op == ScalarOp::clusterRank && b->op == ScalarOp::constant;
    return rank ? std::optional(b->imm) : std::nullopt;
  }
  const Scalar *scalar(ValueId value) const {
    const auto found = scalars_.find(value);
    return found == scalars_.end() ? nullptr : found->second;
  }

  size_t rowOf(const Stmt &s, const Role *role) {
    if (!isAscend(p_.target))
      return role ? rowNamed(role->name, role->firstWarp, role->warps) : rowNamed("", 0, p_.warps);
    const std::string pipe(name(executingPipe(s)));
    return rowNamed(role ? pipe + " of " + role->core : pipe, 0, 0);
  }
  size_t rowNamed(const std::string &name, int first, int warps) {
    const auto found = std::ranges::find(rows_, name, &RoleRow::name);
    if (found != rows_.end())
      return size_t(found - rows_.begin());
    rows_.push_back({.name = name, .first = first, .warps = warps});
    return rows_.size() - 1;
  }

  void note(size_t i, const Stmt &s) {
    RoleRow &row = rows_[i];
    add(row.does, deed(p_, s.op));
    const OperationFacts facts = factsOf(s.op);
    for (const View *view : facts.views.writes)
      touch(*view, i, writers_);
    for (const View *view : facts.views.reads)
      touch(*view, i, readers_);
    if (const BarrierDeed &deed = facts.barrier; deed.signals() || deed.waits())
      add(deed.waits() ? row.waits : row.signals,
          p_.mbarriers[deed.barrier->object].name + (deed.barrier->remote ? " of other CTAs" : ""));
    if (const FlagDeed &deed = facts.flag; deed.kind != FlagDeed::none)
      add(deed.kind == FlagDeed::wait ? row.waits : row.signals,
          deed.cross ? "cross-core"
          : deed.mutex
              ? "mutex"
              : std::string(name(deed.source)) + "->" + std::string(name(deed.destination)));
  }

  using Users = std::map<int, std::set<size_t>>; // buffer -> rows
  void touch(const View &view, size_t row, Users &users) {
    if (const Buffer *buffer = p_.buffer(view); buffer && buffer->space != Space::reg)
      users[view.object].insert(row);
  }

  /// What a role fills for others, and takes from them.
  void nameTraffic(size_t row) {
    for (int object = 0; object < int(p_.buffers.size()); ++object) {
      const Buffer &buffer = p_.buffers[object];
      const auto &writers = writers_[object], &readers = readers_[object];
      const auto others = [&](const std::set<size_t> &rows) {
        return std::ranges::any_of(rows, [&](size_t other) { return other != row; });
      };
      const std::string text =
          buffer.name + (buffer.slots > 1 ? "[" + std::to_string(buffer.slots) + "]" : "");
      if (writers.contains(row) && (others(readers) || others(writers)))
        add(rows_[row].fills, text);
      if (readers.contains(row) && others(writers))
        add(rows_[row].takes, text);
    }
  }

  const Program &p_;
  std::vector<RoleRow> rows_;
  std::map<ValueId, const Scalar *> scalars_;
  Users writers_, readers_;
};

std::string where(const RoleRow &row) {
  if (row.warps == 0)
    return row.name;
  const int last = row.first + row.warps - 1;
  std::string text = (row.name.empty() ? "outside of the roles" : row.name) + ": " +
                     (row.warps == 1 ? "warp " : "warps ") + std::to_string(row.first);
  if (row.warps > 1)
    text += "-" + std::to_string(last);
  if (row.registers)
    text += ", " + std::to_string(row.registers) + " registers";
  return text + (row.rank ? ", CTA rank " + std::to_string(*row.rank) : ", all CTAs");
}

} // namespace

std::vector<RoleRow> roleTable(const Program &program) {
  return Collector(program).rows();
}

std::string roleTableText(const std::vector<RoleRow> &rows) {
  std::string text;
  const auto line = [&](const char *what, const std::vector<std::string> &list) {
    for (size_t i = 0; i < list.size(); ++i)
      text += (i ? ", " : std::string("  ") + what) + list[i] + (i + 1 == list.size() ? "\n" : "");
  };
  for (const RoleRow &row : rows) {
    text += where(row) + "\n";
    line("does     ", row.does.empty() ? std::vector<std::string>{"nothing"} : row.does);
    line("fills    ", row.fills);
    line("takes    ", row.takes);
    line("signals  ", row.signals);
    line("waits    ", row.waits);
  }
  return text;
}

void writeRoleTable(JsonWriter &json, const std::vector<RoleRow> &rows) {
  json.beginArray();
  for (const RoleRow &row : rows) {
    json.beginObject().member("role", row.name);
    if (row.warps > 0) {
      json.member("first_warp", row.first).member("warps", row.warps);
      json.member("registers", row.registers);
      json.member("ctas", row.rank ? "rank " + std::to_string(*row.rank) : std::string("all"));
    }
    json.member("does", row.does).member("fills", row.fills).member("takes", row.takes);
    json.member("signals", row.signals).member("waits", row.waits).endObject();
  }
  json.endArray();
}

} // namespace sluice
