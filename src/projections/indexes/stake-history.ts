import { Account } from '../../codec/generated/messages.js';
import { stakedFor } from '../../encoding/staked-resources.js';
import { utf8 } from '../../primitives/bytes.js';
import type { HistoryIndex } from './history-index.js';
import { indexKey } from './history-key.js';

/** Stake and votes of an account after a block. Amounts are in SUN. Amounts and votes are decimal text. */
interface StakeSummary {
  readonly stakedForBandwidth: string;
  readonly stakedForEnergy: string;
  readonly stakedForTronPower: string;
  /** Amount whose unfreezing has started and that is not withdrawn yet. Only stake 2.0 has such amounts. */
  readonly unstaking: string;
  readonly delegatedForBandwidth: string;
  readonly delegatedForEnergy: string;
  readonly acquiredForBandwidth: string;
  readonly acquiredForEnergy: string;
  /** Number of votes cast. */
  readonly votes: string;
}

/** Changes of stake and votes by account and block. A value is a {@link StakeSummary} after the block, as JSON. */
export const stakeHistoryIndex: HistoryIndex<StakeSummary> = {
  name: 'stake-history',
  version: 1,
  description: 'stake, delegations and votes of an account after each block that changed one of them',
  partsAfterHeight: 0,
  rowsOf: ({ entry, accounts }) =>
    accounts.flatMap(({ address, before, after }) => {
      const [old, now] = [JSON.stringify(stakeOf(before)), JSON.stringify(stakeOf(after))];
      return old === now ? [] : [{ key: indexKey(address, [entry.number]), value: utf8(now) }];
    }),
  decode: (value) => JSON.parse(Buffer.from(value).toString()) as StakeSummary,
};

/** Returns the stake and votes of an account. Staked and delegated amounts are the sum of stake 1.0 and stake 2.0. */
function stakeOf(account: Account = new Account()): StakeSummary {
  const { unfrozenV2, accountResource, votes } = account;
  const sum = (amounts: readonly bigint[]): bigint => amounts.reduce((all, one) => all + one, 0n);
  return {
    stakedForBandwidth: String(stakedFor(account, 'BANDWIDTH')),
    stakedForEnergy: String(stakedFor(account, 'ENERGY')),
    stakedForTronPower: String(stakedFor(account, 'TRON_POWER')),
    unstaking: String(sum(unfrozenV2.map(({ unfreezeAmount }) => unfreezeAmount))),
    delegatedForBandwidth: String(
      account.delegatedFrozenBalanceForBandwidth + account.delegatedFrozenV2BalanceForBandwidth,
    ),
    delegatedForEnergy: String(
      (accountResource?.delegatedFrozenBalanceForEnergy ?? 0n) +
        (accountResource?.delegatedFrozenV2BalanceForEnergy ?? 0n),
    ),
    acquiredForBandwidth: String(
      account.acquiredDelegatedFrozenBalanceForBandwidth + account.acquiredDelegatedFrozenV2BalanceForBandwidth,
    ),
    acquiredForEnergy: String(
      (accountResource?.acquiredDelegatedFrozenBalanceForEnergy ?? 0n) +
        (accountResource?.acquiredDelegatedFrozenV2BalanceForEnergy ?? 0n),
    ),
    votes: String(sum(votes.map(({ voteCount }) => voteCount))),
  };
}
