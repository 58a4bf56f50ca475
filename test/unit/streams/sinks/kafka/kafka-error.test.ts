import { createRequire } from 'node:module';
import kafkajs from 'kafkajs';
import t from 'tap';
import { SinkError } from '../../../../../src/streams/sink-error.js';
import { kafkaError } from '../../../../../src/streams/sinks/kafka/kafka-error.js';

const { KafkaJSAggregateError, KafkaJSConnectionError, KafkaJSNumberOfRetriesExceeded, KafkaJSProtocolError } = kafkajs;
const { KafkaJSNotImplemented, KafkaJSSASLAuthenticationError } = createRequire(import.meta.url)(
  'kafkajs/src/errors.js',
) as Record<'KafkaJSNotImplemented' | 'KafkaJSSASLAuthenticationError', new (message: string) => Error>;
const BROKERS = ['one:9092', 'two:9092'];

/** Error of a broker, as kafkajs creates it. */
function rejected(type: string, message: string) {
  return new KafkaJSProtocolError(Object.assign(new Error(message), { type, code: 1 }));
}

for (const { name, error, message } of [
  {
    name: 'an unreachable broker',
    error: new KafkaJSConnectionError('Connection error: connect ECONNREFUSED'),
    message: /^Kafka cluster one:9092, two:9092: Connection error: connect ECONNREFUSED; check that the brokers run/,
  },
  {
    name: 'missing replicas after all retries of the client',
    error: new KafkaJSNumberOfRetriesExceeded(rejected('NOT_ENOUGH_REPLICAS', 'fewer in-sync replicas'), {
      retryCount: 9,
      retryTime: 2000,
    }),
    message:
      /fewer in-sync replicas \(NOT_ENOUGH_REPLICAS\); start the missing brokers, or lower min\.insync\.replicas/,
  },
  {
    name: 'a rejected topic, for which the client reports only "Topic creation errors"',
    error: new KafkaJSAggregateError('Topic creation errors', [
      Object.assign(rejected('INVALID_REPLICATION_FACTOR', 'Replication-factor is invalid'), { topic: 'blocks' }),
    ]),
    message:
      /topic blocks: Replication-factor is invalid \(INVALID_REPLICATION_FACTOR\); start more brokers, or lower the option replication/,
  },
  {
    name: 'records with a codec that the client cannot read',
    error: new KafkaJSNotImplemented('LZ4 compression not implemented'),
    message: /LZ4 compression not implemented; set compression\.type=producer for the topic/,
  },
  {
    name: 'a password that the broker rejects',
    error: new KafkaJSSASLAuthenticationError('SASL SCRAM SHA256 authentication failed: invalid credentials'),
    message: /authentication failed: invalid credentials; correct sasl in the configuration$/,
  },
  {
    name: 'brokers whose limit is shorter than the timeout of a transaction',
    error: rejected('INVALID_TRANSACTION_TIMEOUT', 'The transaction timeout is too long'),
    message: /\(INVALID_TRANSACTION_TIMEOUT\); raise transaction\.max\.timeout\.ms of the brokers to at least 60000$/,
  },
])
  t.test(`names the cluster, the cause and a remedy for ${name}`, async (t) => {
    t.match(kafkaError(error, BROKERS), { code: 'KAFKA_FAILED', message });
  });

t.test('names the operation, if it is known', async (t) => {
  const error = kafkaError(rejected('MESSAGE_TOO_LARGE', 'too large'), BROKERS, 'Write on topic blocks');
  t.match(error, {
    message: /: Write on topic blocks failed: too large \(MESSAGE_TOO_LARGE\); raise max\.message\.bytes/,
  });
});

t.test('returns errors of this node and of the operating system unchanged', async (t) => {
  for (const error of [new SinkError('stopped'), Object.assign(new Error('no file'), { code: 'ENOENT' })])
    t.equal(kafkaError(error, BROKERS), error);
});
