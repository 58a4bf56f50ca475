import { UsageError } from '../primitives/errors.js';
import type { configTable } from './config-table.js';
import { parseCron } from './cron.js';
import { asInt32, asObject, asText, originText } from './hocon/hocon-value.js';
import type { Values } from './row.js';
import { laterDbSettings } from './rows/rocks-db-rows.js';
import type { ConfigSource } from './source.js';

type Table = Values<typeof configTable>;
type Check = (source: ConfigSource, table: Table) => void;

/**
 * Upper bound (exclusive) of the time in ms in which witnesses can approve a proposal. Reference:
 * BlockConfig.MAX_PROPOSAL_EXPIRE_TIME.
 */
const PROPOSAL_LIFE_END = 31_536_003_000;

/** Maximum number of ms whose conversion to microseconds still fits in a Java long. */
const CONSTANT_TIME_MAX = (2n ** 63n - 1n) / 1000n;

const checksOf482: readonly Check[] = [
  checkProposalLife,
  checkRpcMessage,
  checkConstantTime,
  checkBlackhole,
  checkPeerRates,
  checkStopTime,
  checkDbSettings,
  warnDetails,
];

/** Additional checks of the configuration, by release. */
const checks: Readonly<Record<string, readonly Check[]>> = {
  '4.7.2': [checkIntervals],
  '4.8.2': checksOf482,
  '4.8.2.2': checksOf482,
  '4.8.2.3': checksOf482,
};

/** Runs the checks of the selected release. @throws {UsageError} java-tron would not start with this configuration */
export function checkForRelease(source: ConfigSource, table: Table): void {
  for (const check of checks[table.tronicle.release] ?? []) check(source, table);
}

/** Rejects intervals that are not 32-bit integers. Later releases read 64 bits. Reference: Args.setParam. */
function checkIntervals(source: ConfigSource): void {
  for (const key of ['block.maintenanceTimeInterval', 'block.proposalExpireTime']) {
    const value = source.value(key);
    if (value !== undefined) asInt32(value, key);
  }
}

/** Rejects an invalid time in which witnesses can approve a proposal. Reference: BlockConfig of release 4.8.2. */
function checkProposalLife(source: ConfigSource, { block: { proposalExpireTime } }: Table): void {
  if (source.value('committee.proposalExpireTime') !== undefined) {
    throw new UsageError(
      'It is not allowed to configure committee.proposalExpireTime in config.conf, ' +
        'please set the value in block.proposalExpireTime.',
    );
  }
  if (proposalExpireTime > 0 && proposalExpireTime < PROPOSAL_LIFE_END) return;
  throw new UsageError(
    `The value[block.proposalExpireTime] is only allowed to be greater than 0 and less than ${PROPOSAL_LIFE_END}!`,
  );
}

/** Rejects a negative size limit of gRPC messages. Reference: NodeConfig.postProcess of 4.8.2. */
function checkRpcMessage(_source: ConfigSource, { node: { rpc } }: Table): void {
  if (rpc.maxMessageSize >= 0) return;
  throw new UsageError(`node.rpc.maxMessageSize must be non-negative, got: ${rpc.maxMessageSize}`);
}

/** Rejects a time limit of constant calls that is out of range. Reference: VmConfig.postProcess of 4.8.2. */
function checkConstantTime(_source: ConfigSource, { vm: { constantCallTimeoutMs: ms } }: Table): void {
  if (ms >= 0n && ms <= CONSTANT_TIME_MAX) return;
  const range = `must be >= 0 and <= ${CONSTANT_TIME_MAX} to fit VM deadline conversion`;
  throw new UsageError(`vm.constantCallTimeoutMs ${range}, got ${ms}`);
}

/** Rejects a genesis block without a blackhole account. Reference: AccountStore.setAccount. */
function checkBlackhole(_source: ConfigSource, { genesis }: Table): void {
  if (genesis.accounts.some(({ name }) => name === 'Blackhole')) return;
  throw new UsageError('Account[Blackhole] is not configured.');
}

/**
 * Rejects rate limits of peers of 0 or less. java-tron starts with such a limit, but then all its connections end.
 * Reference: PeerConnection.setChannel, RateLimiter.setRate.
 */
function checkPeerRates(_source: ConfigSource, { rateLimiter: { p2p } }: Table): void {
  for (const [name, rate] of Object.entries(p2p))
    if (!(rate > 0)) throw new UsageError(`Check rate.limiter.p2p.${name}, must be above 0, actual: ${rate}`);
}

/**
 * Rejects an invalid cron expression of the stop time. Older releases ignore such an expression. Reference: Args of
 * 4.8.2, AUTO_STOP_PARAMS.
 */
function checkStopTime(source: ConfigSource): void {
  const key = 'node.shutdown.BlockTime';
  const value = source.value(key);
  if (value === undefined || asText(value, key) === '') return;
  try {
    parseCron(asText(value, key));
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    throw new UsageError(`${originText(value.origin)}: ${key}: ${error.message}`, { cause: error });
  }
}

/**
 * Checks the types of the RocksDB settings. Older releases check them only if RocksDB is the engine. Reference:
 * StorageConfig of 4.8.2.
 * @throws {UsageError} a value has the wrong type
 */
function checkDbSettings(source: ConfigSource): void {
  const settings = source.value('storage.dbSettings');
  if (settings !== undefined) asObject(settings, 'storage.dbSettings');
  for (const setting of Object.values(laterDbSettings)) setting.read(source);
}

/** Adds a warning for a setting that has no effect because of other settings. Reference: VmConfig.postProcess. */
function warnDetails(source: ConfigSource, { vm }: Table): void {
  if (!vm.saveCancelAllUnfreezeV2Details || (vm.saveInternalTx && vm.saveFeaturedInternalTx)) return;
  source.warn(
    "Configuring [vm.saveCancelAllUnfreezeV2Details] won't work as vm.saveInternalTx or vm.saveFeaturedInternalTx is off.",
  );
}
