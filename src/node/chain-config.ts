import type { NodeConfig } from '../config/load-config.js';
import type { Address } from '../primitives/address.js';
import { present } from '../primitives/assert.js';
import { toHex } from '../primitives/bytes.js';
import { TronError, UsageError } from '../primitives/errors.js';
import type { Genesis, LedgerOptions, Retention } from '../projections/ledger/ledger.js';
import { genesisBlock, genesisRows, type InitialValues } from '../state-transition/block/genesis-state.js';
import { SLOT_MS } from '../state-transition/consensus/schedule.js';
import { PROPOSAL_EXPIRE_BOUNDS, parameterRows } from '../state-transition/parameters/parameter-table.js';
import type { LongProperty } from '../state-transition/parameters/property-table.js';
import { releaseNamed } from '../state-transition/releases/index.js';
import type { Release } from '../state-transition/releases/release.js';
import type { ChainRules } from '../state-transition/state/chain-rules.js';

/**
 * Builds the chain rules from the configuration.
 * @throws {UsageError} genesis has no blackhole account, or the crypto engine is not supported
 * @throws {UsageError} a configured value is invalid for the release, or for the block time
 */
export function chainRules(config: NodeConfig): ChainRules {
  const { genesis, block, storage, crypto } = config;
  if (crypto.engine !== 'eckey')
    throw new UsageError(`crypto.engine is "${crypto.engine}"; only "eckey" is supported, SM2 and SM3 are not`);
  const release = present(releaseNamed(config.tronicle.release), 'the configuration accepts only known releases');
  requireMeaning(config, release);
  const named = (name: string): Address | undefined =>
    genesis.accounts.findLast((account) => account.name === name)?.address as Address | undefined;
  const blackhole = named('Blackhole');
  if (blackhole === undefined)
    throw new UsageError('genesis.block.assets has no account "Blackhole", which receives the fees; add this account');
  return {
    addressPrefix: config.addressPrefix,
    genesisTimeMs: genesis.timestamp,
    slotMs: blockTime(config),
    genesisId: genesisBlock(genesis).id,
    chainId: config.tronicle.devnet.chainId || undefined,
    genesisWitnesses: genesis.witnesses.map(({ address, voteCount }) => ({ address: address as Address, voteCount })),
    blackhole,
    zion: named('Zion'),
    checkFrozenTime: block.checkFrozenTime === 1,
    energyLimitBlock: Number(config.energyLimitBlockNum),
    tracesBalances: storage.balance.history.lookup,
    allowedContracts: new Set(config.actuatorWhitelist),
    reportsRestaked: release.rules.reportsRestaked && config.vm.saveCancelAllUnfreezeV2Details,
    isSolidityNode: config.isSolidityNode,
    debug: config.debug || config.isSolidityNode,
    configured: configuredValues(config, release),
    release,
  };
}

/**
 * Returns the time between blocks in ms.
 * @throws {UsageError} the genesis time is not a multiple of the block time; the strict rules would then reject all
 * blocks
 */
function blockTime({ genesis, tronicle }: NodeConfig): number {
  const slotMs = tronicle.devnet.blockTime;
  if (slotMs === SLOT_MS || genesis.timestamp % slotMs === 0) return slotMs;
  throw new UsageError(
    `genesis.block.timestamp ${genesis.timestamp} must be a multiple of tronicle.devnet.blockTime, ${slotMs}`,
  );
}

/**
 * Checks settings that are valid in some releases only.
 * @throws {UsageError} the release does not allow a value; the text is that of java-tron
 */
function requireMeaning({ block, committee }: NodeConfig, { parameters }: Release): void {
  const life = BigInt(block.proposalExpireTime);
  const { above, below } = PROPOSAL_EXPIRE_BOUNDS;
  if (parameters.has(92n) && (life <= above || life >= below)) {
    const allowed = `greater than ${above} and less than ${below}!`;
    throw new UsageError(`The value[block.proposalExpireTime] is only allowed to be ${allowed}`);
  }
  const { allowOldRewardOpt, allowNewRewardAlgorithm, allowNewReward, allowTvmVote } = committee;
  if (!parameters.has(79n) || BigInt(allowOldRewardOpt) !== 1n) return;
  if ([allowNewRewardAlgorithm, allowNewReward, allowTvmVote].some((value) => BigInt(value) === 1n)) return;
  throw new UsageError(
    'At least one of the following proposals is required to be opened first: committee.allowNewRewardAlgorithm = 1' +
      ' or committee.allowNewReward = 1 or committee.allowTvmVote = 1.',
  );
}

/**
 * Returns the configured values that the node uses for properties that the chain has not stored. Omits parameters that
 * the release does not have.
 */
function configuredValues({ committee, block }: NodeConfig, release: Release): ReadonlyMap<LongProperty, bigint> {
  const values = new Map<LongProperty, bigint>([['PROPOSAL_EXPIRE_TIME', BigInt(block.proposalExpireTime)]]);
  for (const { config, property, initial } of release.parameters.values()) {
    if (config !== undefined && initial === undefined) values.set(property, committee[config]);
  }
  return values;
}

/** Returns the options for every ledger of the node's folder, in any thread. */
export function ledgerOptions({
  tronicle,
  storage,
}: NodeConfig): Pick<LedgerOptions, 'retention' | 'logRetention' | 'checkpointVersion' | 'checkRate'> {
  const { history, log } = tronicle;
  return {
    retention: shorterRetention(history.retention, log.retention),
    logRetention: log.retention,
    checkpointVersion: storage.checkpoint.version === 2 ? 2 : 1,
    checkRate: tronicle.check,
  };
}

/**
 * Returns the shorter retention. The log stores row changes with their block, so row changes cannot be retained longer
 * than the blocks.
 */
function shorterRetention(history: Retention, log: number | 'all'): Retention {
  if (log === 'all' || history === 'unsolidified') return history;
  return history === 'all' ? log : Math.min(history, log);
}

/** Returns block 0 and its state rows, for a new data folder. */
export function genesisOf(config: NodeConfig, rules: ChainRules): Genesis {
  const block = genesisBlock(config.genesis);
  const rows = genesisRows(config.genesis, rules, initialValues(config), genesisParameters(config, rules, block.id));
  return {
    id: block.id,
    blockBytes: block.bytes,
    rows: rows.map(({ store, key, after }) => {
      if (after === undefined) throw new TronError('GENESIS', 'a genesis row has no value');
      return { store, key, value: after };
    }),
  };
}

/** Id of block 0 of the main net. */
export const MAIN_NET_ID = '00000000000000001ebf88508a03865c71d452e25f4d51194196a1d22b6653dc';

/**
 * Returns the values of `tronicle.genesisParameters` by proposal id.
 * @throws {UsageError} block 0 is that of the main net, the release does not know a parameter, or a value is out of
 * bounds
 */
function genesisParameters(
  { tronicle }: NodeConfig,
  { release }: ChainRules,
  genesisId: Uint8Array,
): ReadonlyMap<bigint, bigint> {
  const key = 'tronicle.genesisParameters';
  const parameters = tronicle.genesisParameters;
  if (parameters.size > 0 && toHex(genesisId) === MAIN_NET_ID)
    throw new UsageError(
      `${key} is only for private networks; remove this key, because the main net has fixed parameters`,
    );
  const ids = new Map<bigint, bigint>();
  for (const [name, value] of parameters) {
    const row = [...release.parameters.values()].find(({ shown }) => shown === name);
    if (row === undefined)
      throw new UsageError(
        `${key}.${name}: release ${release.name} has no parameter of this name; use a name of getchainparameters`,
      );
    const { values } = row;
    if (values !== undefined && value !== 0n && (value < values.min || value > values.max) && !isDone(name, value))
      throw new UsageError(`${key}.${name} = ${value} is out of range; use ${values.min} to ${values.max}`);
    ids.set(BigInt(row.id), value);
  }
  return ids;
}

/**
 * Returns true for `getRemoveThePowerOfTheGr` with the value -1. No proposal can set -1. The chain writes it after it
 * has removed the votes of genesis.
 */
function isDone(name: string, value: bigint): boolean {
  return name === 'getRemoveThePowerOfTheGr' && value === -1n;
}

function initialValues({ committee, block }: NodeConfig): InitialValues {
  const values = new Map<LongProperty, bigint>();
  for (const { config, property, initial } of parameterRows) {
    if (config !== undefined && initial !== undefined) values.set(property, committee[config]);
  }
  if (block.maintenanceTimeInterval === 0)
    throw new UsageError('block.maintenanceTimeInterval = 0 divides by zero; use a number of ms, such as 21600000');
  values.set('MAINTENANCE_TIME_INTERVAL', BigInt(block.maintenanceTimeInterval));
  const startsNewReward = [committee.allowNewRewardAlgorithm, committee.allowTvmVote, committee.allowNewReward];
  if (startsNewReward.some((value) => BigInt(value) === 1n)) values.set('NEW_REWARD_ALGORITHM_EFFECTIVE_CYCLE', 0n);
  return values;
}
