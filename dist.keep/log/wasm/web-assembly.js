/** @param initial pages of 64 KiB */
export function createMemory(initial, maximum) {
    return new WebAssembly.Memory({ initial, maximum });
}
export function compileModule(binary) {
    return new WebAssembly.Module(binary);
}
export function instantiate(module, imports) {
    return new WebAssembly.Instance(module, imports);
}
//# sourceMappingURL=web-assembly.js.map