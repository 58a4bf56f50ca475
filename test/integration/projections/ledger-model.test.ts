import t, { type Test } from 'tap';
import { toHex } from '../../../src/primitives/bytes.js';
import type { Ledger, LedgerOptions } from '../../../src/projections/ledger/ledger.js';
import type { StateReader } from '../../../src/projections/state/state-reader.js';
import { verifyLedger } from '../../../src/projections/verify/verify-ledger.js';
import {
  blockId,
  genesisModel,
  type Model,
  open,
  randomBytes,
  randomChanges,
  seeded,
  temporaryFolder,
} from '../../support/projections/chain.js';
import { agreesWithModel } from '../../support/projections/view-suite.js';

interface Height {
  readonly id: Uint8Array;
  readonly model: Model;
  readonly digest: string;
  readonly transactions: readonly Uint8Array[];
}

/**
 * Applies the same random steps to a ledger and to a model, which is a list of maps. After each step, all views must be
 * equal.
 */
for (const retention of ['unsolidified', 'all', 9] as const) {
  for (const seed of [1, 2, 3]) {
    t.test(`matches a model made of maps, retention ${retention}, seed ${seed}`, (t) =>
      compare(t, { retention }, seed),
    );
  }
}

for (const retention of ['unsolidified', 9] as const) {
  for (const seed of [1, 2, 3]) {
    t.test(`matches the model with pruned blocks, retention ${retention}, seed ${seed}`, (t) =>
      compare(t, { retention, logRetention: 12 }, seed),
    );
  }
}

async function compare(t: Test, kept: Pick<LedgerOptions, 'retention' | 'logRetention'>, seed: number): Promise<void> {
  const random = seeded(seed);
  const dataDir = temporaryFolder(t);
  const options = { ...kept, checkpointVersion: seed === 2 ? 2 : 1 } as const;
  let ledger = await open(dataDir, options);
  const heights: Height[] = [
    { id: ledger.position.headId, model: genesisModel, digest: toHex(ledger.position.digest), transactions: [] },
  ];
  let solidified = 0;
  for (let step = 0; step < 160; step++) {
    const action = random(20);
    if (action < 11) {
      const parent = heights.at(-1) as Height;
      const number = heights.length;
      const { changes, model } = randomChanges(random, parent.model);
      const id = blockId(number, `${seed} ${step}`);
      const transactions = Array.from({ length: random(3) }, (_, i) => blockId(i, `tx ${number} ${random(2)}`));
      const block = { number, id, parentId: parent.id, bytes: id, results: randomBytes(random, 5) };
      const internalTransactions = randomBytes(random, 3);
      const target = Math.max(0, number - 5);
      const known = (heights[target] ?? { id }) as { id: Uint8Array };
      const options = { solidified: { number: target, id: known.id }, oldestReachable: Math.max(0, target - 3) };
      ledger.append({ ...block, transactionIds: transactions, changes, internalTransactions, ...options });
      solidified = Math.max(solidified, target);
      heights.push({ id, model, digest: toHex(ledger.position.digest), transactions });
    } else if (action < 14 && heights.length > 1 && heights.length - 1 > Math.max(ledger.keptHeight, solidified - 2)) {
      const head = ledger.revert();
      heights.pop();
      t.equal(head.number, heights.length - 1);
    } else if (action < 17) {
      await ledger.flush();
    } else if (action === 17) {
      await ledger.close();
      ledger = await open(dataDir, options);
    }
    if (!agree(t, ledger, heights, random, solidified)) return;
  }
  if (kept.logRetention !== undefined) t.ok(ledger.startNumber > 0, `the log starts above block ${ledger.startNumber}`);
  await ledger.close();
  const { headNumber, digest } = verifyLedger(dataDir);
  t.same([headNumber, digest], [heights.length - 1, heights.at(-1)!.digest], 'verify reads all entries of the ledger');
}

function agree(
  t: Test,
  ledger: Ledger,
  heights: readonly Height[],
  random: (below: number) => number,
  solidified: number,
): boolean {
  const head = heights.at(-1) as Height;
  const number = heights.length - 1;
  const agrees = (view: StateReader, model: Model, name: string): boolean =>
    agreesWithModel(t, view, model, { random, name });
  if (toHex(ledger.position.digest) !== head.digest) return t.fail(`digest at ${number}`);
  if (ledger.position.headNumber !== number || ledger.position.solidifiedNumber !== solidified)
    return t.fail('position');
  if (!agrees(ledger.head, head.model, `head ${number}`)) return false;
  const at = ledger.keptHeight + random(number - ledger.keptHeight + 1);
  const old = heights[at] as Height;
  if (!agrees(ledger.at(at), old.model, `at ${at} of ${number}`)) return false;
  const shown = Math.min(solidified, number);
  if (!agrees(ledger.solidified(), (heights[shown] as Height).model, 'solidified')) return false;
  const height = random(heights.length);
  const block = heights[height] as Height;
  if (height > 0 && height <= ledger.startNumber) {
    const isGone = ledger.block(height) === undefined && ledger.entryOfId(block.id) === undefined;
    return isGone || t.fail(`block ${height} was not deleted`);
  }
  if (toHex(ledger.blockIdAt(height) ?? new Uint8Array(0)) !== toHex(block.id)) return t.fail('blockIdAt');
  if (ledger.numberOf(block.id) !== height) return t.fail('numberOf');
  for (const transaction of block.transactions) {
    const found = ledger.transactionAt(transaction);
    const last = heights.findLastIndex((h) => h.transactions.some((id) => toHex(id) === toHex(transaction)));
    if (found?.number !== (last > ledger.startNumber ? last : undefined))
      return t.fail(`transaction of ${height}: ${found?.number} ${last}`);
  }
  return true;
}
