import { readFileSync } from 'node:fs';
import t from 'tap';
import { interfaceRows } from '../../../../src/encoding/contract-types/contract-interfaces.js';
import { contractRows } from '../../../../src/state-transition/system-contracts/table.js';

const schema = readFileSync(new URL('../../../../proto/api/api.proto', import.meta.url), 'utf8');
const METHOD = /rpc (\w+) ?\((\w+)\) returns \((Transaction|TransactionExtention)\)/g;

t.test('lists each method that builds a system contract only in the row of its type', async (t) => {
  const declared = new Map(
    [...schema.matchAll(METHOD)].map(([, method = '', message, reply]) => [method, { message, reply }]),
  );
  const named = interfaceRows().flatMap(([message, { rpc }]) => {
    if (rpc === 'none') return [];
    const { bare, full } = rpc;
    return [
      ...(bare === undefined ? [] : [{ method: bare, message, reply: 'Transaction' }]),
      ...(full === undefined ? [] : [{ method: full, message, reply: 'TransactionExtention' }]),
    ];
  });
  for (const { method, ...row } of named) t.same(declared.get(method), row, method);
  const system = new Set(
    [...contractRows.values()].flatMap(({ message, handler }) => (handler ? [message.$name] : [])),
  );
  const methods = new Set<string>(named.map(({ method }) => method));
  const forgotten = [...declared].filter(
    ([name, { message }]) => system.has(`protocol.${message}`) && !methods.has(name),
  );
  t.same(forgotten, []);
});

t.test('lists every path and method once', async (t) => {
  const paths = interfaceRows().flatMap(([, { http }]) => (http === 'none' ? [] : [http.path, http.family]));
  t.equal(new Set(paths).size, paths.length);
});
