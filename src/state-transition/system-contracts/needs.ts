import { present } from '../../primitives/assert.js';
import { hasPassed } from '../consensus/fork-versions.js';
import { refuse } from '../errors.js';
import { type OpenedTypeName, type ParameterProperty, parameterRows } from '../parameters/parameter-table.js';
import type { State } from '../state/state.js';

/**
 * A requirement of a contract type, such as an approved proposal. It is checked before the contract's parameter.
 * @throws {ContractValidateError} the requirement is not met
 */
export type Need = (state: State) => void;

/**
 * Creates a requirement: the value of a chain parameter must meet a condition.
 * @param refusal error text if the value does not meet the condition
 * @param isOpen the condition; default: the value is 1
 */
export function on(property: ParameterProperty, refusal: string, isOpen = isOne): Need {
  return ({ properties }) => {
    if (!isOpen(properties.get(property))) refuse(refusal);
  };
}

/**
 * Creates a requirement: the chain parameter that enables a contract type must meet a condition.
 * @param refusal error text if the parameter does not meet the condition
 * @param isOpen the condition; default: the value is 1
 */
export function opened(type: OpenedTypeName, refusal: string, isOpen = isOne): Need {
  const row = parameterRows.find(({ opens }) => opens?.includes(type));
  return on(present(row, 'a parameter row enables every type of OpenedTypeName').property, refusal, isOpen);
}

type IsOpen = (value: bigint) => boolean;
const isOne: IsOpen = (value) => value === 1n;
export const isNotZero: IsOpen = (value) => value !== 0n;
export const isPositive: IsOpen = (value) => value > 0n;

/**
 * Returns java-tron's usual error text for a contract type that no proposal has enabled. Some contract types have
 * another text and do not use this function.
 */
export function closedTo(what: string): string {
  return `Not support ${what}, need to be opened by the committee`;
}

/** Creates a requirement: a block version must be in force. */
export function passed(version: number, refusal: string): Need {
  return (state) => {
    if (!hasPassed(state, version)) refuse(refusal);
  };
}

/** Combines requirements. They are checked in the given order. */
export function all(...needs: readonly Need[]): Need {
  return (state) => {
    for (const need of needs) need(state);
  };
}
