import { type ParameterProperty, parameterRows } from './parameter-table.js';

/** Encoding of a property's value in its row. */
type PropertyForm = 'int64' | 'int32' | 'bytes';
/**
 * A property of the chain. Without an `initial` value, it has no row until its first write. Until then, a read returns
 * `absent`.
 */
type Row<Name extends string> = readonly [
  name: Name,
  form: PropertyForm,
  initial: bigint | string | undefined,
  absent?: bigint,
];

/** Properties that are not chain parameters. Reference: DynamicPropertiesStore. */
const ownRows = [
  ['latest_block_header_timestamp', 'int64', 0n],
  ['latest_block_header_number', 'int64', 0n],
  ['latest_block_header_hash', 'bytes', '\0'],
  ['state_flag', 'int32', 0n],
  ['LATEST_SOLIDIFIED_BLOCK_NUM', 'int64', 0n],
  ['LATEST_PROPOSAL_NUM', 'int64', 0n],
  ['LATEST_EXCHANGE_NUM', 'int64', 0n],
  ['BLOCK_FILLED_SLOTS', 'bytes', '1'.repeat(128)],
  ['BLOCK_FILLED_SLOTS_INDEX', 'int32', 0n],
  ['NEXT_MAINTENANCE_TIME', 'int64', 0n],
  ['MAX_FROZEN_TIME', 'int32', 3n],
  ['MIN_FROZEN_TIME', 'int32', 3n],
  ['MAX_FROZEN_SUPPLY_NUMBER', 'int32', 10n],
  ['MAX_FROZEN_SUPPLY_TIME', 'int32', 3652n],
  ['MIN_FROZEN_SUPPLY_TIME', 'int32', 1n],
  ['WITNESS_ALLOWANCE_FROZEN_TIME', 'int32', 1n],
  ['SHIELDED_TRANSACTION_FEE', 'int64', 100000n],
  ['SHIELDED_TRANSACTION_CREATE_ACCOUNT_FEE', 'int64', 1000000n],
  ['TOTAL_SHIELDED_POOL_VALUE', 'int64', 0n],
  ['EXCHANGE_BALANCE_LIMIT', 'int64', 1000000000000000n],
  ['TOTAL_TRANSACTION_COST', 'int64', 0n],
  ['TOTAL_CREATE_ACCOUNT_COST', 'int64', 0n],
  ['TOTAL_CREATE_WITNESS_FEE', 'int64', 0n],
  ['TOTAL_STORAGE_POOL', 'int64', 100000000000000n],
  ['TOTAL_STORAGE_TAX', 'int64', 0n],
  ['TOTAL_STORAGE_RESERVED', 'int64', 137438953472n],
  ['STORAGE_EXCHANGE_TAX_RATE', 'int64', 10n],
  ['VERSION_NUMBER', 'int32', undefined, 0n],
  ['TOTAL_SIGN_NUM', 'int32', 5n],
  ['TOKEN_ID_NUM', 'int64', 1000000n],
  ['TOKEN_UPDATE_DONE', 'int64', 0n],
  ['ABI_MOVE_DONE', 'int64', 0n],
  ['ALLOW_SHIELDED_TRANSACTION', 'int64', 0n],
  ['AVAILABLE_CONTRACT_TYPE', 'bytes', 'hex:7fff1fc0037e0000000000000000000000000000000000000000000000000000'],
  ['ACTIVE_DEFAULT_OPERATIONS', 'bytes', 'hex:7fff1fc0033e0000000000000000000000000000000000000000000000000000'],
  ['CURRENT_CYCLE_NUMBER', 'int64', undefined, 0n],
  ['MARKET_QUANTITY_LIMIT', 'int64', 1000000000000000n],
  ['TRANSACTION_FEE_POOL', 'int64', 0n],
  ['BURN_TRX_AMOUNT', 'int64', 0n],
  ['NEW_REWARD_ALGORITHM_EFFECTIVE_CYCLE', 'int64', 9223372036854775807n],
  ['ENERGY_PRICE_HISTORY', 'bytes', '0:100'],
  ['ENERGY_PRICE_HISTORY_DONE', 'int64', 0n],
  ['BANDWIDTH_PRICE_HISTORY', 'bytes', '0:10'],
  ['BANDWIDTH_PRICE_HISTORY_DONE', 'int64', 0n],
  ['SET_BLACKHOLE_ACCOUNT_PERMISSION', 'int64', 0n],
  ['MEMO_FEE_HISTORY', 'bytes', '0:0'],
  ['BLOCK_HASH_HISTORY_INSTALLED', 'int64', undefined, 0n],
  ['TURKISH_KEY_MIGRATION_DONE', 'int64', undefined, 0n],
  ['ONE_DAY_NET_LIMIT', 'int64', 57600000000n],
  ['PUBLIC_NET_USAGE', 'int64', 0n],
  ['PUBLIC_NET_LIMIT', 'int64', 14400000000n],
  ['PUBLIC_NET_TIME', 'int64', 0n],
  ['TOTAL_NET_WEIGHT', 'int64', 0n],
  ['TOTAL_ENERGY_AVERAGE_TIME', 'int64', 0n],
  ['TOTAL_ENERGY_WEIGHT', 'int64', 0n],
  ['TOTAL_TRON_POWER_WEIGHT', 'int64', 0n],
  ['BLOCK_ENERGY_USAGE', 'int64', 0n],
] as const satisfies readonly Row<string>[];

type OwnName<Form extends PropertyForm> = Extract<(typeof ownRows)[number], readonly [string, Form, ...unknown[]]>[0];
export type LongProperty = OwnName<'int64' | 'int32'> | ParameterProperty;
export type BytesProperty = OwnName<'bytes'>;

/**
 * All properties, except for the statistics of block versions. The configuration can replace initial values
 * (`genesis-state.ts`).
 */
export const propertyRows: readonly Row<LongProperty | BytesProperty>[] = [...ownRows, ...parameterProperties()];

/**
 * Returns the properties of chain parameters. Proposals 17 and 19 change the same property, so only one of the two rows
 * defines its initial value.
 */
function parameterProperties(): readonly Row<ParameterProperty>[] {
  const stated = parameterRows.filter(({ initial, absent }) => initial !== undefined || absent !== undefined);
  const names = new Set(stated.map(({ property }) => property));
  const silent = parameterRows.filter(({ property }) => !names.has(property));
  return [...stated, ...silent].map(({ property, initial, absent }) => [property, 'int64', initial, absent ?? 0n]);
}
