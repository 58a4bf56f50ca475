import t from 'tap';
import { answerLimited, answerRequest, type RpcMethod } from '../../../../src/api/jsonrpc/envelope.js';
import {
  ethereumFilter,
  flagParameter,
  int64Parameter,
  textParameter,
} from '../../../../src/api/jsonrpc/parameters.js';
import { internalError } from '../../../../src/api/jsonrpc/rpc-error.js';
import { apiRelease } from '../../../../src/api/releases/releases.js';
import { NO_RPC_LIMITS, type RpcLimits } from '../../../../src/api/releases/rpc-limits.js';
import { nullPointer } from '../../../../src/java-compat/java-error.js';

const calls: unknown[][] = [];
const method = (parameters: RpcMethod['parameters'], run: (...values: unknown[]) => unknown): RpcMethod => ({
  parameters,
  run: (...values) => {
    calls.push(values);
    return run(...values);
  },
});
const methods = new Map<string, RpcMethod>([
  ['echo', method([textParameter], (value) => value)],
  ['both', method([flagParameter, int64Parameter], (a, b) => [a, String(b)])],
  [
    'fail',
    method([], () => {
      throw internalError('no "luck"');
    }),
  ],
  [
    'broken',
    method([], () => {
      throw new Error('a secret of this program');
    }),
  ],
]);
// A batch above 4 ms is answered asynchronously, which can happen on a busy machine.
const query = async (body: string): Promise<string> =>
  answerRequest(methods, body, { release: apiRelease('4.7.2'), rpcLimits: NO_RPC_LIMITS });
const call = (members: string): Promise<string> => query(`{"jsonrpc":"2.0",${members}}`);

const PARSE = '{"jsonrpc":"2.0","id":"null","error":{"code":-32700,"message":"JSON parse error"}}\n';
const INFINITE = '{"jsonrpc":"Infinity","id":"-Infinity","result":"Infinity"}\n';
const NOT_FOUND = '"error":{"code":-32601,"message":"method not found"}}';

t.test('rejects malformed JSON and data after JSON', async (t) => {
  for (const body of [
    '',
    ' ',
    '{',
    '[1',
    'hello',
    '{"a":01}',
    '{"a":\'x\'}',
    '{"a":"\u0001"}',
    '{"a":1,}',
    '"\\u12"',
    '010',
    '1x',
    'truex',
    '{"a":"\0"}',
  ]) {
    t.equal(await query(body), PARSE, JSON.stringify(body));
  }
  t.equal(await query('{"id":1,"method":"echo","params":["x"]} trailing'), '{"jsonrpc":"2.0","id":1,"result":"x"}\n');
  t.equal(await query('\ufeff{"id":1,"method":"echo","params":["x"]}'), '{"jsonrpc":"2.0","id":1,"result":"x"}\n');
  t.equal(await query(`${'['.repeat(502)}${']'.repeat(502)}`), PARSE, 'nested deeper than the parser allows');
  const long = 'a'.repeat(3_000_000);
  t.equal(
    await query(`{"id":1,"method":"echo","params":["${long}"]}`),
    `{"jsonrpc":"2.0","id":1,"result":"${long}"}\n`,
  );
});

t.test('echoes ids and versions, and sends no response to a request with an invalid id', async (t) => {
  for (const [id, shown] of [
    ['1', '1'],
    ['"a"', '"a"'],
    ['1.5', '1.5'],
    ['1000.0', '1000.0'],
    ['1e7', '1.0E7'],
    ['18446744073709551616', '0'],
  ]) {
    t.equal(await call(`"id":${id},"method":"echo","params":["x"]`), `{"jsonrpc":"2.0","id":${shown},"result":"x"}\n`);
  }
  for (const id of ['true', 'null', '{}', '[1]'])
    t.equal(await call(`"id":${id},"method":"echo","params":["x"]`), '', id);
  for (const id of ['true', '{}', '[1]']) t.equal(await call(`"id":${id},"method":"nothing"`), '', id);
  t.equal(await call('"method":"nothing"'), `{"jsonrpc":"2.0","id":null,${NOT_FOUND}\n`);
  t.match(
    await call('"method":"fail","params":[]'),
    /^{"jsonrpc":"2.0","id":null,"error":{"code":-32000,/,
    'a failed notification has an error response',
  );
  t.equal(await query('{"jsonrpc":1e400,"id":-1e400,"method":"echo","params":[1e400]}'), INFINITE);
  t.equal(await query('{"jsonrpc":1,"id":1,"method":"nothing"}'), `{"jsonrpc":"1","id":1,${NOT_FOUND}\n`);
});

t.test('reads parameters as the Java types that java-tron declares', async (t) => {
  t.equal(await call('"id":1,"method":"echo","params":[7]'), '{"jsonrpc":"2.0","id":1,"result":"7"}\n');
  t.equal(await call('"id":1,"method":"echo","params":[[]]'), PARSE);
  t.equal(
    await call('"id":1,"method":"both","params":["true","-9223372036854775808"]'),
    '{"jsonrpc":"2.0","id":1,"result":[true,"-9223372036854775808"]}\n',
  );
  t.equal(
    await call('"id":1,"method":"both","params":[0,9223372036854775808]'),
    PARSE,
    'a number above the int64 range',
  );
  t.equal(
    await call('"id":1,"method":"both","params":["\\u0000","null"]'),
    '{"jsonrpc":"2.0","id":1,"result":[null,"null"]}\n',
    'control characters are read as white space',
  );
  const wrong = '{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"method parameters invalid"}}\n';
  t.equal(await call('"id":1,"method":"echo"'), wrong);
  t.equal(await call('"id":1,"method":"echo","params":["a","b"]'), wrong);
  t.equal(await call('"id":1,"method":"echo","params":{"a":1}'), wrong);
  t.equal(await call('"id":1,"method":"echo","params":"x"'), '');
  t.equal(await call('"id":1,"method":"toString","params":[]'), `{"jsonrpc":"2.0","id":1,${NOT_FOUND}\n`);
});

t.test('keeps the order and size of batches', async (t) => {
  const before = calls.length;
  t.equal(
    await query('[{"id":1,"method":"echo","params":["a"]},{"method":"echo","params":["b"]},5,[]]'),
    '[{"jsonrpc":"2.0","id":1,"result":"a"},null,{"jsonrpc":"2.0","id":"null","error":{"code":-32600,"message":"invalid request"}},[]]\n',
  );
  t.same(calls.slice(before), [['a'], ['b']], 'the notification is executed');
  t.equal(
    await query(
      '[{"id":1,"method":"echo","params":["a"]},{"id":[5],"method":"echo","params":["b"]},[{"method":"echo","params":[{}]}]]',
    ),
    `[{"jsonrpc":"2.0","id":1,"result":"a"},${PARSE.trim()},[${PARSE.trim()}]]\n`,
    'a batch with an invalid id, or with a value that cannot be parsed',
  );
  const many = Array.from({ length: 1001 }, () => '{"id":1,"method":"echo","params":["a"]}').join(',');
  t.match(await query(`[${many}]`), 'invalid request');
});

t.test('reports declared failures with their code, and others without details', async (t) => {
  t.equal(
    await call('"id":1,"method":"fail","params":[]'),
    '{"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"no \\"luck\\"","data":"{}"}}\n',
  );
  const broken = await call('"id":1,"method":"broken","params":[]');
  t.match(broken, '"code":-32001');
  t.notMatch(broken, 'secret');
});

const LATER = apiRelease('4.8.2');
const requestLater = async (body: string, limits: Partial<RpcLimits> = {}): Promise<string> =>
  answerRequest(methods, body, { release: LATER, rpcLimits: { ...NO_RPC_LIMITS, ...limits } });

t.test('bounds batches and responses since 4.8.2', async (t) => {
  const call = '{"jsonrpc":"2.0","id":7,"method":"nothing"}';
  const answer = await requestLater(call);
  const tooLong = (max: number) =>
    `{"jsonrpc":"2.0","error":{"code":-32003,"message":"Response exceeds the limit of ${max} bytes"},"id":7}`;
  t.equal(await requestLater(call, { maxResponseSize: answer.length }), answer);
  t.equal(await requestLater(call, { maxResponseSize: answer.length - 1 }), tooLong(answer.length - 1));
  t.equal(
    await requestLater(`[${call},${call}]`, { maxBatchSize: 1 }),
    '[{"jsonrpc":"2.0","error":{"code":-32005,"message":"Batch size 2 exceeds the limit of 1"},"id":null}]',
  );
  t.equal(await requestLater(`[${call},${call}]`, { maxBatchSize: 0 }), `[${answer.trim()},${answer.trim()}]`);
  const one = '[]'.length + answer.length;
  const noId = '{"jsonrpc":"2.0","method":"nothing"}';
  t.equal(
    await requestLater(`[${call},${call},${noId},1]`, { maxResponseSize: one }),
    `[${answer.trim()},${tooLong(one)},${INVALID}]`,
  );
});

const INVALID = '{"jsonrpc":"2.0","error":{"code":-32600,"message":"Invalid Request"},"id":null}';

t.test('accepts 20 levels of nesting since 4.8.2', async (t) => {
  const nested = (depth: number): string => `${'['.repeat(depth)}${']'.repeat(depth)}`;
  t.match(await requestLater(nested(21)), /Document nesting depth \(21\) exceeds the maximum allowed \(20/);
  t.equal(await requestLater(nested(20)), `[${INVALID}]`);
});

t.test('since 4.8.2, fails the whole batch if one of its calls has no response', async (t) => {
  const whole = '[{"jsonrpc":"2.0","error":{"code":-32603,"message":"Internal error"},"id":null}]';
  t.equal(
    await requestLater('[5,{"id":1,"method":"echo","params":["a"]},{"id":[7],"method":"echo","params":["b"]}]'),
    whole,
  );
  t.equal(await requestLater('[{"id":1,"method":"echo","params":"a"}]'), whole);
  t.equal(await requestLater('{"id":[7],"method":"echo","params":["b"]}'), '');
});

t.test('accepts numbers of 1,000 digits since 4.8.2', async (t) => {
  const digits = (count: number): string => `{"jsonrpc":-${'9'.repeat(count)},"id":1,"method":"echo","params":["a"]}`;
  t.match(await requestLater(digits(1000)), '"result":"a"');
  t.match(await requestLater(`${'9'.repeat(1001)}x`), 'JSON parse error', 'a number at the end of the input');
  t.match(
    await requestLater(digits(1001)),
    'Number value length (1001) exceeds the maximum allowed (1000, from `StreamReadConstraints.getMaxNumberLength()`)',
  );
});

t.test('rejects an id of more than 100 digits and reads every number in bounded time', async (t) => {
  const id = (digits: number): Promise<string> => call(`"id":${'7'.repeat(digits)},"method":"none"`);
  t.match(await id(100), /^\{"jsonrpc":"2.0","id":-?\d+,/);
  t.equal(await id(101), '', 'an id that is neither text nor number has no response');
  const started = process.cpuUsage();
  t.equal(await id(16_500_000), PARSE);
  t.equal(await call(`"id":1,"method":"both","params":[${'7'.repeat(16_500_000)},1]`), PARSE);
  const { user, system } = process.cpuUsage(started);
  t.ok(user + system < 4_000_000, `${user + system} us of CPU; converting one of the numbers takes more than 6 s`);
});

t.test('if calls are identified, each failed call gets an error with its id and a text', async (t) => {
  const nulls = new Map([
    ...methods,
    ['null', method([], () => Promise.reject(nullPointer()))],
    ['filter', method([ethereumFilter], (filter) => filter)],
  ]);
  const failures: readonly (readonly [members: string, id: string, code: number, text: string])[] = [
    ['"id":1,"method":"both","params":[{},1]', '1', -32602, 'a parameter has the wrong type'],
    ['"id":"a","method":"echo","params":7', '"a"', -32600, 'Invalid Request'],
    ['"id":true,"method":"echo","params":["a"]', 'null', -32600, 'Invalid Request'],
    ['"id":2,"method":"null"', '2', -32602, 'a required parameter is null'],
    ['"id":3,"method":"broken"', '3', -32000, 'internal error'],
    ['"id":4,"method":"filter","params":[{"adress":1}]', '4', -32602, 'unknown member "adress"; did you mean address?'],
  ];
  for (const release of ['4.7.2', '4.8.2'] as const) {
    const form = { release: apiRelease(release), rpcLimits: NO_RPC_LIMITS, identifiesCalls: true };
    for (const [members, id, code, text] of failures) {
      const expected = { id: JSON.parse(id), error: { code, message: text } };
      const bad = `{"jsonrpc":"2.0",${members}}`;
      t.match(JSON.parse(await answerRequest(nulls, bad, form)), expected, `${release} ${members}`);
      const good = '{"jsonrpc":"2.0","id":9,"method":"echo","params":["a"]}';
      const batch = JSON.parse(await answerRequest(nulls, `[${good},${bad},${good}]`, form));
      t.match(batch, [{ id: 9, result: 'a' }, expected, { id: 9, result: 'a' }], `${release}, in a batch: ${members}`);
    }
    const ignored = '{"id":1,"method":"filter","params":[{"limit":5,"address":"0x1"}]}';
    t.match(
      JSON.parse(await answerRequest(nulls, ignored, form)).result,
      { address: '0x1' },
      'ignores unknown members',
    );
  }
});

t.test('a request above the rate limit gets an error for each call, with its id', (t) => {
  const limited = (id: unknown) => ({
    jsonrpc: '2.0',
    error: { code: -32005, message: 'lack of computing resources' },
    id,
  });
  const rows: readonly (readonly [body: string, expected: unknown])[] = [
    ['{"id":7,"method":"echo"}', limited(7)],
    ['{"id":"a","method":"echo"}', limited('a')],
    ['[{"id":1},{"id":"b"},5,{"id":true}]', [limited(1), limited('b'), limited(null), limited(null)]],
    ['[]', limited(null)],
    ['{', limited(null)],
    [`${'['.repeat(50)}`, limited(null)],
  ];
  for (const [body, expected] of rows) t.same(JSON.parse(answerLimited(body)), expected, body);
  t.end();
});
