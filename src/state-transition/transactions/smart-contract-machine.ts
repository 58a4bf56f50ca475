import type { InternalTransaction, ResourceReceipt, TransactionInfoLog } from '../../codec/generated/messages.js';
import type { State } from '../state/state.js';
import type { TransactionContext } from '../transaction.js';

/** Result of a smart contract transaction, before its energy is charged. */
export interface SmartContractRun {
  /** Value of the enum `Transaction.Result.contractResult`. */
  readonly resultCode: number;
  /** Error text of a failed run; null for success. */
  readonly runtimeError: string | null;
  /** True if the TVM stopped with an exception. A REVERT is not an exception. */
  readonly hasException: boolean;
  readonly returnData: Uint8Array;
  /** Address of the called or created contract, 21 bytes; empty if there is no contract. */
  readonly contractAddress: Uint8Array;
  readonly logs: readonly TransactionInfoLog[];
  /** All internal transactions, even if the configuration excludes them from receipts. */
  readonly internalTransactions: readonly InternalTransaction[];
}

/** Interface of the TVM for the transaction rules. */
export interface SmartContractMachine {
  /**
   * Runs a program.
   * @throws {ChainError} the transaction is invalid
   * @throws {UndecidableError} this node cannot determine the result
   */
  run(state: State, context: TransactionContext, receipt: ResourceReceipt): SmartContractRun;
  /**
   * Charges the energy of a run, and deletes contracts that the run destroyed.
   * @throws {ChainError} the transaction is invalid
   */
  settle(state: State, context: TransactionContext, run: SmartContractRun, receipt: ResourceReceipt): void;
}
