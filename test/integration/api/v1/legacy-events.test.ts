import t from 'tap';
import {
  contractRows,
  type Item,
  makeChain,
  numberWord,
  SLOT_MS,
  textOf,
  topicOf,
  wordOf,
} from '../../../support/v1/made-chain.js';

const CHANGED = topicOf('Changed(address,uint256)');
const BLOCKS = 30;

t.test('returns events in the format of older clients', async (t) => {
  const chain = await makeChain(t);
  const ids = Array.from({ length: BLOCKS }, (_, at) => {
    const logs = [
      { contract: 'register', topics: [CHANGED, wordOf('ann')], data: numberWord(at + 1) },
      { contract: 'register', topics: [topicOf('Paused()')] },
    ];
    const rows = contractRows('register', ['Changed(address by indexed,uint256 value)', 'Paused()']);
    const options = { changes: at === 0 ? rows : [], ...(at === BLOCKS - 1 && { solidified: 25 }) };
    return chain.append([{ from: 'ann', to: 'register', logs }], options)[0]!;
  });
  await chain.settled();
  // The response is a list. In other responses of `/v1`, this list is the field of an object.
  const request = async (path: string): Promise<Item[]> => {
    const { status, ...members } = await chain.get(path);
    t.equal(status, 200, path);
    return Object.values(members) as unknown as Item[];
  };
  const heights = (items: readonly Item[]): unknown[] => items.map(({ block_number }) => block_number);
  const path = `/event/contract/${textOf('register')}`;
  t.equal((await request(path)).length, 20);
  const changes = await request(`${path}/Changed?size=3&sort=block_timestamp`);
  t.same(heights(changes), [1, 2, 3]);
  t.match(changes[0], { contract_address: textOf('register'), event_name: 'Changed', result: { value: '1' } });
  t.same(
    changes.map((item) => typeof item['_fingerprint']),
    ['undefined', 'undefined', 'string'],
  );
  const next = `${path}/Changed?size=3&sort=block_timestamp&fingerprint=${changes[2]!['_fingerprint']}`;
  t.same(heights(await request(next)), [4, 5, 6]);
  t.same(heights(await request(`${path}/Changed?size=2&sort=-block_timestamp`)), [30, 29]);
  t.same(heights(await request(`${path}/Changed/7`)), [7]);
  t.same(heights(await request(`${path}/Changed/latest?sort=block_timestamp&since=${29 * SLOT_MS}`)), [30, 29]);
  t.same(heights(await request(`${path}/Changed/latest?since=${24 * SLOT_MS}&only_confirmed=true`)), [25, 24]);
  t.same(heights(await request(`${path}/Changed?fromTimestamp=${28 * SLOT_MS}&only_unconfirmed=true`)), [30, 29, 28]);
  t.same(heights(await request(`/event/transaction/${ids[4]}`)), [5, 5]);
  t.match(await chain.get(`${path}/Changed?filters=%7B%7D`), { status: 400, success: false });
  t.match(await chain.get(`${path}/Changed/first`), { status: 400, success: false });
  t.match(await chain.get('/event/nothing'), { status: 404, success: false });
});
