import { AccountType, PermissionPermissionType, ProposalState, ResourceCode, } from '../../log/codec/generated/messages.js';
import { toAddress } from '../../log/domain/address.js';
import { toHex, toUtf8 } from '../../log/domain/bytes.js';
import { printJson } from '../json/json-value.js';
import { messageToJson } from '../json/print-message.js';
import { account, accountResource } from '../operations/accounts.js';
import { delegatedResource, delegatedResourceV2, delegationIndex } from '../operations/delegations.js';
import { contractInfo } from '../operations/smart-contracts.js';
import { enumName } from './enum-name.js';
import { historyResolvers } from './history-resolvers.js';
import { pageByKey } from './page.js';
/** @throws {TronError} HISTORY_NOT_KEPT, HEIGHT_UNKNOWN */
export function accountAt(source, address, at) {
    const view = source.at(at);
    const row = account(view, address);
    return row === undefined ? null : { height: view.headNumber, address, row };
}
/** @throws {TronError} HISTORY_NOT_KEPT, HEIGHT_UNKNOWN */
export function contractAt(source, address, at) {
    const view = source.at(at);
    const row = contractInfo(view, address);
    return row === undefined ? null : { height: view.headNumber, address, row };
}
/** @throws {TronError} HISTORY_NOT_KEPT, HEIGHT_UNKNOWN */
export function witnessAt(source, address, at) {
    return source.at(at).state.witnesses.get(toAddress(address));
}
/** Fields of what state holds. */
export function stateResolvers(source) {
    return {
        Account: {
            name: ({ row }) => toUtf8(row.accountName),
            type: ({ row }) => enumName(AccountType, row.type),
            balance: ({ row }) => row.balance,
            allowance: ({ row }) => row.allowance,
            createTime: ({ row }) => row.createTime,
            latestWithdrawTime: ({ row }) => row.latestWithdrawTime,
            isWitness: ({ row }) => row.isWitness,
            resources: ({ height, address }) => resources(source, height, address),
            stakeV1: ({ row }) => stakeV1(row),
            stakeV2: ({ row }) => stakeV2(row),
            delegationsTo: (parent, args) => delegations(source, parent, 'to', args),
            delegationsFrom: (parent, args) => delegations(source, parent, 'from', args),
            votes: ({ height, row }) => row.votes.map(({ voteAddress, voteCount }) => ({ height, voteAddress, voteCount })),
            permissions: ({ row }) => [row.ownerPermission, row.witnessPermission, ...row.activePermission].filter((item) => item !== undefined),
            assets: ({ row }, args) => assetBalances(row, args),
            contract: ({ height, address }) => contractAt(source, address, height),
            ...historyResolvers(source),
        },
        Delegation: {
            bandwidth: (row) => row.frozenBalanceForBandwidth,
            energy: (row) => row.frozenBalanceForEnergy,
            bandwidthExpireTime: (row) => row.expireTimeForBandwidth,
            energyExpireTime: (row) => row.expireTimeForEnergy,
        },
        Vote: {
            witnessAddress: ({ voteAddress }) => voteAddress,
            count: ({ voteCount }) => voteCount,
            witness: ({ height, voteAddress }) => witnessAt(source, voteAddress, height),
        },
        Permission: {
            type: ({ type }) => enumName(PermissionPermissionType, type),
            name: ({ permissionName }) => permissionName,
        },
        Witness: {
            latestBlockNumber: ({ latestBlockNum }) => latestBlockNum,
            isActive: ({ isJobs }) => isJobs,
        },
        Proposal: {
            id: ({ proposalId }) => proposalId,
            proposer: ({ proposerAddress }) => proposerAddress,
            parameters: ({ parameters }) => [...parameters].map(([id, value]) => ({ id, value })),
            state: ({ state }) => enumName(ProposalState, state),
        },
        Asset: {
            name: ({ name }) => toUtf8(name),
            abbreviation: ({ abbr }) => toUtf8(abbr),
            owner: ({ ownerAddress }) => ownerAddress,
            description: ({ description }) => toUtf8(description),
            url: ({ url }) => toUtf8(url),
        },
        Contract: contractFields(),
    };
}
function contractFields() {
    return {
        originAddress: ({ row }) => row.smartContract.originAddress,
        name: ({ row }) => row.smartContract.name,
        abi: ({ row }) => {
            const abi = row.smartContract?.abi;
            return abi === undefined ? null : printJson(messageToJson(abi, true), 'fastjson');
        },
        bytecode: ({ row }) => row.smartContract.bytecode,
        runtimeCode: ({ row }) => row.runtimecode,
        codeHash: ({ row }) => row.smartContract.codeHash,
        consumeUserResourcePercent: ({ row }) => row.smartContract.consumeUserResourcePercent,
        originEnergyLimit: ({ row }) => row.smartContract.originEnergyLimit,
        energyUsage: ({ row }) => row.contractState?.energyUsage ?? 0n,
        energyFactor: ({ row }) => row.contractState?.energyFactor ?? 0n,
    };
}
function resources(source, height, address) {
    const found = accountResource(source.at(height), address);
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
function stakeV1(row) {
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
function stakeV2(row) {
    const staked = (resource) => row.frozenV2.reduce((sum, { type, amount }) => (type === resource ? sum + amount : sum), 0n);
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
/** Partners in the order of their addresses, which does not change between two pages; rows only of the page's partners. */
function delegations(source, { height, address }, direction, { era, ...page }) {
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
/** By id once ids exist, else by name. */
function assetBalances(row, args) {
    const held = row.assetV2.size > 0 ? row.assetV2 : row.asset;
    const nodes = [...held].map(([assetId, amount]) => ({ assetId, amount }));
    const keyOf = ({ assetId }) => assetId.padStart(20, '0');
    nodes.sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
    return pageByKey('account-assets', nodes, keyOf, args);
}
//# sourceMappingURL=state-resolvers.js.map