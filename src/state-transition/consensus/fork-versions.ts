import type { Address } from '../../primitives/address.js';
import { VERSION } from '../parameters/block-versions.js';
import type { State } from '../state/state.js';
import { activeWitnesses } from './schedule.js';

const UPGRADED = 1;

/**
 * Returns true if the rules of a block version are in force. Versions after 4.0 that the emulated release does not know
 * are never in force. Reference: ForkController.pass.
 */
export function hasPassed(state: State, version: number): boolean {
  if (version === VERSION.ENERGY_LIMIT) {
    return state.properties.get('latest_block_header_number') >= BigInt(state.rules.energyLimitBlock);
  }
  const stats = state.properties.forkStats(version);
  if (version <= VERSION.V4_0)
    return stats !== undefined && stats.length > 0 && stats.every((flag) => flag === UPGRADED);
  const row = state.rules.release.forkVersions.find((candidate) => candidate.version === version);
  if (row === undefined) return false;
  const interval = state.properties.get('MAINTENANCE_TIME_INTERVAL');
  const from = ((row.timeMs - 1n) / interval + 1n) * interval;
  if (state.properties.get('latest_block_header_timestamp') < from) return false;
  if (stats === undefined || stats.length === 0) return false;
  const upgraded = stats.reduce((count, flag) => count + (flag === UPGRADED ? 1 : 0), 0);
  return upgraded >= Math.ceil((row.rate * stats.length) / 100);
}

/**
 * Sets `VERSION_NUMBER` to the newest block version in force, if the property is 0. `countForkVersion` then ignores
 * blocks of this version and of older versions. On a new chain, an older version may therefore never come into force,
 * as in java-tron. Called for every transaction. Reference: ForkController.init.
 */
export function initializeForkVersion(state: State): void {
  if (state.properties.get('VERSION_NUMBER') !== 0n) return;
  let newest = 0;
  for (const { version } of state.rules.release.forkVersions)
    if (version > newest && hasPassed(state, version)) newest = version;
  state.properties.set('VERSION_NUMBER', BigInt(newest));
}

/**
 * Records that the witness of an applied block supports the block's version. For newer versions that are not in
 * force, records that this witness does not support them. If the block's version is already in force, does not record
 * it. Instead, puts older versions into force and stores the block's version in `VERSION_NUMBER`. Reference:
 * ForkController.update.
 */
export function countForkVersion(state: State, witness: Address, version: number): void {
  const witnesses = activeWitnesses(state);
  const index = witnesses.indexOf(witness);
  if (index < 0 || version < VERSION.ENERGY_LIMIT) return;
  if (state.properties.number('VERSION_NUMBER') >= version) return;
  downgradeNewer(state, version, index);
  const stored = state.properties.forkStats(version);
  const stats = stored?.length === witnesses.length ? Uint8Array.from(stored) : new Uint8Array(witnesses.length);
  if (hasPassed(state, version)) {
    upgradeOlder(state, version, stats.length);
    state.properties.set('VERSION_NUMBER', BigInt(version));
    return;
  }
  stats[index] = UPGRADED;
  state.properties.setForkStats(version, stats);
}

/**
 * Clears the statistics of block versions that are not in force. Called at maintenance. Reference:
 * ForkController.reset.
 */
export function resetForkVersions(state: State): void {
  const size = activeWitnesses(state).length;
  for (const { version } of state.rules.release.forkVersions) {
    const stats = state.properties.forkStats(version);
    if (stats !== undefined && !hasPassed(state, version)) state.properties.setForkStats(version, new Uint8Array(size));
  }
}

function downgradeNewer(state: State, version: number, index: number): void {
  for (const newer of state.rules.release.forkVersions) {
    if (newer.version <= version || hasPassed(state, newer.version)) continue;
    const stats = state.properties.forkStats(newer.version);
    if (stats === undefined) continue;
    const copy = Uint8Array.from(stats);
    copy[index] = 0;
    state.properties.setForkStats(newer.version, copy);
  }
}

function upgradeOlder(state: State, version: number, size: number): void {
  for (const older of state.rules.release.forkVersions) {
    if (older.version >= version || hasPassed(state, older.version)) continue;
    const stats = state.properties.forkStats(older.version);
    const length = stats === undefined || stats.length === 0 ? size : stats.length;
    state.properties.setForkStats(older.version, new Uint8Array(length).fill(UPGRADED));
  }
}
