import type { TransactionResult } from '../../codec/generated/messages.js';
import type { State } from '../state/state.js';
import type { TransactionContext } from '../transaction.js';

/** Validation and execution of a system contract. Reference: the actuator of the same name. */
export interface ContractHandler<C extends object> {
  /**
   * Returns the fee in SUN that `execute` charges in addition to bandwidth. The result of the transaction contains this
   * fee.
   */
  fee(state: State, contract: C): bigint;
  /**
   * Validates a contract. The checks run in java-tron's order, because clients see only the text of the first
   * failure.
   * @throws {ContractValidateError} the contract is invalid
   */
  validate(contract: C, state: State, context: TransactionContext): void;
  /**
   * Executes a contract that `validate` accepted on the same state. Writes amounts of the receipt (withdrawn, unfrozen,
   * exchanged …) to `result`. The caller sets the fee and code of `result`.
   * @throws {ContractExeError} the execution fails
   */
  execute(contract: C, state: State, result: TransactionResult, context: TransactionContext): void;
}
