import t from 'tap';
import { ownRows, sinkFromJson } from '../../../../src/config/rows/sink-rows.js';

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

t.test('reads the options of the topic transfer, and names what is wrong with them', async (t) => {
  const sink = (transfer: object, topics = ['transfer']) =>
    sinkFromJson({ name: 'file', type: 'ndjson', path: 'events', topics, transfer });
  t.same(sink({ key: 'sender', token: ['TRX', '1000001'] }).transfer, {
    key: 'sender',
    genesis: false,
    account: [],
    token: ['TRX', '1000001'],
    contractType: [],
    result: [],
  });
  t.throws(() => sink({}, ['block']), /transfer, needs transfer in topics/);
  t.throws(() => sink({ key: 'block' }), /key, must be one of recipient, sender, token/);
  t.throws(() => sink({ account: ['TRX'] }), /account, has "TRX", which is not a Base58Check address/);
  t.throws(() => sink({ contractType: ['Transfer'] }), /contractType, has the unknown name "Transfer"/);
  t.throws(() => sink({ results: [] }), /results, is unknown; did you mean result\?/);
});
