export {};
//# sourceMappingURL=tracer.js.map