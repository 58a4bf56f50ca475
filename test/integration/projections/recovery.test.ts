import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import t from 'tap';
import { openEnvironment } from '../../../src/log/lmdb/environment.js';
import { toHex } from '../../../src/primitives/bytes.js';
import type { LedgerOptions } from '../../../src/projections/ledger/ledger.js';
import { verifyLedger } from '../../../src/projections/verify/verify-ledger.js';
import { blockId, genesis, open, readModel, temporaryFolder } from '../../support/projections/chain.js';
import { appendCounterBlock } from '../../support/projections/counter-chain.js';

/**
 * Creates a folder whose state is older than its log, as after a kill between the commit of the log and that of the
 * state. Also returns the expected digest and rows.
 */
async function stateBehind(t: Tap, options: Partial<LedgerOptions>) {
  const dataDir = temporaryFolder(t);
  const saved = join(temporaryFolder(t), 'state');
  let ledger = await open(dataDir, options);
  for (let i = 0; i < 12; i++) appendCounterBlock(ledger);
  await ledger.close();
  cpSync(join(dataDir, 'state'), saved, { recursive: true });
  ledger = await open(dataDir, options);
  ledger.revert();
  appendCounterBlock(ledger, 'other branch');
  await ledger.flush();
  for (let i = 0; i < 3; i++) appendCounterBlock(ledger);
  await ledger.flush();
  const digest = toHex(ledger.position.digest);
  const model = readModel(ledger.head);
  await ledger.close();
  rmSync(join(dataDir, 'state'), { recursive: true });
  cpSync(saved, join(dataDir, 'state'), { recursive: true });
  return { dataDir, digest, model };
}

function recorder(): { log: pino.Logger; lines: string[] } {
  const lines: string[] = [];
  return { lines, log: pino({ level: 'info' }, { write: (line: string) => lines.push(line) }) };
}

type Tap = { teardown(fn: () => void): void };

for (const checkpointVersion of [1, 2] as const) {
  t.test(`catches up a state behind the log, checkpoint version ${checkpointVersion}`, async (t) => {
    const { dataDir, digest, model } = await stateBehind(t, { checkpointVersion });
    const { log, lines } = recorder();
    const ledger = await open(dataDir, { checkpointVersion, check: true, log });
    t.equal(toHex(ledger.position.digest), digest);
    t.strictSame(readModel(ledger.head), model);
    t.equal(
      lines.some((line) => line.includes('checkpoint applied')),
      checkpointVersion === 2,
    );
    t.equal(
      lines.some((line) => line.includes('state catching up with the log')),
      checkpointVersion === 1,
    );
    await ledger.close();
  });
}

t.test('names and sets aside a damaged checkpoint and uses the changes of the log', async (t) => {
  const { dataDir, digest } = await stateBehind(t, { checkpointVersion: 2 });
  const folder = join(dataDir, 'checkpoint');
  const batch = join(folder, readdirSync(folder).sort().at(-2) as string, 'batch');
  truncateSync(batch, 50);
  const { log, lines } = recorder();
  const ledger = await open(dataDir, { checkpointVersion: 2, log });
  t.equal(toHex(ledger.position.digest), digest);
  t.ok(lines.some((line) => line.includes('damaged') && line.includes(batch)));
  t.ok(readdirSync(folder).includes(batch.split('/').at(-2) as string));
  await ledger.close();
});

const stepsOfDeletion: Record<string, (folder: string) => void> = {
  'before the deletion': () => undefined,
  'with a truncated batch': (folder) => truncateSync(join(folder, 'batch'), 7),
  'with a corrupt batch': (folder) => writeFileSync(join(folder, 'batch'), 'x'.repeat(5000)),
  'without the batch': (folder) => rmSync(join(folder, 'batch')),
  'without the folder': (folder) => rmSync(folder, { recursive: true }),
};

for (const [step, kill] of Object.entries(stepsOfDeletion)) {
  t.test(
    `starts after a kill during the deletion of a checkpoint, and does not read that checkpoint, ${step}`,
    async (t) => {
      const { dataDir, digest } = await stateBehind(t, { checkpointVersion: 2 });
      const folder = join(dataDir, 'checkpoint');
      const newest = readdirSync(folder).sort().at(-1) as string;
      const expired = join(folder, String(Number(newest) - 2 * 60 * 1000 - 1));
      mkdirSync(expired);
      writeFileSync(join(expired, 'batch'), 'an old batch');
      kill(expired);
      const { log, lines } = recorder();
      const ledger = await open(dataDir, { checkpointVersion: 2, check: true, log });
      t.equal(toHex(ledger.position.digest), digest);
      t.notOk(lines.some((line) => line.includes(expired)));
      appendCounterBlock(ledger);
      await ledger.close();
      t.notOk(readdirSync(folder).includes(expired.split('/').at(-1) as string), 'deleted with the next checkpoint');
    },
  );
}

t.test('keeps the newest three checkpoints of any age', async (t) => {
  const dataDir = temporaryFolder(t);
  const folder = join(dataDir, 'checkpoint');
  for (const name of ['1000', '2000', '3000']) mkdirSync(join(folder, name), { recursive: true });
  const ledger = await open(dataDir, { checkpointVersion: 2 });
  appendCounterBlock(ledger);
  await ledger.close();
  const kept = readdirSync(folder)
    .map(Number)
    .sort((a, b) => a - b);
  t.strictSame(kept.slice(0, 2), [2000, 3000]);
  t.equal(readdirSync(folder).length, 3);
});

t.test('rejects version 1 while checkpoints of version 2 exist', async (t) => {
  const { dataDir } = await stateBehind(t, { checkpointVersion: 2 });
  await t.rejects(open(dataDir), { message: "checkpoint check failed, can't convert checkpoint from v2 to v1" });
});

t.test('rebuilds a deleted state from changes, or requests a replay if they are pruned', async (t) => {
  for (const retention of ['all', 'unsolidified'] as const) {
    const { dataDir, digest } = await stateBehind(t, { retention });
    await (await open(dataDir, { retention })).close();
    rmSync(join(dataDir, 'state'), { recursive: true });
    if (retention === 'all') {
      const ledger = await open(dataDir, { retention });
      t.equal(toHex(ledger.position.digest), digest);
      await ledger.close();
    } else {
      await t.rejects(open(dataDir, { retention }), { code: 'STATE_MISSING', message: /tronicle replay/ });
    }
  }
});

const damages: Record<string, { make(dataDir: string): void; names: string; command: RegExp }> = {
  'an emptied log': {
    make: (d) => truncateSync(join(d, 'log/data.mdb'), 0),
    names: 'log/data.mdb',
    command: /tronicle export/,
  },
  'a log cut in half': {
    make: (d) => truncateSync(join(d, 'log/data.mdb'), 40000),
    names: 'log/data.mdb',
    command: /tronicle export/,
  },
  'a deleted log': { make: (d) => rmSync(join(d, 'log/data.mdb')), names: 'log/data.mdb', command: /restore a backup/ },
  'a short state': {
    make: (d) => truncateSync(join(d, 'state/data.mdb'), 100),
    names: 'state/data.mdb',
    command: /tronicle replay/,
  },
  'an emptied state': {
    make: (d) => truncateSync(join(d, 'state/data.mdb'), 0),
    names: 'state/data.mdb',
    command: /tronicle replay/,
  },
};

for (const [name, { make, names, command }] of Object.entries(damages)) {
  t.test(`rejects ${name}, and names the file and what to do`, async (t) => {
    const dataDir = temporaryFolder(t);
    const ledger = await open(dataDir);
    for (let i = 0; i < 20; i++) appendCounterBlock(ledger);
    await ledger.close();
    make(dataDir);
    t.throws(() => verifyLedger(dataDir), { code: 'DAMAGED_DATA', message: command });
    t.throws(() => verifyLedger(dataDir), { message: new RegExp(names) });
  });
}

t.test('rejects an older log below a newer state', async (t) => {
  const dataDir = temporaryFolder(t);
  const saved = join(temporaryFolder(t), 'log');
  let ledger = await open(dataDir);
  for (let i = 0; i < 5; i++) appendCounterBlock(ledger);
  await ledger.close();
  cpSync(join(dataDir, 'log'), saved, { recursive: true });
  ledger = await open(dataDir);
  appendCounterBlock(ledger);
  await ledger.close();
  rmSync(join(dataDir, 'log'), { recursive: true });
  cpSync(saved, join(dataDir, 'log'), { recursive: true });
  t.throws(() => verifyLedger(dataDir), { code: 'DAMAGED_DATA', message: /but the log ends at/ });
  const refused = open(dataDir, { check: true });
  await t.rejects(refused, { code: 'DAMAGED_DATA', message: /but the log ends at.*tronicle replay/ });
});

t.test('creates a folder again after an interrupted creation', async (t) => {
  const whole = temporaryFolder(t);
  await openEnvironment(whole, { readOnly: false }).close();
  const made = readFileSync(join(whole, 'data.mdb'));
  const [first, second] = [made.subarray(0, 4096), made.subarray(4096, 8192)];
  const zeros = Buffer.alloc(4096);
  for (const [name, content] of [
    ['empty', ''],
    ['without both meta pages', Buffer.concat([zeros, zeros, zeros])],
    ['without the first meta page', Buffer.concat([zeros, second])],
    ['without the second meta page', first],
  ] as const) {
    const dataDir = temporaryFolder(t);
    for (const folder of ['log', 'state']) {
      mkdirSync(join(dataDir, folder));
      writeFileSync(join(dataDir, folder, 'data.mdb'), content);
    }
    const ledger = await open(dataDir, { check: true });
    t.equal(ledger.position.headNumber, 0, name);
    await ledger.close();
  }
});

t.test('rejects another genesis', async (t) => {
  const dataDir = temporaryFolder(t);
  await (await open(dataDir)).close();
  const other = { ...genesis, id: blockId(0, 'other') };
  await t.rejects(open(dataDir, { genesis: other }), {
    code: 'USAGE',
    message: /^Genesis block modify, please delete database/,
  });
});

t.test('opens a copied folder next to the original', async (t) => {
  const dataDir = temporaryFolder(t);
  const copy = join(temporaryFolder(t), 'copy');
  const ledger = await open(dataDir);
  cpSync(dataDir, copy, { recursive: true });
  const other = await open(copy);
  await other.close();
  await ledger.close();
});
