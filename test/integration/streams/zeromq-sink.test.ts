import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import t from 'tap';
import { Subscriber } from 'zeromq';
import type { Ledger } from '../../../src/projections/ledger/ledger.js';
import type { BlockRecords } from '../../../src/streams/records/event-record.js';
import { ZeroMqSink } from '../../../src/streams/sinks/zeromq/zeromq-sink.js';
import { freePort } from '../../support/free-port.js';
import { passesSinkSuite } from '../../support/streams/sink-suite.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { until } from '../../support/until.js';

function block(number: number): BlockRecords {
  const records = [
    { trigger: 'block' as const, key: 'k', payload: `{"block":${number}}` },
    { trigger: 'soliditylog' as const, key: 'k', payload: `{"log":${number}}` },
  ];
  return {
    seq: number,
    number,
    id: String(number).padStart(64, '0'),
    parentId: '',
    readAt: 0,
    records,
    change: 'applied',
  };
}

t.test('sends a subscriber two frames as the native queue does, without duplicates over a restart', async (t) => {
  const port = await freePort();
  const checkpointFile = join(temporaryFolder(t), 'place.json');
  const ledger = { position: { headNumber: 0 } } as unknown as Ledger;
  const create = (): ZeroMqSink => new ZeroMqSink({ name: 'queue', port, checkpointFile, ledger, finality: 'applied' });
  const sink = create();
  t.equal(await sink.open(), undefined, 'a new chain is emitted from its first block on');
  const subscriber = new Subscriber();
  t.teardown(() => subscriber.close());
  subscriber.connect(`tcp://127.0.0.1:${port}`);
  subscriber.subscribe('blockTrigger', 'solidityLogTrigger');
  const frames: string[][] = [];
  const reading = (async () => {
    for await (const message of subscriber) if (frames.push(message.map(String)) === 6) return;
  })();
  // Waits until the publisher has received the subscription. Before that, it sends no records to the subscriber.
  await sleep(1000);
  await sink.write([block(1), block(2)]);
  await sink.close();
  const again = create();
  // The library releases the port some time after `close`, so `open` is tried again, as a node does.
  const position = await until('the port', () => again.open().catch(() => undefined));
  t.match(position, { seq: 2, number: 2, id: '2'.padStart(64, '0') });
  await sleep(2000);
  await again.write([block(3)]);
  await reading;
  await again.close();
  t.same(
    frames,
    [1, 2, 3].flatMap((number) => [
      ['blockTrigger', `{"block":${number}}`],
      ['solidityLogTrigger', `{"log":${number}}`],
    ]),
  );
});

/** Time in ms until the publisher has received the subscription of a new connection. No event reports it. */
const SUBSCRIBED_MS = 300;

passesSinkSuite(t, 'zeromq', async (t) => {
  const port = await freePort();
  const checkpointFile = join(temporaryFolder(t), 'place.json');
  const ledger = { position: { headNumber: 0 } } as unknown as Ledger;
  const subscriber = new Subscriber({ reconnectInterval: 20 });
  const payloads: string[] = [];
  // Counts created sinks and connections of the subscriber. Each sink binds the port once, and the subscriber connects
  // to each sink.
  let [made, connections] = [0, 0];
  subscriber.events.on('handshake', () => {
    connections++;
  });
  subscriber.connect(`tcp://127.0.0.1:${port}`);
  subscriber.subscribe('transactionTrigger');
  const reading = (async () => {
    for await (const [, payload] of subscriber) payloads.push(String(payload));
  })();
  t.teardown(async () => {
    subscriber.close();
    await reading;
  });
  const make = async (): Promise<ZeroMqSink> => {
    made++;
    return new ZeroMqSink({ name: 'queue', port, checkpointFile, ledger, finality: 'applied' });
  };
  return {
    checkpointFile,
    make,
    ready: async () => {
      await until('the subscriber', () => connections >= made);
      await sleep(SUBSCRIBED_MS);
    },
    arrived: async (count) => {
      await until('the records', () => payloads.length >= count);
      return payloads;
    },
    refused: async () => {
      const other = createServer();
      // The previous sink has closed its socket, but the library releases the port with a delay.
      await until('the port', () => listens(other, port));
      const sink = await make();
      const repair = async (): Promise<ZeroMqSink> => {
        other.close();
        return sink;
      };
      return { sink, repair };
    },
  };
});

async function listens(server: Server, port: number): Promise<boolean> {
  server.listen(port);
  return Promise.race([once(server, 'listening').then(() => true), once(server, 'error').then(() => false)]).catch(
    () => false,
  );
}
