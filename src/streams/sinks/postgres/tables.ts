import type { Trigger } from '../../event-kinds.js';

/**
 * Source of a column: a JSON field of the record, and its SQL type. `as` computes the value of the column from the
 * field. Without `as`, the column has the value of the field.
 */
interface ColumnSource {
  readonly column: string;
  readonly member: string;
  readonly type: string;
  readonly as?: (member: string) => string;
}

/** The table that contains the records of a trigger. */
export interface TableRow {
  readonly table: string;
  /** Columns of the primary key, which is the position of the row in the chain. */
  readonly key: readonly string[];
  readonly columns: readonly ColumnSource[];
}

/**
 * JSON fields that the sink adds to each record: the height of the block, the id of the parent block, and the index
 * among the records of the same trigger in the block.
 */
export const ADDED = { block: 'rowBlock', parent: 'rowParent', index: 'rowIndex' } as const;

const blockNumber = from('block_number', ADDED.block, 'bigint');
/** Time of the record. JSON contains it in ms since 1970. */
const time = from('time', 'timeStamp', 'bigint', (ms) => `timestamptz 'epoch' + ${ms} * interval '1 ms'`);
const transactionId = from('transaction_id', 'transactionId', 'text');

/** Columns of all logs, decoded or not. */
const log = [
  blockNumber,
  transactionId,
  // The unique id of a log is `<transaction id>_<number of the log in the transaction>`.
  from('log_index', 'uniqueId', 'text', (id) => `split_part(${id}, '_', 2)::integer`),
  time,
  from('contract_address', 'contractAddress', 'text'),
  from('origin_address', 'originAddress', 'text'),
  from('creator_address', 'creatorAddress', 'text'),
  from('topics', 'rawData', 'jsonb', (raw) => `${raw} -> 'topics'`),
  from('data', 'rawData', 'jsonb', (raw) => `${raw} ->> 'data'`),
];
const logKey = ['block_number', 'transaction_id', 'log_index'];

/** Tables by trigger. Columns and their types are in `migrations.ts`. */
const tables = {
  block: {
    table: 'blocks',
    key: ['block_number'],
    columns: [
      blockNumber,
      from('block_hash', 'blockHash', 'text'),
      from('parent_hash', ADDED.parent, 'text'),
      time,
      from('transaction_count', 'transactionSize', 'integer'),
      from('solidified_number', 'latestSolidifiedBlockNumber', 'bigint'),
      from('transaction_ids', 'transactionList', 'jsonb'),
    ],
  },
  transaction: {
    table: 'transactions',
    key: ['block_number', 'transaction_index'],
    columns: [
      blockNumber,
      from('transaction_index', ADDED.index, 'integer'),
      transactionId,
      time,
      from('contract_type', 'contractType', 'text'),
      from('result', 'result', 'text'),
      from('from_address', 'fromAddress', 'text'),
      from('to_address', 'toAddress', 'text'),
      from('contract_address', 'contractAddress', 'text'),
      from('asset_name', 'assetName', 'text'),
      from('asset_amount', 'assetAmount', 'numeric'),
      from('call_value', 'contractCallValue', 'numeric'),
      from('fee_limit', 'feeLimit', 'numeric'),
      from('energy_usage', 'energyUsage', 'bigint'),
      from('energy_fee', 'energyFee', 'numeric'),
      from('origin_energy_usage', 'originEnergyUsage', 'bigint'),
      from('energy_usage_total', 'energyUsageTotal', 'bigint'),
      from('net_usage', 'netUsage', 'bigint'),
      from('net_fee', 'netFee', 'numeric'),
      from('contract_result', 'contractResult', 'text'),
      from('data', 'data', 'text'),
      from('internal_transactions', 'internalTransactionList', 'jsonb'),
    ],
  },
  transfer: {
    table: 'transfers',
    key: ['block_number', 'transfer_index'],
    columns: [
      blockNumber,
      from('transfer_index', 'index', 'integer'),
      transactionId,
      time,
      from('kind', 'kind', 'text'),
      from('standard', 'standard', 'text'),
      from('token', 'token', 'text'),
      from('token_id', 'tokenId', 'text'),
      from('from_address', 'from', 'text'),
      from('to_address', 'to', 'text'),
      from('amount', 'amount', 'numeric'),
      from('decimals', 'decimals', 'integer'),
      from('symbol', 'symbol', 'text'),
      from('contract_type', 'contractType', 'text'),
      from('result', 'result', 'text'),
    ],
  },
  contractevent: {
    table: 'events',
    key: logKey,
    columns: [
      ...log,
      from('name', 'eventName', 'text'),
      from('signature', 'eventSignatureFull', 'text'),
      from('topic_map', 'topicMap', 'jsonb'),
      from('data_map', 'dataMap', 'jsonb'),
    ],
  },
  contractlog: { table: 'events', key: logKey, columns: log },
} as const satisfies Partial<Record<Trigger, TableRow>>;

/** Triggers whose records are rows of a table. */
export type TableTrigger = keyof typeof tables;
export const TABLE_TRIGGERS = Object.keys(tables) as TableTrigger[]; // Cast: the keys are triggers.

export function isTableTrigger(trigger: Trigger): trigger is TableTrigger {
  return trigger in tables;
}

export function tableOf(trigger: TableTrigger): TableRow {
  return tables[trigger];
}

function from(column: string, member: string, type: string, as?: ColumnSource['as']): ColumnSource {
  return { column, member, type, ...(as && { as }) };
}
