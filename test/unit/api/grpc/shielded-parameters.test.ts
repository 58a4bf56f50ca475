import t from 'tap';
import type { ApiContext, ChainView } from '../../../../src/api/context/api-context.js';
import { shieldedParameters } from '../../../../src/api/operations/shielded/shielded-contracts.js';
import { apiRelease } from '../../../../src/api/releases/releases.js';
import {
  Block,
  BlockHeader,
  BlockHeaderRaw,
  Note,
  PrivateShieldedTRC20Parameters,
  PrivateShieldedTRC20ParametersWithoutAsk,
  ReceiveNote,
  SpendNoteTRC20,
} from '../../../../src/codec/generated/messages.js';
import { fromHex } from '../../../../src/primitives/bytes.js';
import { javaError } from '../../../../src/state-transition/java-errors.js';
import { contractAt, worldWith } from '../../../support/vm/vm-world.js';

/** Code that returns 1 for every call. So the scaling factor of the contract is 1 too. */
const ONE = fromHex('600160005260206000f3');
const KEY = new Uint8Array(32);
const KEYS = { ask: KEY, ak: KEY, nsk: KEY, ovk: KEY };
const PAY_TO = { transparentToAddress: new Uint8Array(21) };

const api = {
  settings: {
    release: apiRelease('4.7.2'),
    allowsShieldedApi: true,
    supportsConstant: true,
    constantEnergyMax: 1_000_000n,
    refersToSolid: true,
    expirationMs: 60_000n,
  },
  now: () => 5,
} as unknown as ApiContext;

const header = Object.assign(new BlockHeader(), { rawData: new BlockHeaderRaw() });
const block = Block.encode(Object.assign(new Block(), { blockHeader: header }));
const view = {
  state: worldWith([ONE]),
  headNumber: 0,
  block: () => ({ block, results: new Uint8Array(0) }),
  blockIdAt: () => new Uint8Array(32),
} as unknown as ChainView;

const spend = (value: bigint) => Object.assign(new SpendNoteTRC20(), { note: Object.assign(new Note(), { value }) });
const receive = (value: bigint) => Object.assign(new ReceiveNote(), { note: Object.assign(new Note(), { value }) });

function refusalOf(type: new () => object, values: object): string | null | undefined {
  const contract = { shieldedTRC20ContractAddress: fromHex(contractAt(0)) };
  const request = Object.assign(new type(), contract, values) as PrivateShieldedTRC20Parameters;
  try {
    shieldedParameters(api, view, request, 'invalid amount');
  } catch (error) {
    return javaError(error)?.text;
  }
  return undefined;
}

// Error texts of java-tron 4.7.2.
t.test('checks shielded parameters before creating a proof', async (t) => {
  const [WithAsk, WithoutAsk] = [PrivateShieldedTRC20Parameters, PrivateShieldedTRC20ParametersWithoutAsk];
  const transfer = { shieldedSpends: [spend(5n)], shieldedReceives: [receive(5n)] };
  t.equal(refusalOf(WithAsk, transfer), 'No shielded TRC-20 ask, nsk or ovk');
  t.equal(refusalOf(WithoutAsk, transfer), 'No shielded TRC-20 ak, nsk or ovk');
  t.equal(refusalOf(WithAsk, { ...KEYS, ...transfer }), 'Input too short: 0', 'empty recipient address');
  t.equal(
    refusalOf(WithAsk, { fromAmount: '5', shieldedReceives: [receive(5n)] }),
    'Input too short: 0',
    'a mint without an address',
  );
  const burn = { ...KEYS, toAmount: '5', shieldedSpends: [spend(5n)] };
  t.equal(refusalOf(WithAsk, burn), 'No valid transparent TRC-20 output address');
  t.equal(refusalOf(WithoutAsk, burn), 'No transparent TRC-20 output address');
  t.equal(refusalOf(WithAsk, { ...burn, ...PAY_TO }), 'Input too short: 0');
  t.equal(refusalOf(WithAsk, { ...burn, shieldedReceives: [receive(2n ** 63n - 1n)] }), 'Unbalanced burn!');
  t.equal(refusalOf(WithAsk, { ...burn, toAmount: '6' }), 'invalid shielded TRC-20 parameters');
});
