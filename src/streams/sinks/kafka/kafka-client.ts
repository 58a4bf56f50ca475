import { readFileSync } from 'node:fs';
import kafkajs, { type Kafka as KafkaClient, type KafkaConfig, type LogEntry } from 'kafkajs';
import type { Logger } from 'pino';

import type { KafkaAccess } from './kafka-options.js';
import { sockets } from './ready-records.js';

const { Kafka } = kafkajs;

/**
 * Retries of kafkajs: few and fast, because the forwarder itself retries without limit. The retries cover a transaction
 * that starts directly after another transaction. The broker rejects the new transaction for a few ms, until the
 * markers of the previous transaction are written.
 */
const RETRY = { retries: 9, initialRetryTime: 8, maxRetryTime: 2000, factor: 0.1, multiplier: 2 };
const CONNECT_MS = 3000;
const REQUEST_MS = 30_000;

/** Creates a client. @throws {Error} a PEM file cannot be read */
export function createKafka(
  { name, bootstrap, tls, sasl }: KafkaAccess & { readonly name: string },
  log: Logger,
): KafkaClient {
  const pem = (path: string | undefined): string | undefined => path && readFileSync(path, 'utf8');
  const [ca, cert, key] = [pem(tls?.ca), pem(tls?.cert), pem(tls?.key)];
  const ssl: KafkaConfig['ssl'] = tls?.enable === true && {
    ...(ca && { ca: [ca] }),
    ...(cert && { cert }),
    ...(key && { key }),
  };
  return new Kafka({
    clientId: `tronicle-${name}`,
    brokers: [...bootstrap],
    connectionTimeout: CONNECT_MS,
    requestTimeout: REQUEST_MS,
    retry: RETRY,
    ssl,
    socketFactory: sockets,
    ...(sasl && { sasl: { ...sasl } as NonNullable<KafkaConfig['sasl']> }),
    // Reduces the log of the library to debug level, because it logs each retry as an error. The forwarder logs what
    // the operator needs.
    logCreator: () => (entry: LogEntry) => {
      const { message, timestamp: _timestamp, logger: _logger, stack: _stack, ...fields } = entry.log;
      log.debug({ sink: name, kafka: entry.namespace, ...fields }, message);
    },
  });
}
