import { type Logger, pino } from 'pino';
import { readShift } from '../../chain/travel-clock.js';
import type { NodeConfig } from '../../config/load-config.js';
import type { Ledger } from '../../projections/ledger/ledger.js';
import { openLedger } from '../../projections/ledger/open-ledger.js';
import type { ChainRules } from '../../state-transition/state/chain-rules.js';
import { chainRules, ledgerOptions } from '../chain-config.js';
import { readSpendKey } from '../open-chain.js';
import type { ApiThreadData } from './api-thread/messages.js';

interface ReadingThread {
  readonly config: NodeConfig;
  readonly rules: ChainRules;
  /** Follows the writer's. */
  readonly ledger: Ledger;
  readonly log: Logger;
  /** The node's time, ms since 1970. */
  now(): number;
}

/** A configuration as it may cross threads: the rule of `node.shutdown.BlockTime` holds functions. */
export function configForThread(config: NodeConfig): ApiThreadData['config'] {
  const { shutdown: _, ...node } = config.node;
  return { ...config, node };
}

/**
 * What a thread needs that reads the node's folder for itself.
 * @param write takes lines of the log: one thread writes it
 */
export async function openReadingThread(
  { dataDir, config: sent, level, bell, clock }: Omit<ApiThreadData, 'producers' | 'metrics' | 'peers'>,
  write: (line: string) => void,
): Promise<ReadingThread> {
  const log = pino({ level }, { write });
  const config = sent as NodeConfig;
  readSpendKey(config.tronicle.sapling.spendKey);
  const ledger = await openLedger({
    dataDir,
    ...ledgerOptions(config),
    log,
    readOnly: true,
    follows: true,
    bell,
  });
  const { shift } = clock;
  const now = (): number =>
    Math.floor(clock.now + (Date.now() - clock.at) * clock.speed) + (shift === undefined ? 0 : readShift(shift));
  return { config, rules: chainRules(config), ledger, log, now };
}
