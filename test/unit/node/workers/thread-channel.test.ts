import t from 'tap';
import { ControlError } from '../../../../src/api/network-control.js';
import { ChannelClosedError, ThreadChannel } from '../../../../src/node/workers/thread-channel.js';
import { ChainError } from '../../../../src/state-transition/errors.js';

/** Returns two connected links. Messages are copied by structured clone, as between threads. */
function pair(answer: (question: string) => unknown) {
  const updates: string[] = [];
  const here: ThreadChannel<string, string> = new ThreadChannel({
    postMessage: (message) => there.receive(structuredClone(message)),
  });
  const there: ThreadChannel<never, never, string, string> = new ThreadChannel(
    { postMessage: (message) => here.receive(structuredClone(message)) },
    { onNotification: (update) => updates.push(update), answer },
  );
  return { here, news: updates };
}

t.test('matches each response to its request in any order', async (t) => {
  const pending = new Map<string, (value: string) => void>();
  const { here } = pair((question) => new Promise((resolve) => pending.set(question, resolve)));
  const [first, second] = [here.request('first'), here.request('second')];
  pending.get('second')?.('2');
  pending.get('first')?.('1');
  t.same(await Promise.all([first, second]), ['1', '2']);
});

t.test('throws an error of the handler at the caller with its class', async (t) => {
  const { here } = pair((question) => {
    throw question === 'chain' ? new ChainError('TaposException', 'no block') : new ControlError('no network');
  });
  await t.rejects(here.request('chain'), ChainError);
  t.match(await here.request('chain').catch((error: unknown) => error), {
    exception: 'TaposException',
    text: 'no block',
    checked: true,
  });
  await t.rejects(here.request('control'), ControlError);
});

t.test('delivers notifications in order with requests', async (t) => {
  const { here, news: updates } = pair(() => updates.length);
  here.send('a');
  here.send('b');
  t.equal(await here.request('how many?'), 2);
});

t.test('rejects pending requests on close and ignores late responses', async (t) => {
  const { here } = pair(() => new Promise(() => undefined));
  const answer = here.request('?');
  here.end();
  await t.rejects(answer, ChannelClosedError);
  here.receive({ answerTo: 1, value: 'late' });
});
