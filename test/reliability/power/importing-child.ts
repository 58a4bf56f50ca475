import { openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import { loadConfig } from '../../../src/config/load-config.js';
import { openChain } from '../../../src/node/open-chain.js';
import { IMPORT_CLOSE_LIMITS, serveSinks } from '../../../src/node/sinks/serve-sinks.js';
import { decodeBlock } from '../../../src/state-transition/block/decoded-block.js';
import { readLines } from '../../conformance/recording.js';
import { golden } from '../../support/tronicle.js';

// Imports blocks with the configured sinks, and flushes after each `flushEvery` blocks. After each flush, writes the
// height of the head to the file `acknowledged`. These blocks must survive a power failure.
const [, , file = '', dataDir = '', until = '0', flushEvery = '1', acknowledged = ''] = process.argv;
const log = pino({ level: 'fatal' });
const { config } = loadConfig({ file });
const chain = await openChain({ config, dataDir, log });
const sinks = serveSinks({ config, dataDir, chain, log, closeLimits: IMPORT_CLOSE_LIMITS });
const acknowledgements = openSync(acknowledged, 'w');
for await (const line of readLines<{ num: number; block?: string }>(join(golden, 'system-tour', 'blocks.ndjson.gz'))) {
  if (line.block === undefined) continue;
  if (line.num > Number(until)) break;
  chain.importBlock(decodeBlock(Buffer.from(line.block, 'hex')));
  if (line.num % Number(flushEvery) !== 0) continue;
  await chain.ledger.flush();
  writeSync(acknowledgements, `${line.num}\n`);
}
await sinks.close();
await chain.ledger.close();
process.exit(0);
