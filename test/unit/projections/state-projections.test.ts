import { readFileSync } from 'node:fs';
import t from 'tap';
import {
  Account,
  AssetIssueContract,
  DelegatedResource,
  MarketOrder,
  Proposal,
  SmartContract,
  SmartContractABI,
  Votes,
  Witness,
} from '../../../src/codec/generated/messages.js';
import { concatBytes, fromHex, fromInt64, toHex, utf8 } from '../../../src/primitives/bytes.js';
import { accounts } from '../../../src/projections/accounts.js';
import { trc10Assets } from '../../../src/projections/assets.js';
import { chainProperties } from '../../../src/projections/chain-properties.js';
import { contracts } from '../../../src/projections/contracts.js';
import { delegation } from '../../../src/projections/delegation.js';
import { governance } from '../../../src/projections/governance.js';
import { markets } from '../../../src/projections/markets.js';
import { nodeLocal } from '../../../src/projections/node-local.js';
import { shielded } from '../../../src/projections/shielded.js';
import { staking } from '../../../src/projections/staking.js';
import { byteRows } from '../../../src/projections/state/row-codecs.js';
import { ownEachStoreOnce, stateProjection } from '../../../src/projections/state/state-projection.js';
import type { StateReader, StateRow } from '../../../src/projections/state/state-reader.js';
import { type StoreName, storeId, storeIds, UNDIGESTED_FROM } from '../../../src/projections/state/stores.js';
import { findStateProjection, ownerIndex, stateProjections } from '../../../src/projections/state-projections.js';

t.test('assigns each store to exactly one projection', async (t) => {
  const owned = stateProjections.flatMap((projection) => projection.storeIds);
  t.same(
    owned.toSorted((a, b) => a - b),
    storeIds,
  );
  for (const store of storeIds) t.ok(stateProjections[ownerIndex(store)]?.storeIds.includes(store), `store ${store}`);
  t.throws(() => ownerIndex(99), 'an unknown store has no owner');
});

t.test('does not compile with a wrong list of projections', async (t) => {
  const rest = [staking, delegation, contracts, governance, trc10Assets, markets, shielded, chainProperties] as const;
  const definition = { name: 'copy', version: 1, description: 'A second owner.', read: () => ({}) };
  const second = stateProjection({ ...definition, stores: { code: byteRows } });
  const complete = ownEachStoreOnce([accounts, ...rest, nodeLocal]);
  // @ts-expect-error The stores of the accounts have no owner.
  const incomplete = ownEachStoreOnce([...rest, nodeLocal]);
  // @ts-expect-error The store `code` has two owners.
  const doubled = ownEachStoreOnce([accounts, ...rest, nodeLocal, second]);
  // @ts-expect-error No store has this name.
  const unknown = () => stateProjection({ ...definition, stores: { code: byteRows, coins: byteRows } });
  t.same([complete.length, incomplete.length, doubled.length], [10, 9, 11]);
  t.throws(unknown, { message: /unknown state store: coins/ });
});

t.test('excludes only node-local rows from the state digest', async (t) => {
  for (const { name, storeIds } of stateProjections) {
    const outside = storeIds.filter((store) => store >= UNDIGESTED_FROM);
    t.same(outside, name === 'node-local' ? storeIds : [], name);
  }
});

t.test('names and describes each projection', async (t) => {
  const names = stateProjections.map(({ name }) => name);
  t.equal(new Set(names).size, names.length);
  for (const projection of stateProjections) {
    t.match(projection.description, /^[A-Z].*\.$/, projection.name);
    t.equal(findStateProjection(projection.name), projection);
  }
  t.equal(findStateProjection('coins'), undefined);
});

t.test('lists each projection in the README with its file and stores', async (t) => {
  const readme = readFileSync('src/projections/README.md', 'utf8');
  for (const { name, stores } of stateProjections) {
    const row = readme.split('\n').find((line) => line.startsWith(`| \`${name}\` |`)) ?? '';
    t.ok(row.endsWith(`| \`${name}.ts\` |`), name);
    const named = Object.keys(stores).filter((store) => !store.startsWith('market_'));
    for (const store of named) t.ok(row.includes(`\`${store}\``), `${name}: ${store}`);
  }
});

const [OWNER, OTHER] = [fromHex(`41${'aa'.repeat(20)}`), fromHex(`41${'bb'.repeat(20)}`)];

t.test('reads decoded rows of a view', async (t) => {
  const view = viewOf([
    ['account', OWNER, Account.encode(Object.assign(new Account(), { balance: 7n }))],
    ['accountid-index', utf8('alice'), OWNER],
    ['account-asset', concatBytes(OWNER, utf8('1000001')), fromInt64(5n)],
    ['votes', OWNER, Votes.encode(Object.assign(new Votes(), { address: OWNER }))],
    ['DelegatedResource', concatBytes(OWNER, OTHER), DelegatedResource.encode(withFields(new DelegatedResource()))],
    ['contract', OTHER, SmartContract.encode(Object.assign(new SmartContract(), { originAddress: OWNER }))],
    ['abi', OTHER, SmartContractABI.encode(new SmartContractABI())],
    ['code', OTHER, utf8('code')],
    ['witness', OWNER, Witness.encode(Object.assign(new Witness(), { voteCount: 3n }))],
    ['witness_schedule', utf8('active_witnesses'), concatBytes(OWNER, OTHER)],
    ['proposal', fromInt64(1n), Proposal.encode(Object.assign(new Proposal(), { proposalId: 1n }))],
    ['asset-issue-v2', utf8('1000001'), AssetIssueContract.encode(withId(new AssetIssueContract(), '1000001'))],
    ['market_order', utf8('order'), MarketOrder.encode(Object.assign(new MarketOrder(), { sellTokenQuantity: 9n }))],
    ['nullifier', utf8('spent'), utf8('spent')],
    ['properties', utf8('ENERGY_FEE'), fromInt64(420n)],
    ['zero-tokens', concatBytes(OWNER, utf8('1')), fromInt64(12n)],
  ]);
  const ofAccounts = accounts.at(view);
  t.equal(ofAccounts.balance(OWNER), 7n);
  t.equal(ofAccounts.balance(OTHER), 0n);
  t.equal(ofAccounts.account(OTHER), undefined);
  t.same([...ofAccounts.ids()], [{ id: utf8('alice'), address: OWNER }]);
  t.equal(ofAccounts.get('account-asset', concatBytes(OWNER, utf8('1000001'))), 5n);
  t.same(staking.at(view).votes(OWNER)?.address, OWNER);
  const prefix = OWNER;
  t.same(
    [...delegation.at(view).delegations(prefix)].map(({ frozenBalanceForEnergy }) => frozenBalanceForEnergy),
    [4n],
  );
  const ofContracts = contracts.at(view);
  t.same(ofContracts.contract(OTHER)?.originAddress, OWNER);
  t.same(ofContracts.abi(OTHER)?.entrys, []);
  t.same(ofContracts.code(OTHER), utf8('code'));
  t.equal(governance.at(view).witness(OWNER)?.voteCount, 3n);
  t.same(governance.at(view).activeWitnesses(), [toHex(OWNER), toHex(OTHER)]);
  t.same(
    [...governance.at(view).range('proposal')].map(({ row }) => row.proposalId),
    [1n],
  );
  t.equal(trc10Assets.at(view).byId(utf8('1000001'))?.id, '1000001');
  t.equal(markets.at(view).order(utf8('order'))?.sellTokenQuantity, 9n);
  t.equal(shielded.at(view).isSpent(utf8('spent')), true);
  t.equal(shielded.at(view).isSpent(utf8('new')), false);
  t.same(chainProperties.at(view).bytes('ENERGY_FEE'), fromInt64(420n));
  t.equal(chainProperties.at(view).bytes('NEVER_WRITTEN').length, 0);
  t.equal(nodeLocal.at(view).get('zero-tokens', concatBytes(OWNER, utf8('1'))), 12n);
});

function withFields(row: DelegatedResource): DelegatedResource {
  return Object.assign(row, { from: OWNER, to: OTHER, frozenBalanceForEnergy: 4n });
}

function withId(row: AssetIssueContract, id: string): AssetIssueContract {
  return Object.assign(row, { id });
}

function viewOf(rows: readonly (readonly [StoreName, Uint8Array, Uint8Array])[]): StateReader {
  const of = (store: number): StateRow[] =>
    rows.flatMap(([name, key, value]) => (storeId(name) === store ? [{ key, value }] : []));
  return {
    get: (store, key) => of(store).find((row) => toHex(row.key) === toHex(key))?.value,
    range: (store, { prefix } = {}) =>
      of(store).filter(({ key }) => toHex(key).startsWith(toHex(prefix ?? new Uint8Array(0)))),
  };
}
