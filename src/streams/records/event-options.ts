import { CHANGE_TRIGGERS, CONTRACT_TRIGGERS, type Trigger } from '../event-kinds.js';

/**
 * What a sink lets through of contract events and logs. Heights are block numbers, bounds included; empty lists let all
 * through.
 */
export interface FilterOptions {
  readonly fromBlock?: bigint;
  readonly toBlock?: bigint;
  readonly contractAddress: readonly string[];
  readonly contractTopic: readonly string[];
}

export type RecordFinality = 'applied' | 'solidified';

/** Forms of a record's value. */
export const PAYLOADS = ['json', 'protobuf'] as const;

/** Which records are made of blocks, and in which form. */
export interface EventOptions {
  readonly topics: readonly Trigger[];
  readonly payload: (typeof PAYLOADS)[number];
  /** What keys are made of: transaction id, contract address or account. */
  readonly key: 'transaction' | 'contract' | 'account';
  readonly filter: FilterOptions;
  /** `transaction` in the reference's `ethCompatible` form. */
  readonly ethCompatible?: boolean;
  /**
   * Asked for by `event.subscribe`: the transactions of genesis are in block -1, as they are there; in other sinks in
   * block 0.
   */
  readonly asReference?: boolean;
  /** Kinds of contract logs that are sent also for what an ABI decodes as an event. */
  readonly redundancy?: readonly Trigger[];
  /** `applied`: each entry of the log at once, what is taken back included; by default irreversible blocks only. */
  readonly finality?: RecordFinality;
  /** With `applied`: `block` and `transaction` that are sent when they are irreversible all the same. */
  readonly solidified?: readonly Trigger[];
  /**
   * With `applied`: events are made of each block as a whole behind its execution.
   * Reference: event service 1 (BlockEventGet).
   */
  readonly polled?: boolean;
  /** Kinds that are written; the others only count in `index` and `count`, as if they were. */
  readonly only?: readonly Trigger[];
}

/** Whether a sink's records tell what only ABIs say, so that a `AbiRegistry` is needed. */
export function needsAbiRegistry({ topics }: Pick<EventOptions, 'topics'>): boolean {
  return topics.some((topic) => CONTRACT_TRIGGERS.has(topic));
}

/** Whether a sink's records tell what only the changes of a block say: rows, or internal transactions. */
export function needsChanges(sink: Pick<EventOptions, 'topics' | 'only'>): boolean {
  const { topics, only = topics } = sink;
  if (needsAbiRegistry(sink) || only.includes('transaction')) return true;
  return CHANGE_TRIGGERS.some((trigger) => topics.includes(trigger));
}
