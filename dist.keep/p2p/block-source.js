export {};
//# sourceMappingURL=block-source.js.map