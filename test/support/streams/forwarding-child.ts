import { setTimeout as sleep } from 'node:timers/promises';
import { Forwarder } from '../../../src/streams/forwarding/forwarder.js';
import { seeded, silent } from '../projections/chain.js';
import { openChain } from './genesis.js';
import { mainNetSink } from './main-net-sink.js';
import { appendTransfers } from './transfer-chain.js';

/**
 * Appends blocks to a chain up to a height and forwards them to sinks. The sinks are a JSON list as in
 * `tronicle.sinks`. The chain has reorgs, and the solidified height sometimes increases by several blocks. Prints
 * each new solidified height and the status of the sinks. Ends when all blocks are forwarded. After a kill, the next
 * start continues.
 */
const [, , dataDir = '', sinks = '[]', height = '0', seed = '0', pace = '0'] = process.argv;
const ledger = await openChain(dataDir);
const random = seeded(Number(seed));
const forwarder = new Forwarder({
  ledger,
  dataDir,
  sinks: (JSON.parse(sinks) as object[]).map(mainNetSink),
  addressPrefix: 0x41,
  blackhole: '',
  parsesContracts: true,
  laterTriggers: false,
  log: silent,
  onStatus: ({ name, state, number, problem }) => {
    process.stdout.write(`${JSON.stringify({ name, state, number, problem })}\n`);
    if (state === 'stopped') {
      process.stderr.write(`${problem}\n`);
      process.exit(1);
    }
  },
});
const LAG = 25;

while (ledger.position.headNumber < Number(height)) {
  const { headNumber, solidifiedNumber } = ledger.position;
  if (random(6) === 0) {
    for (let back = random(Math.max(1, headNumber - solidifiedNumber)); back > 0; back--) ledger.revert();
  }
  for (let count = 1 + random(5); count > 0; count--) {
    const next = ledger.position.headNumber + 1;
    const jumps = next > LAG && (random(4) === 0 || next - solidifiedNumber > 2 * LAG);
    const salt = String(random(1000));
    appendTransfers(ledger, { salt, transactions: random(12), ...(jumps && { solidified: next - random(LAG) }) });
  }
  await ledger.flush();
  const { solidifiedNumber: solidified } = ledger.position;
  if (solidified > solidifiedNumber) process.stdout.write(`${JSON.stringify({ solidified })}\n`);
  await sleep(Number(pace) + random(20));
}
const { headNumber } = ledger.position;
appendTransfers(ledger, { solidified: headNumber });
await ledger.flush();
await forwarder.close({ quietMs: 300_000, maxMs: 300_000 });
await ledger.close();
process.exit(0);
