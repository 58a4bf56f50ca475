export {};
//# sourceMappingURL=state-reader.js.map