export {};
//# sourceMappingURL=brand.js.map