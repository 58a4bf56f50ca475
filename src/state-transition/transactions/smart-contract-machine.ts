import type { InternalTransaction, ResourceReceipt, TransactionInfoLog } from '../../codec/generated/messages.js';
import type { State } from '../state/state.js';
import type { TransactionContext } from '../transaction.js';

/** Outcome of a creating or triggering transaction, before its energy is paid. */
export interface SmartContractRun {
  /** Number of `Transaction.Result.contractResult`. */
  readonly resultCode: number;
  /** Text of a failure; null when there was none. */
  readonly runtimeError: string | null;
  /** Whether the machine stopped with an exception, which a failure by REVERT is not. */
  readonly hasException: boolean;
  readonly returnData: Uint8Array;
  /** 21 bytes, or empty when nothing was called or created. */
  readonly contractAddress: Uint8Array;
  readonly logs: readonly TransactionInfoLog[];
  /** All of them, whatever the configuration shows. */
  readonly internalTransactions: readonly InternalTransaction[];
}

/** What transaction rules need of the machine that runs smart contracts. */
export interface SmartContractMachine {
  /** @throws {ChainError} a call that may not even start */
  run(state: State, context: TransactionContext, receipt: ResourceReceipt): SmartContractRun;
  /** Takes the energy that a run used and removes what it destroyed. @throws {ChainError} */
  settle(state: State, context: TransactionContext, run: SmartContractRun, receipt: ResourceReceipt): void;
}
