import { readFileSync } from 'node:fs';
import type { Logger } from 'pino';
import { Chain } from '../chain/chain.js';
import type { ShownInternalTransactions } from '../chain/internal-transactions.js';
import { reportRejected } from '../chain/report-rejected.js';
import type { NodeConfig } from '../config/load-config.js';
import { UsageError } from '../primitives/errors.js';
import { openLedger } from '../projections/ledger/open-ledger.js';
import { setSpendKey } from '../vm/precompiles/sapling/proofs.js';
import { createSmartContractMachine } from '../vm/smart-contract/machine.js';
import { chainRules, genesisOf, ledgerOptions } from './chain-config.js';

export interface OpenChainOptions {
  readonly config: NodeConfig;
  readonly dataDir: string;
  readonly log: Logger;
  /** Returns ms since 1970. Used only for the age of pending transactions. */
  readonly now?: () => number;
}

/**
 * Opens a data folder and creates its chain.
 * @throws {UsageError} the configuration is invalid or does not fit the folder
 * @throws {DamageError} the folder is damaged
 */
export async function openChain({ config, dataDir, log, now = Date.now }: OpenChainOptions): Promise<Chain> {
  const rules = chainRules(config);
  readSpendKey(config.tronicle.sapling.spendKey);
  const ledger = await openLedger({
    dataDir,
    genesis: genesisOf(config, rules),
    ...ledgerOptions(config),
    log,
  });
  const chain = new Chain({
    ledger,
    rules,
    machine: createSmartContractMachine((number) => ledger.blockIdAt(number), { now: Date.now }),
    pool: {
      isSorted: config.node.openTransactionSort,
      timeoutMs: config.node.pendingTransactionTimeout,
      allowsShielded: config.node.fullNodeAllowShieldedTransaction,
      now,
    },
    internalTransactions: shownInternalTransactions(config),
  });
  try {
    chain.watch.requireKnownChain();
  } catch (error) {
    await ledger.close();
    throw error;
  }
  chain.listeners.add(reportRejected(dataDir, log));
  chain.listeners.add({ newerRelease: (warning) => log.error(warning) });
  chain.warnOfNewerRules();
  return chain;
}

/**
 * Loads the verifying key of shielded spends. Must be called in every thread that runs contracts.
 * @throws {UsageError} missing or invalid file
 */
export function readSpendKey(file: string | undefined): void {
  if (file === undefined) return;
  try {
    setSpendKey(readFileSync(file));
  } catch (error) {
    throw new UsageError(`tronicle.sapling.spendKey: invalid verifying key in ${file} (${(error as Error).message})`, {
      cause: error,
    });
  }
}

function shownInternalTransactions({ vm }: NodeConfig): ShownInternalTransactions {
  if (!vm.saveInternalTx) return 'none';
  return vm.saveFeaturedInternalTx ? 'all' : 'plain';
}
