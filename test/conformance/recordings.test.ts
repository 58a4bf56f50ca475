import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { hasDriveFiles, replayDrive } from './replay-drive.js';
import { replayJavaData } from './replay-java-data.js';
import { replaySession } from './replay-session.js';

// Chains recorded from java-tron 4.7.2 (November 2026). All results, receipts and rows must be equal.
const golden = fileURLToPath(new URL('../golden', import.meta.url));
const chains = ['mainnet-genesis', 'system-tour', 'system-modern', 'stake', 'tvm-forks-14-shanghai'];
// Chains recorded from 4.8.2. `run.json` contains the release. tvm48 is the beginning of a longer recording, with new
// opcodes and precompiles.
const newer = ['release-4.8.2/off48', 'release-4.8.2/system-tour48', 'release-4.8.2/tvm48'];
const driven = ['forks/forks7', 'invalid/plain', 'producing/plain', 'producing/sort'];

for (const name of [...chains, ...newer, ...driven]) {
  t.test(`replays ${name} without a mismatch`, async (t) => {
    const folder = join(golden, name);
    const replay = hasDriveFiles(folder) ? replayDrive : replaySession;
    const report = await replay(folder, name, () => {});
    t.ok(report.operations > 0);
    t.equal(report.mismatched, 0, report.first ?? 'no difference');
  });
}

for (const name of ['java-data/rocksdb', 'java-data/lite-tour']) {
  t.test(`continues the recorded chain from the java-tron data folder ${name}`, async (t) => {
    const report = await replayJavaData(join(golden, name), name, () => {});
    t.ok(report.operations > 60);
    t.equal(report.mismatched, 0, report.first ?? 'no difference');
  });
}

// Replays chains of 4.7.2 as release 4.8.2. The state must be the same, except for the row that 4.8.2 adds itself (E3
// in `rows-of-4.8.2.md`).
for (const name of ['system-tour', 'stake', 'tvm-forks-14-shanghai']) {
  t.test(`replays ${name} as release 4.8.2 without a mismatch`, async (t) => {
    const report = await replaySession(join(golden, name), name, () => {}, '4.8.2');
    t.ok(report.operations > 0);
    t.equal(report.mismatched, 0, report.first ?? 'no difference');
  });
}

t.test('names every stored recording in a test', async (t) => {
  const top = readdirSync(golden, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  t.ok(top.length >= 8);
});
