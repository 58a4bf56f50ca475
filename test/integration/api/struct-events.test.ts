import t from 'tap';
import { encodeBase58Check } from '../../../src/crypto/base58-check.js';
import { fromHex } from '../../../src/primitives/bytes.js';
import {
  decodedOrder,
  encodedLog,
  orderCall,
  orderLog,
  PAIR,
  structAbi,
  structEvent,
} from '../../support/struct-abi.js';
import { hexOf, makeChain, textOf } from '../../support/v1/made-chain.js';

const ORDER_TYPE = '(uint64,address,(address,uint256[],bytes4)[],string)';

t.test('decodes events and calls of structs by an operator ABI', async (t) => {
  const chain = await makeChain(t);
  const anonymous = encodedLog(structEvent('Anon'), { a: 3n, b: 4n });
  const logs = [
    { contract: 'shop', ...orderLog() },
    { contract: 'shop', ...anonymous },
  ];
  for (let number = 1; number <= 8; number++)
    chain.append([{ from: 'ann', to: 'shop', logs: number === 1 ? logs : logs.slice(0, 1), data: orderCall() }]);
  await chain.settled();
  chain.abis.set(hexOf('shop'), structAbi);

  await t.test('returns decoded structs and anonymous events over /v1', async (t) => {
    const path = `/v1/contracts/${textOf('shop')}/events`;
    const order = decodedOrder((hex) => `0x${hex}`);
    const [row] = (await chain.get(`${path}?event_name=OrderPlaced&block_number=1`)).data;
    t.match(row, {
      event_name: 'OrderPlaced',
      result: { 0: '7', 1: order, 2: PAIR, id: '7', order, pair: PAIR },
      result_type: { id: 'uint64', order: ORDER_TYPE, pair: 'bytes32[2]' },
    });
    t.equal(row?.['data'], undefined, 'a decoded event has no raw data');
    const anonymous = await chain.all(`${path}?event_name=Anon&limit=1`);
    t.match(anonymous.items, [{ event_name: 'Anon', result: { a: '3', b: '4' }, block_number: 1, event_index: 1 }]);
    t.ok(anonymous.pages > 1, 'a page reads a bounded number of logs');
    t.match((await chain.get(path)).data.length, 9);
  });

  await t.test('returns decoded structs over GraphQL', async (t) => {
    const decoded = 'name parameters { name type value }';
    const data = await chain.query(
      `{ block(number: 1) { transactions { call { ${decoded} } receipt { logs { event { ${decoded} } } } } } }`,
    );
    const order = JSON.stringify(decodedOrder((hex) => encodeBase58Check(fromHex(`41${hex}`))));
    t.match(data, {
      block: {
        transactions: [
          {
            call: { name: 'order', parameters: [{ name: 'o', type: ORDER_TYPE, value: order }] },
            receipt: {
              logs: [
                {
                  event: {
                    name: 'OrderPlaced',
                    parameters: [{ value: '7' }, { name: 'order', type: ORDER_TYPE, value: order }, { name: 'pair' }],
                  },
                },
                { event: { name: 'Anon', parameters: [{ value: '3' }, { value: '4' }] } },
              ],
            },
          },
        ],
      },
    });
  });
});
