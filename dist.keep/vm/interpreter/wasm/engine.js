import { assemble, I32 } from '../../../log/wasm/assembler.js';
import { keccakFunction, keccakTable } from '../../../log/wasm/keccak.js';
import { compileModule, createMemory, instantiate } from '../../../log/wasm/web-assembly.js';
import { divideFunction, multiplyFunction, productFunction, squareFunction } from './division.js';
import { ARENA, LAYOUT } from './layout.js';
import { runFunction } from './loop.js';
const PAGE = 65_536;
const PAGES_MAX = 65_536;
const FIRST_ARENA_BYTES = 4 * 1024 * 1024;
/** One instance of the compiled loop and its memory. A thread has one: programs run one at a time. */
export class Engine {
    /** Views of the memory; other arrays after the memory has grown. */
    ints;
    bytes;
    doubles;
    longs;
    view;
    /** Whose storage the loop works on; set by whoever calls `run`. */
    host = noHost;
    run;
    keccak;
    memory;
    constructor() {
        const initial = Math.ceil((ARENA + FIRST_ARENA_BYTES) / PAGE);
        this.memory = createMemory(initial, PAGES_MAX);
        const env = {
            memory: this.memory,
            load: (at) => this.host.loadAt(at),
            storeCost: (at) => this.host.storeCostAt(at),
            store: (at) => this.host.storeAt(at),
        };
        const { exports } = instantiate(compileModule(binary()), { env });
        this.run = exports['run'];
        this.keccak = exports['keccak'];
        const buffer = this.memory.buffer;
        this.ints = new Int32Array(buffer);
        this.bytes = new Uint8Array(buffer);
        this.doubles = new Float64Array(buffer);
        this.longs = new BigUint64Array(buffer);
        this.view = new DataView(buffer);
        this.longs.set(keccakTable(), LAYOUT.keccakTable / 8);
    }
    /** Makes addresses below `end` usable. */
    reserve(end) {
        if (end <= this.bytes.length)
            return;
        const wanted = Math.ceil((end + FIRST_ARENA_BYTES) / PAGE);
        this.memory.grow(wanted - this.bytes.length / PAGE);
        const buffer = this.memory.buffer;
        this.ints = new Int32Array(buffer);
        this.bytes = new Uint8Array(buffer);
        this.doubles = new Float64Array(buffer);
        this.longs = new BigUint64Array(buffer);
        this.view = new DataView(buffer);
    }
}
const noHost = {
    loadAt: () => { },
    storeCostAt: () => 0,
    storeAt: () => { },
};
function binary() {
    const imports = [
        { name: 'load', params: [I32], results: [] },
        { name: 'storeCost', params: [I32], results: [I32] },
        { name: 'store', params: [I32], results: [] },
    ];
    const functions = [
        keccakFunction(LAYOUT.keccakState, LAYOUT.keccakTable),
        multiplyFunction(),
        productFunction(),
        divideFunction(LAYOUT.divisor),
        squareFunction(),
    ];
    const callees = { load: 0, storeCost: 1, store: 2, keccak: 3, mul: 4, product: 5, divide: 6, square: 7 };
    return assemble(imports, [...functions, runFunction(callees)]);
}
//# sourceMappingURL=engine.js.map