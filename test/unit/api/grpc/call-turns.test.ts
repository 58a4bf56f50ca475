import { setImmediate as turn } from 'node:timers/promises';
import t from 'tap';
import { CallTurns, createConnection } from '../../../../src/api/grpc/call-turns.js';

t.test('continues with the next connection in the next turn when the time of a turn is used up', async (t) => {
  let now = 0;
  const turns = new CallTurns(() => now);
  const started: string[] = [];
  const call = (name: string) => () => {
    started.push(name);
    now += 3;
  };
  const [many, one] = [createConnection(0, ''), createConnection(0, '')];
  for (let at = 0; at < 6; at++) turns.add(many, call('many'));
  turns.add(one, call('one'));
  t.same(started, ['many', 'many']);
  await turn();
  t.same(started.slice(2), ['many', 'one']);
  await turn();
  await turn();
  t.same(started.slice(4), ['many', 'many', 'many']);
});

t.test('starts a limited number of calls of a connection in one turn', async (t) => {
  const turns = new CallTurns(() => 0);
  const [many, one] = [createConnection(0, ''), createConnection(0, '')];
  const started: string[] = [];
  for (let at = 0; at < 100; at++) turns.add(many, () => started.push('many'));
  turns.add(one, () => started.push('one'));
  t.equal(started.length, 33);
  t.equal(started.at(-1), 'one');
  await turn();
  t.equal(started.length, 101);
});
