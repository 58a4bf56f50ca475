import t from 'tap';
import { revertReason, shownReason } from '../../../../../src/api/jsonrpc/methods/revert-reason.js';
import { apiRelease } from '../../../../../src/api/releases/releases.js';
import { JavaError } from '../../../../../src/java-compat/java-error.js';

const word = (value: bigint): string => BigInt.asUintN(256, value).toString(16).padStart(64, '0');
const UNSUPPORTED = 'java.lang.UnsupportedOperationException unsupported type:string';
const OUT_OF_BOUNDS = 'java.lang.ArrayIndexOutOfBoundsException null';
const TEXT = '616263';

// Reference: ContractEventParser.parseDataBytes and subBytes of 4.7.2, TronJsonRpcImpl.tryDecodeRevertReason of 4.8.2.
const cases = [
  { name: 'a complete reason', data: `${word(32n)}${word(3n)}${TEXT.padEnd(64, '0')}`, old: ': abc', later: ': abc' },
  { name: 'a reason without padding', data: `${word(32n)}${word(3n)}${TEXT}`, old: ': abc', later: ': abc' },
  { name: 'a truncated reason', data: `${word(32n)}${word(5n)}${TEXT}`, old: ': abc\0\0', later: '' },
  { name: 'an empty reason', data: `${word(32n)}${word(0n)}`, old: ': ', later: '' },
  { name: 'a reason without characters', data: `${word(32n)}${word(3n)}`, old: UNSUPPORTED, later: '' },
  { name: 'a negative length', data: `${word(32n)}${word(-1n)}`, old: ': ', later: '' },
  { name: 'a negative offset', data: `${word(-1n)}${word(0n)}`, old: OUT_OF_BOUNDS, later: '' },
  { name: 'an offset above 31 bits', data: `${word(2n ** 31n)}${word(0n)}`, old: UNSUPPORTED, later: '' },
  { name: 'an offset below 31 bits', data: `${word(-(2n ** 31n) - 1n)}`, old: UNSUPPORTED, later: '' },
  { name: 'a truncated offset', data: '00', old: ': ', later: '' },
  { name: 'no offset', data: '', old: '', later: '' },
];

function shown(returned: Uint8Array, release: string): string {
  try {
    return shownReason(returned, apiRelease(release));
  } catch (error) {
    if (error instanceof JavaError) return `${error.javaClass} ${error.text}`;
    throw error;
  }
}

t.test('decodes the revert reason as the release does', async (t) => {
  for (const { name, data, old, later } of cases) {
    const returned = Buffer.from(`08c379a0${data}`, 'hex');
    t.equal(shown(returned, '4.7.2'), old, `${name} in release 4.7.2`);
    t.equal(shown(returned, '4.8.2'), later, `${name} in release 4.8.2`);
    t.equal(revertReason(returned), name === 'an empty reason' ? ': ' : later, `${name} for geth's methods`);
  }
});

t.test('returns no reason for other errors', async (t) => {
  t.equal(revertReason(Buffer.from(`4e487b71${word(17n)}`, 'hex')), '');
});
