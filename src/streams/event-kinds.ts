/** Event triggers of java-tron. Their names are those in `event.subscribe.topics`. */
export const EVENT_TRIGGERS = [
  'block',
  'transaction',
  'contractevent',
  'contractlog',
  'solidity',
  'solidityevent',
  'soliditylog',
] as const;

/** Triggers for changes of the state, derived from the row changes of a block. */
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

/** Topic with all movements of TRX and tokens, see `records/transfers`. */
export const TRANSFER_TRIGGER = 'transfer';
/** All event triggers to which a sink can subscribe. The log topic is not a trigger. */
export const TRIGGERS = [...EVENT_TRIGGERS, ...CHANGE_TRIGGERS, TRANSFER_TRIGGER] as const;
/**
 * Topic with the complete log and its row changes, for read replicas. Only Kafka sinks support it, and it must be the
 * only topic of its sink.
 */
export const LOG_TRIGGER_TOPIC = 'log';
export type EventTrigger = (typeof TRIGGERS)[number];
export type Trigger = EventTrigger | typeof LOG_TRIGGER_TOPIC;

/** Name of each trigger in java-tron's payloads. A ZeroMQ sink sends the name as the first frame of a message. */
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
  transfer: 'transferTrigger',
  log: 'log',
};

/** The four triggers for contract logs. Filters and ABIs apply only to these triggers. */
export const CONTRACT_TRIGGERS: ReadonlySet<Trigger> = new Set<Trigger>([
  'contractevent',
  'contractlog',
  'solidityevent',
  'soliditylog',
]);
