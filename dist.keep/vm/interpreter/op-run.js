export {};
//# sourceMappingURL=op-run.js.map