import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import t from 'tap';
import { Transaction, TransactionRaw } from '../../../src/codec/generated/messages.js';
import { toHex } from '../../../src/primitives/bytes.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { golden, startDrive, startTronicle } from '../../support/tronicle.js';

const chain = join(golden, 'stake');
const keys = Object.values(JSON.parse(readFileSync(join(chain, 'keys.json'), 'utf8')) as Record<string, string>);
const lines = gunzipSync(readFileSync(join(chain, 'blocks.ndjson.gz')))
  .toString()
  .trim()
  .split('\n')
  .map(
    (line) =>
      JSON.parse(line) as {
        num: number;
        id: string;
        block: string;
        diff: Record<string, Record<string, string | null>>;
      },
  );

t.test('reverts block by block and queries any height', async (t) => {
  const drive = await startDrive(['--config', join(chain, 'config.conf'), '--data', temporaryFolder(t)]);
  const balances = new Map<number, string | null>();
  const zion = '4134e0c0ab11bc744e3989a8126e1872fbd913d4ac';
  let value: string | null = lines[0]!.diff['account']?.[zion] ?? null;
  for (const { num, block, diff } of lines.slice(1, 150)) {
    const answer = await drive.request({ op: 'push', hex: block });
    t.equal(answer['result'], 'ok');
    value = diff['account']?.[zion] ?? value;
    balances.set(num, value);
  }
  const top = await drive.request({ op: 'dump' });
  for (const height of [1, 20, 75, 120, 149]) {
    const { value: found } = await drive.request({
      op: 'at',
      height,
      store: 'properties',
      key: '6c61746573745f626c6f636b5f6865616465725f6e756d626572',
    });
    t.equal(Number.parseInt(String(found), 16), height);
  }
  t.equal((await drive.request({ op: 'rollback', to: 60 }))['head'], 60);
  for (const { block } of lines.slice(61, 150)) await drive.request({ op: 'push', hex: block });
  const again = await drive.request({ op: 'dump' });
  t.same(again['stores'], top['stores'], 'a rollback and the same blocks lead to the same rows');
  t.equal(await drive.close(), 0);
});

t.test('produces, forks manually and reorgs to the longer branch', async (t) => {
  const drive = await startDrive(['--config', join(chain, 'config.conf'), '--data', temporaryFolder(t)]);
  for (const key of keys) await drive.request({ op: 'key', key });
  for (const { block } of lines.slice(1, 30)) await drive.request({ op: 'push', hex: block });
  const short = await drive.request({ op: 'block', noPush: true });
  const first = await drive.request({ op: 'block', skip: 1 });
  const second = await drive.request({ op: 'block' });
  t.equal(second['num'], 31);
  t.equal(
    (await drive.request({ op: 'push', hex: short['block'] }))['moved'],
    false,
    'an equal or lower branch does not become canonical',
  );
  const { headId } = await drive.request({ op: 'status' });
  t.equal(headId, second['id']);
  await drive.request({ op: 'erase', n: 2 });
  t.equal((await drive.request({ op: 'push', hex: short['block'] }))['moved'], true);
  t.equal((await drive.request({ op: 'push', hex: first['block'] }))['moved'], false);
  const switched = await drive.request({ op: 'push', hex: second['block'] });
  t.equal(switched['moved'], true, 'the higher branch becomes canonical');
  t.equal((await drive.request({ op: 'status' }))['headId'], second['id']);
  await drive.close();
});

t.test('answers an invalid line and continues', async (t) => {
  const drive = await startDrive(['--config', join(chain, 'config.conf'), '--data', temporaryFolder(t)]);
  for (const request of [
    { op: 'nothing' },
    { op: 'push' },
    { op: 'push', hex: 'xyz' },
    { op: 'get', store: 'none', key: '' },
  ]) {
    t.ok((await drive.request(request))['error'], JSON.stringify(request));
  }
  t.equal((await drive.request({ op: 'status' }))['head'], 0);
  t.equal(await drive.close(), 0);
});

/**
 * java-tron 4.7.2 and 4.8.2 returned this error. Reference: Manager.pushTransaction, which first reads the type of the
 * first contract.
 */
t.test('rejects a transaction without a contract before checking its signature', async (t) => {
  const drive = await startDrive(['--config', join(chain, 'config.conf'), '--data', temporaryFolder(t)]);
  const rawData = Object.assign(new TransactionRaw(), { expiration: 1_692_316_860_000n });
  const hex = toHex(Transaction.encode(Object.assign(new Transaction(), { rawData, signature: [new Uint8Array(65)] })));
  t.same(await drive.request({ op: 'tx', hex }), { error: 'IndexOutOfBoundsException', message: 'Index: 0' });
  t.equal(await drive.close(), 0);
});

t.test('exits although the caller keeps its pipe open', async (t) => {
  const child = startTronicle(['drive', '--config', join(chain, 'config.conf'), '--data', temporaryFolder(t)]);
  const code = new Promise<number | null>((resolve) => child.on('close', resolve));
  child.stdout!.resume();
  child.stdin!.write('{"op":"exit"}\n');
  t.equal(await code, 0);
});
