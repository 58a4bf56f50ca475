import t from 'tap';
import {
  SmartContractABIEntryEntryType as EntryType,
  SmartContractABI,
  SmartContractABIEntry,
  SmartContractABIEntryParam,
} from '../../../../src/codec/generated/messages.js';
import { keccak256 } from '../../../../src/crypto/hash.js';
import { decodeData, eventsOfAbi } from '../../../../src/encoding/abi/decode-event.js';
import { toHex, utf8 } from '../../../../src/primitives/bytes.js';

type Input = readonly [type: string, name: string];

// Recorded from a running java-tron 4.7.2 (test/reliability/random-events.ts). Reference:
// ContractTriggerCapsule.processTrigger.
const signatures: readonly (readonly [inputs: readonly Input[], signature: string, full: string])[] = [
  [
    [
      ['uint256', 'a'],
      ['bool', ''],
    ],
    'e(uint256,bool)',
    'e(uint256 a,bool)',
  ],
  [
    [
      ['', 'from'],
      ['bytes[2]', 'b'],
      ['uint', ''],
    ],
    'e(bytes[2],uint)',
    'e( frombytes[2] b,uint)',
  ],
  [
    [
      ['', ''],
      ['', 'x'],
    ],
    'e()',
    'e( x)',
  ],
  [
    [
      ['uint', 'a'],
      ['', 'b'],
      ['bool', 'c'],
    ],
    'e(uint,,bool)',
    'e(uint a, b,bool c)',
  ],
];

t.test('accepts a comma in a signature only after a type', async (t) => {
  for (const [inputs, signature, signatureFull] of signatures) {
    const entry = Object.assign(new SmartContractABIEntry(), {
      type: EntryType.Event,
      name: 'e',
      inputs: inputs.map(([type, name]) => Object.assign(new SmartContractABIEntryParam(), { type, name })),
    });
    const events = [...eventsOfAbi(Object.assign(new SmartContractABI(), { entrys: [entry] }))];
    t.match(events, [[toHex(keccak256(utf8(signature))), { signature, signatureFull }]], signature);
  }
});

const word = (hex: string): string => hex.padStart(64, '0');
const WORD = 'ab'.repeat(32);
const MINUS_ONE = 'ff'.repeat(32);

/**
 * Types of parameters that are not indexed, the data of a log, and the decoded texts in 4.7.2 and 4.8.2. If the last
 * one is undefined, both releases have the same texts.
 */
const cut: readonly (readonly [types: string[], data: string, first: object, later?: object])[] = [
  [['uint256'], WORD, { 0: BigInt.asIntN(256, BigInt(`0x${WORD}`)).toString() }],
  [['bytes32'], 'abcd', { 0: `abcd${'00'.repeat(30)}` }, { 0: 'abcd' }],
  [['bytes32', 'bytes32'], `${WORD}ab`, { 0: WORD, 1: `ab${'00'.repeat(31)}` }, { 1: `${WORD}ab` }],
  [['string'], `${word('20') + word('2')}6162`, { 0: 'ab' }],
  [['string'], `${word('20') + word('3')}6162`, { 0: 'ab\0' }, { 0: `${word('20') + word('3')}6162` }],
  [['bytes'], word('20') + word('0'), { 0: '' }],
  [['bytes'], word('20') + MINUS_ONE, { 0: '' }, { 0: word('20') + MINUS_ONE }],
  [['bytes'], word('20') + word('4'), { 0: word('20') + word('4') }],
  [['bytes'], `${word('3f')}02`, { 0: `${word('3f')}02` }, { 0: `${word('3f')}02` }],
];

t.test('pads truncated data in release 4.7.2 and rejects it in 4.8.2', async (t) => {
  for (const [types, data, first, later = first] of cut) {
    const inputs = types.map((type) => Object.assign(new SmartContractABIEntryParam(), { type }));
    const event = { name: 'e', signature: '', signatureFull: '', inputs };
    const log = { topics: [new Uint8Array(32)], data: Buffer.from(data, 'hex') };
    const shown = (isStrict: boolean): object => Object.fromEntries(decodeData(event, log, 0x41, isStrict));
    t.same(shown(false), first, `${types}: ${data}`);
    t.same(shown(true), later, `${types}: ${data}, later`);
  }
});
