export {};
//# sourceMappingURL=transaction.js.map