import { Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import t from 'tap';
import { ConnectionQueue } from '../../../../src/api/grpc/connection-queue.js';

const sockets = (count: number): readonly Socket[] => Array.from({ length: count }, () => new Socket());

t.test('starts four connections per turn of the event loop, in the order of their arrival', async (t) => {
  const started: Socket[] = [];
  const queue = new ConnectionQueue((socket) => started.push(socket));
  const opened = sockets(10);
  for (const socket of opened) queue.add(socket);
  t.equal(started.length, 0);
  for (const count of [4, 8, 10]) {
    await turn();
    t.equal(started.length, count);
  }
  t.same(
    started.map((socket) => opened.indexOf(socket)),
    opened.map((_, at) => at),
  );
});

t.test('does not start a connection that was closed in the queue', async (t) => {
  const started: Socket[] = [];
  const queue = new ConnectionQueue((socket) => started.push(socket));
  const [first, second] = sockets(2) as [Socket, Socket];
  queue.add(first);
  queue.add(second);
  first.destroy();
  await turn();
  t.equal(started.length, 1);
  t.equal(started[0], second);
});

t.test('closes the queued connections when the server closes', async (t) => {
  const queue = new ConnectionQueue(() => t.fail('no connection starts'));
  const opened = sockets(3);
  for (const socket of opened) queue.add(socket);
  queue.close();
  await turn();
  t.ok(opened.every(({ destroyed }) => destroyed));
});
