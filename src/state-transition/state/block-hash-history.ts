import { AccountAccountResource, AccountType, SmartContract } from '../../codec/generated/messages.js';
import { type Address, addressBytes } from '../../primitives/address.js';
import { fromHex, fromInt64 } from '../../primitives/bytes.js';
import { newAccount, type State } from './state.js';
import { storageRowKeys } from './storage-key.js';

/** The contract that answers with ids of past blocks: address, maker and code are Ethereum's (EIP-2935). */
const ADDRESS = '410000f90827f1c53a10cb7a02335b175320002935' as Address;
const MAKER = '413462413af4609098e1e27a490f554f260213d685' as Address;
const CODE = fromHex(
  [
    '3373fffffffffffffffffffffffffffffffffffffffe14604657602036036042575f35600143038111604257',
    '611fff81430311604257611fff9006545f5260205ff35b5f5ffd5b5f35611fff60014303065500',
  ].join(''),
);
/** Blocks that it remembers. */
const WINDOW = 8191;

/**
 * Puts the contract into the state, when proposal 95 is approved. Where its address has code or a contract already,
 * nothing happens, then or ever. Reference: HistoryBlockHashUtil.deploy.
 */
export function deployBlockHashHistory(state: State): void {
  if (state.code.has(ADDRESS) || state.contracts.has(ADDRESS)) return;
  state.code.put(ADDRESS, CODE);
  const contract = Object.assign(new SmartContract(), {
    originAddress: addressBytes(MAKER),
    contractAddress: addressBytes(ADDRESS),
    consumeUserResourcePercent: 100n,
    name: 'BlockHashHistory',
  });
  state.contracts.put(ADDRESS, contract);
  const account = state.accountToWrite(ADDRESS);
  if (account === undefined) state.putAccount(ADDRESS, newAccount(ADDRESS, { type: AccountType.Contract }));
  else {
    account.type = AccountType.Contract;
    // The reference writes the resource message even where it is empty.
    account.accountResource ??= new AccountAccountResource();
    account.accountResource.acquiredDelegatedFrozenBalanceForEnergy = 0n;
    account.accountResource.acquiredDelegatedFrozenV2BalanceForEnergy = 0n;
    account.acquiredDelegatedFrozenBalanceForBandwidth = 0n;
    account.acquiredDelegatedFrozenV2BalanceForBandwidth = 0n;
    state.saveAccount(ADDRESS, account);
  }
  state.properties.set('BLOCK_HASH_HISTORY_INSTALLED', 1n);
}

/**
 * Before the transactions of a block: the id of its parent goes into the contract's storage. Reference:
 * HistoryBlockHashUtil.write.
 * @param number of the block
 */
export function rememberParent(state: State, number: number, parentId: Uint8Array): void {
  if (number <= 0 || !state.properties.isOn('BLOCK_HASH_HISTORY_INSTALLED')) return;
  const slot = new Uint8Array(32);
  slot.set(fromInt64(BigInt((number - 1) % WINDOW)), 24);
  const [key, ...older] = storageRowKeys(state, ADDRESS, undefined, slot);
  state.storage.put(key, parentId);
  for (const row of older) state.storage.delete(row);
}
