import t from 'tap';
import { seeded } from '../../../support/projections/chain.js';
import {
  addressOf,
  contractRows,
  HISTORIES,
  hexOf,
  type Item,
  type MadeChain,
  type MadeLog,
  makeChain,
  NOW,
  numberWord,
  SLOT_MS,
  textOf,
  topicOf,
  wordOf,
} from '../../../support/v1/made-chain.js';

const CHANGED = topicOf('Changed(address,uint256)');
const PAUSED = topicOf('Paused()');
const BLOCKS = 30;
const SOLID = 20;

const changed = (by: string, value: number): MadeLog => ({
  contract: 'register',
  topics: [CHANGED, wordOf(by)],
  data: numberWord(value),
});
const paused: MadeLog = { contract: 'register', topics: [PAUSED] };

/**
 * Appends blocks with two transactions. The first transaction emits `Changed` twice. The second emits a log of an
 * unknown contract, and in every tenth block also `Paused`. Returns the ids of the first transactions.
 */
async function filled(chain: MadeChain): Promise<string[]> {
  const ids: string[] = [];
  for (let number = 1; number <= BLOCKS; number++) {
    const changes =
      number === 1 ? contractRows('register', ['Changed(address by indexed,uint256 value)', 'Paused()']) : [];
    const calls = [
      { from: 'ann', to: 'register', logs: [changed('ann', number), changed('bob', number)] },
      { from: 'bob', to: 'router', logs: [...(number % 10 === 0 ? [paused] : []), unknownLog] },
    ];
    const solidified = number > BLOCKS - SOLID ? number - (BLOCKS - SOLID) : undefined;
    ids.push(chain.append(calls, { changes, ...(solidified !== undefined && { solidified }) })[0]!);
  }
  await chain.settled();
  return ids;
}

const unknownLog: MadeLog = { contract: 'dark', topics: ['ab'.repeat(32)], data: 'cd' };
const positionOf = ({ block_number, event_index }: Item): string => `${block_number}.${event_index}`;
const numbers = (items: readonly Item[]): unknown[] => items.map(({ block_number }) => block_number);

t.test('returns events of a contract', async (t) => {
  const chain = await makeChain(t);
  const ids = await filled(chain);
  const path = `/v1/contracts/${textOf('register')}/events`;

  const first = await chain.get(`${path}?limit=1&block_number=1&order_by=block_timestamp,asc`);
  t.equal(first.status, 200);
  t.same(first.data, [
    {
      block_number: 1,
      block_timestamp: SLOT_MS,
      caller_contract_address: textOf('register'),
      contract_address: textOf('register'),
      event_index: 0,
      event_name: 'Changed',
      result: { 0: `0x${hexOf('ann').slice(2)}`, 1: '1', by: `0x${hexOf('ann').slice(2)}`, value: '1' },
      result_type: { by: 'address', value: 'uint256' },
      event: 'Changed(address indexed by, uint256 value)',
      transaction_id: ids[0],
    },
  ]);
  t.match(first.meta, {
    at: NOW,
    page_size: 1,
    fingerprint: String,
    links: { next: /^http:\/\/node:8090\/v1\/contracts/ },
  });

  const all = BLOCKS * 2 + BLOCKS / 10;
  const newest = await chain.all(`${path}?limit=7`);
  t.equal(newest.items.length, all);
  t.equal(newest.pages, Math.ceil(all / 7));
  t.equal(new Set(newest.items.map((item) => JSON.stringify(item))).size, all, 'no event is listed twice');
  t.same(
    numbers(newest.items),
    numbers(newest.items).sort((a, b) => Number(b) - Number(a)),
    'newest first',
  );
  const oldest = await chain.all(`${path}?limit=7&order_by=block_timestamp,asc`);
  t.same([...oldest.items].reverse(), newest.items, 'the same events in ascending order');
  t.equal((await chain.get(path)).data.length, 20, 'a page has 20 events by default');
  t.equal((await chain.get(`${path}?limit=1000`)).data.length, all, 'a limit above 200 returns 200 at most');

  const pauses = await chain.all(`${path}?event_name=Paused&limit=2`);
  t.same(numbers(pauses.items), [30, 20, 10]);
  t.match(pauses.items[0], { caller_contract_address: textOf('router'), result: {}, event: 'Paused()' });
  t.same((await chain.get(`${path}?event_name=Nothing`)).data, []);

  for (const [query, from, to] of [
    ['only_confirmed=true', 1, SOLID],
    ['onlyConfirmed=true', 1, SOLID],
    ['only_unconfirmed=true', SOLID + 1, BLOCKS],
    ['only_confirmed=false&only_unconfirmed=false', 1, BLOCKS],
    [`min_block_timestamp=${12 * SLOT_MS}`, 12, BLOCKS],
    [`min_timestamp=${12 * SLOT_MS - 1}&max_timestamp=${13 * SLOT_MS}`, 12, 13],
    [`max_block_timestamp=${13 * SLOT_MS - 1}`, 1, 12],
    [`maxBlockTimestamp=${new Date(5 * SLOT_MS).toISOString()}`, 1, 5],
    ['block_number=14', 14, 14],
    ['block_number=14&only_unconfirmed=true', 1, 0],
  ] as const) {
    const expected = newest.items.filter(
      (item) => Number(item['block_number']) >= from && Number(item['block_number']) <= to,
    );
    t.same((await chain.all(`${path}?limit=9&${query}`)).items.map(positionOf), expected.map(positionOf), query);
  }
  t.ok(newest.items.every((item) => (item['_unconfirmed'] === true) === Number(item['block_number']) > SOLID));
  for (const address of [hexOf('register'), `0x${hexOf('register').slice(2)}`])
    t.equal((await chain.get(`/v1/contracts/${address}/events`)).data.length, 20, address);
});

t.test('returns events without an ABI', async (t) => {
  const chain = await makeChain(t);
  const transfer = topicOf('Transfer(address,address,uint256)');
  const logs = [
    unknownLog,
    { contract: 'shade', topics: [topicOf('Dimmed(uint256)')], data: numberWord(3) },
    { contract: 'token', topics: [transfer, wordOf('ann'), wordOf('bob')], data: numberWord(9) },
    { contract: 'cards', topics: [transfer, wordOf('ann'), wordOf('bob'), numberWord(9)] },
  ];
  chain.append([{ from: 'ann', to: 'router', logs }]);
  await chain.settled();
  const [dark] = (await chain.get(`/v1/contracts/${textOf('dark')}/events`)).data;
  t.match(dark, { event_name: '', event: '', result: {}, topics: unknownLog.topics, data: 'cd' });
  const inputs = [{ name: 'by', type: 'uint256', indexed: false }];
  chain.abis.set(hexOf('shade'), [{ type: 'event', name: 'Dimmed', inputs }]);
  const shade = (await chain.get(`/v1/contracts/${textOf('shade')}/events?event_name=Dimmed`)).data;
  t.match(shade, [{ event_name: 'Dimmed', result: { by: '3' } }], 'decoded by an operator ABI');
  const [token] = (await chain.get(`/v1/contracts/${textOf('token')}/events?event_name=Transfer`)).data;
  t.match(
    token,
    { event_name: 'Transfer', event_index: 2, result: { value: '9' } },
    'decoded by the ABI of the TRC20 standard',
  );
  t.match((await chain.get(`/v1/contracts/${textOf('cards')}/events`)).data, [{ result: { tokenId: '9' } }]);
});

t.test('returns events of a transaction and of a block', async (t) => {
  const chain = await makeChain(t, []);
  const ids = await filled(chain);
  t.match((await chain.get(`/v1/transactions/${ids[4]}/events`)).data, [
    { block_number: 5, event_index: 0, result: { value: '5' } },
    { block_number: 5, event_index: 1 },
  ]);
  t.equal((await chain.get(`/v1/transactions/${ids[25]}/events?only_confirmed=true`)).data.length, 0);
  t.equal((await chain.get(`/v1/transactions/${ids[25]}/events?only_unconfirmed=true`)).data.length, 2);
  t.match(await chain.get(`/v1/transactions/${'00'.repeat(32)}/events`), { success: true, data: [] });
  t.match(await chain.get('/v1/transactions/12/events'), { status: 400, success: false, statusCode: 400 });

  const block = await chain.all('/v1/blocks/10/events?limit=3');
  t.same(block.items.map(positionOf), ['10.0', '10.1', '10.0', '10.1']);
  t.equal(block.pages, 2);
  t.same(numbers((await chain.get('/v1/blocks/latest/events')).data).slice(0, 1), [BLOCKS]);
  t.same(numbers((await chain.get('/v1/blocks/latest/events?only_confirmed=true')).data).slice(0, 1), [SOLID]);
  t.same((await chain.get('/v1/blocks/25/events?only_confirmed=true')).data, []);
  t.same((await chain.get('/v1/blocks/2500/events')).data, []);
  const id = Buffer.from(chain.ledger.blockIdAt(10)!).toString('hex');
  t.equal((await chain.get(`/v1/blocks/${id}/events`)).data.length, 4);
  t.match(await chain.get('/v1/blocks/first/events'), { status: 400, success: false });

  t.match(await chain.get(`/v1/contracts/${textOf('register')}/events`), {
    status: 501,
    success: false,
    error: 'the index contract-events is off: add it to tronicle.projections',
  });
});

t.test('removes the events of reverted blocks', async (t) => {
  const chain = await makeChain(t);
  await filled(chain);
  const path = `/v1/contracts/${textOf('register')}/events?order_by=timestamp,asc`;
  const page = await chain.get(`${path}&limit=200&block_number=29`);
  t.equal(page.data.length, 2);
  chain.revert();
  chain.revert();
  await chain.settled();
  t.equal((await chain.get(`${path}&block_number=29`)).data.length, 0);
  chain.append([{ from: 'bob', to: 'register', logs: [changed('bob', 77)] }], { salt: 'other' });
  await chain.settled();
  t.match((await chain.get(`${path}&block_number=29`)).data, [{ result: { value: '77' } }]);
});

t.test('rejects invalid requests', async (t) => {
  const chain = await makeChain(t, HISTORIES);
  chain.append([]);
  await chain.settled();
  const path = `/v1/contracts/${textOf('register')}/events`;
  const other = Buffer.from('address-history:1:2').toString('base64url');
  for (const query of [
    'limit=0',
    'limit=-1',
    'limit=x',
    'only_confirmed=1',
    'only_confirmed=true&only_unconfirmed=true',
    'order_by=size,asc',
    'block_number=1.5',
    'min_timestamp=yesterday',
    `fingerprint=${other}`,
    'fingerprint=%20',
    'limit=%zz',
  ]) {
    const { status, success, error, ...rest } = await chain.get(`${path}?${query}`);
    t.same({ status, success, rest }, { status: 400, success: false, rest: { statusCode: 400 } }, query);
    t.type(error, 'string');
  }
  t.match(await chain.get('/v1/contracts/TNope/events'), { status: 400, error: /not an address of this network/ });
  t.match(await chain.get(`/v1/contracts/a0${hexOf('x').slice(2)}/events`), { status: 400 });
  t.match(await chain.get('/v1/nothing'), { status: 404, success: false });
  t.match(await chain.get('/healthcheck'), { status: 200, success: true });
  t.equal(addressOf('x').length, 21);
});

t.test('yields to the event loop while it collects a page, and fails if a reorg happens in between', async (t) => {
  const chain = await makeChain(t);
  await filled(chain);
  const path = `/v1/contracts/${textOf('register')}/events?limit=60`;
  let isMade = false;
  let turns = 0;
  const page = chain.get(path).finally(() => {
    isMade = true;
  });
  for (; !isMade; turns++) await new Promise((next) => setImmediate(next));
  t.equal((await page).data.length, 60);
  t.ok(turns >= 4, `${turns} turns of the event loop`);

  const cut = chain.get(path);
  await new Promise((next) => setImmediate(next));
  chain.revert();
  t.match(await cut, { status: 503, success: false, error: /reorg/ });
});

t.test('reads a bounded number of blocks per page for any chain length', async (t) => {
  const reads: number[] = [];
  for (const blocks of [50, 500]) {
    const chain = await makeChain(t);
    for (let number = 1; number <= blocks; number++)
      chain.append([{ from: 'ann', to: 'register', logs: [number % 5 === 0 ? changed('ann', number) : paused] }], {
        changes: number === 1 ? contractRows('register', ['Changed(address by indexed,uint256 value)']) : [],
      });
    await chain.settled();
    const { ledger } = chain;
    const read = ledger.entryOfId.bind(ledger);
    let count = 0;
    ledger.entryOfId = (id) => {
      count++;
      return read(id);
    };
    t.equal(
      (await chain.get(`/v1/contracts/${textOf('register')}/events?limit=10&event_name=Changed`)).data.length,
      10,
    );
    t.equal((await chain.get(`/v1/accounts/${textOf('ann')}/transactions?limit=10`)).data.length, 10);
    reads.push(count);
  }
  t.equal(reads[0], reads[1]);
});

t.test('names a parameter that would have no effect', async (t) => {
  const chain = await makeChain(t, ['address-history', 'token-transfers']);
  chain.append([]);
  await chain.settled();
  const ann = textOf('ann');
  const refused: readonly (readonly [path: string, error: string])[] = [
    [`/v1/contracts/${ann}/events?eventname=Sent`, 'eventname is unknown; did you mean event_name?'],
    [`/v1/accounts/${ann}/transactions?limt=1`, 'limt is unknown; did you mean limit?'],
    [
      `/v1/accounts/${ann}/transactions/trc20?onlyConfirmd=true`,
      'only_confirmd is unknown; did you mean only_confirmed?',
    ],
    ['/v1/blocks/latest/events?event_name=Sent', 'event_name is not a parameter of this path; use only_confirmed, '],
    [`/v1/accounts/${ann}/transactions?limit=1&limit=2`, 'limit has two values'],
    [`/v1/accounts/${ann}/transactions?min_timestamp=1&minBlockTimestamp=2`, 'min_block_timestamp has two values'],
  ];
  for (const [path, error] of refused) {
    const reply = await chain.get(path);
    t.equal(reply.status, 400, path);
    t.equal(String(reply.error).slice(0, error.length), error);
  }
  for (const query of ['limit=2&limit=2', 'min_timestamp=0&maxBlockTimestamp=9', 'onlyConfirmed=true&block_number=1'])
    t.equal((await chain.get(`/v1/accounts/${ann}/transactions?${query}`)).status, 200, query);
});

t.test('rejects malformed requests with a message', async (t) => {
  const chain = await makeChain(t);
  await filled(chain);
  const random = seeded(18);
  const pick = (from: readonly string[]): string => from[random(from.length)]!;
  const ids = [
    'latest',
    '1',
    '-1',
    'x',
    '',
    '%00',
    '..',
    textOf('register'),
    hexOf('ann'),
    'ff'.repeat(32),
    '9'.repeat(30),
  ];
  const paths = ['accounts', 'blocks', 'contracts', 'transactions', 'assets', 'events', 'trc20', ''];
  const names = [
    'limit',
    'fingerprint',
    'order_by',
    'block_number',
    'minTimestamp',
    'max_timestamp',
    'event_name',
    'only_to',
  ];
  const values = [
    '',
    '0',
    '1',
    '-1',
    '1e3',
    '9'.repeat(20),
    'true',
    'id,asc',
    'block_timestamp,asc',
    '%',
    '%C3',
    'YToxOjI',
  ];
  values.push(
    ...['1', '31', '20:0:1', '5:99:99', '1:2:3:4', '9007199254740993'].map((place) => list(`contract-events:${place}`)),
  );
  let refused = 0;
  for (let count = 0; count < 600; count++) {
    const path = [pick(paths), pick(ids), pick(paths), pick(paths)].slice(0, 1 + random(4)).join('/');
    const requestPath = `/v1/${random(3) === 0 ? path : `contracts/${textOf('register')}/events`}`;
    const query = Array.from({ length: random(4) }, () => `${pick(names)}=${pick(values)}`).join('&');
    const reply = await chain.get(`${requestPath}?${query}`);
    const { status, success, error } = reply;
    // The router rejects a path with a NUL character before it reaches `/v1`.
    const reason = requestPath.includes('%00') ? (reply as { readonly Error?: unknown }).Error : error;
    if (success ? status !== 200 : ![400, 404].includes(status) || typeof (reason ?? error) !== 'string')
      t.fail(`${requestPath}?${query}: ${status}`);
    if (!success) refused++;
  }
  t.ok(refused > 100 && refused < 600, `${refused} refused`);
});

const list = (position: string): string => Buffer.from(position).toString('base64url');
