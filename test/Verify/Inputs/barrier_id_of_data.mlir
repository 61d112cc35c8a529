// Two warps meet at a barrier that a tensor names.
sluice.kernel @meet(%N: !sluice.tensor<?xi32> {sluice.name = "N"})
    attributes {target = "sm_90a", phase = "barrier", warps = 2} {
  %c0 = arith.constant 0 : index
  %read = sluice.scalar_load %N[%c0] : <?xi32>
  %id = sluice.uniform %read : index
  sluice.bar.sync %id, 64
}
