import t from 'tap';
import { AccountType } from '../../../../src/codec/generated/messages.js';
import { keccak256 } from '../../../../src/crypto/hash.js';
import type { Address } from '../../../../src/primitives/address.js';
import { fromHex, toHex } from '../../../../src/primitives/bytes.js';
import { deployBlockHashHistory, rememberParent } from '../../../../src/state-transition/state/block-hash-history.js';
import { newAccount } from '../../../../src/state-transition/state/state.js';
import { referenceInterpreter } from '../../../../src/vm/interpreter/reference-interpreter.js';
import { callWorld, worldWith } from '../../../support/vm/vm-world.js';

const ADDRESS = '410000f90827f1c53a10cb7a02335b175320002935' as Address;
const word = (value: number) => value.toString(16).padStart(64, '0');
const idOf = (number: number) => number.toString(16).padStart(16, '0') + 'ab'.repeat(24);

t.test('deploys the block hash contract of Ethereum once', async (t) => {
  const state = worldWith([]);
  deployBlockHashHistory(state);
  t.equal(
    toHex(keccak256(state.code.get(ADDRESS)!)),
    '6e49e66782037c0555897870e29fa5e552daf4719552131a0abce779daec0a5d',
  );
  t.equal(toHex(state.contracts.get(ADDRESS)!.originAddress), '413462413af4609098e1e27a490f554f260213d685');
  t.equal(state.contracts.get(ADDRESS)!.name, 'BlockHashHistory');
  t.equal(state.accounts.get(ADDRESS)!.type, AccountType.Contract);
  t.equal(state.accounts.get(ADDRESS)!.createTime, 0n);
  t.notOk(state.abis.has(ADDRESS));
  t.ok(state.properties.isOn('BLOCK_HASH_HISTORY_INSTALLED'));
});

t.test('keeps the balance of an existing account, and does not touch a foreign contract', async (t) => {
  const state = worldWith([]);
  state.putAccount(
    ADDRESS,
    newAccount(ADDRESS, { balance: 7n, acquiredDelegatedFrozenV2BalanceForBandwidth: 5n, createTime: 3n }),
  );
  deployBlockHashHistory(state);
  const account = state.accounts.get(ADDRESS)!;
  t.equal(account.balance, 7n);
  t.equal(account.type, AccountType.Contract);
  t.equal(account.acquiredDelegatedFrozenV2BalanceForBandwidth, 0n);
  t.ok(account.accountResource !== undefined);
  const foreign = worldWith([]);
  foreign.code.put(ADDRESS, fromHex('00'));
  deployBlockHashHistory(foreign);
  t.notOk(foreign.contracts.has(ADDRESS));
  t.notOk(foreign.properties.isOn('BLOCK_HASH_HISTORY_INSTALLED'));
  rememberParent(foreign, 5, fromHex(idOf(4)));
  t.same(
    foreign.commit().filter(({ key }) => toHex(key).startsWith('08a62472')),
    [],
  );
});

t.test('returns the ids of the last 8191 blocks to a program', async (t) => {
  // Code that calls the contract with the first word of its own call data. It returns the result, or reverts.
  const reader = `5f3560005260205f60205f73${ADDRESS.slice(2)}5afa15602a5760205ff35b5f5ffd`;
  const hashOf = (numbers: readonly number[], blockNumber: number) => {
    const state = worldWith([fromHex(reader)]);
    deployBlockHashHistory(state);
    for (const number of numbers) rememberParent(state, number, fromHex(idOf(number - 1)));
    const { run } = callWorld(state, referenceInterpreter, { data: fromHex(word(blockNumber)), energy: 100_000 });
    return run.isRevert ? undefined : toHex(run.returnData);
  };
  // The call is executed in block 101.
  t.equal(hashOf([101], 100), idOf(100));
  t.equal(hashOf([100, 101], 99), idOf(99));
  t.equal(hashOf([101], 101), undefined, 'the block itself');
  t.equal(hashOf([101], 7), '00'.repeat(32), 'no id is stored');
  const state = worldWith([]);
  deployBlockHashHistory(state);
  rememberParent(state, 8192, fromHex(idOf(8191)));
  const keys = state.commit().flatMap(({ key }) => (toHex(key).startsWith('08a62472') ? [toHex(key)] : []));
  t.same(
    keys,
    ['08a62472cc9e6892d2deb3431f4ccfd300000000000000000000000000000000'],
    'the window of 8191 entries starts again',
  );
});
