import type { MessageType } from '../../codec/descriptor.js';
import type { TransactionResult } from '../../codec/generated/messages.js';
import type { State } from '../state/state.js';
import type { TransactionContext } from '../transaction.js';

/** What one contract type does. Reference: the actuator of the same name. */
export interface ContractHandler<C extends object> {
  /** Number of `Transaction.Contract.ContractType`. */
  readonly type: number;
  readonly message: MessageType<C>;
  /** The address that must have signed. */
  owner(contract: C): Uint8Array;
  /** SUN that `execute` takes beside bandwidth; written into the result. */
  fee(state: State, contract: C): bigint;
  /** Checks keep the reference's order: callers see only the first failure. @throws {ContractValidateError} */
  validate(contract: C, state: State, context: TransactionContext): void;
  /**
   * Assumes that `validate` passed on the same state. Amounts for the receipt (withdrawn, unfrozen, exchanged …) go into
   * `result`, whose fee and code the caller sets. @throws {ContractExeError}
   */
  execute(contract: C, state: State, result: TransactionResult, context: TransactionContext): void;
}
