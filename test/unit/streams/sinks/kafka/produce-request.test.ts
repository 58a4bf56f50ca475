import { once } from 'node:events';
import { createRequire } from 'node:module';
import { type AddressInfo, createServer as createPlain, type Server } from 'node:net';
import { type ConnectionOptions, createServer as createTls, type TLSSocket } from 'node:tls';
import type { Message } from 'kafkajs';
import t from 'tap';
import { encodeRecordBody } from '../../../../../src/streams/sinks/kafka/encode-record.js';
import { socketsWithRecords, withRecords } from '../../../../../src/streams/sinks/kafka/produce-request.js';
import { READY_RECORDS, readyBatch, readyRecords } from '../../../../../src/streams/sinks/kafka/ready-records.js';

interface Request {
  readonly apiKey: number;
}

interface ProduceOptions {
  readonly acks: number;
  readonly timeout: number;
  readonly transactionalId?: string;
  readonly producerId: string;
  readonly producerEpoch: number;
  readonly compression: number;
  readonly topicData: readonly {
    readonly topic: string;
    readonly partitions: readonly { partition: number; messages: readonly Message[]; firstSequence: number }[];
  }[];
}

const library = createRequire(import.meta.url);
const produceRequest = (version: number): ((options: ProduceOptions) => Request) =>
  library(`kafkajs/src/protocol/requests/produce/v${version}/request`);
const encodeRequest: (options: {
  readonly correlationId: number;
  readonly clientId: string;
  readonly request: Request;
}) => Promise<{ readonly buffer: Buffer }> = library('kafkajs/src/protocol/request');
const byPartition: (options: {
  readonly topic: string;
  readonly partitionMetadata: readonly object[];
  readonly messages: readonly Message[];
  readonly partitioner: (options: { readonly message: Message }) => number;
}) => Record<string, Message[]> = library('kafkajs/src/producer/groupMessagesPerPartition');

/** Record values by topic and partition. */
type Traffic = readonly { readonly topic: string; readonly partitions: readonly (readonly string[])[] }[];

const TRAFFIC: Traffic = [
  { topic: 'one', partitions: [['a', '', 'c'.repeat(3000)]] },
  { topic: 'three', partitions: [['d'], Array.from({ length: 200 }, (_, at) => `${at}`), ['e', 'ж']] },
];

/** Returns a produce request as the producer of kafkajs encodes it. */
async function requestOf(version: number, compression: number, topics: readonly (readonly [string, Message[]])[]) {
  const topicData = topics.map(([topic, messages]) => {
    const partitioner = ({ message }: { readonly message: Message }): number => message.partition ?? 0;
    const lists = byPartition({ topic, partitionMetadata: [{}], messages, partitioner });
    const partitions = Object.entries(lists).map(([partition, list]) => ({
      ...{ partition: Number(partition), messages: list, firstSequence: 70 },
    }));
    return { topic, partitions };
  });
  const options = { acks: -1, timeout: 3000, producerId: '5000', producerEpoch: 3, compression, topicData };
  const request = produceRequest(version)({ ...options, transactionalId: 'tronicle.kafka' });
  return (await encodeRequest({ correlationId: 9, clientId: 'tronicle', request })).buffer;
}

/** Returns the timestamp of a record by its index in the partition, in ms since 1970. */
const timeOf = (at: number): number => 1_600_000_000_000 + at * 3000;

function plain(topic: string, partition: number, values: readonly string[]): readonly [string, Message[]] {
  return [topic, values.map((value, at) => ({ key: 'k', value, partition, timestamp: String(timeOf(at)) }))];
}

for (const version of [3, 7]) {
  t.test(`encodes records in a version ${version} request like kafkajs`, async (t) => {
    const { now } = Date;
    Date.now = () => 1_700_000_000_000;
    t.teardown(() => {
      Date.now = now;
    });
    for (const { topic, partitions } of TRAFFIC) {
      for (const [partition, values] of partitions.entries()) {
        const expected = await requestOf(version, 0, [plain(topic, partition, values)]);
        const bodies = values.map((value, at) => ({
          body: encodeRecordBody('k', value, { count: 0, bytes: '' }),
          timeMs: timeOf(at),
        }));
        const { messages, release } = readyBatch(partition, bodies);
        const short = await requestOf(version, READY_RECORDS, [[topic, messages]]);
        t.ok(short.length < 200);
        t.equal(Buffer.compare(Buffer.concat(withRecords(Buffer.from(short), readyRecords)), expected), 0);
        release();
        t.throws(() => withRecords(short, readyRecords), /no encoded records/);
        t.equal(Buffer.compare(Buffer.concat(withRecords(Buffer.from(expected), readyRecords)), expected), 0);
      }
    }
  });
}

t.test('keeps other requests unchanged and rejects an unknown layout', async (t) => {
  const metadata = Buffer.from('000000100003000400000001000161', 'hex');
  t.same(withRecords(metadata, readyRecords), [metadata]);
  const future = Buffer.from('000000100000000900000001000161', 'hex');
  t.throws(() => withRecords(future, readyRecords), /version 9/);
});

/** Options for TLS with a pre-shared key, which needs no certificate. */
const SHARED = { psk: Buffer.alloc(16, 7), identity: 'sink' };
const TLS = { ciphers: 'PSK-AES128-GCM-SHA256', maxVersion: 'TLSv1.2' } as const;
const CLIENT_TLS = { ...TLS, pskCallback: () => SHARED, checkServerIdentity: () => undefined };

for (const [name, ssl] of Object.entries({ plain: undefined, TLS: CLIENT_TLS })) {
  t.test(`replaces ids by records in a ${name} socket`, async (t) => {
    const values = ['a', 'b'.repeat(100_000)];
    const bodies = values.map((value) => ({ body: encodeRecordBody('k', value, { count: 0, bytes: '' }), timeMs: 0 }));
    const { messages, release } = readyBatch(0, bodies);
    const short = await requestOf(7, READY_RECORDS, [['one', messages]]);
    const expected = Buffer.concat(withRecords(Buffer.from(short), readyRecords));
    const server: Server = ssl === undefined ? createPlain() : createTls({ ...TLS, pskCallback: () => SHARED.psk });
    t.teardown(() => server.close());
    server.listen(0);
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const accepted = once(server, ssl === undefined ? 'connection' : 'secureConnection');
    const connected = new Promise<void>((resolve) => {
      const socket = socketsWithRecords(readyRecords)({
        ...{ host: 'localhost', port, ssl: ssl as ConnectionOptions },
        onConnect: () => {
          // Sends two requests. Bytes of the first request must not be used for the second.
          for (const copy of [short, short]) socket.write(Buffer.from(copy));
          socket.end();
          resolve();
        },
      });
      t.teardown(() => socket.destroy());
    });
    const [receiver] = (await accepted) as [TLSSocket];
    const received: Buffer[] = [];
    receiver.on('data', (bytes: Buffer) => received.push(bytes));
    await Promise.all([connected, once(receiver, 'end')]);
    release();
    t.equal(Buffer.compare(Buffer.concat(received), Buffer.concat([expected, expected])), 0);
    if (ssl !== undefined) t.equal(receiver.servername, 'localhost', 'the TLS server name is sent');
  });
}
