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

/** Everything that is needed to execute a refused block again somewhere else; bytes are hex. */
export interface RejectedBlock {
  readonly number: number;
  readonly id: string;
  readonly parentId: string;
  readonly witness: string;
  /** State digest after the parent: whoever has the same one has the same state. */
  readonly parentDigest: string;
  /** Why it was refused, in the reference's words. */
  readonly exception: string;
  readonly text: string | null;
  readonly block: string;
  /** Up to the transaction that could not be executed at all, if there is one. */
  readonly transactions: readonly {
    readonly id: string;
    /** Results by name: as the block marks it, and as it came out here. */
    readonly mark: string | null;
    readonly result: string;
    /** Our `TransactionInfo`. */
    readonly info: string;
  }[];
  /**
   * What executing it changed here, with our results in the place of its marks; null where it was not written or
   * removed.
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

/** Marks of one block that are put right before its rows are told without it: each costs one more execution. */
const MARKS_MAX = 16;
/** Blocks that stand on a refused one, of which the votes are counted: ten rounds of 27 witnesses. */
const STANDING_MAX = 270;
const TENTHS_TO_STOP = 7;

interface Branch {
  readonly root: Pick<DecodedBlock, 'number' | 'idHex'>;
  readonly witnesses: Set<string>;
}

/** Blocks whose witness signed another result than ours, and who builds on them. Nothing here changes the state. */
export class RejectedBlocks {
  private readonly options: RejectedBlocksOptions;
  /** By the id of each block that stands on a refused one, and of that one. */
  private readonly standing = new Map<string, Branch>();

  constructor(options: RejectedBlocksOptions) {
    this.options = options;
  }

  /**
   * After a refusal, on the state of the parent: what to report, once for each block; undefined for blocks that their
   * witness did not sign, and for those that the schedule refuses.
   */
  examine(block: DecodedBlock, error: unknown): RejectedBlock | undefined {
    if (!(error instanceof ChainError) || error.exception === 'ValidateScheduleException') return undefined;
    if (this.standing.has(block.idHex) || !this.isSigned(block)) return undefined;
    this.stand(block, { root: block, witnesses: new Set() });
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
   * A block came, before anything is decided about it. Answers why the node must stop, when more than seven in ten
   * active witnesses have built on a block that it refuses.
   */
  came(block: DecodedBlock): string | undefined {
    const branch = this.standing.get(block.parentIdHex);
    if (branch === undefined || this.standing.has(block.idHex) || !this.isSigned(block)) return undefined;
    this.stand(block, branch);
    const active = activeWitnesses(this.options.state);
    const count = active.filter((witness) => branch.witnesses.has(witness)).length;
    if (count * 10 <= active.length * TENTHS_TO_STOP) return undefined;
    const { number, idHex } = branch.root;
    return (
      `blocks of ${count} of ${active.length} active witnesses stand on block ${number} (${idHex}), whose result differs from ` +
      'the one here: the node stops, since the network goes on without it; the folder differing/ holds what is needed to tell why'
    );
  }

  private stand(block: DecodedBlock, branch: Branch): void {
    this.standing.set(block.idHex, branch);
    branch.witnesses.add(block.witness);
    for (const oldest of this.standing.keys()) {
      if (this.standing.size <= STANDING_MAX) break;
      this.standing.delete(oldest);
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

  /** Executes it again with our results in the place of those marks that differ, and takes everything back. */
  private executeHere(block: DecodedBlock): Pick<RejectedBlock, 'transactions' | 'rows'> {
    const { state, executor } = this.options;
    let marked = block;
    for (let attempt = 0; ; attempt++) {
      const mark = state.mark();
      const executions: Execution[] = [];
      const told = (): RejectedBlock['transactions'] => this.told(block, executions);
      try {
        executeBlock(executor, state, marked, {
          isOwn: false,
          isVerified: () => true,
          onExecuted: (_, execution) => executions.push(execution),
        });
        return { transactions: told(), rows: this.rowsSince(mark) };
      } catch (error) {
        if (!(error instanceof ResultDiffersError) || attempt === MARKS_MAX) return { transactions: told(), rows: [] };
        marked = withMark(marked, error);
      } finally {
        state.revertTo(mark);
        state.trace = undefined;
      }
    }
  }

  private told({ transactions }: DecodedBlock, executions: readonly Execution[]): RejectedBlock['transactions'] {
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

/** The block as if its witness had found our result of one transaction. */
function withMark(block: DecodedBlock, { idHex, actual }: ResultDiffersError): DecodedBlock {
  const transactions = block.transactions.map((transaction) => {
    if (transaction.idHex !== idHex) return transaction;
    const message = transaction.message.clone();
    message.ret = [Object.assign(message.ret[0] ?? new TransactionResult(), { contractRet: actual })];
    return { ...transaction, message };
  });
  return { ...block, transactions };
}
