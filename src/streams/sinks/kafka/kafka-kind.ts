import { hostname } from 'node:os';
import { resolve } from 'node:path';
import { UsageError } from '../../../primitives/errors.js';
import { LOG_TRIGGER_TOPIC } from '../../event-kinds.js';
import { type GivenMembers, MANDATORY, type SinkKind } from '../sink-kind.js';
import type { SharedOptions } from '../sink-options.js';
import { isBroker, isTopicName, type KafkaOptions, readSasl, readTls, readTlsFiles } from './kafka-options.js';
import { registryUrl } from './registry/registry-url.js';

const PREFIX = 'tronicle';

/** Sink for a Kafka cluster. */
export const kafkaKind: SinkKind<KafkaOptions> = {
  doc: {
    is: 'Kafka topics',
    guarantee: 'no gap and no duplicate for readers with `read_committed`',
    because:
      'one Kafka transaction writes the records of whole blocks and the cursor; a sink resumes after the newest committed cursor',
    shownBy:
      '`npm test` kills the node 12 times and the broker 3 times while it writes; `npm run reliability -- forward-kills --night` 300 and 60 times',
  },
  supportsLog: true,
  supportsBinary: true,
  members: {
    bootstrap: {
      type: 'string[]',
      doc: 'bootstrap brokers, each as host:port; a text may contain several, separated by commas',
      fallback: MANDATORY,
      read: (members, name) => {
        const brokers = members.list(name);
        if (brokers.length === 0) throw members.error(name, 'is missing');
        // A client would print the password as a part of the address.
        if (brokers.some((broker) => broker.includes('@')))
          throw members.error(name, 'must not contain a user name or a password; use sasl');
        const invalid = brokers.find((broker) => !isBroker(broker));
        if (invalid !== undefined) throw members.error(name, `has the invalid broker "${invalid}"; use host:port`);
        return brokers;
      },
    },
    prefix: {
      type: 'string',
      doc: 'prefix of topic names: `<prefix>.<trigger name>` for records, `<prefix>.cursor` for the position of the sink',
      fallback: PREFIX,
      read: (members, name, { topics }) => {
        const prefix = members.text(name) ?? PREFIX;
        for (const trigger of ['cursor', ...topics]) checkTopic(members, name, `${prefix}.${trigger}`);
        return prefix;
      },
    },
    topicNames: {
      type: 'object',
      doc: 'topic names that replace the default names: { <trigger name> = <topic> }',
      fallback: 'absent',
      read: (members, name) => {
        const names = members.map(name);
        for (const topic of names.values()) checkTopic(members, name, topic);
        return names;
      },
      toJson: (names) => Object.fromEntries(names),
    },
    partitions: {
      type: 'int',
      doc: 'number of partitions of topics that the node creates; the log topic always has one partition',
      fallback: '1',
      read: (members, name, { topics }) => (topics.includes(LOG_TRIGGER_TOPIC) ? 1 : members.count(name, 1)),
    },
    replication: {
      type: 'int',
      doc: 'replication factor of topics that the node creates',
      fallback: '1',
      read: (members, name) => members.count(name, 1),
    },
    schemaRegistry: {
      type: 'string',
      doc: "URL of a schema registry with Confluent's API, such as `http://localhost:8081`. The sink registers each schema as `<topic>-value`; each record value starts with the id of its schema. User name and password are never displayed",
      fallback: 'absent',
      read: readRegistry,
      shown: (url) => url && registryUrl(url),
    },
    schemaRegistryTls: {
      type: 'object',
      doc: 'TLS files of the schema registry { ca, cert, key }: paths of PEM files for an https URL. ca: certificate authority of the registry; cert and key: client certificate',
      fallback: 'absent',
      read: (members, name) => {
        const files = readTlsFiles(members.object(name));
        if (files !== undefined && !/^https:/i.test(members.text('schemaRegistry') ?? ''))
          throw members.error(name, 'needs an https URL in schemaRegistry');
        return files;
      },
    },
    tls: {
      type: 'object',
      doc: 'TLS options { enable, ca, cert, key }; ca, cert and key are paths of PEM files',
      fallback: 'absent',
      read: (members, name) => readTls(members.object(name)),
    },
    sasl: {
      type: 'object',
      doc: 'authentication { mechanism, username, password }; mechanism: plain, scram-sha-256 or scram-sha-512; the password is never displayed',
      fallback: 'absent',
      read: (members, name) => readSasl(members.object(name)),
      shown: (sasl) => sasl && { mechanism: sasl.mechanism, username: sasl.username },
    },
  },
  check: (members, { payload }) => {
    if (payload === 'avro' && members.text('schemaRegistry') === undefined)
      throw members.error(
        'payload',
        'avro needs a schema registry, because consumers can decode a value only with its schema; set schemaRegistry, or use json or protobuf',
      );
  },
  fill: (own, { of, trigger, isSent, into }) => {
    if (into !== undefined && !isTopicName(into)) throw new UsageError(`${invalidTopic(into)} with --into`);
    if (into !== undefined) return { topicNames: new Map([...own.topicNames, [trigger, into]]) };
    if (isSent)
      throw new UsageError(
        `sink ${of} already sends ${trigger} to its topic, and old records would follow newer ones there; set another Kafka topic with --into`,
      );
    return {};
  },
  create: async (sink, { dataDir, checkpointFile, log }) => {
    const { KafkaSink } = await import('./kafka-sink.js');
    const folder = `${hostname()}:${resolve(dataDir)}`;
    return new KafkaSink({
      sink: { ...sink, topics: sink.only ?? sink.topics },
      checkpointFile,
      folder,
      log,
    });
  },
};

/** @throws {UsageError} Kafka does not accept the name of a topic */
function checkTopic(members: GivenMembers, name: string, topic: string): void {
  if (!isTopicName(topic)) throw members.error(name, invalidTopic(topic));
}

function invalidTopic(topic: string): string {
  return `Kafka allows no topic "${topic}"; use at most 249 letters, digits, ".", "_" and "-"`;
}

/**
 * Reads the URL of the schema registry; undefined if it is not set.
 * @throws {UsageError} the URL is invalid, or a topic would have records with several schemas
 */
function readRegistry(members: GivenMembers, name: string, shared: SharedOptions): string | undefined {
  const url = members.text(name);
  if (url === undefined) return undefined;
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw members.error(name, 'must be an http or https URL');
  const names = members.map('topicNames');
  const shares = shared.topics.length > new Set(shared.topics.map((trigger) => names.get(trigger) ?? trigger)).size;
  if (shares && shared.payload !== 'protobuf') throw members.error(name, 'needs a separate topic for each trigger');
  return url;
}
