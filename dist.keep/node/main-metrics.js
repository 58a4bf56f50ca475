export {};
//# sourceMappingURL=main-metrics.js.map