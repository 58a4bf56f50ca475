export {};
//# sourceMappingURL=smart-contract-machine.js.map