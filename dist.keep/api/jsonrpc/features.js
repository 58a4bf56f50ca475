/** As the reference answers. */
export const NO_FEATURES = {
    history: false,
    finalityTags: false,
    blockReceipts: false,
    revertData: false,
    subscriptions: false,
    debug: false,
};
//# sourceMappingURL=features.js.map