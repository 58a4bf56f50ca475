import { DEFAULT_LIMITS } from '../../p2p/releases/peer-limits.js';
import {
  type CommitteeKey,
  type ParameterRow,
  parameterRows,
} from '../../state-transition/parameters/parameter-table.js';
import { type ConfigKey, long, property, type RowTree } from '../row.js';

/**
 * Chain parameters of a new data folder, as exact integers. In a folder with blocks, the parameters of the chain apply
 * instead.
 */
export const committeeRows = {
  ...parameterKeys(),
  allowNewRewardAlgorithm: property(
    'committee.allowNewRewardAlgorithm',
    '1: stores the current cycle as NEW_REWARD_ALGORITHM_EFFECTIVE_CYCLE of a new chain',
    32,
  ),
  pBFTExpireNum: long(
    'committee.pBFTExpireNum',
    DEFAULT_LIMITS.votedBlocks,
    'number of blocks below the head for which PBFT votes of witnesses are accepted; since release 4.8.2',
  ),
} as const satisfies RowTree;

/** Returns a configuration key for each chain parameter that has a key name. */
function parameterKeys(): Readonly<Record<CommitteeKey, ConfigKey<bigint>>> {
  const rows = parameterRows.flatMap((row) => (row.config === undefined ? [] : [[row.config, parameterKey(row)]]));
  // Safe cast: `CommitteeKey` consists of the key names in `parameterRows`.
  return Object.fromEntries(rows) as Record<CommitteeKey, ConfigKey<bigint>>;
}

/** Creates the configuration key of a chain parameter. In a release without this parameter, the key has no effect. */
function parameterKey({
  config,
  property: name,
  initial,
  since,
  long,
  clamped,
  values,
  note,
}: ParameterRow): ConfigKey<bigint> {
  const meaning =
    initial === undefined
      ? `value of ${name} until a proposal sets it; not stored at start`
      : `initial value of ${name}`;
  const doc = [meaning, note, since && `since release ${since}`].filter((part) => part !== undefined).join('; ');
  const bits = long || clamped || since !== undefined ? 64 : 32;
  return property(`committee.${config}`, doc, bits, clamped ? { min: 0, max: Number(values?.max) } : {});
}
