import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { present } from '../../../src/primitives/assert.js';
import { toHex } from '../../../src/primitives/bytes.js';
import { orderedKey } from '../../../src/projections/state/ordered-key.js';
import { StateDatabase } from '../../../src/projections/state/state-database.js';
import { type StoreName, storeId } from '../../../src/projections/state/stores.js';
import { stateProjections } from '../../../src/projections/state-projections.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { golden, runTronicle } from '../../support/tronicle.js';

const chain = join(golden, 'stake');
const blocks = join(chain, 'blocks.ndjson.gz');

interface ProjectionStatus {
  readonly name: string;
  readonly version: number;
  readonly seq: number;
  readonly rows: number;
  readonly checksum: string;
  readonly digest?: string;
}

interface Status {
  readonly seq: number;
  readonly projections: readonly ProjectionStatus[];
}

const KINDS = ['all', 'unsolidified'] as const;

const folder = temporaryFolder(t);
const intact = { all: join(folder, 'all'), unsolidified: join(folder, 'unsolidified') };
const configs = { all: join(folder, 'all.conf'), unsolidified: join(folder, 'unsolidified.conf') };
const recorded = readFileSync(join(chain, 'config.conf'), 'utf8');
for (const kind of KINDS) writeFileSync(configs[kind], `${recorded}\ntronicle.history.retention = ${kind}\n`);

t.before(async () => {
  for (const kind of KINDS) {
    const { code, stderr } = await runTronicle(['import', blocks, '-c', configs[kind], '-d', intact[kind]]);
    if (code !== 0) throw new Error(stderr);
  }
});

const statusOf = async (data: string, ...args: string[]): Promise<Status> =>
  JSON.parse((await runTronicle(['status', '-d', data, ...args])).stdout) as Status;

/**
 * Copies a data folder and changes one bit in the first row of a store. This simulates a wrong result of an earlier
 * execution.
 */
async function withChangedRow(kind: (typeof KINDS)[number], name: string, store: StoreName) {
  const data = join(folder, name);
  cpSync(intact[kind], data, { recursive: true });
  const state = new StateDatabase(data, { readOnly: false });
  const cursor = present(state.cursor(), 'an imported folder has a state');
  const [row] = state.range(storeId(store), { limit: 1 });
  const { key, value } = present(row, `the chain has rows of ${store}`);
  const [ordered, before] = [orderedKey(storeId(store), key), Buffer.from(value)];
  const after = Buffer.concat([before.subarray(0, -1), Buffer.from([(before.at(-1) ?? 0) ^ 1])]);
  state.commit([{ ordered, before, after }], cursor, cursor.totals);
  await state.close();
  return { data, row: { store, key: toHex(key), stored: toHex(after), rebuilt: toHex(before) } };
}

t.test('status prints position, rows and checksum of each projection', async (t) => {
  const [one, other] = [await statusOf(intact.all), await statusOf(intact.unsolidified)];
  t.same(
    one.projections.map(({ name, version }) => ({ name, version })),
    stateProjections.map(({ name, version }) => ({ name, version })),
  );
  for (const { name, seq, checksum } of one.projections) {
    t.equal(seq, one.seq, name);
    t.match(checksum, /^[0-9a-f]{16}$/, name);
  }
  const { rows } = JSON.parse((await runTronicle(['verify', '-d', intact.all])).stdout) as { readonly rows: number };
  t.equal(
    one.projections.reduce((all, projection) => all + projection.rows, 0),
    rows,
    'the projections have as many rows as verify counts',
  );
  t.same(other.projections, one.projections, 'two nodes with equal states print the same');
});

t.test('two nodes that differ in one store differ in one projection of status', async (t) => {
  const { data } = await withChangedRow('all', 'other-row', 'delegation');
  const [one, other] = [await statusOf(intact.all, '--digests'), await statusOf(data, '--digests')];
  const mismatched = one.projections.filter(({ checksum }, index) => checksum !== other.projections[index]?.checksum);
  t.same(
    mismatched.map(({ name }) => name),
    ['staking'],
  );
  for (const [index, { name, digest, rows }] of one.projections.entries()) {
    t.match(digest, /^[0-9a-f]{64}$/, name);
    t.equal(digest === other.projections[index]?.digest, name !== 'staking', name);
    t.equal(other.projections[index]?.rows, rows, name);
  }
});

for (const [kind, method] of [
  ['all', 'changes'],
  ['unsolidified', 'execution'],
] as const) {
  t.test(`replay --projection names a row that was changed outside of the node, found by ${method}`, async (t) => {
    const { data, row } = await withChangedRow(kind, `changed-${kind}`, 'account');
    const replay = async (name: string) => {
      const outcome = await runTronicle(['replay', '--projection', name, '-c', configs[kind], '-d', data]);
      return { ...outcome, answer: JSON.parse(outcome.stdout) as Record<string, unknown> };
    };
    const wrong = await replay('accounts');
    t.equal(wrong.code, 1);
    t.match(
      wrong.stderr,
      `the stored rows of projection accounts differ from the rows that the log leads to at block 3`,
    );
    t.match(wrong.stderr, `row ${row.key} of store account; rebuild the state with 'tronicle replay'`);
    t.match(wrong.answer, { projection: 'accounts', method, firstMismatch: row });
    const right = await replay('staking');
    t.equal(right.code, 0, right.stderr);
    t.match(right.answer, { projection: 'staking', method, firstMismatch: null });
    t.same(right.answer['stored'], right.answer['rebuilt']);
    const { projections } = await statusOf(data, '--digests');
    const { rows, digest } = present(
      projections.find(({ name }) => name === 'staking'),
      'status lists it',
    );
    t.same(right.answer['stored'], { rows, digest }, 'and equals the digest of status');
    t.notOk(existsSync(join(data, 'state.compare')), 'the temporary folder is deleted');
  });
}

t.test('replay rejects an unknown projection with a hint, and a start height', async (t) => {
  const replay = (...args: string[]) => runTronicle(['replay', '-c', configs.all, '-d', intact.all, ...args]);
  const unknown = await replay('--projection', 'acounts');
  t.equal(unknown.code, 2);
  t.match(unknown.stderr, "unknown projection 'acounts': did you mean 'accounts'?");
  const both = await replay('--projection', 'accounts', '--from', '5');
  t.equal(both.code, 2);
  t.match(both.stderr, '--projection rebuilds all rows from the start of the log; omit --from');
});
