// One warp that breaks a rule in a late round, each way on its own (counted.test): the rounds before
// must not be taken for it.
sluice.kernel @counted(%A: !sluice.tensor<?x?xf16> {sluice.name = "A"})
    attributes {target = "sm_90a", phase = "barrier", warps = 1} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %c20 = arith.constant 20 : index
  %c64 = arith.constant 64 : index
  %c900 = arith.constant 900 : index
  %c1280 = arith.constant 1280 : index
  %N = sluice.dim %A, 0 : <?x?xf16>
  %K = sluice.dim %A, 1 : <?x?xf16>
  %i = sluice.grid %c1 : index
  %b = sluice.mbarrier.alloc "b" : !sluice.mbarrier<1>
  sluice.mbarrier.init %b count 1 by one : <1>
  sluice.fence mbarrier_init by one
  sluice.bar.sync 0, 32
  %longer = arith.addi %K, %c1280 : index                                                // FORCED
  %rounds = arith.ceildivsi %longer, %c64 : index                                        // FORCED
  %wide = arith.cmpi sgt, %N, %c900 : index                                              // FORCED
  scf.for %t = %c0 to %rounds step %c1 {                                                 // FORCED
    scf.for %u = %c0 to %N step %c1 {                                                    // FORCED
      sluice.bar.sync 0, 32                                                              // FORCED
    }                                                                                    // FORCED
  }                                                                                      // FORCED
  scf.if %wide {                                                                         // FORCED
    sluice.mbarrier.arrive_expect_tx %b[%c0] bytes 64 by one : <1>                       // FORCED
  }                                                                                      // FORCED
  %later = arith.addi %K, %c20 : index                                                   // LATE
  scf.for %u = %c0 to %N step %c1 {                                                      // LATE
    sluice.bar.sync 0, 32                                                                // LATE
    %above = arith.cmpi sgt, %u, %later : index                                          // LATE
    scf.if %above {                                                                      // LATE
      sluice.mbarrier.arrive_expect_tx %b[%c0] bytes 64 by one : <1>                     // LATE
    }                                                                                    // LATE
  }                                                                                      // LATE
  %many = arith.cmpi sge, %K, %c20 : index                                               // OTHER
  scf.for %t = %c0 to %K step %c1 {                                                      // OTHER
    sluice.bar.sync 0, 32                                                                // OTHER
  }                                                                                      // OTHER
  scf.for %u = %c0 to %N step %c1 {                                                      // OTHER
    sluice.bar.sync 0, 32                                                                // OTHER
    %beyond = arith.cmpi sgt, %u, %K : index                                             // OTHER
    %both = arith.andi %beyond, %many : i1                                               // OTHER
    scf.if %both {                                                                       // OTHER
      sluice.mbarrier.arrive_expect_tx %b[%c0] bytes 64 by one : <1>                     // OTHER
    }                                                                                    // OTHER
  }                                                                                      // OTHER
  %q = scf.for %u = %c0 to %N step %c1 iter_args(%p = %c0) -> index {                    // NEXT
    scf.for %v = %c0 to %K step %c1 {                                                    // NEXT
      %twentieth = arith.cmpi sge, %u, %c20 : index                                      // NEXT
      scf.if %twentieth {                                                                // NEXT
        sluice.mbarrier.arrive_expect_tx %b[%c0] bytes 64 by one : <1>                   // NEXT
      }                                                                                  // NEXT
    }                                                                                    // NEXT
    %r = arith.addi %p, %c1 : index                                                      // NEXT
    scf.yield %r : index                                                                 // NEXT
  }                                                                                      // NEXT
  %s = scf.for %u = %c0 to %N step %c1 iter_args(%p = %c0) -> index {                    // CARRIED
    %first = arith.cmpi slt, %p, %c5 : index                                             // CARRIED
    scf.if %first {                                                                      // CARRIED
      sluice.bar.sync 0, 32                                                              // CARRIED
    }                                                                                    // CARRIED
    %r = arith.addi %p, %c1 : index                                                      // CARRIED
    scf.yield %r : index                                                                 // CARRIED
  }                                                                                      // CARRIED
}
