import type { GivenMembers } from '../sink-kind.js';
import type { SharedOptions } from '../sink-options.js';

/** Connection to a Kafka cluster. */
export interface KafkaAccess {
  /** Brokers as `host:port`. */
  readonly bootstrap: readonly string[];
  readonly tls?: TlsOptions | undefined;
  readonly sasl?: SaslOptions | undefined;
}

export interface KafkaOptions extends KafkaAccess {
  readonly prefix: string;
  /** Names of topics by trigger, which replace the default `<prefix>.<trigger name>`. */
  readonly topicNames: ReadonlyMap<string, string>;
  /** Number of partitions and replication factor of topics that the node creates. */
  readonly partitions: number;
  readonly replication: number;
  /** URL of a schema registry. Values then have the wire format of Confluent. */
  readonly schemaRegistry?: string | undefined;
}

/** All options of a Kafka sink. */
export type KafkaSinkOptions = SharedOptions & KafkaOptions;

interface TlsOptions {
  readonly enable: boolean;
  /** Paths of PEM files: certificate authority, client certificate, client key. */
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

/** Reads `{ enable, ca, cert, key }`. Returns undefined if it is not set. */
export function readTls(members: GivenMembers | undefined): TlsOptions | undefined {
  if (members === undefined) return undefined;
  const [ca, cert, key] = [members.text('ca'), members.text('cert'), members.text('key')];
  return { enable: members.boolean('enable', true), ...(ca && { ca }), ...(cert && { cert }), ...(key && { key }) };
}

/** Reads `{ mechanism, username, password }`. Returns undefined if it is not set. @throws {UsageError} */
export function readSasl(members: GivenMembers | undefined): SaslOptions | undefined {
  return (
    members && {
      mechanism: members.oneOf('mechanism', MECHANISMS),
      username: members.required('username'),
      password: members.required('password'),
    }
  );
}
