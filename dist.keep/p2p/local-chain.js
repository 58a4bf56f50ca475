export {};
//# sourceMappingURL=local-chain.js.map