export {};
//# sourceMappingURL=api-release.js.map