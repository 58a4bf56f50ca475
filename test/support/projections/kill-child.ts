import { open } from './chain.js';
import { appendCounterBlock } from './counter-chain.js';

/** Appends blocks until the process is killed. Prints the durable height after each flush. */
const [, , dataDir = '', checkpointVersion = '1', salt = ''] = process.argv;
if (dataDir === '') process.exit();
const ledger = await open(dataDir, { checkpointVersion: checkpointVersion === '2' ? 2 : 1, retention: 'all' });
for (let round = 0; ; round++) {
  for (let i = round % 4; i >= 0; i--) appendCounterBlock(ledger);
  if (round % 5 === 4 && ledger.position.headNumber > 3) {
    ledger.revert();
    appendCounterBlock(ledger, salt);
  }
  await ledger.flush();
  const { seq, headNumber, headId, digest } = ledger.position;
  const progress = {
    seq,
    headNumber,
    headId: Buffer.from(headId).toString('hex'),
    digest: Buffer.from(digest).toString('hex'),
  };
  process.stdout.write(`${JSON.stringify(progress)}\n`);
}
