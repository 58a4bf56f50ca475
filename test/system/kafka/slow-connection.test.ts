import { connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { Transform, type TransformCallback } from 'node:stream';
import t from 'tap';
import type { BlockRecords } from '../../../src/streams/records/event-record.js';
import { KafkaSink } from '../../../src/streams/sinks/kafka/kafka-sink.js';
import { freePort } from '../../support/free-port.js';
import { silent } from '../../support/projections/chain.js';
import { Broker } from '../../support/streams/broker.js';
import { brokenLinks, consumeAll } from '../../support/streams/consume.js';
import { kafkaSink } from '../../support/streams/sink-options.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const BLOCKS = 32;
const RECORD_BYTES = 64 * 1024;
const TRANSACTION_MS = 1500;
/** Rate at which the first batch of 2 MB takes 4 s, which is longer than the timeout of a transaction. */
const BYTES_PER_MS = 512;

function block(number: number): BlockRecords {
  const [id, parentId] = [number, number - 1].map((height) => String(height).padStart(64, '0')) as [string, string];
  const records = [{ trigger: 'transaction' as const, key: `${number}`, payload: 'x'.repeat(RECORD_BYTES) }];
  return { seq: number * 2, number, id, parentId, readAt: 0, records };
}

/** Passes bytes at the rate {@link BYTES_PER_MS}. */
class SlowBytes extends Transform {
  override _transform(bytes: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    setTimeout(() => done(null, bytes), bytes.length / BYTES_PER_MS);
  }
}

/** Starts a broker whose clients connect through a slow proxy. */
async function slowBroker(t: { teardown(run: () => void): void }): Promise<Broker> {
  const port = await freePort();
  const broker = await Broker.start([
    `advertised.listeners=PLAINTEXT://127.0.0.1:${port}`,
    'transaction.abort.timed.out.transaction.cleanup.interval.ms=200',
  ]);
  const sockets = new Set<Socket>();
  const proxy = createServer((client) => {
    const target = connect(Number(broker.bootstrap.split(':')[1]), '127.0.0.1');
    for (const socket of [client, target]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        client.destroy();
        target.destroy();
      });
    }
    client.pipe(new SlowBytes()).pipe(target).pipe(client);
  });
  await new Promise<void>((resolve) => proxy.listen(port, '127.0.0.1', resolve));
  t.teardown(() => {
    proxy.close();
    for (const socket of sockets) socket.destroy();
    broker.close();
  });
  return broker;
}

// Without smaller batches, the broker aborts the transaction of the same batch repeatedly.
t.test('forwards over a connection on which a batch takes longer than a transaction may take', async (t) => {
  const broker = await slowBroker(t);
  const sink = new KafkaSink({
    sink: kafkaSink(broker.bootstrap),
    checkpointFile: join(temporaryFolder(t), 'place.json'),
    folder: 'host:a',
    transactionMs: TRANSACTION_MS,
    log: silent,
  });
  t.teardown(() => sink.close());
  await sink.open();
  let forwarded = 0;
  let failures = 0;
  while (forwarded < BLOCKS && failures < 8) {
    const count = Math.min(BLOCKS - forwarded, Math.ceil(sink.batch.bytes / RECORD_BYTES));
    const batch = Array.from({ length: count }, (_, at) => block(forwarded + 1 + at));
    try {
      await sink.write(batch);
      forwarded += count;
    } catch {
      failures++;
      forwarded = (await sink.open())?.number ?? 0;
    }
  }
  t.ok(failures > 0, 'the first batch takes too long');
  t.equal(forwarded, BLOCKS);
  const records = await consumeAll(broker.client(), ['tronicle.transaction']);
  t.equal(records.length, BLOCKS);
  t.same(brokenLinks(records), []);
});
