"""Kernels as operators of PyTorch: torch.compile sees them, fake kernels tell it their shapes."""

from ._kernel import torch_dtype


def custom_op(name, kernel):
    """Registers a kernel as torch.ops.<name> ("mylib::product"): from its inputs to new outputs.

    Returns the operator. It takes the inputs in the manifest's order and gives a tensor or a tuple.
    """
    import torch
    tensors = kernel.manifest["tensors"]
    inputs = [t["name"] for t in tensors if t["input"]]
    outputs = [t for t in tensors if t["output"] and not t["input"]]
    both = [t["name"] for t in tensors if t["input"] and t["output"]]
    result = "Tensor" if len(outputs) == 1 else "(" + ", ".join(["Tensor"] * len(outputs)) + ")"
    mutated = [f"Tensor(a{i}!) {n}" if n in both else f"Tensor {n}" for i, n in enumerate(inputs)]
    operator = torch.library.custom_op(name, mutates_args=both,
                                       schema=f"({', '.join(mutated)}) -> {result}")

    def run(*given):
        return kernel(*given)

    def fake(*given):
        made = tuple(given[0].new_empty(shape, dtype=torch_dtype(t["type"]))
                     for t, shape in zip(outputs, kernel.output_shapes(*given)))
        return made[0] if len(made) == 1 else made

    registered = operator(run)
    registered.register_fake(fake)
    return registered
