import { ArithmeticError } from '../../primitives/int64.js';
import { BalanceInsufficientError } from '../balances/balances.js';
import { ContractExeError, refuse } from '../errors.js';
import type { State } from '../state/state.js';
import type { ContractHandler } from './contract-handler.js';

/**
 * Runs `check` and converts an overflow to a validation error. Used where java-tron catches overflows.
 * @throws {ContractValidateError} an overflow occurred
 */
export function refuseOverflow<T>(check: () => T): T {
  try {
    return check();
  } catch (error) {
    if (error instanceof ArithmeticError) refuse(error.message);
    throw error;
  }
}

/**
 * Runs `run` and converts an insufficient balance to an execution error with the same text.
 * @throws {ContractExeError} a balance is insufficient
 */
export function failWhenShort<T>(run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (error instanceof BalanceInsufficientError) throw new ContractExeError(error.text);
    throw error;
  }
}

/**
 * Runs `run` and converts an insufficient balance or an overflow to an execution error. Used where java-tron catches
 * both.
 * @throws {ContractExeError} a balance is insufficient, or an overflow occurred
 */
export function failOnOverflow<T>(run: () => T): T {
  try {
    return failWhenShort(run);
  } catch (error) {
    if (error instanceof ArithmeticError) throw new ContractExeError(error.message);
    throw error;
  }
}

/**
 * Returns a handler of an exchange contract. Since release 4.8.2, it converts overflows to contract errors. Reference:
 * Exchange*Actuator.
 */
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
