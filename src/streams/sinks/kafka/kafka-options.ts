import type { GivenMembers } from '../sink-kind.js';
import type { SharedOptions } from '../sink-options.js';

/** How a Kafka cluster is reached. */
export interface KafkaAccess {
  /** `host:port` of brokers. */
  readonly bootstrap: readonly string[];
  readonly tls?: TlsOptions | undefined;
  readonly sasl?: SaslOptions | undefined;
}

export interface KafkaOptions extends KafkaAccess {
  readonly prefix: string;
  /** Topic by trigger, instead of `<prefix>.<trigger name>`. */
  readonly topicNames: ReadonlyMap<string, string>;
  /** Of topics that the node creates. */
  readonly partitions: number;
  readonly replication: number;
}

/** All that a Kafka sink is told. */
export type KafkaSinkOptions = SharedOptions & KafkaOptions;

interface TlsOptions {
  readonly enable: boolean;
  /** Paths of PEM files. */
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
}

interface SaslOptions {
  readonly mechanism: (typeof MECHANISMS)[number];
  readonly username: string;
  readonly password: string;
}

const MECHANISMS = ['plain', 'scram-sha-256', 'scram-sha-512'] as const;

/** Members `{ enable, ca, cert, key }`; `undefined` stays. */
export function readTls(given: GivenMembers | undefined): TlsOptions | undefined {
  if (given === undefined) return undefined;
  const [ca, cert, key] = [given.text('ca'), given.text('cert'), given.text('key')];
  return { enable: given.boolean('enable', true), ...(ca && { ca }), ...(cert && { cert }), ...(key && { key }) };
}

/** Members `{ mechanism, username, password }`; `undefined` stays. @throws {UsageError} */
export function readSasl(given: GivenMembers | undefined): SaslOptions | undefined {
  return (
    given && {
      mechanism: given.oneOf('mechanism', MECHANISMS),
      username: given.required('username'),
      password: given.required('password'),
    }
  );
}
