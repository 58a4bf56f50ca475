import { CHANGE_TRIGGERS, CONTRACT_TRIGGERS, TRANSFER_TRIGGER, type Trigger } from '../event-kinds.js';

/**
 * Filter for contract events and logs. `fromBlock` and `toBlock` are inclusive. Empty lists match everything.
 */
export interface FilterOptions {
  readonly fromBlock?: bigint;
  readonly toBlock?: bigint;
  readonly contractAddress: readonly string[];
  readonly contractTopic: readonly string[];
}

/** Selection of the records of the topic `transfer`, and the source of their keys. An empty list matches everything. */
export interface TransferOptions {
  /** Source of the record key. If the movement has no such account or token, the other account is the key. */
  readonly key: 'recipient' | 'sender' | 'token';
  /** True to send records of the initial balances of genesis. */
  readonly genesis: boolean;
  /** Base58Check addresses. A record matches if its sender or its recipient is in the list. */
  readonly account: readonly string[];
  /** Tokens to select: `TRX`, ids of TRC10 assets, or Base58Check addresses of token contracts. */
  readonly token: readonly string[];
  /** Contract types to select, such as `TransferContract`. */
  readonly contractType: readonly string[];
  /** Results to select, such as `SUCCESS` and `REVERT`. */
  readonly result: readonly string[];
}

export type RecordFinality = 'applied' | 'solidified';

/** Formats of a record's value. */
export const PAYLOADS = ['json', 'protobuf', 'avro'] as const;

/** Selects the records of a sink and their format. */
export interface EventOptions {
  readonly topics: readonly Trigger[];
  readonly payload: (typeof PAYLOADS)[number];
  /** Source of the record key: transaction id, contract address, or account. */
  readonly key: 'transaction' | 'contract' | 'account';
  readonly filter: FilterOptions;
  readonly transfer?: TransferOptions;
  /**
   * True to write transaction records in java-tron's `ethCompatible` format. Only this format has the index of the
   * transaction, the cumulative energy, the energy price and the logs. Reference: TransactionLogTriggerCapsule.
   */
  readonly ethCompatible?: boolean;
  /**
   * True for sinks of `event.subscribe`. The transactions of genesis then have block number -1, as in java-tron. In
   * other sinks, they have block number 0.
   */
  readonly asReference?: boolean;
  /** Log triggers that also send decoded logs. By default, a decoded log is sent only as an event. */
  readonly redundancy?: readonly Trigger[];
  /**
   * `applied` sends records for every log entry, including reverted blocks. The default `solidified` sends records for
   * solidified blocks only.
   */
  readonly finality?: RecordFinality;
  /**
   * Only with `applied`: triggers whose records are sent when their block is solidified (`block` and `transaction` are
   * possible).
   */
  readonly solidified?: readonly Trigger[];
  /**
   * Only with `applied`: true to create all events of a block together after its execution. Reference: event service 1
   * (BlockEventGet).
   */
  readonly polled?: boolean;
  /**
   * Triggers whose records are written. Records of other triggers are omitted, but `index` and `count` include them.
   */
  readonly only?: readonly Trigger[];
}

/** Returns true if the sink's records need ABIs. */
export function needsAbiRegistry({ topics }: Pick<EventOptions, 'topics'>): boolean {
  return topics.some((topic) => CONTRACT_TRIGGERS.has(topic));
}

/** Returns true if the sink's records need row changes or internal transactions of blocks. */
export function needsChanges(sink: Pick<EventOptions, 'topics' | 'only'>): boolean {
  const { topics, only = topics } = sink;
  if (needsAbiRegistry(sink) || only.includes('transaction')) return true;
  return topics.includes(TRANSFER_TRIGGER) || CHANGE_TRIGGERS.some((trigger) => topics.includes(trigger));
}
