/** A state with the blocks of a ledger up to its height; nothing waits on top of it. */
export function viewOfLedger(ledger, state, headNumber) {
    return {
        state,
        headNumber,
        block: (number) => (number > headNumber ? undefined : ledger.block(number)),
        blockIdAt: (number) => (number > headNumber ? undefined : ledger.blockIdAt(number)),
        numberOf: (id) => {
            const number = ledger.numberOf(id);
            return number === undefined || number > headNumber ? undefined : number;
        },
        transactionAt: (id) => {
            const place = ledger.transactionAt(id);
            return place === undefined || place.number > headNumber ? undefined : place;
        },
        waiting: () => undefined,
        recentKeys: () => [],
    };
}
//# sourceMappingURL=ledger-view.js.map