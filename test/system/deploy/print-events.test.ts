import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import t from 'tap';
// This import is for the type checker. The program runs in a child process below.
import type {} from '../../../deploy/consumers/typescript/print-events.js';
import { toEventMessage } from '../../../src/streams/records/protobuf/event-messages.js';
import { KafkaSink } from '../../../src/streams/sinks/kafka/kafka-sink.js';
import { silent } from '../../support/projections/chain.js';
import { Broker } from '../../support/streams/broker.js';
import { kafkaSink } from '../../support/streams/sink-options.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const id = (height: number): string => String(height).padStart(64, '0');

t.test('prints events of a protobuf sink, including large ones', async (t) => {
  const broker = await Broker.start();
  t.teardown(() => broker.close());
  const sink = new KafkaSink({
    sink: kafkaSink(broker.bootstrap, { topics: ['block'], payload: 'protobuf' }),
    checkpointFile: join(temporaryFolder(t), 'place.json'),
    folder: 'host:/data',
    log: silent,
  });
  await sink.open();
  // Sizes of the values in bytes. The second value is split into parts.
  const sizes = [1, 60_000, 2];
  for (const [at, size] of sizes.entries()) {
    const number = at + 1;
    const { schema, payload } = toEventMessage('block', {
      timeStamp: 9007199254740993n,
      triggerName: 'blockTrigger',
      blockNumber: number,
      blockHash: id(number),
      transactionSize: size,
      latestSolidifiedBlockNumber: number,
      transactionList: Array.from({ length: size }, () => id(number)),
    });
    const records = [{ trigger: 'block' as const, key: id(number), payload, schema }];
    await sink.write([{ seq: number * 2, number, id: id(number), parentId: id(at), readAt: 0, records }]);
  }
  await sink.close();
  const program = join(root, 'deploy/consumers/typescript/print-events.ts');
  const args = ['--import', 'tsx', program, broker.bootstrap, 'tronicle.block'];
  const env = { ...process.env, NODE_OPTIONS: '' };
  const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'pipe', 'ignore'], env });
  t.teardown(() => child.kill('SIGKILL'));
  let at = 0;
  for await (const line of createInterface(child.stdout)) {
    const event = JSON.parse(line) as { transactionList: string[] };
    t.match(event, { timeStamp: '9007199254740993', blockNumber: String(at + 1), blockHash: id(at + 1) });
    t.same(
      event.transactionList,
      Array.from({ length: sizes[at]! }, () => id(at + 1)),
    );
    if (++at === sizes.length) break;
  }
  t.equal(at, sizes.length);
});
