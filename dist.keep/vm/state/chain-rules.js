export {};
//# sourceMappingURL=chain-rules.js.map