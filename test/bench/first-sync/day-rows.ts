import {
  Account,
  AccountFreezeV2,
  AccountType,
  SmartContract,
  Witness,
} from '../../../src/codec/generated/messages.js';
import { concatBytes, fromInt64, utf8 } from '../../../src/primitives/bytes.js';
import { ACTIVE_WITNESSES } from '../../../src/projections/governance.js';
import type { StoreName } from '../../../src/projections/state/stores.js';
import { parameterRows } from '../../../src/state-transition/parameters/parameter-table.js';
import { ResourceCode } from '../../../src/state-transition/resources/stake.js';
import { mainNetParameters } from '../../support/node/main-net-parameters.js';
import { accountAt, type StoredRow, TOKEN } from '../scale/scale-source.js';
import { SIGNER_RANGES, type Signer, type SignerRange } from './day-accounts.js';
import { codeOf, contractBytes, DAY_CONTRACTS, type StorageRow, shiftOf, storageRow } from './day-contracts.js';

const TRX = 1_000_000n;
/** Accounts without a known key that own the dollar token. */
const HOLDERS = 200_000;
const TOKENS_OWNED = 10n ** 12n;
const RESERVE = 10n ** 24n;
const UNLIMITED = 2n ** 256n - 1n;
/**
 * Units of staked TRX of all accounts of the main net, rounded (2025). With these totals, a unit of stake yields the
 * same energy and bandwidth as on the main net.
 */
const STAKED = { TOTAL_ENERGY_WEIGHT: 25_000_000_000n, TOTAL_NET_WEIGHT: 20_000_000_000n };
const MAINTENANCE_MS = 21_600_000n;

/**
 * Returns the rows that a generated day adds to a state: signers with stakes and tokens, contracts with their storage,
 * the witnesses, and the parameters of the main net.
 * @param accounts number of generated accounts of the state
 * @param headMs time of the head block
 */
export function dayRows(
  signers: readonly Signer[],
  accounts: number,
  headMs: bigint,
): ReadonlyMap<StoreName, readonly StoredRow[]> {
  const witnesses = signers.slice(...SIGNER_RANGES.witnesses);
  return new Map<StoreName, readonly StoredRow[]>([
    ['account', [...signers.map(signerRow), ...Object.values(DAY_CONTRACTS).map(contractAccount)]],
    ['account-asset', signers.map(({ address }) => [concatBytes(address, TOKEN), fromInt64(TOKENS_OWNED)])],
    ['storage-row', storageRows(signers, accounts)],
    ['contract', Object.values(DAY_CONTRACTS).map(contractRow)],
    ['code', Object.values(DAY_CONTRACTS).map((contract) => [contractBytes(contract), codeOf(contract)])],
    ['witness', witnesses.map(witnessRow)],
    ['witness_schedule', [[ACTIVE_WITNESSES, concatBytes(...witnesses.map(({ address }) => address))]]],
    ['properties', propertyRows(headMs)],
  ]);
}

function isIn([from, to]: SignerRange, at: number): boolean {
  return at >= from && at < to;
}

/** Returns the staked energy of a signer in TRX. */
function energyStake(at: number): bigint {
  if (isIn(SIGNER_RANGES.delegators, at)) return 10_000_000n;
  return isIn(SIGNER_RANGES.busy, at) ? 20_000_000n : 20_000n;
}

function signerRow({ address }: Signer, at: number): StoredRow {
  const frozen = (type: number, amount: bigint): AccountFreezeV2 =>
    Object.assign(new AccountFreezeV2(), { type, amount: amount * TRX });
  const account = Object.assign(new Account(), {
    address,
    balance: 100_000n * TRX,
    createTime: 1_691_107_200_000n,
    isWitness: isIn(SIGNER_RANGES.witnesses, at),
    assetOptimized: true,
    frozenV2: [frozen(ResourceCode.BANDWIDTH, 1_000n), frozen(ResourceCode.ENERGY, energyStake(at))],
  });
  return [address, Account.encode(account)];
}

function contractAccount(contract: (typeof DAY_CONTRACTS)[keyof typeof DAY_CONTRACTS]): StoredRow {
  const address = contractBytes(contract);
  return [address, Account.encode(Object.assign(new Account(), { address, type: AccountType.Contract }))];
}

function contractRow(contract: (typeof DAY_CONTRACTS)[keyof typeof DAY_CONTRACTS]): StoredRow {
  const contractAddress = contractBytes(contract);
  const fields = { originAddress: contractAddress, contractAddress, consumeUserResourcePercent: 100n };
  return [contractAddress, SmartContract.encode(Object.assign(new SmartContract(), fields))];
}

function witnessRow({ address }: Signer, at: number): StoredRow {
  const fields = { address, url: `http://witness${at}.example`, voteCount: 10n ** 12n - BigInt(at), isJobs: true };
  return [address, Witness.encode(Object.assign(new Witness(), fields))];
}

function storageRows(signers: readonly Signer[], accounts: number): StorageRow[] {
  const { dollar, token, pair, router, pool } = DAY_CONTRACTS;
  const [pairAddress, poolAddress, routerAddress] = [pair, pool, router].map(contractBytes) as [
    Uint8Array,
    Uint8Array,
    Uint8Array,
  ];
  const [dollarAddress, tokenAddress] = [contractBytes(dollar), contractBytes(token)];
  const reserves = RESERVE | (RESERVE << shiftOf(pair, 'reserve1')) | (1n << shiftOf(pair, 'updatedAt'));
  return [
    ...signers.map(({ address }) => storageRow(dollar, 'balanceOf', TOKENS_OWNED, [address])),
    ...holders(accounts).map((address) => storageRow(dollar, 'balanceOf', TOKENS_OWNED, [address])),
    ...signers
      .slice(...SIGNER_RANGES.traders)
      .flatMap(({ address }) => [
        storageRow(token, 'balanceOf', TOKENS_OWNED, [address]),
        ...[dollar, token].map((of) => storageRow(of, 'allowance', UNLIMITED, [address, routerAddress])),
        storageRow(dollar, 'allowance', UNLIMITED, [address, poolAddress]),
      ]),
    ...[dollar, token].map((of) => storageRow(of, 'balanceOf', RESERVE, [pairAddress])),
    storageRow(token, 'balanceOf', RESERVE, [poolAddress]),
    storageRow(pair, 'token0', BigInt(`0x${dollar.address.slice(2)}`)),
    storageRow(pair, 'token1', BigInt(`0x${token.address.slice(2)}`)),
    storageRow(pair, 'reserve0', reserves),
    storageRow(pair, 'unlocked', 1n),
    storageRow(router, 'pairOf', BigInt(`0x${pair.address.slice(2)}`), [dollarAddress, tokenAddress]),
    storageRow(router, 'pairOf', BigInt(`0x${pair.address.slice(2)}`), [tokenAddress, dollarAddress]),
    storageRow(pool, 'token', BigInt(`0x${dollar.address.slice(2)}`)),
    storageRow(pool, 'reward', BigInt(`0x${token.address.slice(2)}`)),
    storageRow(pool, 'rewardPerSecond', 1_000n),
  ];
}

/** Returns the addresses of the holders, which are spread over the generated accounts. */
function holders(accounts: number): Uint8Array[] {
  const count = Math.min(HOLDERS, accounts);
  return Array.from({ length: count }, (_, at) => accountAt(Math.floor((at * accounts) / count), accounts));
}

/** Returns the main net's parameters that the release of the recorded chain has, and the totals of stakes. */
function propertyRows(headMs: bigint): StoredRow[] {
  const { values } = mainNetParameters();
  const parameters = parameterRows.flatMap(({ property, shown, shownPer = 1n, since }): [string, bigint][] => {
    const value = since === undefined && shown !== undefined ? values.get(shown) : undefined;
    return value === undefined ? [] : [[property, BigInt(value) * shownPer]];
  });
  const state = Object.entries({ ...STAKED, NEXT_MAINTENANCE_TIME: headMs + MAINTENANCE_MS });
  return [...parameters, ...state].map(([name, value]) => [keyOf(name), fromInt64(value)]);
}

/** Returns the key of a property. Reference: DynamicPropertiesStore, where one name starts with a space. */
function keyOf(name: string): Uint8Array {
  return utf8(name === 'ALLOW_SAME_TOKEN_NAME' ? ` ${name}` : name);
}
