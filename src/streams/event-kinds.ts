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
export const LOG_TRIGGER_TOPIC = 'log';
export type EventTrigger = (typeof TRIGGERS)[number];
export type Trigger = EventTrigger | typeof LOG_TRIGGER_TOPIC;

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
