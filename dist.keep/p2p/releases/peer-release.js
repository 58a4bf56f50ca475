export {};
//# sourceMappingURL=peer-release.js.map