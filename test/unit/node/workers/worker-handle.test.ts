import { pino } from 'pino';
import t from 'tap';
import { UNUSABLE_EXIT } from '../../../../src/log/lmdb/environment.js';
import { ChannelClosedError } from '../../../../src/node/workers/thread-channel.js';
import { WorkerHandle } from '../../../../src/node/workers/worker-handle.js';

const FILE = new URL('../../../support/node/echo-worker.mjs', import.meta.url);

function echo(data: object = {}, isBackground = false) {
  const lines: string[] = [];
  const updates: string[] = [];
  const exits: (Error | undefined)[] = [];
  const worker = new WorkerHandle<string, string, string, string>({
    file: FILE,
    data,
    name: 'the echo',
    isBackground,
    log: pino({ base: null, timestamp: false }, { write: (line) => lines.push(line) }),
    onNotification: (update) => updates.push(update),
    answer: (question) => `not ${question}`,
    onExit: (error) => exits.push(error),
  });
  return { worker, lines, news: updates, exits };
}

t.test('forwards notifications, responses, requests and log lines of a thread', async (t) => {
  const { worker, lines, news: updates, exits } = echo();
  await worker.ready;
  worker.link.send('one');
  t.equal(await worker.link.request('question'), 'question!');
  t.same(updates, ['received one'], 'a notification that was sent before a response arrives before it');
  t.equal(await worker.link.request('back'), 'not what?');
  t.same(
    lines.map((line) => JSON.parse(line)),
    [{ level: 40, step: 1, msg: 'begins' }],
  );
  await worker.close(10_000, 'softly');
  t.same(updates.at(-1), 'closing softly');
  t.same(exits, [undefined]);
});

t.test('lets a thread process received messages without a return to its event loop', async (t) => {
  const isWaiting = new SharedArrayBuffer(4);
  const { worker, news } = echo({ isWaiting });
  await worker.ready;
  const answer = worker.link.request('arrived');
  const alive = setInterval(() => undefined, 1_000);
  await Atomics.waitAsync(new Int32Array(isWaiting), 0, 0).value;
  for (const text of ['one', 'two']) worker.link.send(text);
  t.equal(await answer, '1 received', 'all messages');
  await worker.close(10_000);
  clearInterval(alive);
  t.same(news.slice(0, 2), ['received one', 'received two']);
});

t.test('closes a thread cleanly that receives messages but is not ready yet', async (t) => {
  const { worker, news, exits } = echo({ isSlow: true });
  await worker.close(10_000, 'early');
  t.same(news, ['closing early']);
  t.same(exits, [undefined]);
});

t.test('notifies pending requests when the thread ends', async (t) => {
  const { worker, exits } = echo();
  await worker.ready;
  await t.rejects(worker.link.request('end'), ChannelClosedError);
  await worker.close(10_000);
  t.equal(exits.length, 1);
});

t.test('ends the process when a thread ends because LMDB is unusable', async (t) => {
  const exit = t.capture(process, 'exit', () => undefined as never);
  const { worker } = echo({ unusableExit: UNUSABLE_EXIT });
  await worker.ready;
  await t.rejects(worker.link.request('unusable'), ChannelClosedError);
  t.same(
    exit.args().map(([code]) => code),
    [1],
  );
});

t.test('reports a failed start with an error code', async (t) => {
  const { worker, exits } = echo({ fails: true });
  await t.rejects(worker.ready, { code: 'EADDRINUSE', message: 'no port is free' });
  await worker.close(10_000);
  t.match(exits, [{ code: 'EADDRINUSE' }]);
});

t.test('logs a failed start of a background thread without blocking', async (t) => {
  const { worker, lines } = echo({ fails: true }, true);
  // Keeps the process alive. The worker thread does not.
  const alive = setInterval(() => undefined, 1_000);
  await t.rejects(worker.link.request('question'), ChannelClosedError);
  clearInterval(alive);
  t.match(
    lines.map((line) => JSON.parse(line)),
    [{ level: 50, thread: 'the echo', msg: 'thread failed', err: { message: 'no port is free' } }],
  );
});
