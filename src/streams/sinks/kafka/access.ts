import type { Admin } from 'kafkajs';
import { TronError } from '../../../primitives/errors.js';
import { errorTypes, kafkaError } from './kafka-error.js';
import type { KafkaAccess } from './kafka-options.js';

/**
 * Thrown if the cluster denied an operation. A retry can succeed, because an operator can grant the permission at any
 * time.
 */
export class AccessDeniedError extends TronError<'KAFKA_ACCESS_DENIED'> {
  constructor(message: string, options?: ErrorOptions) {
    super('KAFKA_ACCESS_DENIED', message, options);
  }
}

/** Thrown if no broker answers, for example while the only broker of the cluster starts. A retry can succeed. */
export class NoBrokerError extends TronError<'KAFKA_NO_BROKER'> {
  constructor(options?: ErrorOptions) {
    super(
      'KAFKA_NO_BROKER',
      'no broker of the Kafka cluster answers; check that the cluster is running, and that its address is correct (option bootstrap of the sink, or tronicle.source of a replica)',
      options,
    );
  }
}

/** An operation on topics, with the names of Kafka's access control lists. */
interface Attempt {
  readonly operation: 'Describe' | 'Read' | 'Write' | 'Create';
  readonly topics: readonly string[];
  readonly transactionalId?: string;
  /** Prefix of the names of consumer groups. */
  readonly groups?: string;
}

/**
 * Performs operations in the cluster. If the cluster denies an operation, the error contains principal, operation and
 * resource.
 */
export class Access {
  private readonly bootstrap: readonly string[];
  private readonly principal: string;

  constructor(access: KafkaAccess) {
    this.bootstrap = access.bootstrap;
    this.principal = principalOf(access);
  }

  /**
   * Performs an operation.
   * @throws {AccessDeniedError} the cluster denied it
   * @throws {KafkaError} the cluster rejected it for another reason, or does not answer
   * @throws {Error} any other error of `work`, unchanged
   */
  async attempt<Result>(attempt: Attempt, work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      throw this.denial(error, attempt) ?? this.rejection(error, attempt);
    }
  }

  /** Returns an error that names the cluster, and what the operator can do. */
  named(error: unknown): unknown {
    return kafkaError(error, this.bootstrap);
  }

  /**
   * Returns the existing topics among `topics`. The cluster lists only topics that the principal may describe. A topic
   * that is not in this list is therefore requested by name.
   * @throws {AccessDeniedError | NoBrokerError} the cluster does not report if a topic exists
   */
  async existing(admin: Admin, topics: readonly string[]): Promise<ReadonlySet<string>> {
    const listed = new Set(await requestMetadata(() => admin.listTopics()));
    const existing = new Set<string>();
    for (const topic of topics) if (listed.has(topic) || (await this.exists(admin, topic))) existing.add(topic);
    return existing;
  }

  private async exists(admin: Admin, topic: string): Promise<boolean> {
    try {
      await this.attempt({ operation: 'Describe', topics: [topic] }, () =>
        requestMetadata(() => admin.fetchTopicMetadata({ topics: [topic] })),
      );
      return true;
    } catch (error) {
      if (errorTypes(error).includes('UNKNOWN_TOPIC_OR_PARTITION')) return false;
      throw error;
    }
  }

  private rejection(error: unknown, { operation, topics }: Attempt): unknown {
    return kafkaError(error, this.bootstrap, `${operation} on ${shownTopics(topics)}`);
  }

  private denial(error: unknown, attempt: Attempt): AccessDeniedError | undefined {
    const type = errorTypes(error).find((each) => each.endsWith('_AUTHORIZATION_FAILED'));
    if (type === undefined) return undefined;
    return new AccessDeniedError(
      `Kafka denies ${this.principal} the operation ${deniedOperation(type, attempt)} (${type}); grant the operation with an ACL`,
      { cause: error },
    );
  }
}

/**
 * Sends a request for metadata. kafkajs tries every broker. If no broker answers, kafkajs fails with an error about a
 * property of `null`.
 * @throws {NoBrokerError} no broker answers
 * @throws {Error} any other error of `request`, unchanged
 */
export async function requestMetadata<Result>(request: () => Promise<Result>): Promise<Result> {
  try {
    return await request();
  } catch (error) {
    throw error instanceof TypeError ? new NoBrokerError({ cause: error }) : error;
  }
}

/** Returns the operation and the resource that Kafka checks before it reports an error type. */
function deniedOperation(type: string, { operation, topics, transactionalId, groups }: Attempt): string {
  const of = shownTopics(topics);
  if (type === 'TRANSACTIONAL_ID_AUTHORIZATION_FAILED')
    return `Write on transactional id ${transactionalId ?? '(none)'}`;
  if (type === 'GROUP_AUTHORIZATION_FAILED') return `Read on consumer groups ${groups ?? ''}*`;
  if (type === 'CLUSTER_AUTHORIZATION_FAILED')
    return `${operation === 'Create' ? operation : 'IdempotentWrite'} on the cluster, for ${of}`;
  return `${operation} on ${of}`;
}

function shownTopics(topics: readonly string[]): string {
  return `${topics.length > 1 ? 'one of the topics' : 'topic'} ${topics.join(', ')}`;
}

function principalOf({ sasl, tls }: KafkaAccess): string {
  if (sasl !== undefined) return `User:${sasl.username}`;
  return tls?.cert === undefined ? 'User:ANONYMOUS' : `the principal of the certificate ${tls.cert}`;
}
