import { ArithmeticError } from '../../primitives/int64.js';
import { BalanceInsufficientError } from '../balances/balances.js';
import { ContractExeError, refuse, unchecked } from '../errors.js';
import type { State } from '../state/state.js';
import type { ContractHandler } from './contract-handler.js';

/** Runs checks of which the reference catches the overflow. @throws {ContractValidateError} with the overflow's text */
export function refuseOverflow<T>(check: () => T): T {
  try {
    return check();
  } catch (error) {
    if (error instanceof ArithmeticError) refuse(error.message);
    throw error;
  }
}

/** Runs an execution that may find too little balance. @throws {ContractExeError} with that text */
export function failWhenShort<T>(run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (error instanceof BalanceInsufficientError) throw new ContractExeError(error.text);
    throw error;
  }
}

/** As `failWhenShort`, where the reference catches overflows too. @throws {ContractExeError} */
export function failOnOverflow<T>(run: () => T): T {
  try {
    return failWhenShort(run);
  } catch (error) {
    if (error instanceof ArithmeticError) throw new ContractExeError(error.message);
    throw error;
  }
}

/** Exchange contracts, whose overflows are refusals from release 4.8.2 on. Reference: Exchange*Actuator. */
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
 * An overflow that a handler lets through is an unchecked exception in Java, which a failed fork switch tells apart.
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
