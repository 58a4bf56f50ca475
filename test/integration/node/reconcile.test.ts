import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { Account } from '../../../src/codec/generated/messages.js';
import { encodeBase58Check } from '../../../src/crypto/base58-check.js';
import { present } from '../../../src/primitives/assert.js';
import { orderedKey } from '../../../src/projections/state/ordered-key.js';
import { StateDatabase } from '../../../src/projections/state/state-database.js';
import { storeId } from '../../../src/projections/state/stores.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { golden, runTronicle } from '../../support/tronicle.js';

const chain = join(golden, 'stake');
const folder = temporaryFolder(t);
const recorded = readFileSync(join(chain, 'config.conf'), 'utf8');

/** Imports the recording into a new folder. */
async function imported(retention: string): Promise<{ config: string; data: string }> {
  const [config, data] = [join(folder, `${retention}.conf`), join(folder, retention)];
  writeFileSync(config, `${recorded}\ntronicle.history.retention = ${retention}\n`);
  const { code, stderr } = await runTronicle(['import', join(chain, 'blocks.ndjson.gz'), '-c', config, '-d', data]);
  if (code !== 0) throw new Error(stderr);
  return { config, data };
}

const lines = (text: string): Record<string, unknown>[] =>
  text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);

t.test('finds every balance equal to the sum of its records', async (t) => {
  const { config, data } = await imported('all');
  const reconcile = (...args: string[]) => runTronicle(['reconcile', '-c', config, '-d', data, ...args]);
  const all = await reconcile();
  t.equal(all.code, 0, all.stderr);
  t.match(lines(all.stdout), [{ from: 0, mismatches: 0, movements: { genesis: Number, stake: Number } }]);
  const part = await reconcile('--from', '100', '--to', '200');
  t.equal(part.code, 0, part.stderr);
  t.match(lines(part.stdout), [{ from: 100, to: 200, mismatches: 0 }]);
  t.equal((await reconcile('--from', '9', '--to', '8')).code, 1);
  t.match((await reconcile('--account', 'T1')).stderr, /invalid address for --account: T1/);
});

t.test('executes blocks whose row changes are pruned', async (t) => {
  const { config, data } = await imported('unsolidified');
  const { code, stdout, stderr } = await runTronicle(['reconcile', '-c', config, '-d', data]);
  t.equal(code, 0, stderr);
  t.match(lines(stdout), [{ from: 0, mismatches: 0, movements: { genesis: Number, stake: Number } }]);
  const { stderr: refusal } = await runTronicle(['reconcile', '-c', config, '-d', data, '--from', '5']);
  t.match(refusal, /the state before block 5 is not retained: use --from/);
});

t.test('names a balance that was changed outside of the node', async (t) => {
  const data = join(folder, 'changed');
  cpSync(join(folder, 'all'), data, { recursive: true });
  const state = new StateDatabase(data, { readOnly: false });
  const cursor = present(state.cursor(), 'an imported folder has a state');
  const store = storeId('account');
  const [row] = [...state.range(store)].filter(({ value }) => Account.decode(value).balance > 1n);
  const { key, value } = present(row, 'an account has a balance');
  const before = Buffer.from(value);
  const account = Account.decode(before);
  const { balance } = account;
  account.balance += 1n;
  const address = encodeBase58Check(key);
  state.commit([{ ordered: orderedKey(store, key), before, after: Account.encode(account) }], cursor, cursor.totals);
  await state.close();
  const args = ['reconcile', '-c', join(folder, 'all.conf'), '-d', data, '--account', address];
  const { code, stdout, stderr } = await runTronicle(args);
  t.equal(code, 1, stderr);
  t.match(lines(stdout), [
    { account: address, token: 'TRX', records: String(balance), balance: String(balance + 1n), difference: '1' },
    { account: address, mismatches: 1 },
  ]);
});
