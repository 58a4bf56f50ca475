import { type Logger, pino } from 'pino';
import { readShift } from '../../chain/travel-clock.js';
import type { NodeConfig } from '../../config/load-config.js';
import type { Ledger } from '../../projections/ledger/ledger.js';
import { openLedger } from '../../projections/ledger/open-ledger.js';
import type { ChainRules } from '../../state-transition/state/chain-rules.js';
import { chainRules, ledgerOptions } from '../chain-config.js';
import { readSpendKey } from '../open-chain.js';
import type { ApiThreadData } from './api-threads/messages.js';

interface ReadingThread {
  readonly config: NodeConfig;
  readonly rules: ChainRules;
  /** Read-only ledger that follows the ledger of the main thread. */
  readonly ledger: Ledger;
  readonly log: Logger;
  /** Returns the node's time in ms since 1970. */
  now(): number;
}

/**
 * Returns the configuration in a form that can be sent to a thread. Removes `node.shutdown`, because its time condition
 * contains functions.
 */
export function configForThread(config: NodeConfig): ApiThreadData['config'] {
  const { shutdown: _, ...node } = config.node;
  return { ...config, node };
}

/**
 * Opens the node's data folder for a thread that only reads it.
 * @param write receives the log lines; only the main thread writes the log file
 */
export async function openReadingThread(
  {
    dataDir,
    config: sent,
    level,
    notifier,
    clock,
  }: Omit<ApiThreadData, 'producers' | 'metrics' | 'peers' | 'updates' | 'shared'>,
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
    notifier,
  });
  const { shift } = clock;
  const now = (): number =>
    clock.now + (Date.now() - clock.at) * clock.speed + (shift === undefined ? 0 : readShift(shift));
  return { config, rules: chainRules(config), ledger, log, now };
}
