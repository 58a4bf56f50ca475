import {
  CanDelegatedMaxSizeResponseMessage,
  CanWithdrawUnfreezeAmountResponseMessage,
  DelegatedResourceAccountIndex,
  DelegatedResourceList,
  GetAvailableUnfreezeCountResponseMessage,
  ResourceCode,
} from '../../codec/generated/messages.js';
import { JavaHashMap, javaHashOfHex } from '../../java-compat/hash-map.js';
import { ADDRESS_BYTES, toAddress } from '../../primitives/address.js';
import { toHex } from '../../primitives/bytes.js';
import { max64, wrap64 } from '../../primitives/int64.js';
import { SUN_PER_TRX } from '../../primitives/units.js';
import { availableStake } from '../../state-transition/staking/delegatable-stake.js';
import { delegationKey, delegationKeyV2 } from '../../state-transition/staking/delegation-rows.js';
import { UNFREEZE_MAX } from '../../state-transition/staking/stake-v2.js';
import type { State } from '../../state-transition/state/state.js';
import { delegationBytes } from '../../state-transition/system-contracts/staking/delegation-bytes.js';
import type { ChainView } from '../context/api-context.js';
import { listedView } from './listing.js';

/** Returns the stake 1.0 that account `from` delegated to account `to`. Reference: Wallet.getDelegatedResource. */
export function delegatedResource({ state }: ChainView, from: Uint8Array, to: Uint8Array): DelegatedResourceList {
  const row = state.delegatedResources.get(delegationKey(toAddress(from), toAddress(to)));
  return Object.assign(new DelegatedResourceList(), { delegatedResource: row === undefined ? [] : [row] });
}

/**
 * Returns the unlocked and the locked stake 2.0 that account `from` delegated to account `to`. Reference:
 * Wallet.getDelegatedResourceV2.
 */
export function delegatedResourceV2({ state }: ChainView, from: Uint8Array, to: Uint8Array): DelegatedResourceList {
  const rows = [false, true].flatMap((isLocked) => {
    const row = state.delegatedResources.get(delegationKeyV2(toAddress(from), toAddress(to), isLocked));
    const isEmpty =
      row === undefined ||
      (row.expireTimeForBandwidth === 0n &&
        row.expireTimeForEnergy === 0n &&
        row.frozenBalanceForBandwidth === 0n &&
        row.frozenBalanceForEnergy === 0n);
    return isEmpty ? [] : [row];
  });
  return Object.assign(new DelegatedResourceList(), { delegatedResource: rows });
}

/**
 * First bytes of the keys in the delegation index, as hex, by version of stake. Under the first of the two bytes are
 * the accounts to which an account delegates. Under the second byte are the accounts that delegate to an account.
 */
const INDEX = { v1: ['01', '02'], v2: ['03', '04'] } as const;

/**
 * Returns the accounts to which an account delegates, and the accounts that delegate to it.
 * Reference: Wallet.getDelegatedResourceAccountIndex and getDelegatedResourceAccountIndexV2.
 */
export function delegationIndex(
  view: ChainView,
  era: keyof typeof INDEX,
  address: Uint8Array,
): DelegatedResourceAccountIndex {
  if (address.length !== ADDRESS_BYTES) return new DelegatedResourceAccountIndex();
  const old = era === 'v1' ? view.state.delegationIndex.get(toHex(address)) : undefined;
  if (old !== undefined) return old;
  const { state } = listedView(view);
  const [to, from] = INDEX[era];
  return Object.assign(new DelegatedResourceAccountIndex(), {
    account: address,
    toAccounts: partners(state, to, address),
    fromAccounts: partners(state, from, address),
  });
}

function partners(state: State, direction: string, address: Uint8Array): Uint8Array[] {
  const rows = new JavaHashMap<string, DelegatedResourceAccountIndex>(javaHashOfHex);
  for (const [key, row] of state.delegationIndex.range(direction + toHex(address))) rows.set(key, row);
  return rows
    .entries()
    .map(([, row]) => row)
    .sort((a, b) => (a.timestamp < b.timestamp ? -1 : a.timestamp > b.timestamp ? 1 : 0))
    .map(({ account }) => account);
}

/**
 * Returns the amount of unstaked TRX that an account can withdraw at a given time, in SUN. The time is in ms; 0 means
 * the time of the head block. Reference: Wallet.getCanWithdrawUnfreezeAmount.
 */
export function withdrawableAmount(
  { state }: ChainView,
  owner: Uint8Array,
  timeMs: bigint,
): CanWithdrawUnfreezeAmountResponseMessage {
  const until = timeMs === 0n ? state.properties.get('latest_block_header_timestamp') : timeMs;
  const amount = (state.account(toAddress(owner))?.unfrozenV2 ?? [])
    .filter((item) => item.unfreezeAmount > 0n && item.unfreezeExpireTime <= until)
    .reduce((sum, item) => wrap64(sum + item.unfreezeAmount), 0n);
  return Object.assign(new CanWithdrawUnfreezeAmountResponseMessage(), { amount });
}

/**
 * Returns the number of unstake operations that an account can still start. Reference:
 * Wallet.getAvailableUnfreezeCount.
 */
export function availableUnfreezeCount(
  { state }: ChainView,
  owner: Uint8Array,
): GetAvailableUnfreezeCountResponseMessage {
  const account = state.account(toAddress(owner));
  const reply = new GetAvailableUnfreezeCountResponseMessage();
  if (account === undefined) return reply;
  const now = state.properties.get('latest_block_header_timestamp');
  const unfreezing = account.unfrozenV2.filter((item) => item.unfreezeAmount > 0n && item.unfreezeExpireTime > now);
  reply.count = BigInt(UNFREEZE_MAX) - BigInt(unfreezing.length);
  return reply;
}

/**
 * Returns the amount in SUN of stake 2.0 that an account can still delegate. Reference: Wallet.getCanDelegatedMaxSize.
 */
export function delegableMaxSize(
  { state }: ChainView,
  owner: Uint8Array,
  resource: number,
): CanDelegatedMaxSizeResponseMessage {
  const account = state.account(toAddress(owner));
  const reply = new CanDelegatedMaxSizeResponseMessage();
  if (account === undefined || (resource !== ResourceCode.BANDWIDTH && resource !== ResourceCode.ENERGY)) return reply;
  const extra = resource === ResourceCode.BANDWIDTH ? delegationBytes(state, account) : 0n;
  const size = max64(0n, availableStake(state, account, resource, extra));
  reply.maxSize = size < SUN_PER_TRX ? 0n : size;
  return reply;
}
