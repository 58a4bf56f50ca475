import t from 'tap';
import { type AccountPermissionUpdateContract, Key, Permission } from '../../../../../src/codec/generated/messages.js';
import { accountPermissionUpdate } from '../../../../../src/state-transition/system-contracts/accounts/account-permission-update.js';
import { addAccount, addressOf, bytesOf, refusal, run, stateWith } from '../../../../support/vm/state-with.js';

const OWNER = 1;
const [OWNER_TYPE, WITNESS_TYPE, ACTIVE_TYPE] = [0, 1, 2];

function key(fill: number, weight: bigint): Key {
  return Object.assign(new Key(), { address: bytesOf(fill), weight });
}

function permission(type: number, fields: Partial<Permission> = {}): Permission {
  const operations = type === ACTIVE_TYPE ? new Uint8Array(32) : new Uint8Array(0);
  return Object.assign(new Permission(), { type, threshold: 1n, keys: [key(2, 1n)], operations }, fields);
}

function operations(...types: number[]): Uint8Array {
  const bits = new Uint8Array(32);
  for (const type of types) bits[type >> 3]! |= 1 << (type & 7);
  return bits;
}

const good = { owner: permission(OWNER_TYPE), actives: [permission(ACTIVE_TYPE)] };
const owner = (fields: Partial<Permission>) => ({ ...good, owner: permission(OWNER_TYPE, fields) });
const active = (fields: Partial<Permission>) => ({ ...good, actives: [permission(ACTIVE_TYPE, fields)] });

const refusals: readonly (readonly [text: string, fields: Partial<AccountPermissionUpdateContract>])[] = [
  ['owner permission is missed', { actives: good.actives }],
  ["account isn't witness can't set witness permission", { ...good, witness: permission(WITNESS_TYPE) }],
  ['active permission is missed', { ...good, actives: [] }],
  ['active permission is too many', { ...good, actives: new Array(9).fill(permission(ACTIVE_TYPE)) }],
  ['owner permission type is error', { ...good, owner: permission(ACTIVE_TYPE) }],
  ['active permission type is error', { ...good, actives: [permission(OWNER_TYPE)] }],
  [
    'number of keys in permission should not be greater than 5',
    owner({ keys: [1, 2, 3, 4, 5, 6].map((i) => key(i, 1n)) }),
  ],
  ["key's count should be greater than 0", owner({ keys: [] })],
  ["permission's threshold should be greater than 0", owner({ threshold: 0n })],
  ["permission's name is too long", owner({ permissionName: 'n'.repeat(33) })],
  ["permission's parent should be owner", owner({ parentId: 1 })],
  ['address should be distinct in permission Owner', owner({ keys: [key(2, 1n), key(2, 2n)] })],
  ['key is not a validate address', owner({ keys: [Object.assign(key(2, 1n), { address: new Uint8Array(20) })] })],
  ["key's weight should be greater than 0", owner({ keys: [key(2, 0n)] })],
  ['long overflow', owner({ keys: [key(2, 2n ** 63n - 1n), key(3, 1n)] })],
  ["sum of all key's weight should not be less than threshold in permission Active", active({ threshold: 2n })],
  ["Owner permission needn't operations", owner({ operations: new Uint8Array(32) })],
  ['operations size must 32', active({ operations: new Uint8Array(31) })],
  ["51 isn't a validate ContractType", active({ operations: operations(1, 51, 52) })],
];

t.test('rejects permissions with the text of the first broken rule', async (t) => {
  const state = stateWith({ ALLOW_MULTI_SIGN: 1n });
  addAccount(state, OWNER, 100_000_000n);
  for (const [text, fields] of refusals) {
    t.equal(refusal(accountPermissionUpdate, state, { ownerAddress: bytesOf(OWNER), ...fields })?.text, text, text);
  }
});

t.test('assigns ids to accepted permissions and charges the fee', async (t) => {
  const state = stateWith({ ALLOW_MULTI_SIGN: 1n, ALLOW_BLACKHOLE_OPTIMIZATION: 1n });
  addAccount(state, OWNER, 100_000_001n);
  const actives = [permission(ACTIVE_TYPE, { id: 9, operations: operations(1, 2) }), permission(ACTIVE_TYPE)];
  const result = run(accountPermissionUpdate, state, { ownerAddress: bytesOf(OWNER), ...good, actives });
  t.equal(result.fee, 100_000_000n);
  const account = state.account(addressOf(OWNER));
  t.same([account?.balance, state.properties.get('BURN_TRX_AMOUNT')], [1n, 100_000_000n]);
  t.same(
    account?.activePermission.map(({ id }) => id),
    [2, 3],
  );
});

t.test('fails during execution if the balance is below the fee', async (t) => {
  const state = stateWith({ ALLOW_MULTI_SIGN: 1n });
  addAccount(state, OWNER, 99_999_999n);
  t.same(refusal(accountPermissionUpdate, state, { ownerAddress: bytesOf(OWNER), ...good }), {
    exception: 'ContractExeException',
    text: `${addressOf(OWNER)} insufficient balance, balance: 99999999, amount: 100000000`,
  });
});
