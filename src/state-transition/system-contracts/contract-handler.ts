import type { TransactionResult } from '../../codec/generated/messages.js';
import type { State } from '../state/state.js';
import type { TransactionContext } from '../transaction.js';

/** What one system contract does; `table.ts` says whose it is. Reference: the actuator of the same name. */
export interface ContractHandler<C extends object> {
  /** SUN that `execute` takes beside bandwidth; written into the result. */
  fee(state: State, contract: C): bigint;
  /** Checks keep the reference's order: callers see only the first failure. @throws {ContractValidateError} */
  validate(contract: C, state: State, context: TransactionContext): void;
  /**
   * Assumes that `validate` passed on the same state. Amounts for the receipt (withdrawn, unfrozen, exchanged …) go
   * into `result`, whose fee and code the caller sets. @throws {ContractExeError}
   */
  execute(contract: C, state: State, result: TransactionResult, context: TransactionContext): void;
}
