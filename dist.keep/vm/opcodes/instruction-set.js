/** Finds the instruction set of rules among those of a table. */
export class InstructionSets {
    rows;
    /** Switches that rows ask for, each once. */
    switches;
    byKey = new Map();
    /** Rules are read once for each transaction, and asked for in each call. */
    byRules = new WeakMap();
    constructor(rows) {
        this.rows = rows;
        this.switches = [...new Set(rows.flatMap(([, , , , since]) => (since === 'always' ? [] : [since])))];
    }
    of(rules) {
        const known = this.byRules.get(rules);
        if (known !== undefined)
            return known;
        const key = this.switches.reduce((bits, name, place) => bits | (rules[name] ? 1 << place : 0), 0);
        let set = this.byKey.get(key);
        if (set === undefined) {
            set = instructionSet(this.rows, rules);
            this.byKey.set(key, set);
        }
        this.byRules.set(rules, set);
        return set;
    }
}
function instructionSet(rows, rules) {
    const isEnabled = new Uint8Array(256);
    const names = new Array(256).fill(undefined);
    const pops = new Int32Array(256);
    const pushes = new Int32Array(256);
    const energy = new Int32Array(256);
    const dynamic = new Array(256).fill(undefined);
    const run = new Array(256).fill(undefined);
    const flow = new Array(256).fill(undefined);
    for (const [byte, name, rowPops, rowPushes, since, price, runs] of rows) {
        const isReplacing = names[byte] !== undefined;
        names[byte] = name;
        if (since !== 'always' && !rules[since])
            continue;
        if (isReplacing && isEnabled[byte] === 0)
            continue;
        isEnabled[byte] = 1;
        pops[byte] = rowPops;
        pushes[byte] = rowPushes;
        energy[byte] = typeof price === 'number' ? price : -1;
        dynamic[byte] = typeof price === 'number' ? undefined : price;
        run[byte] = typeof runs === 'string' ? undefined : runs;
        flow[byte] = typeof runs === 'string' ? runs : undefined;
    }
    return { isEnabled, names, pops, pushes, energy, dynamic, run, flow };
}
//# sourceMappingURL=instruction-set.js.map