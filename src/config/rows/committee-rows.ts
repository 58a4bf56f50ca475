import { DEFAULT_LIMITS } from '../../p2p/releases/peer-limits.js';
import {
  type CommitteeKey,
  type ParameterRow,
  parameterRows,
} from '../../state-transition/parameters/parameter-table.js';
import { type ConfigKey, long, property, type RowTree } from '../row.js';

/** Chain parameters of a fresh data folder; a folder that holds blocks has its own. Exact integers. */
export const committeeRows = {
  ...parameterKeys(),
  allowNewRewardAlgorithm: property(
    'committee.allowNewRewardAlgorithm',
    '1: NEW_REWARD_ALGORITHM_EFFECTIVE_CYCLE = current cycle on a fresh database',
    32,
  ),
  pBFTExpireNum: long(
    'committee.pBFTExpireNum',
    DEFAULT_LIMITS.votedBlocks,
    'blocks below the head to which a vote of a witness counts; from 4.8.2 on',
  ),
} as const satisfies RowTree;

/** A key for each parameter whose row names one. */
function parameterKeys(): Readonly<Record<CommitteeKey, ConfigKey<bigint>>> {
  const rows = parameterRows.flatMap((row) => (row.config === undefined ? [] : [[row.config, parameterKey(row)]]));
  // Each name of the type is that of a row.
  return Object.fromEntries(rows) as Record<CommitteeKey, ConfigKey<bigint>>;
}

/** One of a later release has no effect in a release that does not know the parameter. */
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
      ? `value read while ${name} is not stored (never written at start)`
      : `initial value of ${name}`;
  const doc = [meaning, note, since && `from ${since} on`].filter((part) => part !== undefined).join('; ');
  const bits = long || clamped || since !== undefined ? 64 : 32;
  return property(`committee.${config}`, doc, bits, clamped ? { min: 0, max: Number(values?.max) } : {});
}
