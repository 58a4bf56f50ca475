import { present } from '../../primitives/assert.js';
import { hasPassed } from '../consensus/fork-versions.js';
import { refuse } from '../errors.js';
import { type OpenedTypeName, type ParameterProperty, parameterRows } from '../parameters/parameter-table.js';
import type { State } from '../state/state.js';

/**
 * What must be switched on before anything of a contract's parameter is looked at. @throws {ContractValidateError} it
 * is not
 */
export type Need = (state: State) => void;

/** A parameter of the committee. @param isOpen what the reference asks of its value */
export function on(property: ParameterProperty, refusal: string, isOpen = isOne): Need {
  return ({ properties }) => {
    if (!isOpen(properties.get(property))) refuse(refusal);
  };
}

/** The parameter whose row says that it opens the type. */
export function opened(type: OpenedTypeName, refusal: string, isOpen = isOne): Need {
  const row = parameterRows.find(({ opens }) => opens?.includes(type));
  return on(present(row, 'its name is taken from a row that opens it').property, refusal, isOpen);
}

type IsOpen = (value: bigint) => boolean;
const isOne: IsOpen = (value) => value === 1n;
export const isNotZero: IsOpen = (value) => value !== 0n;
export const isPositive: IsOpen = (value) => value > 0n;

/** What most types answer while they are closed. */
export function closedTo(what: string): string {
  return `Not support ${what}, need to be opened by the committee`;
}

/** The rules of a block version. */
export function passed(version: number, refusal: string): Need {
  return (state) => {
    if (!hasPassed(state, version)) refuse(refusal);
  };
}

/** All of them, in the order in which they are refused. */
export function all(...needs: readonly Need[]): Need {
  return (state) => {
    for (const need of needs) need(state);
  };
}
