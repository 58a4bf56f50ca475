import type { GivenMembers } from '../sink-kind.js';
import type { SharedOptions } from '../sink-options.js';

/** Connection to a Kafka cluster. */
export interface KafkaAccess {
  /** Brokers as `host:port`. */
  readonly bootstrap: readonly string[];
  readonly tls?: TlsOptions | undefined;
  readonly sasl?: SaslOptions | undefined;
}

/** Returns true for a broker address that the Kafka client can use: `host:port`. */
export function isBroker(text: string): boolean {
  const [, port] = /^[^\s:@]+:(\d{1,5})$/.exec(text) ?? [];
  return port !== undefined && Number(port) >= 1 && Number(port) <= PORT_MAX;
}

const PORT_MAX = 65_535;

/** Returns true for a name that Kafka accepts for a topic. */
export function isTopicName(text: string): boolean {
  return /^[\w.-]{1,249}$/.test(text) && !/^\.{1,2}$/.test(text);
}

export interface KafkaOptions extends KafkaAccess {
  readonly prefix: string;
  /** Names of topics, by trigger. Other triggers have the topic `<prefix>.<trigger name>`. */
  readonly topicNames: ReadonlyMap<string, string>;
  /** Number of partitions of topics that the node creates. */
  readonly partitions: number;
  /** Replication factor of topics that the node creates. */
  readonly replication: number;
  /** URL of a schema registry. If it is set, values have the wire format of Confluent. */
  readonly schemaRegistry?: string | undefined;
  readonly schemaRegistryTls?: TlsFiles | undefined;
}

/** All options of a Kafka sink. */
export type KafkaSinkOptions = SharedOptions & KafkaOptions;

/** Paths of PEM files. */
export interface TlsFiles {
  /** Path of the PEM file of the certificate authority. */
  readonly ca?: string;
  /** Path of the PEM file of the client certificate. */
  readonly cert?: string;
  /** Path of the PEM file of the client key. */
  readonly key?: string;
}

interface TlsOptions extends TlsFiles {
  readonly enable: boolean;
}

interface SaslOptions {
  readonly mechanism: (typeof MECHANISMS)[number];
  readonly username: string;
  readonly password: string;
}

const MECHANISMS = ['plain', 'scram-sha-256', 'scram-sha-512'] as const;

/**
 * Reads the fields `enable`, `ca`, `cert` and `key`. Returns undefined if TLS is not configured.
 * @throws {UsageError} a field is unknown, or only one of `cert` and `key` is set
 */
export function readTls(members: GivenMembers | undefined): TlsOptions | undefined {
  if (members === undefined) return undefined;
  members.refuseOthers(['enable', ...TLS_FILES]);
  return { enable: members.boolean('enable', true), ...readFilePaths(members) };
}

/**
 * Reads the fields `ca`, `cert` and `key`. Returns undefined if they are not configured.
 * @throws {UsageError} a field is unknown, or only one of `cert` and `key` is set
 */
export function readTlsFiles(members: GivenMembers | undefined): TlsFiles | undefined {
  members?.refuseOthers(TLS_FILES);
  return members && readFilePaths(members);
}

const TLS_FILES = ['ca', 'cert', 'key'];

function readFilePaths(members: GivenMembers): TlsFiles {
  const [ca, cert, key] = [members.text('ca'), members.text('cert'), members.text('key')];
  if ((cert === undefined) !== (key === undefined))
    throw members.error(cert === undefined ? 'cert' : 'key', 'is missing; set both cert and key, or neither');
  return { ...(ca && { ca }), ...(cert && { cert }), ...(key && { key }) };
}

/**
 * Reads the fields `mechanism`, `username` and `password`. Returns undefined if SASL is not configured.
 * @throws {UsageError} a field is missing or invalid
 */
export function readSasl(members: GivenMembers | undefined): SaslOptions | undefined {
  members?.refuseOthers(['mechanism', 'username', 'password']);
  return (
    members && {
      mechanism: members.oneOf('mechanism', MECHANISMS),
      username: members.required('username'),
      password: members.required('password'),
    }
  );
}
