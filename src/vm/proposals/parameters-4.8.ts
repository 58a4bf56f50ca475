import { INT64_MAX } from '../../domain/int64.js';
import { deployBlockHashHistory } from '../block/block-hash-history.js';
import { VERSION } from '../consensus/fork-versions.js';
import { refuse } from '../errors.js';
import type { LongProperty } from '../state/property-table.js';
import type { State } from '../state/state.js';
import type { ChainParameter } from './parameters.js';

/** Exclusive bounds of a proposal's life (ms): a year and 3 s. Reference: Constant.MIN_ and MAX_PROPOSAL_EXPIRE_TIME. */
export const PROPOSAL_EXPIRE_BOUNDS = { above: 0n, below: 31_536_003_000n } as const;

/** What releases 4.7.4 to 4.8.2 added. Reference: ProposalUtil.ProposalType. */
export const parametersOf48: readonly ChainParameter[] = [
  { ...onceOn(79, 'ALLOW_OLD_REWARD_OPT', VERSION.V4_7_4), check: newRewardIsDecided },
  onceOn(81, 'ALLOW_ENERGY_ADJUSTMENT', VERSION.V4_7_5),
  {
    ...since(82, 'MAX_CREATE_ACCOUNT_TX_SIZE', VERSION.V4_7_5),
    range: [500n, 10_000n],
    rangeError:
      'This value[MAX_CREATE_ACCOUNT_TX_SIZE] is only allowed to be greater than or equal to 500 and less than or equal to 10000!',
  },
  onceOn(83, 'ALLOW_TVM_CANCUN', VERSION.V4_8_0),
  onceOn(87, 'ALLOW_STRICT_MATH', VERSION.V4_7_7),
  onceOn(88, 'CONSENSUS_LOGIC_OPTIMIZATION', VERSION.V4_8_0),
  onceOn(89, 'ALLOW_TVM_BLOB', VERSION.V4_8_0),
  {
    ...since(92, 'PROPOSAL_EXPIRE_TIME', VERSION.V4_8_1),
    range: [PROPOSAL_EXPIRE_BOUNDS.above + 1n, PROPOSAL_EXPIRE_BOUNDS.below - 1n],
    rangeError: 'This value[PROPOSAL_EXPIRE_TIME] is only allowed to be greater than 0 and less than 31536003000!',
  },
  onceOn(94, 'ALLOW_TVM_SELFDESTRUCT_RESTRICTION', VERSION.V4_8_1),
  { ...onceOn(95, 'ALLOW_TVM_PRAGUE', VERSION.V4_8_2, shanghaiIsOn), apply: withBlockHashHistory },
  onceOn(96, 'ALLOW_TVM_OSAKA', VERSION.V4_8_2),
  onceOn(97, 'ALLOW_HARDEN_RESOURCE_CALCULATION', VERSION.V4_8_2),
  {
    ...since(98, 'ALLOW_HARDEN_EXCHANGE_CALCULATION', VERSION.V4_8_2),
    range: [0n, 1n],
    rangeError: 'This value[ALLOW_HARDEN_EXCHANGE_CALCULATION] is only allowed to be 0 or 1',
    check: isAnotherExchangeRule,
  },
];

function since(
  id: number,
  property: LongProperty,
  fork: number,
): Pick<ChainParameter, 'id' | 'property' | 'fork' | 'forkError'> {
  return { id, property, fork, forkError: `Bad chain parameter id [${property}]` };
}

/** A switch that goes on and stays on; whether it is on is asked before the value. */
function onceOn(id: number, property: LongProperty, fork: number, first?: (state: State) => void): ChainParameter {
  return {
    ...since(id, property, fork),
    before: (state) => {
      first?.(state);
      if (state.properties.isOn(property)) refuse(`[${property}] has been valid, no need to propose again`);
    },
    range: [1n, 1n],
    rangeError: `This value[${property}] is only allowed to be 1`,
  };
}

function newRewardIsDecided({ properties }: State): void {
  if (properties.get('NEW_REWARD_ALGORITHM_EFFECTIVE_CYCLE') !== INT64_MAX) return;
  refuse(
    '[ALLOW_NEW_REWARD] or [ALLOW_TVM_VOTE] proposal must be approved before [ALLOW_OLD_REWARD_OPT] can be proposed',
  );
}

function shanghaiIsOn({ properties }: State): void {
  if (!properties.isOn('ALLOW_TVM_SHANGHAI')) {
    refuse('[ALLOW_TVM_PRAGUE] requires [ALLOW_TVM_SHANGHAI] to be enacted first');
  }
}

function withBlockHashHistory(state: State, property: LongProperty, value: bigint): void {
  state.properties.set(property, value);
  deployBlockHashHistory(state);
}

/** This one can be switched off again. */
function isAnotherExchangeRule({ properties }: State, value: bigint): void {
  if (properties.get('ALLOW_HARDEN_EXCHANGE_CALCULATION') !== value) return;
  refuse(`[ALLOW_HARDEN_EXCHANGE_CALCULATION] has been set to ${value}, no need to propose again`);
}
