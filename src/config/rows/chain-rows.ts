import { asInt32, asInt64, asText, type HoconValue } from '../hocon/hocon-value.js';
import { fileRulesOf } from '../release-defaults.js';
import { bool, type ConfigKey, double, int, type RowTree, row, texts, toSafe } from '../row.js';
import { COMMAND_LINE, type ConfigSource } from '../source.js';
import { tronicleRows } from './tronicle-rows.js';

/** Network type and signature suite. */
export const networkRows = {
  type: row<'mainnet' | 'testnet'>(
    'net.type',
    'string',
    'mainnet',
    'prefix byte of addresses: "testnet" (any case) is a0, all else 41',
    (value, key) => (asText(value, key).toLowerCase() === 'testnet' ? 'testnet' : 'mainnet'),
  ),
} as const satisfies RowTree;

export const cryptoRows = {
  engine: {
    ...row<'eckey' | 'sm2'>(
      'crypto.engine',
      'string',
      'eckey',
      '"eckey" (any case) is secp256k1 and SHA-256; all else would be SM2 and SM3, and no node starts',
      (value, key) => (asText(value, key).toLowerCase() === 'eckey' ? 'eckey' : 'sm2'),
    ),
    fallback: '"ECKey"',
  },
} as const satisfies RowTree;

/**
 * Section `block`: rules that a private network may set. Times in ms; the interval counts for a fresh data folder only.
 */
export const blockKeys = {
  needSyncCheck: bool('block.needSyncCheck', false, 'a witness waits until it is in sync before it produces'),
  maintenanceTimeInterval: int('block.maintenanceTimeInterval', 21_600_000, 'initial MAINTENANCE_TIME_INTERVAL (ms)'),
  proposalExpireTime: int('block.proposalExpireTime', 259_200_000, 'life time of a proposal (ms)'),
  checkFrozenTime: int('block.checkFrozenTime', 1, '1: the frozen duration is checked; tests set 0'),
} as const satisfies RowTree;

/** Section `trx`: transactions that the node builds. */
export const transactionKeys = {
  referenceBlock: {
    ...row<'solid' | 'head'>(
      'trx.reference.block',
      'string',
      'solid',
      'block that built transactions refer to: "solid" exactly, all else is the head',
      (value, key) => (asText(value, key) === 'solid' ? 'solid' : 'head'),
    ),
  },
  expirationMs: row(
    'trx.expiration.timeInMilliseconds',
    'int64',
    60_000,
    'life time of built transactions (ms)',
    (value, key) => {
      const ms = toSafe(asInt64(value, key));
      return ms > 0 ? ms : 60_000;
    },
    '<= 0 becomes 60000',
  ),
} as const satisfies RowTree;

/** The key is spelt like that in every configuration file there is. */
export const energyLimitRow = int(
  'enery.limit.block.num',
  4_727_890,
  'block number from which the energy-limit rules apply',
);

export const actuatorRow = texts(
  'actuator.whitelist',
  'class names of the contract handlers that are allowed (TransferActuator, VMActuator, …); empty: all',
);

/** Section `vm`. */
export const vmRows = {
  supportConstant: bool('vm.supportConstant', false, 'constant calls: triggerconstantcontract, eth_call'),
  maxEnergyLimitForConstant: maxEnergyLimitForConstant(),
  lruCacheSize: lruCacheSize(),
  minTimeRatio: double('vm.minTimeRatio', 0, 'lower CPU tolerance multiplier while syncing'),
  maxTimeRatio: double('vm.maxTimeRatio', 5, 'upper CPU tolerance multiplier while syncing'),
  longRunningTime: int('vm.longRunningTime', 10, 'a transaction above this (ms) counts as long-running for a producer'),
  estimateEnergy: bool('vm.estimateEnergy', false, 'estimateenergy, and eth_estimateGas by binary search'),
  estimateEnergyMaxRetry: int('vm.estimateEnergyMaxRetry', 3, 'repetitions after a timeout of an estimate', {
    min: 0,
    max: 10,
  }),
  vmTrace: bool('vm.vmTrace', false, 'trace of VM operations'),
  saveInternalTx: bool('vm.saveInternalTx', false, 'answers show internal transactions'),
  saveFeaturedInternalTx: bool('vm.saveFeaturedInternalTx', false, 'those of stake, vote and delegate too'),
  saveCancelAllUnfreezeV2Details: bool(
    'vm.saveCancelAllUnfreezeV2Details',
    false,
    'of cancelAllUnfreezeV2 how much of each resource was staked again, from 4.7.4 on; without effect here',
  ),
  constantCallTimeoutMs: row<bigint>(
    'vm.constantCallTimeoutMs',
    'int64',
    0n,
    'time of a constant call (ms), 0: as much as a transaction has; from 4.8.2 on',
    asInt64,
  ),
} as const satisfies RowTree;

const ENERGY_LIMIT_MIN = 3_000_000n;

/**
 * In 4.7.2 the minimum is for the file only; the command line may go below.
 * Reference: Args.setParam, applyCLIParams of 4.8.2.
 */
function maxEnergyLimitForConstant(): ConfigKey<bigint> {
  const read = (value: HoconValue, key: string, source: ConfigSource) => {
    const limit = asInt64(value, key);
    const isFree = value.origin === COMMAND_LINE && !fileRulesOf(tronicleRows.release.read(source)).flagsWin;
    return isFree || limit >= ENERGY_LIMIT_MIN ? limit : ENERGY_LIMIT_MIN;
  };
  const limits = 'raised to at least 3000000';
  return row('vm.maxEnergyLimitForConstant', 'int64', 100_000_000n, 'energy cap of constant calls', read, limits);
}

function lruCacheSize(): ConfigKey<number> {
  const read = (value: HoconValue, key: string) => {
    const size = asInt32(value, key);
    return size < 1 ? 500 : size;
  };
  return row('vm.lruCacheSize', 'int', 500, 'contracts whose analysed code is kept', read, '< 1 acts as 500');
}
