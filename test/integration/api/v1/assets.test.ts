import t from 'tap';
import { Account, AssetIssueContract } from '../../../../src/codec/generated/messages.js';
import { fromInt64, utf8 } from '../../../../src/primitives/bytes.js';
import type { RowChange } from '../../../../src/projections/state/state-reader.js';
import { storeId } from '../../../../src/projections/state/stores.js';
import { addressOf, hexOf, type MadeChain, makeChain, textOf } from '../../../support/v1/made-chain.js';

const COUNT = 25;
const FIRST = 1_000_001;

/** Returns the row changes of an asset issue: issuer, asset, and property with the newest token id. */
function issue(chain: MadeChain, at: number, name = 'Same "name"'): RowChange[] {
  const id = String(FIRST + at);
  const owner = `issuer${at}`;
  const ownerAddress = addressOf(owner);
  const texts = { abbr: utf8(`T${at}`), description: utf8('zwölf'), url: utf8('http://x') };
  const asset = Object.assign(new AssetIssueContract(), {
    ...texts,
    name: utf8(name),
    id,
    ownerAddress,
    totalSupply: 2n ** 62n,
    num: 1,
  });
  const account = Object.assign(new Account(), { address: ownerAddress, assetIssuedID: utf8(id) });
  const row = (store: 'account' | 'asset-issue-v2' | 'properties', key: Uint8Array, after: Uint8Array): RowChange => ({
    store: storeId(store),
    key,
    before: chain.ledger.head.get(storeId(store), key),
    after,
  });
  return [
    row('account', ownerAddress, Account.encode(account)),
    row('asset-issue-v2', utf8(id), AssetIssueContract.encode(asset)),
    row('properties', utf8('TOKEN_ID_NUM'), fromInt64(BigInt(id))),
  ];
}

t.test('returns assets', async (t) => {
  const chain = await makeChain(t, []);
  t.same((await chain.get('/v1/assets')).data, [], 'no asset was issued yet');
  for (let at = 0; at < COUNT; at++)
    chain.append([], { changes: issue(chain, at), ...(at === 24 && { solidified: 20 }) });
  await chain.settled();
  const ids = Array.from({ length: COUNT }, (_, at) => FIRST + at);
  const { items, pages } = await chain.all('/v1/assets?limit=10');
  t.same(
    items.map(({ id }) => id),
    [...ids].reverse(),
  );
  t.equal(pages, 3);
  const ascending = await chain.all('/v1/assets?limit=10&order_by=id,asc');
  t.same([...ascending.items].reverse(), items);
  t.equal((await chain.all('/v1/assets?only_confirmed=true')).items.length, 20);
  const first = {
    owner_address: hexOf('issuer0'),
    name: 'Same "name"',
    abbr: 'T0',
    total_supply: 2 ** 62,
    num: 1,
    description: 'zwölf',
    url: 'http://x',
    id: FIRST,
  };
  t.same((await chain.get(`/v1/assets/${FIRST}`)).data, [first]);
  t.same((await chain.get(`/v1/assets/${textOf('issuer0')}`)).data, [first]);
  t.same((await chain.get(`/v1/assets/${FIRST + COUNT}`)).data, []);
  t.same((await chain.get(`/v1/assets/${textOf('nobody')}`)).data, []);
  t.same((await chain.get(`/v1/assets/${FIRST + 24}?only_confirmed=true`)).data, []);
  t.match(await chain.get('/v1/assets?order_by=total_supply,asc'), { status: 400, error: /must be id,asc or id,desc/ });
  t.match(await chain.get('/v1/assets/Nothing'), { status: 400 });
});

t.test('returns assets of one name', async (t) => {
  const chain = await makeChain(t, []);
  const nameOf = (at: number): string => (at % 3 === 0 ? 'Shared: 1/2 ä' : `Own${at}`);
  for (let at = 0; at < COUNT; at++)
    chain.append([], { changes: issue(chain, at, nameOf(at)), ...(at === 24 && { solidified: 20 }) });
  await chain.settled();
  const shared = `/v1/assets/${encodeURIComponent('Shared: 1/2 ä')}/list`;
  const ids = [0, 3, 6, 9, 12, 15, 18, 21, 24].map((at) => FIRST + at);
  const { items, pages } = await chain.all(`${shared}?limit=4`);
  t.same(
    items.map(({ id }) => id),
    [...ids].reverse(),
  );
  t.equal(pages, 3);
  t.match(items[0], { name: 'Shared: 1/2 ä', owner_address: hexOf('issuer24') });
  const ascending = await chain.all(`${shared}?limit=4&order_by=id,asc`);
  t.same([...ascending.items].reverse(), items);
  t.equal((await chain.all(`${shared}?only_confirmed=true`)).items.length, 7);
  t.match((await chain.get('/v1/assets/Own4/list')).data, [{ id: FIRST + 4 }]);
  t.same((await chain.get('/v1/assets/Own/list')).data, []);
  const { meta } = await chain.get(`${shared}?limit=4`);
  t.match(await chain.get(`/v1/assets/Own4/list?fingerprint=${meta.fingerprint}`), { status: 400 });
});
