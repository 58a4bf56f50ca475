import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { Forwarder } from '../../../src/streams/forwarding/forwarder.js';
import type { SinkOptionsOf } from '../../../src/streams/sinks/sink-kinds.js';
import { silent } from '../../support/projections/chain.js';
import { openChain } from '../../support/streams/genesis.js';
import { kafkaSink } from '../../support/streams/sink-options.js';
import { appendTransfers } from '../../support/streams/transfer-chain.js';

/** A command of the measuring process. Each is one line on standard input. */
export type ForwardingRequest = GrowRequest | { readonly do: 'drain'; readonly quietMs: number };

export interface GrowRequest {
  readonly do: 'grow';
  /**
   * Height up to which blocks are appended. The content of a block depends only on its height and on `transactions`
   * and `memoBytes`, so two folders can have the same chain.
   */
  readonly to: number;
  readonly transactions: number;
  readonly memoBytes: number;
  /** Interval between two blocks, in ms. */
  readonly everyMs: number;
}

/** Durations of appending and flushing, in ms, one for each block. */
export interface GrowAnswer {
  readonly head: number;
  readonly blockMs: readonly number[];
}

const [, , dataDir = '', bootstrap = '', options = '{}'] = process.argv;
const say = (line: object): boolean => process.stdout.write(`${JSON.stringify(line)}\n`);
const ledger = await openChain(dataDir);
const forwarder = new Forwarder({
  ledger,
  dataDir,
  sinks: [kafkaSink(bootstrap, JSON.parse(options) as Partial<SinkOptionsOf<'kafka'>>)],
  addressPrefix: 0x41,
  blackhole: '',
  parsesContracts: true,
  laterTriggers: false,
  log: silent,
  onStatus: (status) => say({ status }),
});
say({ head: ledger.position.headNumber });
for await (const line of createInterface({ input: process.stdin })) {
  const request = JSON.parse(line) as ForwardingRequest;
  if (request.do === 'drain') {
    await forwarder.close({ quietMs: request.quietMs, maxMs: 3_600_000 });
    await ledger.close();
    process.exit(0);
  }
  say({ answer: await grow(request) });
}

async function grow({ to, transactions, memoBytes, everyMs }: GrowRequest): Promise<GrowAnswer> {
  const blockMs: number[] = [];
  const first = ledger.position.headNumber;
  const started = performance.now();
  while (ledger.position.headNumber < to) {
    const next = ledger.position.headNumber + 1;
    const due = started + (next - first - 1) * everyMs;
    if (due > performance.now()) await sleep(due - performance.now());
    const began = performance.now();
    appendTransfers(ledger, { transactions, memoBytes, solidified: next });
    await ledger.flush();
    blockMs.push(performance.now() - began);
    await sleep(0);
  }
  return { head: ledger.position.headNumber, blockMs };
}
