import t from 'tap';
import { sha256 } from '../../../../src/crypto/hash.js';
import { toHex, utf8 } from '../../../../src/primitives/bytes.js';
import { readRuleSet } from '../../../../src/vm/machine/rule-set.js';
import { identity, ripemd160, sha256Contract, shaTwice } from '../../../../src/vm/precompiles/hashes.js';
import { machineOn, OWNER, worldWith } from '../../../support/vm/vm-world.js';

const machine = machineOn(worldWith([]));
const rules = readRuleSet(machine.state);
const run = (precompile: typeof identity, data: Uint8Array) =>
  toHex(precompile.run(data, { machine, caller: OWNER }).data);

t.test('computes the hashes of "abc"', async (t) => {
  const abc = utf8('abc');
  t.equal(run(sha256Contract, abc), 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  t.equal(run(ripemd160, abc), `${'00'.repeat(12)}8eb208f7e05d987a9b044a8e98c6b087f15a0bfc`);
  t.equal(
    run(shaTwice, abc),
    toHex(sha256(sha256(abc).subarray(0, 20))),
    'the hash that TRON computes at the address of RIPEMD-160',
  );
  t.equal(run(identity, abc), '616263');
});

t.test('charges hashes by the word', async (t) => {
  const energies = [sha256Contract, shaTwice, identity, ripemd160].map((precompile) =>
    [0, 1, 32, 33].map((length) => precompile.energy(new Uint8Array(length), rules)),
  );
  t.same(energies, [
    [60, 72, 72, 84],
    [600, 720, 720, 840],
    [15, 18, 18, 21],
    [600, 720, 720, 840],
  ]);
});
