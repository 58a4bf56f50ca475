import t from 'tap';
import type { Json } from '../../../../../src/api/jsonrpc/json-text.js';
import type { RpcContext } from '../../../../../src/api/jsonrpc/methods/rpc-context.js';
import { FILTER_BLOCKS_MAX, readTraceFilter } from '../../../../../src/api/jsonrpc/tracing/trace-filter.js';
import { apiRelease } from '../../../../../src/api/releases/releases.js';

/** A chain of 5,000 blocks. It has only the methods that a filter calls. */
const context = {
  api: { view: () => ({ headNumber: 5_000 }), settings: { release: apiRelease('4.7.2'), addressPrefix: 0x41 } },
  view: 'head',
  features: { finalityTags: false },
} as unknown as RpcContext;
const read = (members: Readonly<Record<string, Json>>) => readTraceFilter(context, new Map(Object.entries(members)));

t.test('bounds the number of blocks of a trace filter', (t) => {
  const last = `0x${FILTER_BLOCKS_MAX.toString(16)}`;
  t.match(read({ fromBlock: '0x1', toBlock: last }), { from: 1, to: FILTER_BLOCKS_MAX });
  const refused = {
    message: `trace filter covers ${FILTER_BLOCKS_MAX + 1} blocks; the maximum is ${FILTER_BLOCKS_MAX}`,
  };
  t.throws(() => read({ fromBlock: '0x0', toBlock: last }), refused);
  t.throws(() => read({}), { message: /trace filter covers/ });
  t.throws(() => read({ fromBlock: 'latest', fromAddress: Array(1_001).fill(`0x${'11'.repeat(20)}`) }), {
    message: /the maximum is 1000/,
  });
  t.end();
});

t.test('matches the sender and the receiver of a call, with and without address prefix', (t) => {
  const place = { subtraces: 0, traceAddress: [] };
  const [one, other] = [`0x${'11'.repeat(20)}`, `0x${'22'.repeat(20)}`];
  const create = { ...place, type: 'create', action: { from: one }, result: { address: other } } as const;
  const suicide = { ...place, type: 'suicide', action: { address: one, refundAddress: other } } as const;
  const failed = { ...place, type: 'create', action: { from: one }, result: null } as const;
  const expected = (members: Readonly<Record<string, Json>>): boolean[] => {
    const { matches: isWanted } = read({ fromBlock: 'latest', ...members });
    return [create, suicide, failed].map(isWanted);
  };
  t.same(expected({}), [true, true, true]);
  t.same(expected({ fromAddress: [`0x41${'11'.repeat(20)}`] }), [true, true, true]);
  t.same(expected({ toAddress: [other] }), [true, true, false]);
  t.same(expected({ fromAddress: [other], toAddress: [other] }), [true, true, false]);
  t.same(expected({ fromAddress: [other], toAddress: [other], mode: 'intersection' }), [false, false, false]);
  t.same(expected({ toAddress: [other], mode: 'intersection' }), [true, true, false]);
  t.end();
});
