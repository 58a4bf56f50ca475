import t from 'tap';
import { fromHex, toHex } from '../../../../src/primitives/bytes.js';
import { readRuleSet } from '../../../../src/vm/machine/rule-set.js';
import { blake2F } from '../../../../src/vm/precompiles/blake2f.js';
import { machineOn, OWNER, worldWith } from '../../../support/vm/vm-world.js';

const machine = machineOn(worldWith([]));
const rules = readRuleSet(machine.state);
const STATE =
  '48c9bdf267e6096a3ba7ca8485ae67bb2bf894fe72f36e3cf1361d5f3af54fa5d182e6ad7f520e511f6c3e2b8c68059b6bbd41fbabd9831f79217e1319cde05b';
const ABC = `616263${'00'.repeat(125)}`;
const input = (rounds: string, end = '01', counter = `03${'00'.repeat(15)}`) =>
  fromHex(rounds + STATE + ABC + counter + end);

// Test vectors 4, 5 and 6 of EIP-152.
const rows: readonly (readonly [data: Uint8Array, output: string])[] = [
  [
    input('00000000'),
    '08c9bcf367e6096a3ba7ca8485ae67bb2bf894fe72f36e3cf1361d5f3af54fa5d282e6ad7f520e511f6c3e2b8c68059b9442be0454267ce079217e1319cde05b',
  ],
  [
    input('0000000c'),
    'ba80a53f981c4d0d6a2797b69f12f6e94c212f14685ac4b74b12bb6fdbffa2d17d87c5392aab792dc252d5de4533cc9518d38aa8dbf1925ab92386edd4009923',
  ],
  [
    input('0000000c', '00'),
    '75ab69d3190a562c51aef8d88f1c2775876944407270c42c9844252c26d2875298743e7f6d5ea2f2d3e8d226039cd31b4e426ac4f2d3d666a610c2116fde4735',
  ],
];

t.test('computes the BLAKE2b compression for one energy per round', async (t) => {
  for (const [data, output] of rows) {
    const result = blake2F.run(data, { machine, caller: OWNER });
    t.same([result.isSuccess, toHex(result.data)], [true, output]);
  }
  t.same([blake2F.energy(input('0000000c'), rules), blake2F.energy(input('ffffffff'), rules)], [12, 2 ** 32 - 1]);
});

t.test('fails for another length or an invalid flag, at no cost', async (t) => {
  for (const data of [input('0000000c').subarray(1), input('0000000c', '02'), new Uint8Array(0)]) {
    t.equal(blake2F.energy(data, rules), 0);
    t.notOk(blake2F.run(data, { machine, caller: OWNER }).isSuccess);
  }
});
