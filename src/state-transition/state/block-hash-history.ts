import { AccountAccountResource, AccountType, SmartContract } from '../../codec/generated/messages.js';
import { type Address, addressBytes } from '../../primitives/address.js';
import { fromHex, fromInt64 } from '../../primitives/bytes.js';
import { newAccount, type State } from './state.js';
import { storageRowKeys } from './storage-key.js';

/** Contract that returns ids of past blocks. Address, deployer and code are those of Ethereum (EIP-2935). */
const ADDRESS = '410000f90827f1c53a10cb7a02335b175320002935' as Address;
const MAKER = '413462413af4609098e1e27a490f554f260213d685' as Address;
const CODE = fromHex(
  [
    '3373fffffffffffffffffffffffffffffffffffffffe14604657602036036042575f35600143038111604257',
    '611fff81430311604257611fff9006545f5260205ff35b5f5ffd5b5f35611fff60014303065500',
  ].join(''),
);
/** Number of past blocks whose ids the contract stores (EIP-2935). */
const WINDOW = 8191;

/**
 * Deploys the contract after the approval of proposal 95. If the address already has code or a contract, does nothing;
 * the contract is then never deployed. Reference: HistoryBlockHashUtil.deploy.
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
    // java-tron writes the resource message of the account even if the message is empty.
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
 * Stores the parent's id in the contract's storage, before the transactions of a block.
 * Reference: HistoryBlockHashUtil.write.
 * @param number number of the block
 */
export function rememberParent(state: State, number: number, parentId: Uint8Array): void {
  if (number <= 0 || !state.properties.isOn('BLOCK_HASH_HISTORY_INSTALLED')) return;
  const slot = new Uint8Array(32);
  slot.set(fromInt64(BigInt((number - 1) % WINDOW)), 24);
  const [key, ...older] = storageRowKeys(state, ADDRESS, undefined, slot);
  state.storage.put(key, parentId);
  for (const row of older) state.storage.delete(row);
}
