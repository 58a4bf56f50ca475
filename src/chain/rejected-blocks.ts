import { TransactionInfo, TransactionResult } from '../codec/generated/messages.js';
import { itemAt } from '../primitives/assert.js';
import { toHex } from '../primitives/bytes.js';
import type { Ledger } from '../projections/ledger/ledger.js';
import { storeName } from '../projections/state/stores.js';
import type { DecodedBlock } from '../state-transition/block/decoded-block.js';
import { type BlockExecutor, executeBlock } from '../state-transition/block/execute-block.js';
import { activeWitnesses } from '../state-transition/consensus/schedule.js';
import { ChainError, ResultDiffersError } from '../state-transition/errors.js';
import type { State } from '../state-transition/state/state.js';
import { type Execution, resultName } from '../state-transition/transactions/execute-transaction.js';
import { isSignedByWitness } from './production/witness-signature.js';

/**
 * Report on a rejected block. Another program can execute the block with this data and compare the result. Bytes are
 * hex.
 */
export interface RejectedBlock {
  readonly number: number;
  readonly id: string;
  readonly parentId: string;
  readonly witness: string;
  /** State digest after the parent block. Equal digests mean equal states. */
  readonly parentDigest: string;
  /**
   * Name of the exception that java-tron would throw. `text` is the message of the exception; null if it has no
   * message.
   */
  readonly exception: string;
  readonly text: string | null;
  readonly block: string;
  /** The transactions of the block, up to the first one that could not be executed. */
  readonly transactions: readonly {
    readonly id: string;
    /** Name of the result (`contractRet`) in the block; null if the block has none. */
    readonly mark: string | null;
    /** Name of the result that this node computed. */
    readonly result: string;
    /** Encoded `TransactionInfo` that this node computed, in hex. */
    readonly info: string;
  }[];
  /**
   * Rows that this node's execution changed. Empty if the execution failed. Null means that the row did not exist or
   * was deleted.
   */
  readonly rows: readonly {
    readonly store: string;
    readonly key: string;
    readonly before: string | null;
    readonly after: string | null;
  }[];
}

interface RejectedBlocksOptions {
  readonly executor: BlockExecutor;
  readonly state: State;
  readonly ledger: Ledger;
}

/**
 * Maximum number of transaction results (`contractRet`) that are replaced in one block. Each replacement needs another
 * execution of the block.
 */
const RESULTS_MAX = 16;
/** Maximum number of stored rejected blocks and descendants of them: ten rounds of 27 witnesses. */
const DESCENDANTS_MAX = 270;
const TENTHS_TO_STOP = 7;

interface Branch {
  readonly root: Pick<DecodedBlock, 'number' | 'idHex'>;
  readonly witnesses: Set<string>;
}

/**
 * Examines rejected blocks with a valid witness signature, and finds transactions with another result on this node.
 * Never changes the state.
 */
export class RejectedBlocks {
  private readonly options: RejectedBlocksOptions;
  /** Branches that start at rejected blocks, by the id of each rejected block and of each stored descendant. */
  private readonly branches = new Map<string, Branch>();

  constructor(options: RejectedBlocksOptions) {
    this.options = options;
  }

  /**
   * Returns the report on a rejected block. The state must be that of the parent block. Returns undefined for blocks
   * already reported, blocks without a valid witness signature, and blocks that violate the schedule.
   */
  examine(block: DecodedBlock, error: unknown): RejectedBlock | undefined {
    if (!(error instanceof ChainError) || error.exception === 'ValidateScheduleException') return undefined;
    if (this.branches.has(block.idHex) || !this.isSigned(block)) return undefined;
    this.addBranch(block, { root: block, witnesses: new Set() });
    const { ledger } = this.options;
    const { transactions, rows } = this.executeHere(block);
    return {
      number: block.number,
      id: block.idHex,
      parentId: block.parentIdHex,
      witness: block.witness,
      parentDigest: toHex(ledger.position.digest),
      exception: error.exception,
      text: error.text,
      block: toHex(block.bytes),
      transactions,
      rows,
    };
  }

  /**
   * Records a new block before it is validated. If more than 70 % of the active witnesses have built on a rejected
   * block, returns the reason why the node must stop.
   */
  received(block: DecodedBlock): string | undefined {
    const branch = this.branches.get(block.parentIdHex);
    if (branch === undefined || this.branches.has(block.idHex) || !this.isSigned(block)) return undefined;
    this.addBranch(block, branch);
    const active = activeWitnesses(this.options.state);
    const count = active.filter((witness) => branch.witnesses.has(witness)).length;
    if (count * 10 <= active.length * TENTHS_TO_STOP) return undefined;
    const { number, idHex } = branch.root;
    return (
      `${count} of ${active.length} active witnesses build on block ${number} (${idHex}), which this node rejected ` +
      'as invalid; the node stops, see the report in the folder rejected-blocks/'
    );
  }

  private addBranch(block: DecodedBlock, branch: Branch): void {
    this.branches.set(block.idHex, branch);
    branch.witnesses.add(block.witness);
    for (const oldest of this.branches.keys()) {
      if (this.branches.size <= DESCENDANTS_MAX) break;
      this.branches.delete(oldest);
    }
  }

  private isSigned(block: DecodedBlock): boolean {
    if (!activeWitnesses(this.options.state).includes(block.witness)) return false;
    try {
      return isSignedByWitness(this.options.state, block);
    } catch (error) {
      if (error instanceof ChainError) return false;
      throw error;
    }
  }

  /**
   * Executes the block again, with mismatched results (`contractRet`) replaced by the results of this node. Then
   * reverts all changes.
   */
  private executeHere(block: DecodedBlock): Pick<RejectedBlock, 'transactions' | 'rows'> {
    const { state, executor } = this.options;
    let marked = block;
    for (let attempt = 0; ; attempt++) {
      const mark = state.mark();
      const executions: Execution[] = [];
      const transactions = (): RejectedBlock['transactions'] => this.describe(block, executions);
      try {
        executeBlock(executor, state, marked, {
          isOwn: false,
          isVerified: () => true,
          onExecuted: (_, execution) => executions.push(execution),
        });
        return { transactions: transactions(), rows: this.rowsSince(mark) };
      } catch (error) {
        if (!(error instanceof ResultDiffersError) || attempt === RESULTS_MAX)
          return { transactions: transactions(), rows: [] };
        marked = withMark(marked, error);
      } finally {
        state.revertTo(mark);
        state.trace = undefined;
      }
    }
  }

  private describe({ transactions }: DecodedBlock, executions: readonly Execution[]): RejectedBlock['transactions'] {
    return executions.map(({ info, resultCode }, at) => {
      const { idHex, message } = itemAt(transactions, at);
      const mark = message.ret[0]?.contractRet;
      return {
        id: idHex,
        mark: mark === undefined ? null : resultName(mark),
        result: resultName(resultCode),
        info: toHex(TransactionInfo.encode(info)),
      };
    });
  }

  private rowsSince(mark: ReturnType<State['mark']>): RejectedBlock['rows'] {
    const { state, ledger } = this.options;
    const hexOf = (value: Uint8Array | undefined): string | null => (value === undefined ? null : toHex(value));
    const newest = new Map(state.writtenSince(mark).map((row) => [`${row.store} ${toHex(row.key)}`, row] as const));
    return [...newest.values()].map(({ store, key, value }) => ({
      store: storeName(store),
      key: toHex(key),
      before: hexOf(ledger.head.get(store, key)),
      after: hexOf(value),
    }));
  }
}

/** Returns the block with the result of one transaction (`contractRet`) replaced by the result of this node. */
function withMark(block: DecodedBlock, { idHex, actual }: ResultDiffersError): DecodedBlock {
  const transactions = block.transactions.map((transaction) => {
    if (transaction.idHex !== idHex) return transaction;
    const message = transaction.message.clone();
    message.ret = [Object.assign(message.ret[0] ?? new TransactionResult(), { contractRet: actual })];
    return { ...transaction, message };
  });
  return { ...block, transactions };
}
