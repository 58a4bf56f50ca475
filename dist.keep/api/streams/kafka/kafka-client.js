import { readFileSync } from 'node:fs';
import kafkajs, {} from 'kafkajs';
const { Kafka } = kafkajs;
/**
 * Short: the forwarder repeats without end by itself, and a transaction that follows another at once is refused until the broker
 * has put the first one's markers, which takes a few ms.
 */
const RETRY = { retries: 9, initialRetryTime: 8, maxRetryTime: 2000, factor: 0.1, multiplier: 2 };
const CONNECT_MS = 3000;
const REQUEST_MS = 30_000;
/** @throws {Error} a PEM file that cannot be read */
export function createKafka({ name, bootstrap, tls, sasl }, log) {
    const pem = (path) => path && readFileSync(path, 'utf8');
    const [ca, cert, key] = [pem(tls?.ca), pem(tls?.cert), pem(tls?.key)];
    const ssl = tls?.enable === true && {
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
        ...(sasl && { sasl: { ...sasl } }),
        // The library calls what it repeats an error; the forwarder says what matters.
        logCreator: () => (entry) => {
            const { message, timestamp: _timestamp, logger: _logger, stack: _stack, ...fields } = entry.log;
            log.debug({ sink: name, kafka: entry.namespace, ...fields }, message);
        },
    });
}
//# sourceMappingURL=kafka-client.js.map