import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sha256 } from '../../src/crypto/hash.js';
import type { RowChange } from '../../src/projections/state/state-reader.js';
import { blockId, open } from '../support/projections/chain.js';

/**
 * Number of blocks to append, from the first argument. The second argument is `tronicle.history.retention`; default:
 * `unsolidified`. The benchmark prints the microseconds per block for appending to log and state, and for flushing
 * them.
 */
const BLOCKS = Number(process.argv[2] ?? 0);
if (BLOCKS === 0) process.exit();
const TXS = 300;
const ROWS = 600;
const ACCOUNTS = 200_000;
const dataDir = mkdtempSync(join(tmpdir(), 'bench-'));
const ledger = await open(dataDir, { retention: (process.argv[3] ?? 'unsolidified') as 'all' });
const values = new Map<number, Uint8Array>();
const keys = Array.from({ length: ACCOUNTS }, (_, i) =>
  Buffer.concat([Buffer.from([0x41]), sha256(Buffer.from(String(i))).subarray(0, 20)]),
);
let spent = 0;
let gets = 0;
let slowest = 0;
let parentId = ledger.position.headId;
for (let number = 1; number <= BLOCKS; number++) {
  const changes: RowChange[] = [];
  const used = new Set<number>();
  while (used.size < ROWS) used.add(Math.floor(Math.random() * ACCOUNTS));
  const transactionIds = Array.from({ length: TXS }, (_, i) => sha256(Buffer.from(`${number} ${i}`)));
  const picked = [...used];
  const t0 = performance.now();
  const before = picked.map((i) => ledger.head.get(1, keys[i] as Buffer));
  for (const id of transactionIds) if (ledger.transactionAt(id)) throw new Error('seen');
  gets += performance.now() - t0;
  for (const [n, i] of picked.entries()) {
    const after = Buffer.alloc(150, number & 255);
    after.writeUInt32BE(i, 0);
    values.set(i, after);
    changes.push({ store: 1, key: keys[i] as Buffer, before: before[n], after });
  }
  const id = blockId(number, 'x');
  const bytes = Buffer.alloc(TXS * 230, 7);
  const results = Buffer.alloc(TXS * 60, 7);
  const solidNumber = Math.max(0, number - 19);
  const solidified = { number: solidNumber, id: ledger.blockIdAt(solidNumber) as Uint8Array };
  const start = performance.now();
  ledger.append({
    number,
    id,
    parentId,
    bytes,
    results,
    transactionIds,
    changes,
    internalTransactions: new Uint8Array(0),
    solidified,
  });
  const took = performance.now() - start;
  spent += took;
  slowest = Math.max(slowest, took);
  parentId = id;
}
const start = performance.now();
await ledger.flush();
spent += performance.now() - start;
console.log(
  `${((spent / BLOCKS) * 1000).toFixed(0)} µs/block append+flush, slowest append ${slowest.toFixed(0)} ms; ` +
    `${((gets / BLOCKS / (ROWS + TXS)) * 1000).toFixed(2)} µs/read; anon ${(await import('node:fs')).readFileSync('/proc/self/status', 'utf8').match(/RssAnon:.*/)?.[0]}`,
);
await ledger.close();
rmSync(dataDir, { recursive: true });
