import { INT64_MAX } from '../../primitives/int64.js';
import { hasPassed } from '../consensus/fork-versions.js';
import { refuse } from '../errors.js';
import { VERSION } from '../parameters/block-versions.js';
import {
  type ChainParameter,
  type ParameterCheckName,
  parameterName,
  parameterRows,
  WIDE,
} from '../parameters/parameter-table.js';
import type { State } from '../state/state.js';

/**
 * Validates a proposed value. Reference: ProposalUtil.validator.
 * @throws {ContractValidateError} the parameter is unknown or cannot be proposed now, the value is invalid, or another
 * proposal must be approved first
 */
export function validateParameter(state: State, id: bigint, value: bigint): void {
  const parameter = state.rules.release.parameters.get(id) ?? refuse(`Does not support code : ${id}`);
  const { fork, closedBy, values, requires, check, before } = parameter;
  const name = parameterName(parameter);
  if (fork !== undefined && !hasPassed(state, fork)) refuse(unknownText(fork, name));
  if (fork !== undefined && closedBy !== undefined && hasPassed(state, closedBy)) refuse(unknownText(fork, name));
  for (const first of before ?? []) checks[first](state, value, parameter);
  if (values !== undefined && (value < values.min || value > values.max)) refuse(values.refusal(name));
  if (check !== undefined) checks[check](state, value, parameter);
  for (const property of requires ?? []) {
    if (state.properties.get(property) !== 0n) continue;
    refuse(`[${nameOf(property)}] proposal must be approved before [${name}] can be proposed`);
  }
}

/**
 * Returns the error text for a parameter that cannot be proposed in the current block version. Only texts for block
 * version 3.5 and for versions since 4.0.1 contain the parameter name.
 * @param fork the block version that adds the parameter
 */
function unknownText(fork: number, name: string): string {
  if (fork >= VERSION.V4_0_1) return `Bad chain parameter id [${name}]`;
  return fork === VERSION.V3_5 ? `Bad chain parameter id: ${name}` : 'Bad chain parameter id';
}

function nameOf(property: ChainParameter['property']): string {
  const row = parameterRows.find((candidate) => candidate.property === property);
  return row === undefined ? property : parameterName(row);
}

/** A check of a proposed value. @throws {ContractValidateError} the value or the state does not satisfy the check */
type ParameterCheck = (state: State, value: bigint, parameter: ChainParameter) => void;

/** Checks of a proposal in addition to the bounds of its value. The parameter table refers to them by name. */
const checks: Readonly<Record<ParameterCheckName, ParameterCheck>> = {
  beforeNewerEnergyLimit: (state) => {
    if (hasPassed(state, VERSION.V3_2_2)) refuse('Bad chain parameter id');
  },

  cpuTime: ({ properties }, value) => {
    const max = properties.isOn('ALLOW_HIGHER_LIMIT_FOR_MAX_CPU_TIME_OF_ONE_TX') ? 400n : 100n;
    if (value < 10n || value > max) refuse(`Bad chain parameter value, valid range is [10,${max}]`);
  },

  delegateLockPeriod: ({ properties }, value, { property }) => {
    const current = properties.get(property);
    if (value <= current || value > 10_512_000n) {
      const allowed = `greater than ${current} and less than or equal to 10512000 !`;
      refuse(`This value[MAX_DELEGATE_LOCK_PERIOD] is only allowed to be ${allowed}`);
    }
    if (properties.get('UNFREEZE_DELAY_DAYS') !== 0n) return;
    refuse('[UNFREEZE_DELAY_DAYS] proposal must be approved before [MAX_DELEGATE_LOCK_PERIOD] can be proposed');
  },

  dynamicEnergyNeedsDelegation: ({ properties }, value) => {
    if (value !== 1n || properties.get('CHANGE_DELEGATION') !== 0n) return;
    refuse('[ALLOW_CHANGE_DELEGATION] proposal must be approved before [ALLOW_DYNAMIC_ENERGY] can be opened');
  },

  /**
   * Rejects the value that is already in force. The parameter of this check can be turned on and off. Most other
   * parameters can only be turned on.
   */
  isAnotherExchangeRule: ({ properties }, value, { property }) => {
    if (properties.get(property) === value) refuse(`[${property}] has been set to ${value}, no need to propose again`);
  },

  isNotOn: ({ properties }, _value, { property }) => {
    if (properties.isOn(property)) refuse(`[${property}] has been valid, no need to propose again`);
  },

  marketIsOn: ({ properties }, _value, { property }) => {
    if (properties.isOn('ALLOW_MARKET_TRANSACTION')) return;
    const fee = property === 'MARKET_SELL_FEE' ? 'Sell' : 'Cancel';
    refuse(`Market Transaction is not activated, can not set Market ${fee} Fee`);
  },

  maxFeeLimit: ({ properties }, value) => {
    if (value < 0n) refuse('Bad MAX_FEE_LIMIT parameter value, value must not be negative');
    if (value <= 10_000_000_000n) return;
    if (properties.get('ALLOW_TVM_LONDON') === 0n) {
      refuse('Bad MAX_FEE_LIMIT parameter value, valid range is [0,10_000_000_000L]');
    }
    if (value > WIDE.max) refuse(WIDE.refusal(''));
  },

  newRewardIsDecided: ({ properties }) => {
    if (properties.get('NEW_REWARD_ALGORITHM_EFFECTIVE_CYCLE') !== INT64_MAX) return;
    refuse(
      '[ALLOW_NEW_REWARD] or [ALLOW_TVM_VOTE] proposal must be approved before [ALLOW_OLD_REWARD_OPT] can be proposed',
    );
  },

  newRewardIsOff: ({ properties }) => {
    if (properties.isOn('ALLOW_NEW_REWARD')) refuse('New reward has been valid.');
  },

  powerNotRemoved: ({ properties }) => {
    if (properties.get('REMOVE_THE_POWER_OF_THE_GR') !== -1n) return;
    refuse('This proposal has been executed before and is only allowed to be executed once');
  },

  shanghaiIsOn: ({ properties }) => {
    if (!properties.isOn('ALLOW_TVM_SHANGHAI')) {
      refuse('[ALLOW_TVM_PRAGUE] requires [ALLOW_TVM_SHANGHAI] to be enacted first');
    }
  },
};
