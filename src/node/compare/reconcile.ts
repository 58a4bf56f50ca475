import type { Logger } from 'pino';
import type { NodeConfig } from '../../config/load-config.js';
import { decodeBase58Check } from '../../crypto/base58-check.js';
import { addressText } from '../../encoding/address-text.js';
import { requireLog } from '../../log/log-file.js';
import { isAddress } from '../../primitives/address.js';
import { present } from '../../primitives/assert.js';
import { fromHex, toHex } from '../../primitives/bytes.js';
import { ArgumentError, UsageError } from '../../primitives/errors.js';
import { TimeSlice } from '../../primitives/time-slice.js';
import type { Ledger } from '../../projections/ledger/ledger.js';
import { openLedger } from '../../projections/ledger/open-ledger.js';
import { readBlockEntry } from '../../streams/follow/block-content.js';
import { ChangesReader } from '../../streams/follow/past-changes.js';
import { balanceIn, balancesIn } from '../../streams/records/transfers/balance-changes.js';
import { type BalanceMismatch, BalanceSums } from '../../streams/records/transfers/balance-sums.js';
import { movementsOf } from '../../streams/records/transfers/block-movements.js';
import { chainRules } from '../chain-config.js';
import type { Progress } from '../command-line/progress.js';
import { checkBeforeReading, isInUse } from '../doctor/data.js';
import { pastChangesOf } from '../threads/executed-changes/executed-changes.js';
import { SNAPSHOT_MS_MAX } from './snapshot-time.js';

/** Name of the temporary subfolder in which blocks are executed again. */
const NAME = 'reconcile';

/** Range of blocks whose records are summed, and the account to compare. */
interface Range {
  /** First height, inclusive. */
  readonly from: number;
  /** Last height, inclusive. */
  readonly to: number;
  /** Address of the account to compare; undefined for all accounts. */
  readonly account: Uint8Array | undefined;
}

/** Result of a comparison. Amounts are decimal texts in the smallest unit of the token. */
interface Reconciliation {
  readonly differences: readonly object[];
  readonly summary: {
    /** First height, inclusive. */
    readonly from: number;
    /** Last height, inclusive. */
    readonly to: number;
    readonly account?: string;
    /** Number of accounts with records. */
    readonly accounts: number;
    /** Number of records, by kind of record. */
    readonly movements: Readonly<Record<string, number>>;
    readonly mismatches: number;
  };
}

interface ReconcileOptions {
  readonly from: number | undefined;
  readonly to: number | undefined;
  /** Base58Check address; undefined for all accounts. */
  readonly account: string | undefined;
  readonly config: NodeConfig;
  readonly log: Logger;
  readonly progress: Progress;
}

/**
 * Sums the records of the topic `transfer` per account, and compares the sums with the changes of the balances in the
 * state.
 */
export async function reconcileBalances({
  account: text,
  config,
  log,
  progress,
  ...bounds
}: ReconcileOptions): Promise<Reconciliation> {
  const account = accountArgument(text, config);
  const dataDir = config.outputDirectory;
  requireLog(dataDir);
  const isRunning = await isInUse(dataDir);
  await checkBeforeReading(dataDir, isRunning);
  const ledger = await openLedger({ dataDir, retention: 'all', checkpointVersion: 2, log, readOnly: true });
  const changes = new ChangesReader(ledger, isRunning ? undefined : () => pastChangesOf(config, dataDir).open(NAME));
  try {
    const range = { ...checkedRange(ledger, bounds, isRunning), account };
    const sums = await sumsOf(ledger, changes, range, config, progress);
    ledger.refresh();
    return reconciliationOf(ledger, range, sums);
  } finally {
    await changes.close();
    await ledger.close();
  }
}

/** Decodes the option `--account`; undefined if it is absent. @throws {ArgumentError} not an address of the network */
function accountArgument(text: string | undefined, { addressPrefix }: NodeConfig): Uint8Array | undefined {
  if (text === undefined) return undefined;
  const bytes = decodeBase58Check(text);
  if (bytes !== undefined && isAddress(bytes, addressPrefix)) return bytes;
  throw new ArgumentError(`invalid address for --account: ${text}; use a Base58Check address such as T…`);
}

/**
 * Returns the range of heights to compare. Default of `from`: genesis, if the row changes of all blocks are stored or
 * can be computed again. Otherwise, the lowest block whose parent has a stored state. Default of `to`: the newest block
 * that can be compared. While a node runs, this is the solidified block, otherwise the head.
 * @throws {UsageError} the range is empty, or ends above the newest block that can be compared
 * @throws {UsageError} the state before or after the range, or a row change of its blocks, is not retained
 */
function checkedRange(
  ledger: Ledger,
  { from, to }: { from: number | undefined; to: number | undefined },
  isRunning: boolean,
): { from: number; to: number } {
  const { keptHeight, startNumber, position } = ledger;
  const newest = isRunning ? position.solidifiedNumber : position.headNumber;
  // To get deleted row changes, the blocks are executed again from genesis. Only one process may use the folder for
  // this, so no node may run in it.
  const hasGenesis = startNumber === 0 && (keptHeight === 0 || !isRunning);
  const [first, last] = [from ?? (hasGenesis ? 0 : keptHeight + 1), to ?? newest];
  if (first > last)
    throw new UsageError(
      `the range contains no block: its first block ${first} is above its last block ${last}; use a lower --from or a higher --to`,
    );
  if (first <= keptHeight && !(first === 0 && hasGenesis))
    throw new UsageError(
      `the state before block ${first} is not retained: use --from ${keptHeight + 1} or higher` +
        `${startNumber === 0 ? `, or ${isRunning ? 'stop the node and ' : ''}use --from 0` : ''}; tronicle.history.retention sets the number of blocks with a retained state`,
    );
  if (last > newest)
    throw new UsageError(
      `--to ${last} is above block ${newest}, the newest block that can be compared; use a lower --to`,
    );
  if (last < keptHeight)
    throw new UsageError(`the state after block ${last} is not retained: use --to ${keptHeight} or higher`);
  return { from: first, to: last };
}

async function sumsOf(
  ledger: Ledger,
  changes: ChangesReader,
  { from, to, account }: Range,
  config: NodeConfig,
  progress: Progress,
): Promise<BalanceSums> {
  const { addressPrefix, blackhole } = chainRules(config);
  const { signal } = new AbortController();
  const sums = new BalanceSums(account && toHex(account));
  const slice = new TimeSlice(SNAPSHOT_MS_MAX);
  progress.begin('reconcile', { unit: 'blocks', total: to - from + 1 });
  for (let number = from; number <= to; number++) {
    const entry = present(ledger.block(number), 'the log contains every block of the range');
    // Genesis has no row changes to prepare.
    if (number > 0) await changes.prepare(entry, signal);
    const rows = number === 0 ? [] : present(changes.changes(entry.seq), 'they are retained or prepared').rows;
    sums.add(movementsOf(readBlockEntry(changes, entry), { rows, head: ledger.head, addressPrefix, blackhole }));
    progress.add(1);
    await slice.yieldIfOver();
  }
  return sums;
}

function reconciliationOf(ledger: Ledger, range: Range, sums: BalanceSums): Reconciliation {
  const { from, to, account } = range;
  const differences = mismatchesOf(ledger, range, sums).map(({ account: address, token, sum, balance }) => ({
    account: addressText(fromHex(address)),
    token,
    records: String(sum),
    balance: String(balance),
    difference: String(balance - sum),
  }));
  return {
    differences,
    summary: {
      from,
      to,
      ...(account && { account: addressText(account) }),
      accounts: sums.accountCount,
      movements: Object.fromEntries([...sums.kinds].sort(([a], [b]) => (a < b ? -1 : 1))),
      mismatches: differences.length,
    },
  };
}

function mismatchesOf(ledger: Ledger, { from, to, account }: Range, sums: BalanceSums): BalanceMismatch[] {
  const end = ledger.at(to);
  if (from === 0) return sums.mismatchesWithAll(balancesIn(end, account));
  const start = ledger.at(from - 1);
  return sums.mismatchesBetween(
    (address, token) => balanceIn(start, address, token),
    (address, token) => balanceIn(end, address, token),
  );
}
