import {
  AccountCreateContract,
  AccountUpdateContract,
  SetAccountIdContract,
  TransferContract,
} from '../../../../src/codec/generated/messages.js';
import { utf8 } from '../../../../src/primitives/bytes.js';
import { poor, unborn } from '../actors.js';
import { oddTextBytes } from '../odd-text.js';
import type { Family, Scene } from '../scene.js';
import { draft } from '../sealed-transaction.js';

export const transfer: Family = (scene) => {
  const owner = scene.owner();
  const { random } = scene;
  const most = scene.balance(owner) / (random.chance(0.9) ? 1000n : 1n);
  return draft(
    'TransferContract',
    TransferContract,
    { ownerAddress: owner.bytes, toAddress: scene.target(), amount: random.amount(most) },
    random.chance(0.02) ? scene.owner() : owner,
    random.chance(0.1) ? { memo: random.bytes(random.below(300)) } : {},
  );
};

/** Chain properties whose values are fees of a transfer. The owner pays them in addition to the amount. */
const COSTS = [
  'CREATE_NEW_ACCOUNT_FEE_IN_SYSTEM_CONTRACT',
  'CREATE_ACCOUNT_FEE',
  'MEMO_FEE',
  'MULTI_SIGN_FEE',
] as const;

/**
 * Transfers nearly the whole balance. The amount that remains is the sum of some fees that the transfer may cost, or
 * this sum plus or minus 1 SUN.
 */
export const transferNearlyAll: Family = (scene) => {
  const { random } = scene;
  const { properties } = scene.state;
  const owner = random.pick([...poor, ...unborn]);
  const bytes = properties.get('TRANSACTION_FEE') * BigInt(random.between(190, 280));
  const costs = [...COSTS.map((name) => properties.get(name)), bytes].filter(() => random.chance(0.3));
  const left = costs.reduce((sum, cost) => sum + cost, BigInt(random.between(-1, 1)));
  const amount = scene.balance(owner) - left;
  const to = random.chance(0.5) ? newcomer(scene) : scene.target();
  const fields = { ownerAddress: owner.bytes, toAddress: to, amount };
  const memo = random.chance(0.3) ? { memo: random.bytes(random.below(9)) } : {};
  return draft('TransferContract', TransferContract, fields, owner, memo);
};

/** Returns an address that has no account in most cases. */
function newcomer(scene: Scene): Uint8Array {
  const { random } = scene;
  const missing = unborn.filter((actor) => scene.account(actor) === undefined);
  if (missing.length > 0 && random.chance(0.4)) return random.pick(missing).bytes;
  return random.chance(0.6) ? Uint8Array.of(0x41, ...random.bytes(20)) : scene.target();
}

export const createAccount: Family = (scene) => {
  const owner = scene.owner();
  const accountAddress = newcomer(scene);
  const type = scene.random.pick([0, 0, 1, 2, 7]);
  return draft(
    'AccountCreateContract',
    AccountCreateContract,
    { ownerAddress: owner.bytes, accountAddress, type },
    owner,
  );
};

export const nameAccount: Family = (scene) => {
  const owner = scene.ownerWho(({ accountName }) => accountName.length === 0);
  const { random } = scene;
  const accountName = random.chance(0.5)
    ? random.pick([utf8(`name${random.below(6)}`), oddTextBytes(random, 200)])
    : random.bytes(random.pick([0, 1, 7, 8, 32, 200, 201]));
  return draft('AccountUpdateContract', AccountUpdateContract, { ownerAddress: owner.bytes, accountName }, owner);
};

export const identifyAccount: Family = (scene) => {
  const owner = scene.ownerWho(({ accountId }) => accountId.length === 0);
  const { random } = scene;
  const texts = [
    'account1',
    'Account1',
    'ACCOUNT2',
    'short',
    'a b c d e f',
    `identity${random.below(9)}`,
    'ünicode-long',
    'i'.repeat(33),
  ];
  const accountId = random.chance(0.9) ? utf8(random.pick(texts)) : random.bytes(random.pick([8, 32, 0]));
  return draft('SetAccountIdContract', SetAccountIdContract, { ownerAddress: owner.bytes, accountId }, owner);
};
