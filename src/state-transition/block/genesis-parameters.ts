import { utf8 } from '../../primitives/bytes.js';
import { INT64_MAX } from '../../primitives/int64.js';
import { activeWitnesses } from '../consensus/schedule.js';
import { applyParameter } from '../governance/parameter-effects.js';
import type { State } from '../state/state.js';

/** Parameter values by proposal parameter id. */
export type GenesisParameters = ReadonlyMap<bigint, bigint>;

/**
 * Sets chain parameters when a chain is created, with the same effects as an approved proposal. Price histories start
 * with these values. The first maintenance is one interval after block 0, so that no slot after block 1 is skipped.
 *
 * java-tron cannot set parameters at genesis, so only Tronicle nodes can join such a network.
 */
export function applyGenesisParameters(state: State, parameters: GenesisParameters, genesisTimeMs: number): void {
  const { properties, rules } = state;
  // The table order matters: the energy limit must be set before the ratio that divides the limit.
  for (const [id, parameter] of rules.release.parameters) {
    const value = parameters.get(id);
    if (value === undefined || value === properties.get(parameter.property)) continue;
    applyParameter(state, parameter, value, BigInt(genesisTimeMs));
    if (parameter.history !== undefined) properties.setBytes(parameter.history, utf8(`0:${value}`));
  }
  if (properties.get('NEW_REWARD_ALGORITHM_EFFECTIVE_CYCLE') !== INT64_MAX)
    properties.set('NEW_REWARD_ALGORITHM_EFFECTIVE_CYCLE', 0n);
  properties.set('NEXT_MAINTENANCE_TIME', BigInt(genesisTimeMs) + properties.get('MAINTENANCE_TIME_INTERVAL'));
}

/** Puts every block version of the release into force. Must be called after the first election of witnesses. */
export function passBlockVersions(state: State): void {
  const { forkVersions, blockVersion } = state.rules.release;
  const upgraded = new Uint8Array(activeWitnesses(state).length).fill(1);
  for (const { version } of forkVersions) state.properties.setForkStats(version, upgraded);
  state.properties.set('VERSION_NUMBER', BigInt(blockVersion));
}
