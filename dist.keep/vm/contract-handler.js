export {};
//# sourceMappingURL=contract-handler.js.map