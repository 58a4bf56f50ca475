import { cpSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { openEnvironment } from '../../../src/log/lmdb/environment.js';
import { FORMAT_KEY } from '../../../src/log/lmdb/log-format.js';
import { sealMetaRow } from '../../../src/log/lmdb/meta-row.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { golden, runTronicle } from '../../support/tronicle.js';

const blocks = join(golden, 'stake', 'blocks.ndjson.gz');
const config = join(golden, 'stake', 'config.conf');

/** Stores the format of the log in a data folder. */
async function setFormat(data: string, format: number): Promise<void> {
  const environment = openEnvironment(join(data, 'log'), { readOnly: false });
  const value = Buffer.alloc(4);
  value.writeUInt32BE(format);
  const meta = environment.table('meta');
  environment.commit(() => meta.putSync(Buffer.from(FORMAT_KEY), sealMetaRow(FORMAT_KEY, value)));
  await environment.close();
}

t.test('every command refuses a log of a newer format with one sentence', async (t) => {
  const folder = temporaryFolder(t);
  const data = join(folder, 'data');
  const first = await runTronicle(['import', blocks, '-c', config, '-d', data, '--until', '20']);
  t.equal(first.code, 0, first.stderr);
  const newer = join(folder, 'newer');
  cpSync(data, newer, { recursive: true });
  await setFormat(newer, 2);
  for (const args of [
    ['import', blocks, '-c', config],
    ['run', '-c', config, '--p2p-disable', 'true'],
    ['status'],
    ['verify'],
    ['replay', '-c', config],
    ['export', join(folder, 'blocks'), '--until', '5'],
    ['backup', join(folder, 'backup')],
  ]) {
    const { code, stdout, stderr } = await runTronicle([...args, '-d', newer]);
    const command = args.join(' ');
    t.equal(code, 1, command);
    const sentence = /log\/data\.mdb has log format 2, this release of Tronicle reads up to format 1; use the release/;
    t.match(stdout + stderr, sentence, command);
    t.notMatch(stdout + stderr, /\n {4}at |damaged/, command);
  }
  await setFormat(data, 1);
  const next = await runTronicle(['import', blocks, '-c', config, '-d', data, '--until', '30']);
  t.equal(next.code, 0, 'a log with its own format continues');
});
