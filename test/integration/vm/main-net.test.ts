import pino from 'pino';
import t, { type Test } from 'tap';
import type { Chain } from '../../../src/chain/chain.js';
import { loadConfig, MAIN_NET_FILE } from '../../../src/config/load-config.js';
import { decodeBase58Check } from '../../../src/crypto/base58-check.js';
import { openChain } from '../../../src/node/open-chain.js';
import { toAddress } from '../../../src/primitives/address.js';
import { toHex, toUtf8 } from '../../../src/primitives/bytes.js';
import { EMPTY_TREE_ROOT } from '../../../src/state-transition/block/execute-block.js';
import { hasPassed } from '../../../src/state-transition/consensus/fork-versions.js';
import { activeWitnesses } from '../../../src/state-transition/consensus/schedule.js';
import { VERSION } from '../../../src/state-transition/parameters/block-versions.js';
import { merkleNode } from '../../../src/vm/precompiles/sapling/pedersen-hash.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const { config } = loadConfig({ file: MAIN_NET_FILE });

async function mainNet(t: Test): Promise<Chain> {
  const chain = await openChain({ config, dataDir: temporaryFolder(t), log: pino({ level: 'fatal' }) });
  t.teardown(() => chain.ledger.close());
  return chain;
}

const address = (text: string): ReturnType<typeof toAddress> => toAddress(decodeBase58Check(text)!);
const BLACKHOLE = address('TLsV52sRDL79HXGGm9yzwKibb6BeruhUzy');

t.test('starts the main net with its block 0, whose id is the chain id', async (t: Test) => {
  const { ledger, state } = await mainNet(t);
  const id = '00000000000000001ebf88508a03865c71d452e25f4d51194196a1d22b6653dc';
  t.equal(toHex(ledger.position.headId), id);
  t.equal(toHex(state.rules.genesisId), id);
  t.equal(
    toHex(ledger.block(0)!.block).includes('e58f33f9baf9305dc6f82b9f1934ea8f0ade2defb951258d50167028c780351f'),
    true,
  );
  t.equal(state.rules.addressPrefix, 0x41);
});

t.test('creates accounts and witnesses of block 0', async (t: Test) => {
  const { state } = await mainNet(t);
  t.equal(state.account(address('TLLM21wteSPs4hKjbxgmH1L6poyMjeTbHm'))?.balance, 99_000_000_000_000_000n);
  t.equal(state.account(address('TXmVpin5vq5gdZsciyyjdZgKRUju4st1wM'))?.balance, 0n);
  t.equal(state.account(BLACKHOLE)?.balance, -(2n ** 63n));
  t.equal(state.rules.blackhole, BLACKHOLE);
  const active = activeWitnesses(state);
  t.equal(active.length, 27);
  t.same(
    active.map((witness) => state.witnesses.get(witness)?.voteCount),
    Array.from({ length: 27 }, (_, at) => 100_000_026n - BigInt(at)),
  );
});

t.test('creates the initial rows of the main net', async (t: Test) => {
  const { properties } = (await mainNet(t)).state;
  t.equal(properties.get('TOKEN_ID_NUM'), 1_000_000n);
  const mask = (prefix: string): string => prefix.padEnd(64, '0');
  t.equal(toHex(properties.bytes('ACTIVE_DEFAULT_OPERATIONS')), mask('7fff1fc0033e'));
  t.equal(toHex(properties.bytes('AVAILABLE_CONTRACT_TYPE')), mask('7fff1fc0037e'));
  t.equal(toUtf8(properties.bytes('ENERGY_PRICE_HISTORY')), '0:100');
  t.equal(toUtf8(properties.bytes('BANDWIDTH_PRICE_HISTORY')), '0:10');
  t.equal(toUtf8(properties.bytes('MEMO_FEE_HISTORY')), '0:0');
  t.equal(properties.get('WITNESS_PAY_PER_BLOCK'), 32_000_000n);
  t.equal(properties.get('WITNESS_127_PAY_PER_BLOCK'), 16_000_000n);
});

t.test('applies the start-up migrations of older chains in block 0: tokens, ABIs and price histories', async (t) => {
  const { state, ledger } = await mainNet(t);
  const done = [
    'TOKEN_UPDATE_DONE',
    'ABI_MOVE_DONE',
    'ENERGY_PRICE_HISTORY_DONE',
    'BANDWIDTH_PRICE_HISTORY_DONE',
  ] as const;
  for (const row of [...done, 'SET_BLACKHOLE_ACCOUNT_PERMISSION'] as const) t.equal(state.properties.get(row), 1n, row);
  t.equal(ledger.position.headNumber, 0);
});

t.test('sets the zero address as owner of the blackhole', async (t) => {
  const { state } = await mainNet(t);
  const permission = state.account(BLACKHOLE)?.ownerPermission;
  t.same(
    permission?.keys.map(({ address, weight }) => [toHex(address), weight]),
    [['41'.padEnd(42, '0'), 1n]],
  );
});

t.test('starts with an empty note tree whose root follows from the Sapling parameters', async (t) => {
  let node = Uint8Array.of(1, ...new Uint8Array(31));
  for (let level = 0; level < 32; level++) node = Uint8Array.from(merkleNode(level, node, node));
  t.equal(toHex(node), EMPTY_TREE_ROOT);
  t.equal(config.node.zenTokenId, '000000');
});

t.test('enables energy limit rules from head 4,727,890, regardless of block versions', async (t: Test) => {
  const { state } = await mainNet(t);
  for (const [number, expected] of [
    [4_727_889n, false],
    [4_727_890n, true],
  ] as const) {
    state.properties.set('latest_block_header_number', number);
    t.equal(hasPassed(state, VERSION.ENERGY_LIMIT), expected, String(number));
  }
});

t.test(
  'activates versions up to 16 with all witnesses, and later ones with a share of them after 2020-08-07',
  async (t: Test) => {
    const { state } = await mainNet(t);
    const { properties } = state;
    const upgraded = (version: number, count: number): boolean => {
      properties.setForkStats(version, new Uint8Array(27).fill(1, 0, count));
      return hasPassed(state, version);
    };
    const late = BigInt(Date.UTC(2020, 7, 7, 6));
    properties.set('latest_block_header_timestamp', late - 1n);
    t.same([upgraded(16, 26), upgraded(16, 27)], [false, true], 'version 16 needs all witnesses, at any time');
    t.notOk(upgraded(17, 27), 'version 17 is not accepted before the date');
    properties.set('latest_block_header_timestamp', late);
    for (const [version, least] of [
      [17, 22],
      [28, 22],
      [33, 19],
      [35, 19],
      [36, 22],
      [37, 19],
      [38, 19],
    ] as const) {
      t.same([upgraded(version, least - 1), upgraded(version, least)], [false, true], `version ${version}`);
    }
    t.notOk(upgraded(39, 27), 'an unknown version is not accepted');
  },
);

t.test('lists peers of the main net', async (t: Test) => {
  t.equal(config.node.p2p.version, 11_111);
  t.equal(config.seedNodes.length, 30);
  t.ok(config.seedNodes.some((seed) => JSON.stringify(seed).includes('3.225.171.164')));
  for (const relay of ['100.27.171.62', '15.188.6.125'])
    t.ok(JSON.stringify(config.node.fastForward).includes(relay), relay);
});
