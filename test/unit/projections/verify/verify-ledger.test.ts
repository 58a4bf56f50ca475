import { closeSync, cpSync, openSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { TronError } from '../../../../src/primitives/errors.js';
import type { WriterLedger } from '../../../../src/projections/ledger/writer-ledger.js';
import { verifyLedger } from '../../../../src/projections/verify/verify-ledger.js';
import {
  blockId,
  genesisModel,
  type Model,
  open,
  randomChanges,
  readModel,
  seeded,
  temporaryFolder,
} from '../../../support/projections/chain.js';

/**
 * Creates a ledger of some hundred blocks with reorgs and closes it. Returns the rows of the head.
 * @param readSeq entry up to which a sink has read; without it, no sink reads the log
 */
async function fill(
  dataDir: string,
  seed: number,
  options: Parameters<typeof open>[1],
  readSeq?: number,
): Promise<Model> {
  const random = seeded(seed);
  const opened = async (): Promise<WriterLedger> => {
    const ledger = await open(dataDir, options);
    ledger.retainChanges('sink', readSeq);
    return ledger;
  };
  let ledger = await opened();
  const models = [genesisModel];
  for (let step = 0; step < 120; step++) {
    const { headNumber, headId } = ledger.position;
    if (random(6) === 0 && headNumber > ledger.keptHeight) {
      ledger.revert();
      models.pop();
    } else {
      const number = headNumber + 1;
      const { changes, model } = randomChanges(random, models.at(-1) as Model);
      const id = blockId(number, `${step}`);
      ledger.append({
        number,
        id,
        parentId: headId,
        bytes: Buffer.alloc(random(6000), step),
        results: Buffer.alloc(random(90), step),
        transactionIds: Array.from({ length: random(4) }, (_, i) => blockId(i, `tx ${step}`)),
        changes,
        internalTransactions: Buffer.alloc(random(9)),
        solidified: { number: Math.max(0, number - 4), id: ledger.blockIdAt(Math.max(0, number - 4)) as Uint8Array },
      });
      models.push(model);
    }
    if (random(4) === 0) await ledger.flush();
    if (random(40) === 0) {
      await ledger.close();
      ledger = await opened();
    }
  }
  await ledger.close();
  return models.at(-1) as Model;
}

for (const [seed, retention] of [
  [1, 'unsolidified'],
  [2, 'all'],
  [3, 20],
] as const) {
  t.test(`finds no error in an intact ledger, retention ${retention}`, async (t) => {
    const dataDir = temporaryFolder(t);
    const model = await fill(dataDir, seed, { retention });
    t.ok(verifyLedger(dataDir).rows === model.size);
    const ledger = await open(dataDir, { retention, check: true });
    t.strictSame(readModel(ledger.head), model);
    await ledger.close();
  });
}

t.test('finds no error after a higher retention of row changes, while a sink still needs deleted ones', async (t) => {
  for (const retention of ['all', 20] as const) {
    const dataDir = temporaryFolder(t);
    const model = await fill(dataDir, 4, { retention: 'unsolidified' }, 30);
    await (await open(dataDir, { retention })).close();
    t.equal(verifyLedger(dataDir).rows, model.size, `retention ${retention}`);
    const ledger = await open(dataDir, { retention, check: true });
    t.strictSame(readModel(ledger.head), model);
    await ledger.close();
  }
});

t.test('reports an overwritten byte with file and command, unless the byte has no effect', async (t) => {
  const dataDir = temporaryFolder(t);
  const model = await fill(dataDir, 7, { retention: 'all', checkpointVersion: 2 });
  const random = seeded(11);
  const counts = { refused: 0, harmless: 0 };
  for (let round = 0; round < 90; round++) {
    const copy = join(temporaryFolder(t), 'data');
    cpSync(dataDir, copy, { recursive: true });
    const name = ['log/data.mdb', 'state/data.mdb', 'log/data.mdb', 'state/data.mdb', 'log/head'][random(5)] as string;
    damage(join(copy, name), random);
    try {
      verifyLedger(copy);
      const ledger = await open(copy, { retention: 'all', checkpointVersion: 2 });
      if (!t.strictSame(readModel(ledger.head), model, `round ${round}: ${name}`)) return;
      append(ledger);
      await ledger.flush();
      await ledger.close();
      counts.harmless++;
    } catch (error) {
      counts.refused++;
      if (error instanceof TronError && error.code === 'DAMAGED_DATA') {
        if (!error.message.includes(name) || !/tronicle (replay|export)/.test(error.message)) t.fail(error.message);
      } else {
        t.error(error, `round ${round}: ${name}`);
        return;
      }
    }
  }
  t.comment(JSON.stringify(counts));
  t.ok(counts.refused > 8);
});

function damage(path: string, random: (below: number) => number): void {
  const file = openSync(path, 'r+');
  const size = statSync(path).size;
  const length = [1, 1, 4, 100][random(4)] as number;
  const bytes = Buffer.from(Array.from({ length }, () => random(256)));
  writeSync(file, bytes, 0, bytes.length, random(3) === 0 ? random(Math.min(size, 8192)) : random(size));
  closeSync(file);
}

function append(ledger: WriterLedger): void {
  const { headNumber, headId } = ledger.position;
  const id = blockId(headNumber + 1, 'after');
  ledger.append({
    number: headNumber + 1,
    id,
    parentId: headId,
    bytes: Buffer.alloc(9000),
    results: Buffer.alloc(0),
    transactionIds: [id],
    changes: [{ store: 1, key: Buffer.from('after'), before: undefined, after: Buffer.from('after') }],
    internalTransactions: Buffer.alloc(0),
  });
}
