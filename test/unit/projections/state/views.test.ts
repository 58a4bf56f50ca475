import t, { type Test } from 'tap';
import type { WriterLedger } from '../../../../src/projections/ledger/writer-ledger.js';
import { OverlaidState } from '../../../../src/projections/state/overlaid-state.js';
import type { StateReader } from '../../../../src/projections/state/state-reader.js';
import {
  blockId,
  genesisModel,
  type Model,
  open,
  openReader,
  randomChanges,
  seeded,
  temporaryFolder,
} from '../../../support/projections/chain.js';
import { agreesWithModel } from '../../../support/projections/view-suite.js';

/** A chain of random blocks, and the rows after each of its blocks. */
interface MadeChain {
  readonly dataDir: string;
  readonly ledger: WriterLedger;
  readonly models: readonly Model[];
  readonly random: (below: number) => number;
}

const BLOCKS = 30;
const SOLIDIFIED_BEHIND = 5;

async function makeChain(t: Test, seed: number): Promise<MadeChain> {
  const random = seeded(seed);
  const dataDir = temporaryFolder(t);
  const ledger = await open(dataDir, { retention: 'all' });
  t.teardown(() => ledger.close());
  const models: Model[] = [genesisModel];
  const ids = [ledger.position.headId];
  for (let number = 1; number <= BLOCKS; number++) {
    const { changes, model } = randomChanges(random, models[number - 1] as Model);
    const id = blockId(number, `${seed}`);
    const target = Math.max(0, number - SOLIDIFIED_BEHIND);
    ledger.append({
      number,
      id,
      parentId: ids[number - 1] as Uint8Array,
      bytes: id,
      results: new Uint8Array(0),
      transactionIds: [],
      internalTransactions: new Uint8Array(0),
      changes,
      solidified: { number: target, id: ids[target] as Uint8Array },
      oldestReachable: target,
    });
    models.push(model);
    ids.push(id);
  }
  return { dataDir, ledger, models, random };
}

type View = readonly [view: StateReader, height: number | Model];

/** Functions that open each kind of view, by name. */
const views: Readonly<Record<string, (chain: MadeChain, t: Test) => View | Promise<View>>> = {
  'the head, whose newest rows are not flushed': ({ ledger }) => [ledger.head, BLOCKS],
  'the flushed head': async ({ ledger }) => {
    await ledger.flush();
    return [ledger.head, BLOCKS];
  },
  'the head after two blocks were reverted': ({ ledger }) => {
    ledger.revert();
    ledger.revert();
    return [ledger.head, BLOCKS - 2];
  },
  'the solidified block': ({ ledger }) => [ledger.solidified(), BLOCKS - SOLIDIFIED_BEHIND],
  'a past height': ({ ledger }) => [ledger.at(3), 3],
  genesis: ({ ledger }) => [ledger.at(0), 0],
  'a past height on disk': async ({ ledger }) => {
    await ledger.flush();
    return [ledger.at(17), 17];
  },
  'the head in another thread': async ({ ledger, dataDir }, t) => {
    await ledger.flush();
    const reader = await openReader(dataDir, { retention: 'all', follows: true, notifier: ledger.notifierBuffer });
    t.teardown(() => reader.close());
    return [reader.head, BLOCKS];
  },
  'the head with the effects of pending transactions': ({ ledger, models, random }) => {
    const { changes, model } = randomChanges(random, models[BLOCKS] as Model);
    const overlay = new OverlaidState(ledger.head);
    overlay.put(changes.map(({ store, key, after }) => ({ store, key, value: after })));
    return [overlay, model];
  },
};

for (const [name, openView] of Object.entries(views)) {
  t.test(name, async (t) => {
    for (const seed of [1, 2, 3]) {
      const chain = await makeChain(t, seed);
      const [view, height] = await openView(chain, t);
      const model = typeof height === 'number' ? (chain.models[height] as Model) : height;
      for (let turn = 0; turn < 20; turn++) {
        if (!agreesWithModel(t, view, model, { random: chain.random, name: `seed ${seed}` })) return;
      }
    }
    t.pass('the view has the rows of the model');
  });
}
