export {};
//# sourceMappingURL=peer-observer.js.map