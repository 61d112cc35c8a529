#include "Diagnose/Rules.h"

#include <algorithm>

namespace sluice {
namespace {

// Label, title, statement, why, source. docs/semantics.md has the same text; a test compares them.
const std::vector<Rule> table = {
    {"R1", "Initialised before use",
     "Every operation on an mbarrier is ordered after its initialisation.",
     "Any operation but init on an object that is not a valid mbarrier is undefined "
     "behaviour. The initialising thread reaches the others only through a CTA barrier, or"
     " a cluster barrier for a peer's objects.",
     "PTX ISA, mbarrier.init; DeepGEMM and CUTLASS kernels put __syncthreads or a cluster "
     "barrier there"},
    {"R2", "Initialisation fence",
     "Between the initialisation and the first use by the async proxy (a TMA completion, a "
     "tcgen05.commit) or by another CTA lies fence.mbarrier_init of the initialising thread.",
     "The write of the object goes through the generic proxy; the copy engine and peer "
     "CTAs need not see it in program order.",
     "PTX ISA, fence.mbarrier_init; CUTLASS fence_barrier_init; TIRx-kernels #9"},
    {"R3", "Lifetime and count",
     "An mbarrier is initialised once (or invalidated in between), with a count of 1 to 2^20 - "
     "1; operations meet a valid object. Its invalidation is ordered after all uses and waits, "
     "and the initialisation of its next life after the invalidation.",
     "Initialising a live object is undefined behaviour, and so is looking at one whose memory "
     "has gone to something else; the count field has 20 bits.",
     "PTX ISA, mbarrier.init, mbarrier.inval; tilelang #3030 (count 0), triton #7994"},
    {"R4", "Phase order",
     "Every contribution to a phase (arrive, expect_tx, completed bytes) is ordered after "
     "all contributions to the phase before.",
     "The pending count is reloaded at completion, so an arrival that is early or late "
     "silently counts for another phase. Condition C1 of the proof.",
     "PTX ISA, phase of the mbarrier object; fb-triton #3458; CUTLASS producer acquire"},
    {"R5", "One phase back",
     "A wait looks at the phase in progress or at the one just completed: it knows the phase "
     "before the awaited one, and the phase after cannot complete before the wait has looked. "
     "Every phase is found complete by some wait before the next one completes. A wait names a "
     "barrier of the own CTA.",
     "The parity of phase n and of phase n + 2 is the same. A waiter that is two phases off "
     "passes at once or blocks for ever; a phase that nobody looked at is missed by whoever "
     "comes late. Conditions C2 and C3 of the proof.",
     "PTX ISA, mbarrier.test_wait.parity, try_wait; tilelang #3087, triton #10669"},
    {"R6", "Bytes announced first",
     "Every expect_tx of a phase is an arrival itself, or ordered before an arrival of "
     "that phase. A phase announces the bytes of all its copies.",
     "With all arrivals in and no bytes outstanding the phase completes; bytes announced "
     "later count for the next. Condition C4 of the proof.",
     "PTX ISA, expect-tx operation; tilelang #2566"},
    {"R7", "Arrivals of a phase",
     "A phase gets no more arrivals than the count of the initialisation.",
     "An arrival beyond the pending count is undefined behaviour, or belongs to the next "
     "phase.",
     "PTX ISA, arrive-on operation; fb-triton #3458"},
    {"R8", "Range of the byte count",
     "The tx-count of a phase stays within -(2^20 - 1) and 2^20 - 1 bytes, and what is announced "
     "at once within 0 and 2^20 - 1.",
     "It is a signed field of the 64-bit object, and the operand an unsigned number.",
     "PTX ISA, range of the contents of the mbarrier object"},
    {"R9", "Progress", "Every wait is passed in the end.",
     "A wait whose phase lacks arrivals or bytes, a flag that nobody sets, a circle of "
     "waits, or a barrier that not all reach blocks the kernel for ever. The report names "
     "the blocked agents and who would have had to signal.",
     "follows from the other rules' objects"},
    {"R10", "Nothing in flight at exit",
     "When a CTA exits, every asynchronous operation that it issued or that touches its "
     "shared memory has ended as far as the CTA knows (bulk stores: their source is read),"
     " and no peer can still signal its barriers.",
     "Shared memory of an exited CTA is reused; a remote arrive or multicast then hits "
     "another kernel or faults.",
     "PTX ISA, cp.async.bulk.wait_group; CUDA_EXCEPTION_17 in fb-triton #1105 and triton "
     "#10656; CUTLASS producer_tail"},
    {"R11", "Named barriers",
     "A named barrier has an id of 0 to 15, also where the id is computed, and a thread count that "
     "is a multiple of 32, at most the CTA's threads; the warps of one phase give the same count "
     "and are exactly that many; a warp counts once in a phase and comes to the next one knowing "
     "the one before.",
     "The hardware counts threads of whole warps; a surplus warp opens the next phase, a "
     "missing one blocks the others; a CTA has 16 barriers.",
     "PTX ISA, barrier{.cta}; quack #146, flashinfer #4533; Weft's `different` and `over`"},
    {"R12", "Cluster barrier",
     "Every warp of the cluster arrives once per phase and waits before it arrives again; "
     "nobody waits without having arrived; the grid is a multiple of the cluster.",
     "barrier.cluster.wait without an arrival of the own waits for itself.",
     "PTX ISA, barrier.cluster; CUDA programming guide, thread block clusters"},
    {"R13", "Who executes",
     "Barriers and tiles in registers are executed by all threads of a warp, wgmma "
     "operations by whole aligned warpgroups, TMA copies and mbarrier initialisation by "
     "one elected thread, a fold over rows by one warp. Roles lie inside the CTA, and "
     "none in another.",
     "`.aligned` instructions executed by a part of a warp are undefined behaviour; a copy"
     " issued by all 32 lanes completes its bytes 32 times.",
     "PTX ISA, .aligned and .sync modifiers; fb-triton #1040"},
    {"R14", "At rest at exit",
     "At exit every mbarrier and every named barrier is between two phases.",
     "A phase that has begun and never completes means that somebody signals more or less "
     "often than the others think.",
     "condition C7 of the proof"},
    {"R15", "TMA limits",
     "The tensor's base and strides are multiples of 16 bytes, its rank is at most 5, the "
     "box is a multiple of 16 bytes wide with at most 256 elements a dimension, source and"
     " destination are contiguous in the same dimension, and the shared side is rows or a "
     "swizzled tile met at a whole swizzle pattern. Bytes complete on a barrier of the CTA that "
     "they come to, or, on sm_100a and without multicast, of the other of its pair; what is added "
     "has 16 or 32 bits. Into `lines` come whole lines, anywhere in a tensor that no launch "
     "writes, each by a copy of its CTA; only copies to whole rows in registers read them.",
     "Limits of the tensor map; outside them the copy is refused by the driver or writes "
     "elsewhere.",
     "CUDA driver API, cuTensorMapEncodeTiled; PTX ISA, tensor swizzling"},
    {"R16", "Capacity",
     "Every buffer and mbarrier array lies within its memory, slots do not overlap, "
     "mbarriers overlap nothing. CTAs that an SM shall have room for at once find shared memory "
     "and warps there.",
     "What is past the end belongs to somebody else or faults at launch; CTAs without room wait "
     "for those before them.",
     "CUDA programming guide, compute capabilities; CATLASS arch constants (Ascend)"},
    {"R17", "Alignment",
     "Shared memory: 16 bytes, boxes of TMA 128, swizzled tiles a whole pattern (8 x span), "
     "mbarriers 8. Ascend: L1 and UB 32, L0A and L0B 512, L0C 64 bytes.",
     "Swizzling works on address bits; TMA, descriptors and Ascend addresses drop the low bits.",
     "PTX ISA, cp.async.bulk.tensor, tensor swizzling, mbarrier; Ascend C, alignment of local "
     "tensors"},
    {"R18", "wgmma shapes",
     "D is an `acc` tile with rows in 64 and columns in 8 up to 256, K in steps of 32 "
     "bytes, types as the instruction table has them; shared operands are swizzled; only "
     "16-bit types may be transposed. Operands start at a step of K, those in shared memory at "
     "8 rows of a swizzle pattern, or, transposed, at a whole span of it.",
     "Other shapes have no instruction, and a descriptor names whole patterns.",
     "PTX ISA, wgmma.mma_async, matrix shapes and fragments, shared memory matrix layout"},
    {"R19", "Registers",
     "Register counts of roles are multiples of 8 from 24 to 256, the same for all roles of a "
     "warpgroup, whose four warps the CTA has, and fit together into the registers that the CTA "
     "was launched with. A warpgroup changes them once, in roles that stand directly in the "
     "kernel; in front of these nothing waits for a role. Roles in front of them, or behind a "
     "barrier of the CTA that follows, may change none. No register tile is larger than what a "
     "thread has, and no wgmma needs "
     "more than a thread has at launch: n / 2 for its sums, 4 for A if it is in registers, and 26.",
     "setmaxnreg takes registers from a pool of the CTA and blocks until they are free: a "
     "sum above what the CTA was launched with (the same multiple of 8 for every thread) "
     "waits for ever, and so does one that is asked for before others are given back by somebody "
     "who waits for it. A tile above the limit spills. What a role has asked for does not count "
     "for ptxas, which refuses the wgmma.",
     "PTX ISA, setmaxnreg; triton #9786; ptxas 13, C7602"},
    {"R20", "Operands agree",
     "The objects that an operation names exist, and its operands agree in rank, shape and"
     " type.",
     "The rules below look at shapes and need them to make sense.",
     "definition of the machine program"},
    {"R21", "Defined before read",
     "A read of on-chip memory meets bytes that something has written.",
     "A slot read that no producer has filled holds the data of an older kernel. Often "
     "producer and consumer count slots differently.",
     "tilelang-ascend #1237 with three slots"},
    {"R22", "No race",
     "Of two accesses to the same bytes, one of them a write, one ends before the other "
     "begins, whatever the schedule. An asynchronous access ends only for those who wait "
     "for it: TMA loads through their mbarrier, wgmma through wait_group, bulk stores "
     "through wait_group.read, cp.async through its group. All lanes and the elected lane "
     "of a warp are two strands that meet at warp-wide synchronisation; and so are two lanes "
     "that touch the same bytes.",
     "The heart of every pipeline: full before read, empty before refill.",
     "PTX ISA, memory consistency model, async operations; cutlass #2508, triton #3106, "
     "tilelang #2420"},
    {"R23", "Proxy fence",
     "Between a generic write of shared memory and an asynchronous access to the same "
     "bytes (TMA store, TMA load over it, wgmma) lies fence.proxy.async, by the writer "
     "before it signals or by the issuer after it has waited; it speaks for what warps of "
     "the own CTA have written, and its peers by st.async. Between a generic write of a tensor and "
     "a TMA access to "
     "the same elements lies fence.proxy.async.global.",
     "The async proxy does not see generic writes by barriers alone, and a fence is of one "
     "memory, shared memory of the own CTA or global.",
     "PTX ISA, async proxy, fence.proxy; FlashKDA #24, sglang #39124, tilelang #2634, "
     "Fuser #4804"},
    {"R24", "In bounds",
     "Slots, offsets and barrier indices stay within their object; a remote barrier and a "
     "multicast mask name CTAs of the cluster.",
     "A ring index past the ring addresses the neighbour; a mask computed for another cluster "
     "names CTAs that are not there.",
     "definition of the machine program"},
    {"R25", "wgmma fence",
     "wgmma.fence lies before the first wgmma and between any access to its registers by "
     "the warp and the wgmma; until it has been waited for, the warp does not read those of A.",
     "Register accesses of the asynchronous unit are not ordered with the warp's own.",
     "PTX ISA, wgmma.fence, wgmma.wait_group"},
    {"R26", "Global memory in a CTA",
     "Two accesses of one CTA (cluster, core) to the same elements of a tensor, one of "
     "them a write, are ordered, unless both reduce. Of an input in whose place an output is "
     "written, elements are read before they are overwritten.",
     "As R22, for tensors. An input that has been overwritten is another one.",
     "PTX ISA, memory consistency model"},
    {"R27", "Global memory between CTAs",
     "CTAs of different clusters (blocks of different cores) touch no element that another "
     "writes, unless both reduce or a counter orders them.",
     "Nothing else orders two CTAs of a grid.", "CUDA programming guide, thread hierarchy"},
    {"R28", "Operands belong together",
     "The steps of one accumulation multiply columns of A by the rows of B of the same "
     "distance along K, and go along K in one direction without repeating a tile, unless "
     "integers of a tensor say, step by step, where the tiles are. Factors of a block-scaled "
     "product, 32 lines of them for 128 along K, keep their distance from the tile that they "
     "scale. "
     "A store that moves on along a tensor takes products of tiles that have been brought in for "
     "it.",
     "A stale slot is no race: the wrong tile is read in every schedule. Tiles carry where "
     "they were loaded from; a sum over K must not mix distances, nor count a tile twice, and rows "
     "of D that come from the rows of A before belong where those went.",
     "tilelang-ascend #1237 with three slots, two halves and two blocks; Fuser #2538, #3859"},
    {"R29", "Mmad operands",
     "Mmad takes A from L0A, B from L0B and D in L0C, on pipe M, in whole fractals, one behind "
     "the other: rows and columns in 16, K in 32 bytes. A is in zZ on 910B, in zN on 950, B in nZ, "
     "D in zN.",
     "The cube unit works on fractals of 16 x 32 bytes, and has no distance between them.",
     "Ascend C, Mmad, from 2201 to 3510; CATLASS"},
    {"R30", "Data paths",
     "A copy runs on the pipe that owns the path between its two memories on this chip. UB is of "
     "the vector cores, the other memories of the cube core; copies from L0C to UB and from UB to "
     "L1, on 950, alone leave their core. What is queued on a pipe is queued on one that the core "
     "has: a vector core MTE2, V, MTE3 and S, the cube core MTE2, MTE1, M, FIX and S.",
     "Pipes are wired: MTE2 GM to L1/UB, MTE1 L1 to L0A/L0B, FIX L0C to GM/L1, MTE3 UB to "
     "GM; on 950 also FIX L0C to UB and MTE3 UB to L1. A flag, a mutex or a barrier of a pipe that "
     "is not there orders nothing.",
     "Ascend C, hardware architecture (A2/A3, 950)"},
    {"R31", "Flag ids", "A flag joins two different pipes and has an id of 0 to 5 per pair.",
     "There are eight hardware events per ordered pair of pipes; static-tensor mode, in which "
     "kernels are printed, keeps 6 and 7.",
     "Ascend C, SetFlag/WaitFlag; static tensor programming"},
    {"R32", "One set outstanding",
     "A flag is set again only after the wait for the last set is known to the setting "
     "pipe.",
     "Documents disagree on whether a flag is a bit or a counter; with one set outstanding"
     " both give the same. A second set on a bit is lost. Condition C5 of the proof.",
     "Ascend C, TQueSync; msSanitizer documentation"},
    {"R33", "Pipe barriers",
     "Dependent operations on one pipe that the pipe may overlap have a pipe barrier "
     "between: vector operations (910B), a copy after a fill on MTE2, mmads on one "
     "accumulator of fewer than 10 fractals. On 950 there is no barrier of V.",
     "A pipe starts in order but may overlap the tail of one instruction with the next.",
     "CATLASS (threshold 10), tilelang-ascend #1458; Ascend C, pipes of calls (950)"},
    {"R34", "Cross-core flags",
     "Ids are 0 to 10; at most 15 sets are outstanding. On 910B a wait may hold up all that stands "
     "behind it in the text of its core: what it waits for comes all the same.",
     "The counter has four bits; the system freezes above. Whether a wait holds up its pipe alone, "
     "or the scalar unit, which hands out the operations of all pipes, the documents of 910B leave "
     "open.",
     "Ascend C, CrossCoreSetFlag"},
    {"R35", "Flags back to zero", "At the end no flag and no cross-core counter is left set.",
     "A leftover mis-pairs the waits of the next kernel on that core.",
     "msSanitizer synccheck; tilelang-ascend #1237"},
    {"R36", "Visible before read",
     "A read of bytes that another agent wrote is ordered after the write, and every step "
     "of that order hands on memory: a release and an acquire whose scope takes in both "
     "ends (between CTAs of a cluster `cluster`, at the arrive and at the wait; between "
     "CTAs of a grid `gpu`), or the end of the asynchronous operation that wrote them. "
     "Overwrites need order alone.",
     "The stores of one CTA reach another only when they are released for it. A relaxed "
     "arrive and an expect_tx release nothing; the end of a copy carries its own bytes, "
     "not earlier stores of the thread that issued it.",
     "PTX ISA, memory consistency model (scope, release and acquire patterns), "
     "mbarrier.arrive, barrier.cluster, cp.async.bulk"},
    {"R37", "Kernel before",
     "An access to a tensor that the kernel before writes (`sluice.previous`) comes after "
     "a griddepcontrol.wait of the same agent. A kernel that waits so does it in every CTA, or "
     "cluster.",
     "With programmatic dependent launch a kernel starts before the one in front of it has "
     "ended; until griddepcontrol.wait it meets old elements. A wait of one role says "
     "nothing about the others, which may be ahead of it. A kernel without a wait may end before "
     "the one in front of it, and whoever waits for its end takes both for ended.",
     "PTX ISA, griddepcontrol; cutlass #2760, marin #9183"},
    {"R38", "Counters",
     "A wait for a counter that another CTA adds to says `co_resident`. An add that lowers "
     "a counter is ordered after every wait that its value has let pass, and a wait is "
     "ordered after an add that has lowered the counter from the awaited value.",
     "The hardware starts CTAs in no promised order, and a CTA that waits keeps its place. "
     "A waiter that looks too late or too early for its turn blocks, or passes on the "
     "count of an older one.",
     "CUDA programming guide, thread hierarchy (order of blocks); PTX ISA, red, "
     "ld.acquire; split-K and stream-K semaphores"},
    {"R39", "Proxy fence after reads",
     "With --strict: between a generic read of shared memory and an asynchronous write over the "
     "same bytes (TMA refill) lies fence.proxy.async, between one of a tensor and a TMA store to "
     "the same elements fence.proxy.async.global, by the reader before it signals or by the issuer "
     "after it has waited. Otherwise the verdict assumes by name that such reads come in time "
     "(reads-in-time).",
     "The memory model orders accesses of two proxies by a proxy fence alone, reads included. "
     "Many rings whose consumers read with ld.shared leave it out, and are right where values "
     "are used before the slot is released. Where they are only copied on, the refill overtakes "
     "reads that are still under way: a copy of f32 in 8 x 1024 tiles and two slots gave wrong "
     "elements in 506 of 600 launches on an H100, in none with the fence.",
     "PTX ISA, memory consistency model, proxies, fence.proxy; measured on an H100"},
    {"R40", "Where boxes start",
     "In every launch a box of TMA starts, along the contiguous dimension, at a multiple of 16 "
     "bytes of the tensor. That of a store has no negative coordinate, and the contiguous "
     "extent of the tensor is a multiple of 16 bytes; where no type fixes it, the launcher checks "
     "it (whole-pieces).",
     "Elsewhere the copy engine traps (illegal instruction), and a store writes 16 bytes at a "
     "time: up to 15 behind the end of a line. Loads may start before the tensor.",
     "measured on an H200, bench/gpu.sh tma"},
    {"R41", "Tokens",
     "A test of an mbarrier (test_wait) knows the phase before the one asked for. A wait with its "
     "token is of the same barrier and phase, by the same threads, in the same scope. A token is "
     "for a wait alone; a barrier that is tested is not invalidated.",
     "The parity of phase n and of phase n + 2 is the same: a test one phase early says yes for "
     "an older phase, and a wait that is spared for it passes before its own has completed. "
     "Otherwise a wait with a token is a wait where it stands.",
     "PTX ISA, mbarrier.test_wait.parity; CUTLASS producer_try_acquire, consumer_try_wait"},
    {"R42", "Tensor memory is allocated",
     "One warp allocates columns, a power of two from 32 to 512, which hold all tiles in tensor "
     "memory. Who uses them has read the address, which that warp has written, and comes after the "
     "allocation. The same warp frees them, once, behind the end and the fences of every use, "
     "before the CTA ends. Where the CTA gives up the right to allocate, or lets the next kernel "
     "start (griddepcontrol.launch_dependents), it does so afterwards. Where CTAs wait for each "
     "other, in a cluster or at a counter, as many as an SM has room for find columns there, and "
     "each gives up the right to allocate as soon as it has its own.",
     "The address is a number in shared memory, and other numbers are read before it is there. "
     "Columns that a CTA frees go to the next one on the SM; those that it does not free are lost "
     "to it, which then waits for ever. So it does for columns of who waits for it: of a CTA that "
     "waits at a barrier or a counter, or of the next kernel, whose griddepcontrol.wait is for the "
     "end of this one.",
     "PTX ISA, tcgen05.alloc, dealloc, relinquish_alloc_permit; CUTLASS issue 2835"},
    {"R43", "Shapes and lanes of tensor memory",
     "tcgen05.mma multiplies f16, bf16, tf32, or any two of e4m3, e5m2, e2m3, e3m2 and e2m1 into "
     "f32, s8 into i32. It has 128 rows and columns in 16 up to 256, or 64 rows and columns in 8 "
     "(of s8 in 16 from 32 on), of a pair 128 or 64 rows in each CTA and columns in 32, and takes"
     " 32 bytes of K; operands lie swizzled in shared memory, where they start as those of wgmma "
     "do (R18), those of 4, 6 and 32 bits along K; of a transposed B of 8 bits columns come in "
     "16. A may lie in tensor memory, along K. Sums are there, columns from a known one on. Both "
     "are all rows of a tile: row r of 128 in lane r, row r of 64 in lane 32 (r / 16) + r % 16; of "
     "a pair with 64 rows in each CTA the first half of the columns of row r in lane r, the second "
     "in lane 64 + r, and row r of A in either (operand-by-halves). tcgen05.ld and tcgen05.st are "
     "of four warps, each with the 32 lanes of its place in the warpgroup, a row in each thread, "
     "and start at whole columns. With factors (.block_scale) the same floats of 4 to 8 bits, and"
     " e2m1, two numbers to a byte along K (e2m1x2), are multiplied, 128 rows, of a pair 128 or "
     "64 in each CTA: one of type ue8m0 for 32 numbers along K, of e2m1x2 also one of e4m3 "
     "without a sign (ue4m3) for 16; those of row 32 i + l and of block k in byte k of column i "
     "of each lane l of 32, of the next four blocks in columns behind those of all rows. Each CTA"
     " of a pair holds those of its rows of A and of all columns of B. With 128 rows in each it "
     "has columns in 16; with 64 it has 128 or 256, and lanes 0 to 63 hold the factors of the "
     "first half of them, the others those of the second (factors-by-halves; the ISA does not say"
     " it). tcgen05.cp takes rows from shared memory to columns of all lanes, of a pair in each "
     "CTA from its own: 128 of 32 bytes with a swizzle, 128, 64 or 32 of 16 bytes as they lie "
     "without one. 32 come to each 32 lanes, 64 to lanes 0 to 63 and 64 to 127, or the first half"
     " to lanes 0 to 63 and the other to the rest (sluice.neighbours). Four of 32 bytes with a "
     "swizzle come to one lane of each 32, the same one (sluice.lane). tcgen05.shift moves rows "
     "of 32 bytes of 32 lanes by one, from a multiple of 32 on. Which lanes these two reach and "
     "which way rows move, the ISA leaves open: verdicts name the reading that is taken "
     "(four-rows, rows-down), --strict takes any of all lanes.",
     "No instruction has other shapes, and a warp does not reach other lanes.",
     "PTX ISA, tcgen05.mma (shapes, instruction descriptor, Data Path Layout Organization), "
     "tcgen05.ld, tcgen05.st (access restrictions), tcgen05.cp, tcgen05.shift; block scaling; "
     "CUTLASS, Blackwell functionality (layouts of f8f6f4 and i8), the layouts of SM100_UTCCP"},
    {"R44", "Fences of tensor memory",
     "Of two operations on the same bytes of tensor memory, one of which writes, the later comes "
     "behind a tcgen05.fence::after_thread_sync that follows what joins the two, the earlier in "
     "front of a tcgen05.fence::before_thread_sync of its threads; tcgen05.commit has that one in "
     "it. Products of one sum by one thread need none, nor do loads and stores of one warp that it "
     "has waited for (tcgen05.wait::ld, ::st). A product needs none behind copies (tcgen05.cp) and "
     "shifts (tcgen05.shift) of its thread, nor a shift behind products.",
     "Products, loads and stores run beside the threads that ask for them, in no order but that of "
     "a sum. A barrier alone orders the threads, not what they have asked for.",
     "PTX ISA, tcgen05: memory consistency model, tcgen05.fence, tcgen05.commit"},
    {"R45", "Pairs of CTAs",
     "Tensor memory, its products, copies and commits are of one CTA throughout a kernel, or of "
     "pairs: two CTAs of a cluster whose ranks differ in the last bit. A warp of each of the "
     "two allocates, gives up the right to allocate, and frees; the first of them may wait "
     "for the other to do the same. A product or copy for both comes after both have "
     "allocated, and neither CTA frees, or ends, before every use by either has ended and lies "
     "behind its fences. Copies complete bytes on barriers of the two, and what one CTA hands on "
     "to the fences of the other goes with scope cluster.",
     "The tensor core reads shared memory and writes tensor memory of both CTAs at the same "
     "addresses; those of a CTA that has freed, or exited, are somebody else's.",
     "PTX ISA 9.7.16.5, issue granularity; tcgen05.alloc, tcgen05.mma, tcgen05.cp, "
     "tcgen05.commit (.cta_group::2)"},
    {"R46", "Requests for clusters",
     "When a CTA asks for a cluster that has not been launched (clusterlaunchcontrol.try_cancel), "
     "each response that it has read so far has given one, in every order of its agents.",
     "What a request does after its CTA has observed one that failed is undefined.",
     "PTX ISA, clusterlaunchcontrol.try_cancel; CUDA programming guide, cluster launch control"},
    {"R47", "Meeting of all cores",
     "A cross-core flag of mode 0 joins all cores of one kind: a program has one set of that mode "
     "and one wait for its flag, in roles of one kind of core, in no loop and no branch; no other "
     "set or wait between cores has its id.",
     "The wait passes when every core of the launch has set the flag: one that never does, or does "
     "it twice, holds up all others, or lets them go on too early.",
     "Ascend C, CrossCoreSetFlag"},
    {"R48", "Units of L0C",
     "Of a sum whose tile of L0C is handed over unit by unit (512 bytes), every product and the "
     "store take units, and nothing else touches the tile, or lies in its place; the first product "
     "begins the sum with them, the last one alone hands them over. The store takes all of the "
     "tile, its box lies inside of the tensor. At the end no units are FIX's. Each waits for the "
     "other's units and learns about the bytes of the tile, nothing else.",
     "A Mmad waits for a unit that FIX has, also in the next kernel; FIX moves a unit while the "
     "Mmad is still at work on the others. What M and FIX do beside, they tell by flags.",
     "Ascend C, Mmad and Fixpipe (unitFlag); asc-devkit, mmad_unitflag; CATLASS"},
    {"R49", "Mutexes",
     "On Ascend 950 a core has mutexes 0 to 27. Each lock is followed by the unlock of the same "
     "pipe before any other lock of its id, and at the end none is locked.",
     "A lock waits for the unlocks of its id that stand before it; what pairs that nest do is not "
     "defined, and 28 to 31 are reserved.",
     "Ascend C, Mutex::Lock, Mutex::Unlock (asc-devkit, synchronisation of pipes by mutexes)"},
    {"R50", "What calls take",
     "On Ascend a copy, a product or an instruction of the vector cores is one call, or one for "
     "each row (of fractals, or of a tile in UB). Mmad: m, n and k at most 4095, sums from "
     "multiples of 1024 bytes on. LoadData: whole fractals, at most 255 in a row, on 950 in a "
     "column too. ND2NZ: at most 16384 lines of 65535 elements. Fixpipe: at most 4095 columns, "
     "from whole fractals on, and 65535 rows, on 910B to a tensor 8192. DataCopyPad: at most 4095 "
     "lines of 2097151 bytes, which start in UB at multiples of 32 bytes; 950 packs them, too. "
     "Operands in UB, and rows of them that are taken one by one, start at multiples of 32 bytes. "
     "At most 255 repeats: of ReduceRepeat a row of at most 64 numbers, of Brcb 8 rows, for which "
     "there is room, of TransDataTo5HD 32 bytes of a line, of an instruction that takes one number "
     "for each row 256 bytes of that row.",
     "Fields of a call have so many bits, and memories are addressed in fractals and blocks of 32 "
     "bytes. What a call does with more is not defined.",
     "Ascend C, basic API: Mmad, LoadData (2D and 2D V2), DataCopy (ND2NZ), Fixpipe, DataCopyPad, "
     "ReduceRepeat, Brcb, TransDataTo5HD, general alignment of addresses"},
    {"R51", "Turned operands",
     "A copy from L1 to L0A or L0B that exchanges rows and columns of fractals takes whole squares "
     "of the tile: 32 x 32 numbers of 8 bits, 16 x 16 of 16 and of 32 bits. On 910B the two "
     "fractals of a square lie one behind the other in L1: of 8 bits in zN and nZ, of 32 bits in "
     "zZ and nN.",
     "A square is turned as a whole, and is two fractals of 8 or 32 bits: the call counts squares.",
     "Ascend C, LoadDataWithTranspose, LoadData2DParamsV2 (asc-devkit, L1 to L0)"},
    {"R52", "Numbers of 4 and 6 bits",
     "In tensors e2m1, e2m3 and e3m2 lie packed, the first one in the lowest bits; sm_100a alone "
     "has such tensors, which are only read. TMA alone brings them: boxes of 128 numbers, or of a "
     "multiple, along the contiguous dimension, from multiples of 128 on, to tiles of the same "
     "type in layout sw128. There sixteen of them have 16 bytes: those of the tensor, and behind "
     "them padding, which is not initialised. As many bytes complete as the box has in the "
     "tensor. The tensor is aligned to 32 bytes, and its contiguous extent is a multiple of 128 "
     "in every launch, which the launcher checks. tcgen05.mma alone reads the tiles, along K, and "
     "tcgen05.cp, which gives each number a byte of tensor memory, as A needs it there; nothing "
     "computes with such numbers.",
     "No other copy pads them as products want them, and the types of tensor maps that do have "
     "these limits.",
     "PTX ISA, padding and alignment of the sub-byte types, restrictions on tensor copy "
     "instructions, packing formats of tcgen05.mma; CUDA driver API, cuTensorMapEncodeTiled "
     "(16U4_ALIGN16B, 16U6_ALIGN16B); bytes that complete: CUTLASS, "
     "sm100_blockscaled_mma_warpspecialized"},
};

} // namespace

const std::vector<Rule> &rules() {
  return table;
}

const Rule *findRule(std::string_view label) {
  const auto found =
      std::find_if(table.begin(), table.end(), [&](const Rule &r) { return r.label == label; });
  return found == table.end() ? nullptr : &*found;
}

std::string explain(const Rule &rule) {
  return rule.label + " " + rule.title + "\n\n" + rule.statement + "\n\nWhy: " + rule.why +
         "\n\nSource: " + rule.source + ".\n";
}

} // namespace sluice
