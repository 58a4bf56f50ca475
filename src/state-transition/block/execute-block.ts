import { type InternalTransaction, TransactionRet } from '../../codec/generated/messages.js';
import { EMPTY_BYTES, toHex, utf8 } from '../../primitives/bytes.js';
import { countForkVersion, hasPassed, resetForkVersions } from '../consensus/fork-versions.js';
import { absoluteSlot, scheduledWitness, slotAt } from '../consensus/schedule.js';
import { countBlock } from '../consensus/statistics.js';
import { ChainError, withUncheckedArithmetic } from '../errors.js';
import { processProposals } from '../governance/process-proposals.js';
import { VERSION } from '../parameters/block-versions.js';
import { adaptEnergyLimit } from '../resources/energy.js';
import { payBlockRewards } from '../rewards/rewards.js';
import { rememberParent } from '../state/block-hash-history.js';
import type { State } from '../state/state.js';
import { keepUnflushedRows } from '../state/unflushed-rows.js';
import { isFrozenTrade, refuseTrade } from '../system-contracts/exchange/frozen-trades.js';
import type { BlockContext, DecodedTransaction } from '../transaction.js';
import { type Execution, type Executor, executeTransaction } from '../transactions/execute-transaction.js';
import { type FindSigner, validateSignature } from '../transactions/validate-signature.js';
import { AccountRoot } from './account-root.js';
import type { DecodedBlock } from './decoded-block.js';
import { maintain, solidify } from './maintenance.js';
import { beginBlockTrace, endBlockTrace, endTransactionTrace } from './trace-block.js';

/** Dependencies of block execution. They describe the chain up to the parent of the block. */
export interface BlockExecutor extends Executor {
  /** Returns the account state root in the parent's header; empty if the header has none. */
  readonly parentStateRoot: () => Uint8Array;
}

/** Results of a block, apart from state changes. */
export interface BlockOutcome {
  readonly results: TransactionRet;
  /**
   * Internal transactions of each transaction, by its index in the block. The list is complete, even if the
   * configuration excludes internal transactions from receipts.
   */
  readonly internalTransactions: readonly (readonly InternalTransaction[])[];
}

interface BlockOptions {
  /**
   * True to skip the signature checks: for a block that this node produced, for a block from a test driver, and for a
   * block that a solidity node received from its trusted node.
   */
  readonly isOwn: boolean;
  /** Returns true for a pending transaction whose signatures were already verified. Reference: Manager.getVerifyTxs. */
  readonly isVerified: (transaction: DecodedTransaction) => boolean;
  readonly findSigner?: FindSigner;
  /** Called when all signatures of the block are verified. Used to measure durations. */
  readonly onSigned?: () => void;
  /** Called after the execution of each transaction. */
  readonly onExecuted?: (transaction: DecodedTransaction, execution: Execution) => void;
}

/**
 * Executes a block on the state of its parent. If this function throws, the caller must revert the state. Reference:
 * Manager.applyBlock.
 * @throws {ChainError} the block is invalid
 * @throws {UndecidableError} this node cannot determine the result of a transaction
 */
export function executeBlock(
  executor: BlockExecutor,
  state: State,
  block: DecodedBlock,
  options: BlockOptions,
): BlockOutcome {
  return withUncheckedArithmetic(() => applyBlock(executor, state, block, options));
}

function applyBlock(executor: BlockExecutor, state: State, block: DecodedBlock, options: BlockOptions): BlockOutcome {
  checkSchedule(state, block);
  const { properties } = state;
  const start = state.mark();
  beginBlockTrace(state);
  properties.set('BLOCK_ENERGY_USAGE', 0n);
  if (!options.isOwn) {
    checkSignatures(state, block, options);
    options.onSigned?.();
  }
  rememberParent(state, block.number, block.raw.parentHash);
  const outcome = executeTransactions(executor, state, block, options);
  keepMerkleTree(state);
  if (properties.isOn('ALLOW_ADAPTIVE_ENERGY')) adaptEnergyLimit(state);
  payBlockRewards(state, block.witness);
  const isMaintenance = properties.get('NEXT_MAINTENANCE_TIME') <= BigInt(block.timeMs);
  if (isMaintenance) processProposals(state);
  countBlock(state, block);
  maintain(state, block);
  solidify(state);
  if (isMaintenance) resetForkVersions(state);
  keepUnflushedRows(state, start);
  properties.setBytes('latest_block_header_hash', block.id);
  properties.set('latest_block_header_number', BigInt(block.number));
  properties.set('latest_block_header_timestamp', BigInt(block.timeMs));
  endBlockTrace(state, block);
  countForkVersion(state, block.witness, block.raw.version);
  if (state.rules.isSolidityNode) properties.set('LATEST_SOLIDIFIED_BLOCK_NUM', BigInt(block.number));
  return outcome;
}

/** Root of an empty Sapling tree with 2^32 leaves. Reference: MerkleContainer. */
export const EMPTY_TREE_ROOT = 'fbc2f4300c01f0b7820d00e3347c8da4ee614674376cbc45359daa54f9b5493e';

/**
 * Row keys of the tree of shielded notes. java-tron stores the tree three times: as the current tree, as the last tree,
 * and under its root. Proposal 27, which allowed notes, was removed, so no release accepts a note. The tree is
 * therefore always empty, and each row is an empty message.
 */
const EMPTY_TREE_KEYS = [toHex(utf8('CURRENT_TREE')), toHex(utf8('LAST_TREE')), EMPTY_TREE_ROOT];

function keepMerkleTree(state: State): void {
  for (const key of EMPTY_TREE_KEYS) if (!state.merkleTrees.has(key)) state.merkleTrees.put(key, EMPTY_BYTES);
}

/**
 * Checks the time slot of a block, and that the block is by the witness of this slot. Reference:
 * DposService.validBlock.
 * @throws {ChainError} ValidateScheduleException: the check fails
 */
function checkSchedule(state: State, { witness, timeMs }: DecodedBlock): void {
  const { properties } = state;
  if (properties.get('latest_block_header_number') === 0n) return;
  const isStrict = properties.isOn('CONSENSUS_LOGIC_OPTIMIZATION');
  const isOnGrid = !isStrict || timeMs % state.rules.slotMs === 0;
  const isLater = absoluteSlot(state, timeMs) > absoluteSlot(state, properties.number('latest_block_header_timestamp'));
  const slot = slotAt(state, timeMs);
  const hasSlot = !isStrict || slot !== 0;
  if (isOnGrid && isLater && hasSlot && scheduledWitness(state, slot) === witness) return;
  throw new ChainError('ValidateScheduleException', 'validateWitnessSchedule error');
}

/** Verifies all signatures with the permissions before the block. Reference: Manager.preValidateTransactionSign. */
function checkSignatures(state: State, { transactions }: DecodedBlock, { isVerified, findSigner }: BlockOptions): void {
  for (const transaction of transactions) {
    if (isVerified(transaction)) continue;
    try {
      validateSignature(state, transaction, findSigner);
    } catch (error) {
      // java-tron verifies signatures in a thread pool, which wraps every exception in a checked exception.
      if (error instanceof ChainError) throw new ChainError('ValidateSignatureException', error.text, { cause: error });
      throw error;
    }
  }
}

/**
 * Rejects a transaction that must not be in a block. Since block version 4.8.0.1, this is an exchange trade before
 * proposal 98 is in force. Since proposal 88, it is a transaction with more results than contracts. Reference:
 * Manager.processBlock, rejectExchangeTransaction.
 */
function checkInBlock(state: State, transaction: DecodedTransaction): void {
  if (isFrozenTrade(state, transaction) && hasPassed(state, VERSION.V4_8_0_1)) refuseTrade();
  const { ret, rawData } = transaction.message;
  const contracts = rawData?.contract.length ?? 0;
  if (ret.length <= contracts || contracts === 0 || !state.properties.isOn('CONSENSUS_LOGIC_OPTIMIZATION')) return;
  const counts = `The result count ${ret.length} of this transaction ${transaction.idHex}`;
  throw new ChainError('BadBlockException', `${counts} is greater than its contract count ${contracts}`);
}

function executeTransactions(
  executor: BlockExecutor,
  state: State,
  block: DecodedBlock,
  { isOwn, onExecuted }: BlockOptions,
): BlockOutcome {
  const results = new TransactionRet();
  results.blockNumber = BigInt(block.number);
  results.blockTimeStamp = BigInt(block.timeMs);
  const context: BlockContext = {
    number: block.number,
    timeMs: block.timeMs,
    witness: block.raw.witnessAddress,
    parentId: block.raw.parentHash,
    isSigned: block.isSigned,
    isOwn,
  };
  const seen = new Set<string>();
  // Cache of block ids for this block, because most of its transactions refer to the same few earlier blocks.
  const recentIds = new Map<number, Uint8Array | undefined>();
  const chain: Executor['chain'] = {
    ...executor.chain,
    recentBlockId: (low) => {
      if (!recentIds.has(low)) recentIds.set(low, executor.chain.recentBlockId(low));
      return recentIds.get(low);
    },
    hasTransaction: (transaction) => seen.has(transaction.idHex) || executor.chain.hasTransaction(transaction),
  };
  const inBlock = { ...executor, chain };
  const accountRoot = AccountRoot.begin(state, executor.parentStateRoot);
  const internalTransactions = block.transactions.map((transaction) => {
    checkInBlock(state, transaction);
    const mark = accountRoot === undefined ? 0 : state.mark();
    const execution = executeTransaction(inBlock, state, { transaction, block: context }, { isVerified: true });
    accountRoot?.take(mark);
    seen.add(transaction.idHex);
    results.transactioninfo.push(execution.info);
    endTransactionTrace(state, transaction, execution.resultCode);
    onExecuted?.(transaction, execution);
    return execution.internalTransactions;
  });
  accountRoot?.check(block, isOwn);
  return { results, internalTransactions };
}
