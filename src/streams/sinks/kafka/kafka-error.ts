import { errorText, TronError } from '../../../primitives/errors.js';

/** Thrown if the cluster rejected a request or is not available. A retry can succeed. */
export class KafkaError extends TronError<'KAFKA_FAILED'> {
  constructor(message: string, options?: ErrorOptions) {
    super('KAFKA_FAILED', message, options);
  }
}

/**
 * Returns an error that names the cluster, the error type of the broker, and what the operator can do. Returns errors
 * that are not from kafkajs unchanged.
 * @param bootstrap brokers of the sink
 * @param what operation and topics, if known
 */
export function kafkaError(error: unknown, bootstrap: readonly string[], what?: string): unknown {
  if (!(error instanceof Error) || !error.name.startsWith('KafkaJS')) return error;
  const types = errorTypes(error);
  const shownTypes = types.length === 0 ? '' : ` (${[...new Set(types)].join(', ')})`;
  const operation = what === undefined ? '' : `${what} failed: `;
  return new KafkaError(
    `Kafka cluster ${bootstrap.join(', ')}: ${operation}${textOf(error)}${shownTypes}; ${remedyFor(error.name, types)}`,
    { cause: error },
  );
}

/** Returns the error types of the broker in an error, in its causes, and in the errors of an `AggregateError`. */
export function errorTypes(error: unknown): readonly string[] {
  if (error === null || typeof error !== 'object') return [];
  const { type, cause, errors } = error as { type?: unknown; cause?: unknown; errors?: unknown };
  const parts = Array.isArray(errors) ? errors : [];
  return [...(typeof type === 'string' ? [type] : []), ...errorTypes(cause), ...parts.flatMap(errorTypes)];
}

/**
 * Returns the message of an error. For rejected topics, kafkajs throws an error without details in its message, but
 * with a list of errors. In this case, returns the message of the first error in the list.
 */
function textOf(error: unknown): string {
  const { errors, topic } = error as { errors?: unknown; topic?: unknown };
  const [first] = Array.isArray(errors) ? errors : [];
  if (first !== undefined) return textOf(first);
  return typeof topic === 'string' ? `topic ${topic}: ${errorText(error)}` : errorText(error);
}

const UNREACHABLE =
  'check that the brokers run, and the configured addresses, tls and sasl; the log of the broker has details';

/** Action of the operator for records with a compression codec that kafkajs cannot read. */
const UNREADABLE_CODEC =
  'set compression.type=producer for the topic; if the sink has forwarded nothing yet, delete the topic first';

const WRONG_SASL = 'correct sasl in the configuration';

/** Actions of the operator, by the error type of the broker. */
const REMEDIES: ReadonlyMap<string, string> = new Map([
  ['MESSAGE_TOO_LARGE', 'raise max.message.bytes of the topic'],
  ['RECORD_LIST_TOO_LARGE', 'raise segment.bytes of the topic'],
  ['NOT_ENOUGH_REPLICAS', 'start the missing brokers, or lower min.insync.replicas of the topic'],
  ['NOT_ENOUGH_REPLICAS_AFTER_APPEND', 'start the missing brokers, or lower min.insync.replicas of the topic'],
  ['INVALID_REPLICATION_FACTOR', 'start more brokers, or lower the option replication of the sink'],
  ['INVALID_PARTITIONS', 'lower the option partitions of the sink'],
  ['POLICY_VIOLATION', 'change the policy of the cluster, or create the topic yourself'],
  ['INVALID_TOPIC_EXCEPTION', 'set another prefix or topicNames'],
  ['INVALID_TIMESTAMP', 'raise message.timestamp.before.max.ms of the topic'],
  ['INVALID_TRANSACTION_TIMEOUT', 'raise transaction.max.timeout.ms of the brokers to at least 60000'],
  ['KAFKA_STORAGE_ERROR', 'check the disks of the brokers'],
  ['SASL_AUTHENTICATION_FAILED', WRONG_SASL],
  ['UNSUPPORTED_SASL_MECHANISM', WRONG_SASL],
  ['ILLEGAL_SASL_STATE', 'remove sasl from the configuration, or set a port of the broker with authentication'],
]);

function remedyFor(errorName: string, types: readonly string[]): string {
  if (errorName === 'KafkaJSNotImplemented') return UNREADABLE_CODEC;
  // kafkajs removes the error type from the answer of the broker.
  if (errorName === 'KafkaJSSASLAuthenticationError') return WRONG_SASL;
  return types.flatMap((type) => REMEDIES.get(type) ?? [])[0] ?? UNREACHABLE;
}
