import { Account, InternalTransaction } from '../../codec/generated/messages.js';
import { stakedFor } from '../../encoding/staked-resources.js';
import { EMPTY_BYTES, fromHex, fromInt64, utf8 } from '../../primitives/bytes.js';
import type { ProjectedBlock, Projection, ProjectionRow } from '../runner/projection.js';
import { storeId } from '../state/stores.js';
import { distinct, type HistoryBlock, HistoryBlocks, namedAddresses } from './block-parts.js';
import { eventRows } from './contract-events.js';
import { contractsByCreator } from './contracts-by-creator.js';
import { indexKey } from './history-key.js';
import { type IndexDefinition, storedRows } from './index-definition.js';
import { TOKEN_CONTRACTS, tokenContractRows } from './token-contracts.js';
import { transfersOf } from './token-transfer.js';
import { trc721Transfers } from './trc721-transfers.js';

/** Stake and votes of an account after a block. All amounts are in SUN. */
export interface StakeSummary {
  readonly stakedForBandwidth: string;
  readonly stakedForEnergy: string;
  readonly stakedForTronPower: string;
  /** Amount that is being unstaked and was not withdrawn yet. */
  readonly unstaking: string;
  readonly delegatedForBandwidth: string;
  readonly delegatedForEnergy: string;
  readonly acquiredForBandwidth: string;
  readonly acquiredForEnergy: string;
  /** Number of votes cast. */
  readonly votes: string;
}

const ACCOUNT = storeId('account');

/** Indexes whose interfaces are derived from their definition. To add an index, add its file and a line here. */
export const indexDefinitions: readonly IndexDefinition[] = [contractsByCreator, trc721Transfers];

/** Names of these indexes, for an error message. */
export const indexNames = indexDefinitions.map(({ name }) => name).join(', ');

/** Returns the index with a name, or undefined. */
export function findIndex(name: string | null): IndexDefinition | undefined {
  return indexDefinitions.find((index) => index.name === name);
}

/** Returns the projections of `tronicle.projections` by name. Each indexes account activity by address. */
export function indexProjections(addressPrefix: number): ReadonlyMap<string, Projection> {
  const blocks = new HistoryBlocks();
  const all: readonly Projection[] = [
    // Version 2 added TRC1155.
    { name: 'address-history', version: 2, apply: (block) => transactionRows(blocks.of(block), addressPrefix) },
    { name: 'token-transfers', version: 2, apply: (block) => transferRows(blocks.of(block), addressPrefix) },
    { name: TOKEN_CONTRACTS, version: 1, apply: (block) => tokenContractRows(blocks.of(block), addressPrefix) },
    { name: 'internal-transactions', version: 1, apply: (block) => internalRows(blocks.of(block)) },
    { name: 'balance-history', version: 1, apply: balanceRows },
    { name: 'stake-history', version: 1, apply: stakeRows },
    { name: 'contract-events', version: 1, apply: (block) => eventRows(block, addressPrefix) },
    ...indexDefinitions.map((index) => ({
      name: index.name,
      version: index.version,
      apply: (block: ProjectedBlock) => storedRows(index, blocks.of(block), addressPrefix),
    })),
  ];
  return new Map(all.map((projection) => [projection.name, projection]));
}

/**
 * Returns one row per transaction and account. An account is involved if it is named in the transaction, is part of an
 * internal transaction, or has a token transfer.
 */
function transactionRows(block: HistoryBlock, addressPrefix: number): ProjectionRow[] {
  return block.transactions.flatMap((transaction) => {
    const { parameter, info, internal, index } = transaction;
    const reached = [
      ...namedAddresses(parameter),
      ...(info === undefined ? [] : [info.contractAddress]),
      ...internal.flatMap(({ callerAddress, transferToAddress }) => [callerAddress, transferToAddress]),
      ...transfersOf(transaction, addressPrefix).flatMap(({ from, to }) => [fromHex(from), fromHex(to)]),
    ];
    return distinct(reached).map((address) => ({
      key: indexKey(address, [block.entry.number, index]),
      value: EMPTY_BYTES,
    }));
  });
}

/** Returns two rows per token transfer: by sender and by receiver. */
function transferRows(block: HistoryBlock, addressPrefix: number): ProjectionRow[] {
  return block.transactions.flatMap((transaction) =>
    transfersOf(transaction, addressPrefix).flatMap((transfer, at) =>
      distinct([fromHex(transfer.from), fromHex(transfer.to)]).map((address) => ({
        key: indexKey(address, [block.entry.number, transaction.index, at]),
        value: utf8(JSON.stringify(transfer)),
      })),
    ),
  );
}

/** Returns two rows per internal transaction: by sender and by receiver. */
function internalRows(block: HistoryBlock): ProjectionRow[] {
  return block.transactions.flatMap(({ index, internal }) =>
    internal.flatMap((one, at) =>
      distinct([one.callerAddress, one.transferToAddress]).map((address) => ({
        key: indexKey(address, [block.entry.number, index, at]),
        value: InternalTransaction.encode(one),
      })),
    ),
  );
}

/**
 * Returns rows of balance changes. A value has 8 bytes for the balance before the block, and 8 bytes for that after it.
 * @throws {TronError} HISTORY_NOT_KEPT
 */
function balanceRows(block: ProjectedBlock): ProjectionRow[] {
  return accountsChanged(block).flatMap(({ key, before, after }) => {
    const [old, now] = [before?.balance ?? 0n, after?.balance ?? 0n];
    if (old === now) return [];
    return [{ key: indexKey(key, [block.entry.number]), value: Buffer.concat([fromInt64(old), fromInt64(now)]) }];
  });
}

/** Returns rows of changes of stake and votes. @throws {TronError} HISTORY_NOT_KEPT */
function stakeRows(block: ProjectedBlock): ProjectionRow[] {
  return accountsChanged(block).flatMap(({ key, before, after }) => {
    const [old, now] = [JSON.stringify(stakeOf(before)), JSON.stringify(stakeOf(after))];
    return old === now ? [] : [{ key: indexKey(key, [block.entry.number]), value: utf8(now) }];
  });
}

function accountsChanged(block: ProjectedBlock) {
  const decode = (row: Uint8Array | undefined): Account | undefined => row && Account.decode(row);
  return block
    .changes()
    .rows.filter(({ store }) => store === ACCOUNT)
    .map(({ key, before, after }) => ({ key, before: decode(before), after: decode(after) }));
}

/** Returns the sums of stake 1.0 and stake 2.0 of an account. */
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
