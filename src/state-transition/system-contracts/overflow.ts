import { ArithmeticError } from '../../primitives/int64.js';
import { BalanceInsufficientError } from '../balances/balances.js';
import { ContractExeError, refuse, unchecked } from '../errors.js';
import type { State } from '../state/state.js';
import type { ContractHandler } from './contract-handler.js';

/** Converts overflows to validation errors, for checks where java-tron catches them. @throws {ContractValidateError} */
export function refuseOverflow<T>(check: () => T): T {
  try {
    return check();
  } catch (error) {
    if (error instanceof ArithmeticError) refuse(error.message);
    throw error;
  }
}

/** Converts an insufficient balance to an execution error. @throws {ContractExeError} with the same text */
export function failWhenShort<T>(run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (error instanceof BalanceInsufficientError) throw new ContractExeError(error.text);
    throw error;
  }
}

/** Like `failWhenShort`, but also converts overflows. Used where java-tron catches them. @throws {ContractExeError} */
export function failOnOverflow<T>(run: () => T): T {
  try {
    return failWhenShort(run);
  } catch (error) {
    if (error instanceof ArithmeticError) throw new ContractExeError(error.message);
    throw error;
  }
}

/** Wraps an exchange contract: overflows are contract errors since release 4.8.2. Reference: Exchange*Actuator. */
export function withExchangeArithmetic(handler: ContractHandler<object>): ContractHandler<object> {
  const isCaught = ({ rules }: State): boolean => rules.release.rules.catchesExchangeOverflow;
  return {
    ...handler,
    validate: (contract, state, context) => {
      const check = (): void => handler.validate(contract, state, context);
      return isCaught(state) ? refuseOverflow(check) : check();
    },
    execute: (contract, state, result, context) => {
      const run = (): void => handler.execute(contract, state, result, context);
      return isCaught(state) ? failOnOverflow(run) : run();
    },
  };
}

/**
 * Wraps a handler: an overflow that it does not catch becomes an unchecked exception, as in Java. Whether a failed
 * reorg returns to the old branch depends on this.
 */
export function withUncheckedArithmetic(handler: ContractHandler<object>): ContractHandler<object> {
  return {
    ...handler,
    validate: (contract, state, context) => rethrow(() => handler.validate(contract, state, context)),
    execute: (contract, state, result, context) => rethrow(() => handler.execute(contract, state, result, context)),
  };
}

function rethrow(run: () => void): void {
  try {
    run();
  } catch (error) {
    if (error instanceof ArithmeticError) throw unchecked('ArithmeticException', error.message);
    throw error;
  }
}
