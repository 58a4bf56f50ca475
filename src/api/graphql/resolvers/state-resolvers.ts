import {
  type Account,
  AccountType,
  type AssetIssueContract,
  type DelegatedResource,
  type Permission,
  PermissionPermissionType,
  type Proposal,
  ProposalState,
  ResourceCode,
  type SmartContractDataWrapper,
  type Vote,
  type Witness,
} from '../../../codec/generated/messages.js';
import { printJson } from '../../../encoding/json/json-value.js';
import { messageToJson } from '../../../encoding/json/print-message.js';
import { toAddress } from '../../../primitives/address.js';
import { present } from '../../../primitives/assert.js';
import { toHex, toUtf8 } from '../../../primitives/bytes.js';
import { account, accountResource } from '../../operations/accounts.js';
import { delegatedResource, delegatedResourceV2, delegationIndex } from '../../operations/delegations.js';
import { contractInfo } from '../../operations/smart-contracts.js';
import { enumName } from '../enum-name.js';
import type { GraphqlSource } from '../graphql-source.js';
import { type GraphqlPage, type PageArguments, pageByKey } from '../page.js';
import type { AccountAt } from './account-at.js';
import { historyResolvers } from './history-resolvers.js';
import { indexResolvers } from './index-resolvers.js';

/** A smart contract, and the height at which it was read. */
interface ContractAt {
  readonly height: number;
  readonly address: Uint8Array;
  readonly row: SmartContractDataWrapper;
}

/** A vote, and the height at which the account of the voter was read. */
interface VoteAt extends Pick<Vote, 'voteAddress' | 'voteCount'> {
  readonly height: number;
}

/**
 * Returns an account; null if it does not exist.
 * @throws {TronError} HISTORY_NOT_KEPT: the state is pruned; HEIGHT_UNKNOWN: the block does not exist
 */
export function accountAt(source: GraphqlSource, address: Uint8Array, at?: number | bigint | null): AccountAt | null {
  const view = source.at(at);
  const row = account(view, address);
  return row === undefined ? null : { height: view.headNumber, address, row };
}

/**
 * Returns a smart contract; null if it does not exist.
 * @throws {TronError} HISTORY_NOT_KEPT: the state is pruned; HEIGHT_UNKNOWN: the block does not exist
 */
export function contractAt(source: GraphqlSource, address: Uint8Array, at?: number | bigint | null): ContractAt | null {
  const view = source.at(at);
  const row = contractInfo(view, address);
  return row === undefined ? null : { height: view.headNumber, address, row };
}

/**
 * Returns a witness; undefined if it does not exist.
 * @throws {TronError} HISTORY_NOT_KEPT: the state is pruned; HEIGHT_UNKNOWN: the block does not exist
 */
export function witnessAt(source: GraphqlSource, address: Uint8Array, at?: number): Witness | undefined {
  return source.at(at).state.witnesses.get(toAddress(address));
}

type DelegationArguments = PageArguments & { readonly era: 'V1' | 'V2' };

/** Returns the resolvers of accounts, witnesses, contracts, assets and the types that they contain. */
export function stateResolvers(source: GraphqlSource) {
  return {
    Account: {
      name: ({ row }: AccountAt) => toUtf8(row.accountName),
      type: ({ row }: AccountAt) => enumName(AccountType, row.type),
      balance: ({ row }: AccountAt) => row.balance,
      allowance: ({ row }: AccountAt) => row.allowance,
      createTime: ({ row }: AccountAt) => row.createTime,
      latestWithdrawTime: ({ row }: AccountAt) => row.latestWithdrawTime,
      isWitness: ({ row }: AccountAt) => row.isWitness,
      resources: ({ height, address }: AccountAt) => resources(source, height, address),
      stakeV1: ({ row }: AccountAt) => stakeV1(row),
      stakeV2: ({ row }: AccountAt) => stakeV2(row),
      delegationsTo: (parent: AccountAt, args: DelegationArguments) => delegations(source, parent, 'to', args),
      delegationsFrom: (parent: AccountAt, args: DelegationArguments) => delegations(source, parent, 'from', args),
      votes: ({ height, row }: AccountAt): VoteAt[] =>
        row.votes.map(({ voteAddress, voteCount }) => ({ height, voteAddress, voteCount })),
      permissions: ({ row }: AccountAt) =>
        [row.ownerPermission, row.witnessPermission, ...row.activePermission].filter((item) => item !== undefined),
      assets: ({ row }: AccountAt, args: PageArguments) => assetBalances(row, args),
      contract: ({ height, address }: AccountAt) => contractAt(source, address, height),
      ...historyResolvers(source),
      ...indexResolvers(source),
    },
    Delegation: {
      bandwidth: (row: DelegatedResource) => row.frozenBalanceForBandwidth,
      energy: (row: DelegatedResource) => row.frozenBalanceForEnergy,
      bandwidthExpireTime: (row: DelegatedResource) => row.expireTimeForBandwidth,
      energyExpireTime: (row: DelegatedResource) => row.expireTimeForEnergy,
    },
    Vote: {
      witnessAddress: ({ voteAddress }: VoteAt) => voteAddress,
      count: ({ voteCount }: VoteAt) => voteCount,
      witness: ({ height, voteAddress }: VoteAt) => witnessAt(source, voteAddress, height),
    },
    Permission: {
      type: ({ type }: Permission) => enumName(PermissionPermissionType, type),
      name: ({ permissionName }: Permission) => permissionName,
    },
    Witness: {
      latestBlockNumber: ({ latestBlockNum }: Witness) => latestBlockNum,
      isActive: ({ isJobs }: Witness) => isJobs,
    },
    Proposal: {
      id: ({ proposalId }: Proposal) => proposalId,
      proposer: ({ proposerAddress }: Proposal) => proposerAddress,
      parameters: ({ parameters }: Proposal) => [...parameters].map(([id, value]) => ({ id, value })),
      state: ({ state }: Proposal) => enumName(ProposalState, state),
    },
    Asset: {
      name: ({ name }: AssetIssueContract) => toUtf8(name),
      abbreviation: ({ abbr }: AssetIssueContract) => toUtf8(abbr),
      owner: ({ ownerAddress }: AssetIssueContract) => ownerAddress,
      description: ({ description }: AssetIssueContract) => toUtf8(description),
      url: ({ url }: AssetIssueContract) => toUtf8(url),
    },
    Contract: contractFields(),
  };
}

function contractOf({ row }: ContractAt) {
  return present(row.smartContract, 'this contract exists');
}

function contractFields() {
  return {
    originAddress: (at: ContractAt) => contractOf(at).originAddress,
    name: (at: ContractAt) => contractOf(at).name,
    abi: ({ row }: ContractAt) => {
      const abi = row.smartContract?.abi;
      return abi === undefined ? null : printJson(messageToJson(abi, true, 'fastjson'), 'fastjson');
    },
    bytecode: (at: ContractAt) => contractOf(at).bytecode,
    runtimeCode: ({ row }: ContractAt) => row.runtimecode,
    codeHash: (at: ContractAt) => contractOf(at).codeHash,
    consumeUserResourcePercent: (at: ContractAt) => contractOf(at).consumeUserResourcePercent,
    originEnergyLimit: (at: ContractAt) => contractOf(at).originEnergyLimit,
    energyUsage: ({ row }: ContractAt) => row.contractState?.energyUsage ?? 0n,
    energyFactor: ({ row }: ContractAt) => row.contractState?.energyFactor ?? 0n,
  };
}

function resources(source: GraphqlSource, height: number, address: Uint8Array) {
  const found = present(accountResource(source.at(height), address), 'this account exists');
  return {
    freeNetUsed: found.freeNetUsed,
    freeNetLimit: found.freeNetLimit,
    netUsed: found.netUsed,
    netLimit: found.netLimit,
    energyUsed: found.energyUsed,
    energyLimit: found.energyLimit,
    tronPowerUsed: found.tronPowerUsed,
    tronPowerLimit: found.tronPowerLimit,
  };
}

function stakeV1(row: Account) {
  const energy = row.accountResource?.frozenBalanceForEnergy;
  return {
    bandwidth: row.frozen.reduce((sum, { frozenBalance }) => sum + frozenBalance, 0n),
    bandwidthExpireTime: row.frozen[0]?.expireTime ?? 0n,
    energy: energy?.frozenBalance ?? 0n,
    energyExpireTime: energy?.expireTime ?? 0n,
    tronPower: row.tronPower?.frozenBalance ?? 0n,
    delegatedBandwidth: row.delegatedFrozenBalanceForBandwidth,
    delegatedEnergy: row.accountResource?.delegatedFrozenBalanceForEnergy ?? 0n,
    acquiredBandwidth: row.acquiredDelegatedFrozenBalanceForBandwidth,
    acquiredEnergy: row.accountResource?.acquiredDelegatedFrozenBalanceForEnergy ?? 0n,
  };
}

function stakeV2(row: Account) {
  const staked = (resource: number): bigint =>
    row.frozenV2.reduce((sum, { type, amount }) => (type === resource ? sum + amount : sum), 0n);
  return {
    bandwidth: staked(ResourceCode.BANDWIDTH),
    energy: staked(ResourceCode.ENERGY),
    tronPower: staked(ResourceCode.TRON_POWER),
    delegatedBandwidth: row.delegatedFrozenV2BalanceForBandwidth,
    delegatedEnergy: row.accountResource?.delegatedFrozenV2BalanceForEnergy ?? 0n,
    acquiredBandwidth: row.acquiredDelegatedFrozenV2BalanceForBandwidth,
    acquiredEnergy: row.accountResource?.acquiredDelegatedFrozenV2BalanceForEnergy ?? 0n,
    unstaking: row.unfrozenV2.map(({ type, unfreezeAmount, unfreezeExpireTime }) => ({
      resource: enumName(ResourceCode, type),
      amount: unfreezeAmount,
      expireTime: unfreezeExpireTime,
    })),
  };
}

/**
 * Returns a page of the delegations of an account. The delegations are sorted by the address of their other account, so
 * the order is stable between pages. Only the rows of the page are read.
 */
function delegations(
  source: GraphqlSource,
  { height, address }: AccountAt,
  direction: 'to' | 'from',
  { era, ...page }: DelegationArguments,
): GraphqlPage<DelegatedResource> {
  const view = source.at(height);
  const index = delegationIndex(view, era === 'V1' ? 'v1' : 'v2', address);
  const partners = (direction === 'to' ? index.toAccounts : index.fromAccounts).map(toHex).sort();
  const found = pageByKey(`delegations-${direction}-${era}`, partners, (partner) => partner, page);
  const rowsOf = era === 'V1' ? delegatedResource : delegatedResourceV2;
  const nodes = found.nodes.flatMap((partner) => {
    const other = Buffer.from(partner, 'hex');
    const [from, to] = direction === 'to' ? [address, other] : [other, address];
    return rowsOf(view, from, to).delegatedResource;
  });
  return { ...found, nodes };
}

/**
 * Returns the TRC10 balances of an account by asset id. If the account row has no balances by id, returns those by
 * asset name, which chains used before assets had ids.
 */
function assetBalances(row: Account, args: PageArguments) {
  const balances = row.assetV2.size > 0 ? row.assetV2 : row.asset;
  const nodes = [...balances].map(([assetId, amount]) => ({ assetId, amount }));
  const keyOf = ({ assetId }: { assetId: string }): string => assetId.padStart(20, '0');
  nodes.sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  return pageByKey('account-assets', nodes, keyOf, args);
}
