/** The reference's event kinds, by the names of `event.subscribe.topics`. */
export const EVENT_TRIGGERS = [
  'block',
  'transaction',
  'contractevent',
  'contractlog',
  'solidity',
  'solidityevent',
  'soliditylog',
] as const;

/** What blocks changed in the state, told from its differences. */
export const CHANGE_TRIGGERS = [
  'stake',
  'unstake',
  'delegate',
  'undelegate',
  'vote',
  'reward',
  'permission',
  'balance',
] as const;
export type ChangeTrigger = (typeof CHANGE_TRIGGERS)[number];

/** All kinds of events that a sink can have. */
export const TRIGGERS = [...EVENT_TRIGGERS, ...CHANGE_TRIGGERS] as const;
/** The whole log with its changes, for read replicas: alone in its sink, for Kafka only. */
export const LOG_TOPIC = 'log';
export type Trigger = (typeof TRIGGERS)[number] | typeof LOG_TOPIC;

/** Where the native queue listens unless configured. Reference: NativeMessageQueue.DEFAULT_BIND_PORT. */
export const QUEUE_PORT = 5555;

/** Names inside payloads, and first frames of the native queue. */
export const TRIGGER_FRAMES: Readonly<Record<Trigger, string>> = {
  block: 'blockTrigger',
  transaction: 'transactionTrigger',
  contractevent: 'contractEventTrigger',
  contractlog: 'contractLogTrigger',
  solidity: 'solidityTrigger',
  solidityevent: 'solidityEventTrigger',
  soliditylog: 'solidityLogTrigger',
  stake: 'stakeTrigger',
  unstake: 'unstakeTrigger',
  delegate: 'delegateTrigger',
  undelegate: 'undelegateTrigger',
  vote: 'voteTrigger',
  reward: 'rewardTrigger',
  permission: 'permissionTrigger',
  balance: 'balanceTrigger',
  log: 'log',
};

/** The four kinds that speak of logs of smart contracts: only they are filtered, and only they need ABIs. */
export const CONTRACT_TRIGGERS: ReadonlySet<Trigger> = new Set<Trigger>([
  'contractevent',
  'contractlog',
  'solidityevent',
  'soliditylog',
]);

/** What a sink lets through of contract events and logs. Heights are block numbers, bounds included; empty lists let all through. */
export interface FilterOptions {
  readonly fromBlock?: bigint;
  readonly toBlock?: bigint;
  readonly contractAddress: readonly string[];
  readonly contractTopic: readonly string[];
}

export interface TlsOptions {
  readonly enable: boolean;
  /** Paths of PEM files. */
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
}

export interface SaslOptions {
  readonly mechanism: 'plain' | 'scram-sha-256' | 'scram-sha-512';
  readonly username: string;
  readonly password: string;
}

export const SINK_TYPES = ['ndjson', 'stdout', 'kafka', 'zeromq'] as const;

/** One sink as configured (`tronicle.sinks`); can be sent to a thread. */
export interface SinkOptions {
  readonly name: string;
  readonly type: (typeof SINK_TYPES)[number];
  readonly topics: readonly Trigger[];
  /** Form of the records' values; `protobuf` for Kafka only. */
  readonly payload: 'json' | 'protobuf';
  /** NDJSON file; a relative path starts at the data folder. */
  readonly path?: string;
  readonly bootstrap: readonly string[];
  readonly prefix: string;
  /** Kafka topic by trigger, instead of `<prefix>.<trigger name>`. */
  readonly topicNames: ReadonlyMap<string, string>;
  /** What Kafka keys are made of: transaction id, contract address or account. */
  readonly key: 'transaction' | 'contract' | 'account';
  readonly partitions: number;
  readonly replication: number;
  readonly filter: FilterOptions;
  readonly tls?: TlsOptions;
  readonly sasl?: SaslOptions;
  /** `transaction` in the reference's `ethCompatible` form. */
  readonly ethCompatible?: boolean;
  /** Asked for by `event.subscribe`: the transactions of genesis are in block -1, as they are there; in other sinks in block 0. */
  readonly asReference?: boolean;
  /** Kinds of contract logs that are sent also for what an ABI decodes as an event. */
  readonly redundancy?: readonly Trigger[];
  /** `applied`: each entry of the log at once, what is taken back included; by default irreversible blocks only. */
  readonly finality?: Finality;
  /** With `applied`: `block` and `transaction` that are sent when they are irreversible all the same. */
  readonly solidified?: readonly Trigger[];
  /** With `applied`: events are made of each block as a whole behind its execution. Reference: event service 1 (BlockEventGet). */
  readonly polled?: boolean;
  /** ZeroMQ: port to publish on. */
  readonly port?: number;
  /** Height at which a sink that has passed nothing on begins, and the one after which it ends: a back-fill. */
  readonly from?: number;
  readonly to?: number;
  /** Every start begins at `from` again, wherever the sink stands. Reference: HistoryEventService. */
  readonly repeats?: boolean;
  /** Kinds that are written; the others only count in `index` and `count`, as if they were. */
  readonly only?: readonly Trigger[];
}

export type Finality = 'applied' | 'solidified';
