import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Chain } from '../../../src/chain/chain.js';
import { loadConfig } from '../../../src/config/load-config.js';
import { type SinkService, serveSinks } from '../../../src/node/sinks/serve-sinks.js';
import { TestDriverSession } from '../../../src/node/test-driver/test-driver-session.js';
import type { SinkOptions } from '../../../src/streams/sinks/sink-kinds.js';
import { readLines } from '../../conformance/recording.js';
import { openRecorded } from '../../conformance/replay-session.js';
import { EVENT_TIME_LIMITS } from '../event-timeout.js';
import { silent } from '../projections/chain.js';
import { golden } from '../tronicle.js';

/** A recorded chain whose blocks are imported step by step, while its log is written to Kafka. */
export interface GrowingChain {
  readonly chain: Chain;
  readonly sinks: SinkService;
  /**
   * Imports the next recorded blocks.
   * @returns false at the end of the recording
   */
  grow(blocks: number): Promise<boolean>;
  /** Closes the chain when the sinks have forwarded all blocks. */
  close(): Promise<void>;
}

export const logSink = (bootstrap: string, prefix = 'tronicle'): SinkOptions => ({
  name: 'log',
  type: 'kafka',
  topics: ['log'],
  payload: 'json',
  bootstrap: [bootstrap],
  prefix,
  topicNames: new Map(),
  key: 'transaction',
  partitions: 1,
  replication: 1,
  filter: { contractAddress: [], contractTopic: [] },
  finality: 'applied',
});

export async function growRecording(
  name: string,
  dataDir: string,
  sinkOptions: readonly SinkOptions[],
): Promise<GrowingChain> {
  const folder = join(golden, name);
  const chain = await openRecorded(folder, dataDir);
  const { config } = loadConfig({ file: join(folder, 'config.conf') });
  const withSinks = { ...config, tronicle: { ...config.tronicle, sinks: sinkOptions } };
  const sinks = serveSinks({ config: withSinks, dataDir, chain, log: silent, closeLimits: EVENT_TIME_LIMITS });
  const session = new TestDriverSession({ chain, isSorted: false, offersAgain: false, keys: [] });
  const blocks = recordedBlocks(folder);
  return {
    chain,
    sinks,
    grow: async (count) => {
      for (let left = count; left > 0; left--) {
        const { value, done } = await blocks.next();
        if (done === true) return false;
        await session.answer({ op: 'push', hex: value.hex, mode: value.mode, now: Number.MAX_SAFE_INTEGER / 2 });
      }
      return true;
    },
    close: async () => {
      await sinks.close();
      await chain.ledger.close();
    },
  };
}

async function* recordedBlocks(folder: string): AsyncGenerator<{ readonly hex: string; readonly mode: string }> {
  const pushes = join(folder, 'pushes.ndjson.gz');
  const file = existsSync(pushes) ? pushes : join(folder, 'blocks.ndjson.gz');
  for await (const { block, num, mode = 'manager' } of readLines<{ block?: string; num?: number; mode?: string }>(file))
    if (block !== undefined && num !== 0) yield { hex: block, mode };
}
