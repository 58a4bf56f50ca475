import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { toHex } from '../../../src/primitives/bytes.js';
import { verifyLedger } from '../../../src/projections/verify/verify-ledger.js';
import { open, seeded, temporaryFolder } from '../../support/projections/chain.js';

const KILLS = Number(process.env['TRONICLE_KILLS'] ?? 4);
const child = fileURLToPath(new URL('../../support/projections/kill-child.ts', import.meta.url));

for (const version of ['1', '2']) {
  t.test(`loses no acknowledged entry on kill -9 at random times, checkpoint version ${version}`, async (t) => {
    const dataDir = temporaryFolder(t);
    const random = seeded(Number(version));
    let lastSeq = 0;
    for (let round = 0; round < KILLS / 2; round++) {
      const acknowledged = await runAndKill([dataDir, version, `round ${round}`], 20 + random(250));
      const { entries } = verifyLedger(dataDir);
      const ledger = await open(dataDir, { checkpointVersion: version === '2' ? 2 : 1, retention: 'all' });
      const { seq, headNumber } = ledger.position;
      t.ok(
        seq >= acknowledged.seq && entries === seq + 1,
        `round ${round}: ${acknowledged.seq} acknowledged, ${seq} stored`,
      );
      const entry = ledger.entry(acknowledged.seq);
      if (entry.kind === 'applied') t.equal(toHex(entry.digest), acknowledged.digest);
      t.equal(Buffer.from(ledger.head.get(20, Buffer.from('counter')) as Uint8Array).toString(), String(headNumber));
      t.equal([...ledger.head.range(1, { prefix: Buffer.from('row ') })].length, Math.min(7, headNumber));
      t.ok(seq > lastSeq, 'continued after the last entry');
      lastSeq = seq;
      await ledger.close();
    }
  });
}

interface Place {
  readonly seq: number;
  readonly digest: string;
}

/** Runs the child process and kills it `delayMs` after its first line. Returns its last complete line. */
function runAndKill(args: readonly string[], delayMs: number): Promise<Place> {
  const process_ = spawn(process.execPath, [...process.execArgv, child, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  let isTimed = false;
  process_.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString();
    if (isTimed) return;
    isTimed = true;
    setTimeout(() => process_.kill('SIGKILL'), delayMs);
  });
  return new Promise((resolve) => {
    process_.once('close', () => {
      const lines = output.split('\n').slice(0, -1);
      resolve(JSON.parse(lines.at(-1) as string) as Place);
    });
  });
}
