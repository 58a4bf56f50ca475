import t from 'tap';
import {
  SmartContractABIEntryEntryType as EntryType,
  SmartContractABI,
  SmartContractABIEntry,
  SmartContractABIEntryParam,
} from '../../../../src/codec/generated/messages.js';
import { eventsOfAbi } from '../../../../src/content/abi/decode-event.js';
import { toHex, utf8 } from '../../../../src/domain/bytes.js';
import { keccak256 } from '../../../../src/domain/hash.js';

type Input = readonly [type: string, name: string];

// As a live java-tron 4.7.2 named them (test/reliability/random-events.ts); rule: ContractTriggerCapsule.processTrigger.
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

t.test('a comma stands in signatures where a type has gone before', async (t) => {
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
