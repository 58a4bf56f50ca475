import { pino } from 'pino';
import t from 'tap';
import { SupervisedWorker } from '../../../../src/node/workers/supervised-worker.js';
import { until } from '../../../support/until.js';

/** Creates a supervisor with simulated threads, which end when the test requests it. */
function keep(startsWell: (start: number) => boolean) {
  const exits: (() => void)[] = [];
  const closed: unknown[] = [];
  const kept = new SupervisedWorker({
    name: 'the echo',
    log: pino({ level: 'silent' }),
    start: (onExit) => {
      exits.push(onExit);
      const isGood = startsWell(exits.length);
      return {
        ready: isGood ? Promise.resolve() : Promise.reject(new Error('no port')),
        close: async (_maxMs: number, how?: unknown) => {
          closed.push(how);
          onExit();
        },
      };
    },
  });
  return { kept, exits, closed };
}

t.test('restarts a failed thread, but not a closed one', async (t) => {
  const { kept, exits, closed } = keep(() => true);
  await kept.start();
  exits[0]?.();
  t.equal(kept.worker, undefined);
  await until('a second thread', () => exits.length === 2);
  await kept.close(10, 'softly');
  t.same(closed, ['softly']);
});

t.test('reports a failure of the first start to the caller', async (t) => {
  const { kept, exits } = keep(() => false);
  await t.rejects(kept.start(), { message: 'no port' });
  t.equal(exits.length, 1);
});

t.test('restarts a thread that fails at its start until a start succeeds', async (t) => {
  const { kept, exits } = keep((start) => start === 3);
  kept.begin();
  await until('a third thread', () => exits.length === 3);
  t.not(kept.worker, undefined);
  await kept.close(10);
});
