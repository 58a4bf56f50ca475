import t from 'tap';
import type { ChainView } from '../../../../../src/api/context/api-context.js';
import { readFirstValue } from '../../../../../src/api/jsonrpc/json-text.js';
import type { LogQuery } from '../../../../../src/api/jsonrpc/logs/log-filter.js';
import { checkBlockRange, readLogQuery } from '../../../../../src/api/jsonrpc/logs/read-log-query.js';
import { filterRequest } from '../../../../../src/api/jsonrpc/parameters.js';
import { RpcError } from '../../../../../src/api/jsonrpc/rpc-error.js';
import { apiRelease } from '../../../../../src/api/releases/releases.js';
import { NO_RPC_LIMITS } from '../../../../../src/api/releases/rpc-limits.js';
import { refusal } from '../../../../support/json/refusal.js';

const VIEW = { headNumber: 9_000, numberOf: () => undefined } as unknown as ChainView;
const LIMITS = { ...NO_RPC_LIMITS, maxBlockRange: 5_000, maxAddressSize: 2, maxSubTopics: 2 };
const ADDRESS = `0x${'ab'.repeat(20)}`;
const TOPIC = `0x${'cd'.repeat(32)}`;

function read(request: object, limits = LIMITS): LogQuery | string {
  try {
    const filter = filterRequest(readFirstValue(JSON.stringify(request)))!;
    const findTag = (tag: string) => (tag === 'finalized' ? 8_000 : undefined);
    const query = readLogQuery(filter, VIEW, { release: apiRelease('4.8.2'), rpcLimits: limits, findTag });
    checkBlockRange(query, VIEW, limits);
    return query;
  } catch (error) {
    if (error instanceof RpcError) return error.text ?? '';
    throw error;
  }
}

t.test('validates each part of a filter since 4.8.2', async (t) => {
  const wrong: readonly (readonly [request: object, text: string])[] = [
    [{ address: 'zz' }, 'invalid address: zz'],
    [{ address: [ADDRESS, 5] }, 'invalid address at index 1: 5'],
    [{ address: [[ADDRESS, 'x']] }, `invalid address at index 0: [${ADDRESS}, x]`],
    [{ address: [{ a: null }] }, 'invalid address at index 0: {a=null}'],
    [{ address: `41${'ab'.repeat(20)}0` }, `invalid address: 41${'ab'.repeat(20)}0`],
    [{ address: [ADDRESS, ADDRESS, ADDRESS] }, 'exceed max addresses: 2'],
    [{ topics: ['zz'] }, 'invalid topic(s): zz'],
    [{ topics: [[5]] }, 'invalid topic(s): 5'],
    [{ topics: [[null]] }, 'invalid topic(s): null'],
    [{ topics: [[TOPIC, TOPIC, TOPIC]] }, 'exceed max topics: 2'],
    [{ blockHash: '0x12' }, 'invalid hash value'],
    [{ blockHash: TOPIC }, 'invalid blockHash'],
    [{ fromBlock: '0x' }, 'invalid block number'],
    [{ fromBlock: '0x-1' }, 'invalid block number'],
    [{ fromBlock: '0xffffffffffffffff' }, 'invalid block number'],
    [{ fromBlock: '1' }, 'Incorrect hex syntax'],
    [{ fromBlock: 'safe' }, 'TAG safe not supported'],
    [{ fromBlock: '0x2', toBlock: '0x1' }, 'please verify: fromBlock <= toBlock'],
    [{ fromBlock: '0x0', toBlock: '0x1389' }, 'exceed max block range: 5000'],
    [{ fromBlock: 'earliest' }, 'exceed max block range: 5000'],
  ];
  for (const [request, text] of wrong) t.equal(read(request), text, JSON.stringify(request));
});

t.test('accepts omitted values, omitted zeros and disabled limits', async (t) => {
  t.match(read({ topics: [TOPIC.slice(0, -1)] }), { filter: { topics: [[{ length: 32 }]] } });
  t.match(read({ fromBlock: 'finalized' }), { from: 8_000, to: undefined });
  t.match(read({ fromBlock: '0x0', toBlock: '0x1388' }), { from: 0, to: 5_000 });
  t.match(
    read(
      { fromBlock: 'earliest', address: [ADDRESS, ADDRESS, ADDRESS] },
      { ...LIMITS, maxBlockRange: 0, maxAddressSize: 0 },
    ),
    {
      from: 0,
    },
  );
});

t.test('names the Java class of a value that is not a string in 4.7.2', async (t) => {
  for (const [address, name] of [
    ['7', 'Integer'],
    ['2147483648', 'Long'],
    ['1.5', 'Double'],
    ['true', 'Boolean'],
  ] as const) {
    const query = filterRequest(readFirstValue(`{"address":["${ADDRESS}",${address}]}`));
    const form = { release: apiRelease('4.7.2'), rpcLimits: NO_RPC_LIMITS, findTag: () => undefined };
    const { text } = refusal(() => query && readLogQuery(query, VIEW, form));
    t.equal(text, `java.lang.${name} cannot be cast to java.lang.String`);
  }
});
