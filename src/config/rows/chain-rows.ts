import { asInt32, asInt64, asText, type HoconValue, originText } from '../hocon/hocon-value.js';
import { fileRulesOf } from '../release-defaults.js';
import { bool, type ConfigKey, double, int, long, positive, type RowTree, row, texts } from '../row.js';
import { COMMAND_LINE, type ConfigSource } from '../source.js';
import { tronicleRows } from './tronicle-rows.js';

/** Section `net`: the network type. */
export const networkRows = {
  type: row<'mainnet' | 'testnet'>(
    'net.type',
    'string',
    'mainnet',
    'network type, which sets the first byte of addresses: a0 for "testnet" (any case), 41 for every other value',
    (value, key, source) => {
      const text = asText(value, key);
      const type = text.toLowerCase() === 'testnet' ? 'testnet' : 'mainnet';
      if (text.toLowerCase() !== type)
        source.warn(
          `${originText(value.origin)}: ${key} = "${text}" has the effect of "mainnet"; use mainnet or testnet`,
        );
      return type;
    },
  ),
} as const satisfies RowTree;

export const cryptoRows = {
  engine: {
    ...row<'eckey' | 'sm2'>(
      'crypto.engine',
      'string',
      'eckey',
      'signature algorithm. "eckey" (any case) selects secp256k1 with SHA-256. Any other value stops the start, because SM2 is not supported',
      (value, key) => (asText(value, key).toLowerCase() === 'eckey' ? 'eckey' : 'sm2'),
    ),
    fallback: '"ECKey"',
  },
} as const satisfies RowTree;

/**
 * Section `block`: rules of private networks. Times are in ms. The maintenance interval has an effect only in a new
 * data folder.
 */
export const blockKeys = {
  needSyncCheck: bool(
    'block.needSyncCheck',
    false,
    'true: a witness produces blocks only after its node is in sync with the chain',
  ),
  maintenanceTimeInterval: long(
    'block.maintenanceTimeInterval',
    21_600_000,
    'maintenance interval of a new chain (ms), stored as the chain property MAINTENANCE_TIME_INTERVAL',
  ),
  proposalExpireTime: long('block.proposalExpireTime', 259_200_000, 'lifetime of a proposal (ms)'),
  checkFrozenTime: int(
    'block.checkFrozenTime',
    1,
    '1: freezes and locks have a minimum duration; any other value disables the check, for private networks',
  ),
} as const satisfies RowTree;

/** Section `trx`: transactions that the node creates for clients. */
export const transactionKeys = {
  referenceBlock: {
    ...row<'solid' | 'head'>(
      'trx.reference.block',
      'string',
      'solid',
      'reference block of transactions that the node builds: the solidified block if the value is "solid" (lower case), otherwise the head',
      (value, key) => (asText(value, key) === 'solid' ? 'solid' : 'head'),
    ),
  },
  expirationMs: positive(
    'trx.expiration.timeInMilliseconds',
    60_000,
    'lifetime of transactions that the node builds (ms)',
  ),
} as const satisfies RowTree;

/** The key must have the spelling `enery`, because all existing configuration files have it. */
export const energyLimitRow = int(
  'enery.limit.block.num',
  4_727_890,
  'height of the last block with the rules before the version ENERGY_LIMIT',
);

export const actuatorRow = texts(
  'actuator.whitelist',
  'class names of the allowed contract handlers (TransferActuator, VMActuator, …); an empty list allows all contract types',
);

/** Section `vm`. */
export const vmRows = {
  supportConstant: bool('vm.supportConstant', false, 'allows constant calls: triggerconstantcontract, eth_call'),
  maxEnergyLimitForConstant: maxEnergyLimitForConstant(),
  lruCacheSize: lruCacheSize(),
  minTimeRatio: double(
    'vm.minTimeRatio',
    0,
    "lower bound of java-tron's CPU time factor for blocks; GetNodeInfo reports the value, otherwise without effect",
  ),
  maxTimeRatio: double(
    'vm.maxTimeRatio',
    5,
    "upper bound of java-tron's CPU time factor for blocks; GetNodeInfo reports the value, otherwise without effect",
  ),
  longRunningTime: int(
    'vm.longRunningTime',
    10,
    'execution time (ms) from which a java-tron producer treats a transaction as long-running; without effect',
  ),
  estimateEnergy: bool(
    'vm.estimateEnergy',
    false,
    'enables estimateenergy; eth_estimateGas then searches the lowest sufficient energy limit',
  ),
  estimateEnergyMaxRetry: int(
    'vm.estimateEnergyMaxRetry',
    3,
    'number of retries of an energy estimate after a timeout',
    {
      min: 0,
      max: 10,
    },
  ),
  vmTrace: bool('vm.vmTrace', false, 'logs VM operations in java-tron; without effect'),
  saveInternalTx: bool('vm.saveInternalTx', false, 'includes internal transactions in receipts'),
  saveFeaturedInternalTx: bool(
    'vm.saveFeaturedInternalTx',
    false,
    'with vm.saveInternalTx: also includes internal transactions of stake, vote and delegate operations',
  ),
  saveCancelAllUnfreezeV2Details: bool(
    'vm.saveCancelAllUnfreezeV2Details',
    false,
    'with vm.saveInternalTx: adds to internal transactions of cancelAllUnfreezeV2 the amount of each resource that is staked again; without effect in release 4.7.2',
  ),
  constantCallTimeoutMs: row<bigint>(
    'vm.constantCallTimeoutMs',
    'int64',
    0n,
    'time limit of a constant call (ms); 0 applies the time limit of a transaction; since release 4.8.2',
    asInt64,
  ),
} as const satisfies RowTree;

const ENERGY_LIMIT_MIN = 3_000_000n;

/**
 * Returns the key of the energy limit of constant calls. In release 4.7.2, the minimum applies only to the file, so the
 * flag may set a lower value. Since 4.8.2, the minimum applies to both. Reference: Args.setParam, applyCLIParams of
 * 4.8.2.
 */
function maxEnergyLimitForConstant(): ConfigKey<bigint> {
  const read = (value: HoconValue, key: string, source: ConfigSource) => {
    const limit = asInt64(value, key);
    const isFree = value.origin === COMMAND_LINE && !fileRulesOf(tronicleRows.release.read(source)).flagsWin;
    return isFree || limit >= ENERGY_LIMIT_MIN ? limit : ENERGY_LIMIT_MIN;
  };
  const limits = 'raised to at least 3000000';
  return row('vm.maxEnergyLimitForConstant', 'int64', 100_000_000n, 'energy limit of constant calls', read, limits);
}

function lruCacheSize(): ConfigKey<number> {
  const read = (value: HoconValue, key: string) => {
    const size = asInt32(value, key);
    return size < 1 ? 500 : size;
  };
  return row(
    'vm.lruCacheSize',
    'int',
    500,
    'number of contracts whose analysed code java-tron caches; without effect',
    read,
    '< 1 acts as 500',
  );
}
