export {};
//# sourceMappingURL=api-context.js.map