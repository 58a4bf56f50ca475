import t from 'tap';
import { Witness } from '../../../../src/codec/generated/messages.js';
import type { Address } from '../../../../src/primitives/address.js';
import { countForkVersion, hasPassed } from '../../../../src/state-transition/consensus/fork-versions.js';
import { electWitnesses } from '../../../../src/state-transition/consensus/schedule.js';
import { VERSION } from '../../../../src/state-transition/parameters/block-versions.js';
import { releases } from '../../../../src/state-transition/releases/index.js';
import { release472 } from '../../../../src/state-transition/releases/release-4.7.2.js';
import { release482 } from '../../../../src/state-transition/releases/release-4.8.2.js';
import type { State } from '../../../../src/state-transition/state/state.js';
import { addressOf, bytesOf, stateWith } from '../../../support/vm/state-with.js';

const LATER = { latest_block_header_timestamp: 1_700_000_000_000n };

/** Returns a state with 27 witnesses, and the addresses of the elected witnesses. */
function witnessed(release = release482): [State, Address[]] {
  const state = stateWith(LATER, release);
  const all = Array.from({ length: 27 }, (_, at) => at + 1);
  for (const fill of all)
    state.witnesses.put(addressOf(fill), Object.assign(new Witness(), { address: bytesOf(fill) }));
  return [state, electWitnesses(state, all.map(addressOf))];
}

// Reference: Parameter.ForkBlockVersionEnum. 80 % of the witnesses are required, except for versions 33 and 35.
const needed: readonly (readonly [version: number, witnesses: number])[] = [
  [VERSION.V4_7_4, 22],
  [VERSION.V4_7_5, 22],
  [VERSION.V4_7_7, 22],
  [VERSION.V4_8_0, 22],
  [VERSION.V4_8_0_1, 19],
  [VERSION.V4_8_1, 22],
  [VERSION.V4_8_1_1, 19],
  [VERSION.V4_8_2, 22],
];

t.test('accepts a version with its share of 27 witnesses, and not with one fewer', async (t) => {
  for (const [version, count] of needed) {
    const [state, order] = witnessed();
    for (const witness of order.slice(0, count - 1)) countForkVersion(state, witness, version);
    t.notOk(hasPassed(state, version), `${version} with ${count - 1}`);
    countForkVersion(state, order[count - 1]!, version);
    t.ok(hasPassed(state, version), `${version} with ${count}`);
  }
});

t.test('stores an accepted version at the next header and accepts older ones', async (t) => {
  const [state, order] = witnessed();
  for (const witness of order.slice(0, 22)) countForkVersion(state, witness, 36);
  t.equal(state.properties.get('VERSION_NUMBER'), 0n);
  t.equal(state.properties.forkStats(35), undefined);
  countForkVersion(state, order[22]!, 36);
  t.equal(state.properties.get('VERSION_NUMBER'), 36n);
  for (let version = 29; version <= 35; version++) t.same(state.properties.forkStats(version), Buffer.alloc(27, 1));
});

t.test('never accepts an unknown newer version, and does not count it as support of older versions', async (t) => {
  const [state, order] = witnessed(release472);
  for (const witness of order) countForkVersion(state, witness, 36);
  t.notOk(hasPassed(state, 36));
  t.equal(state.properties.forkStats(29), undefined);
  t.equal(release472.blockVersion, 28);
  t.equal(release482.blockVersion, 36);
});

t.test('accepts an unknown version up to that of release 4.0 once all witnesses produce it', async (t) => {
  const [state, order] = witnessed(release472);
  for (const witness of order.slice(1)) countForkVersion(state, witness, 12);
  t.notOk(hasPassed(state, 12));
  countForkVersion(state, order[0]!, 12);
  t.ok(hasPassed(state, 12));
  countForkVersion(state, order[0]!, 12);
  t.equal(state.properties.get('VERSION_NUMBER'), 12n);
  t.same(state.properties.forkStats(10), Buffer.alloc(27, 1));
  for (const witness of order) countForkVersion(state, witness, 18);
  t.notOk(hasPassed(state, 18));
});

t.test('each release includes the block versions of earlier releases', async (t) => {
  for (const [at, release] of releases.entries()) {
    const older = releases[at - 1];
    if (older === undefined) continue;
    for (const id of older.parameters.keys()) t.ok(release.parameters.has(id), `${release.name} knows ${id}`);
    for (const { version } of older.forkVersions) {
      t.ok(release.forkVersions.some((row) => row.version === version));
    }
    t.ok(release.forkVersions.at(-1)?.version === release.blockVersion);
  }
});
