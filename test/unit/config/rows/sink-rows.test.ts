import t from 'tap';
import { ownRows } from '../../../../src/config/rows/sink-rows.js';

t.test('shares one key between sink kinds with an option of the same name', async (t) => {
  const port = (fallback: string) => ['port', { type: 'int', doc: 'to write to', fallback }] as const;
  const path = ['path', { type: 'string', doc: 'file', fallback: 'mandatory' }] as const;
  const shown = (...kinds: Parameters<typeof ownRows>[0]) =>
    ownRows(kinds).map(({ key, type, fallback, doc }) => [key, type, fallback, doc]);
  t.same(shown({ type: 'one', members: [path, port('1')] }, { type: 'other', members: [port('2')] }), [
    ['tronicle.sinks.path', 'string', 'mandatory', 'one: file'],
    ['tronicle.sinks.port', 'int', 'one 1, other 2', 'one: to write to; other: to write to'],
  ]);
  t.same(shown({ type: 'one', members: [port('1')] }, { type: 'other', members: [port('1')] })[0]?.[2], '1');
});
