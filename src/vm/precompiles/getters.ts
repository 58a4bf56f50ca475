import { type Account, ResourceCode } from '../../codec/generated/messages.js';
import { toLong } from '../../java-compat/double.js';
import { concatBytes, toHex } from '../../primitives/bytes.js';
import { INT64_MAX, max64, min64 } from '../../primitives/int64.js';
import { SUN_PER_TRX, WORD_BYTES } from '../../primitives/units.js';
import { arithmeticOf, hardenedShare } from '../../state-transition/resources/long-arithmetic.js';
import {
  allFrozenForBandwidth,
  allFrozenForEnergy,
  frozenForBandwidth,
  frozenForEnergy,
  frozenV2,
} from '../../state-transition/resources/stake.js';
import {
  headSlot,
  lastConsumeTime,
  recovery,
  usageOfAccount,
  windowSlots,
} from '../../state-transition/resources/usage.js';
import { delegatedBalance, delegationKeyV2 } from '../../state-transition/staking/delegation-rows.js';
import { acquired, acquiredV2 } from '../../state-transition/staking/stake-fields.js';
import { UNFREEZE_MAX } from '../../state-transition/staking/stake-v2.js';
import { expiredUnfreezing } from '../../state-transition/staking/unfreezing.js';
import { pendingReward } from '../../state-transition/staking/vote-reward.js';
import { votingPower } from '../../state-transition/staking/votes.js';
import type { State } from '../../state-transition/state/state.js';
import {
  addressAt,
  longWord,
  type Precompile,
  type PrecompileContext,
  safeLong,
  success,
  wordAt,
} from './precompile.js';

/** First three words of the input. No getter reads more words. */
type Words = readonly [Uint8Array, Uint8Array, Uint8Array];
type Answer = (words: Words, context: PrecompileContext) => bigint | readonly bigint[];

/**
 * Builds a getter. The getter returns zeros if the input does not have exactly `words` words.
 * @param answers number of result words
 */
function getter(energy: number, words: number, answer: Answer, answers = 1): Precompile {
  return {
    energy: () => energy,
    run(data, context) {
      if (data.length !== words * WORD_BYTES) return success(new Uint8Array(WORD_BYTES * answers));
      const result = answer([wordAt(data, 0), wordAt(data, 1), wordAt(data, 2)], context);
      return success(typeof result === 'bigint' ? longWord(result) : concatBytes(...result.map(longWord)));
    },
  };
}

function accountOf(word: Uint8Array, context: PrecompileContext): Account | undefined {
  return context.machine.accounts.get(addressAt(context, word));
}

/** Returns the caller's voting reward and allowance in SUN. Reference: RewardBalance. */
export const rewardBalance: Precompile = {
  energy: () => 500,
  run: (_, { machine, caller }) => success(longWord(machine.rules.vote ? pendingReward(machine.accounts, caller) : 0n)),
};

/** Returns 1 for an account that is a witness candidate, elected or not. Reference: IsSrCandidate. */
export const isSrCandidate = getter(20, 1, ([word], context) =>
  context.machine.state.witnesses.has(addressAt(context, word)) ? 1n : 0n,
);

/** Returns the votes of an account for a witness. Reference: VoteCount. */
export const voteCount = getter(500, 2, ([voter, witness], context) => {
  const votes = accountOf(voter, context)?.votes ?? [];
  const address = addressAt(context, witness);
  return votes.reduce((sum, vote) => (toHex(vote.voteAddress) === address ? sum + vote.voteCount : sum), 0n);
});

/** Returns the number of votes that an account has cast. Reference: UsedVoteCount. */
export const usedVoteCount = getter(20, 1, ([word], context) =>
  (accountOf(word, context)?.votes ?? []).reduce((sum, vote) => sum + vote.voteCount, 0n),
);

/** Returns the number of votes for a witness. Reference: ReceivedVoteCount. */
export const receivedVoteCount = getter(20, 1, ([word], context) => {
  return context.machine.state.witnesses.get(addressAt(context, word))?.voteCount ?? 0n;
});

/** Returns an account's voting power in whole TRX. Reference: TotalVoteCount. */
export const totalVoteCount = getter(20, 1, ([word], context) => {
  const account = accountOf(word, context);
  if (account === undefined) return 0n;
  return votingPower(context.machine.state, account) / SUN_PER_TRX;
});

/** Returns a chain parameter by its number in this precompile. Reference: GetChainParameter, ChainParameterEnum. */
export const chainParameter = getter(50, 1, ([word], { machine }) => {
  const { properties } = machine.state;
  switch (safeLong(word)) {
    case 1n:
      return properties.get('TOTAL_NET_LIMIT');
    case 2n:
      return properties.get('TOTAL_NET_WEIGHT');
    case 3n:
      return properties.get('TOTAL_ENERGY_CURRENT_LIMIT');
    case 4n:
      return properties.get('TOTAL_ENERGY_WEIGHT');
    case 5n:
      return properties.get('UNFREEZE_DELAY_DAYS');
    default:
      return 0n;
  }
});

/** Returns the number of unfreezings that an account can still start. Reference: AvailableUnfreezeV2Size. */
export const availableUnfreezeV2Size = getter(50, 1, ([word], context) => {
  const account = accountOf(word, context);
  if (account === undefined) return 0n;
  const now = context.machine.state.properties.get('latest_block_header_timestamp');
  const unfreezing = account.unfrozenV2.filter(({ unfreezeExpireTime }) => unfreezeExpireTime > now).length;
  return max64(BigInt(UNFREEZE_MAX) - BigInt(unfreezing), 0n);
});

/** Returns an account's own stake 2.0 of a resource in SUN. Reference: UnfreezableBalanceV2. */
export const unfreezableBalanceV2 = getter(50, 2, ([word, type], context) => {
  const account = accountOf(word, context);
  return account === undefined ? 0n : unfreezable(account, safeLong(type));
});

function unfreezable(account: Account, type: bigint): bigint {
  return type >= 0n && type <= 2n ? frozenV2(account, Number(type)) : 0n;
}

/**
 * Returns the sum of an account's unfreezings that have expired at a time, in SUN. The time is in seconds since 1970.
 * Reference: ExpireUnfreezeBalanceV2.
 */
export const expireUnfreezeBalanceV2 = getter(50, 2, ([word, seconds], context) => {
  const account = accountOf(word, context);
  if (account === undefined) return 0n;
  const value = safeLong(seconds);
  const time = value >= INT64_MAX / 1000n ? INT64_MAX : value * 1000n;
  return expiredUnfreezing(account, time);
});

/**
 * Returns the part of an account's own stake 2.0 that the account can delegate, in SUN. Reference: DelegatableResource.
 */
export const delegatableResource = getter(50, 2, ([word, type], context) => {
  const account = accountOf(word, context);
  if (account === undefined) return 0n;
  const kind = safeLong(type);
  if (kind > 1n) return 0n;
  const resource = Number(kind);
  const own = frozenV2(account, resource);
  const { balance } = usageBalance(context.machine.state, account, resource);
  if (balance <= 0n) return own;
  const frozen = resource === ResourceCode.BANDWIDTH ? frozenForBandwidth(account) : frozenForEnergy(account);
  const others = frozen + acquired(account, resource) + acquiredV2(account, resource);
  return max64(0n, own - max64(0n, balance - others));
});

/**
 * Returns the stake in SUN that an account needs for its current usage, and the seconds until the usage is zero.
 * Reference: getAccountNetUsageBalanceAndRestoreSeconds and getAccountEnergyUsageBalanceAndRestoreSeconds.
 */
function usageBalance(state: State, account: Account, resource: number): { balance: bigint; seconds: bigint } {
  const { properties } = state;
  const now = headSlot(state);
  const last = lastConsumeTime(account, resource);
  const window = windowSlots(account, resource);
  if (now >= last + window) return { balance: 0n, seconds: 0n };
  const usage = recovery(arithmeticOf(properties), account, resource, {
    lastUsage: usageOfAccount(account, resource),
    lastTime: last,
    now,
  });
  const isNet = resource === ResourceCode.BANDWIDTH;
  const weight = properties.get(isNet ? 'TOTAL_NET_WEIGHT' : 'TOTAL_ENERGY_WEIGHT');
  const limit = properties.get(isNet ? 'TOTAL_NET_LIMIT' : 'TOTAL_ENERGY_CURRENT_LIMIT');
  const balance = properties.isOn('ALLOW_HARDEN_RESOURCE_CALCULATION')
    ? hardenedShare(usage * SUN_PER_TRX, weight, limit)
    : toLong(((Number(usage) * Number(weight)) / Number(limit)) * Number(SUN_PER_TRX));
  return { balance, seconds: ((last + window - now) * 3000n) / 1000n };
}

/**
 * Returns the stake 2.0 in SUN that one account delegated to another account. If both addresses are equal, returns the
 * account's own stake 2.0. Reference: ResourceV2.
 */
export const resourceV2 = getter(50, 3, ([targetWord, fromWord, type], context) => {
  const { state, accounts } = context.machine;
  const target = addressAt(context, targetWord);
  const from = addressAt(context, fromWord);
  const kind = safeLong(type);
  if (from === target) {
    const account = accounts.get(from);
    return account === undefined ? 0n : unfreezable(account, kind);
  }
  return (
    delegatedStake(state, delegationKeyV2(from, target, false), kind) +
    delegatedStake(state, delegationKeyV2(from, target, true), kind)
  );
});

function delegatedStake(state: State, key: string, kind: bigint): bigint {
  const row = state.delegatedResources.get(key);
  if (row === undefined || kind > 1n) return 0n;
  return delegatedBalance(row, Number(kind));
}

/**
 * Returns three numbers for an undelegation: the stake in SUN that no usage needs, the stake in SUN that the usage
 * needs, and the seconds until the usage is zero. Reference: CheckUnDelegateResource.
 */
export const checkUndelegateResource = getter(
  50,
  3,
  ([word, amountWord, type], context) => {
    const amount = safeLong(amountWord);
    const kind = safeLong(type);
    const account = accountOf(word, context);
    if (amount <= 0n || account === undefined || kind > 1n) return [0n, 0n, 0n];
    const { balance, seconds } = usageBalance(context.machine.state, account, Number(kind));
    const limit = kind === 0n ? allFrozenForBandwidth(account) : allFrozenForEnergy(account);
    const requested = min64(amount, limit);
    if (limit <= balance) return [0n, requested, seconds];
    const clean = toLong(Number(requested) * (Number(limit - balance) / Number(limit)));
    return [clean, requested - clean, seconds];
  },
  3,
);

/** Returns the stake in SUN that the usage needs, and the seconds until the usage is zero. Reference: ResourceUsage. */
export const resourceUsage = getter(
  50,
  2,
  ([word, type], context) => {
    const account = accountOf(word, context);
    const kind = safeLong(type);
    if (account === undefined || kind > 1n) return [0n, 0n];
    const { balance, seconds } = usageBalance(context.machine.state, account, Number(kind));
    return [balance, seconds];
  },
  2,
);

/** Returns an account's total stake of a resource in SUN. Reference: TotalResource. */
export const totalResource = byKind(allFrozenForBandwidth, allFrozenForEnergy);

/** Returns the stake that an account delegated, in SUN. Reference: TotalDelegatedResource. */
export const totalDelegatedResource = byKind(
  (account) => account.delegatedFrozenBalanceForBandwidth + account.delegatedFrozenV2BalanceForBandwidth,
  ({ accountResource }) =>
    (accountResource?.delegatedFrozenBalanceForEnergy ?? 0n) +
    (accountResource?.delegatedFrozenV2BalanceForEnergy ?? 0n),
);

/** Returns the stake delegated to an account, in SUN. Reference: TotalAcquiredResource. */
export const totalAcquiredResource = byKind(
  (account) =>
    account.acquiredDelegatedFrozenBalanceForBandwidth + account.acquiredDelegatedFrozenV2BalanceForBandwidth,
  ({ accountResource }) =>
    (accountResource?.acquiredDelegatedFrozenBalanceForEnergy ?? 0n) +
    (accountResource?.acquiredDelegatedFrozenV2BalanceForEnergy ?? 0n),
);

function byKind(bandwidth: (account: Account) => bigint, energy: (account: Account) => bigint): Precompile {
  return getter(50, 2, ([word, type], context) => {
    const account = accountOf(word, context);
    const kind = safeLong(type);
    if (account === undefined || kind > 1n) return 0n;
    return kind === 0n ? bandwidth(account) : energy(account);
  });
}
