/** Blocks that wait for solidification from which on no transactions are taken; undefined: any number. */
export function unsolidifiedMaxOf({ unsolidifiedBlockCheck, maxUnsolidifiedBlocks, }) {
    return unsolidifiedBlockCheck ? maxUnsolidifiedBlocks : undefined;
}
//# sourceMappingURL=unsolidified.js.map