export {};
//# sourceMappingURL=projection.js.map