import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import t from 'tap';
import { FollowedFilters } from '../../../../src/api/jsonrpc/logs/followed-filters.js';
import { apiRelease } from '../../../../src/api/releases/releases.js';
import { NO_RPC_LIMITS } from '../../../../src/api/releases/rpc-limits.js';
import type { Chain } from '../../../../src/chain/chain.js';
import { loadConfig } from '../../../../src/config/load-config.js';
import { openChain } from '../../../../src/node/open-chain.js';
import { fromHex, toHex } from '../../../../src/primitives/bytes.js';
import { decodeBlock } from '../../../../src/state-transition/block/decoded-block.js';
import { ChainError } from '../../../../src/state-transition/errors.js';
import { silent } from '../../../support/projections/chain.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';
import { golden } from '../../../support/tronicle.js';

const ALL = { filter: { addresses: [], topics: [] }, from: 0, to: undefined };

interface LogResult {
  readonly blockNumber: string;
  readonly blockHash: string;
  readonly logIndex: string;
  readonly removed: boolean;
}

/** Opens a chain and filters of a release. The blocks are those of a recording with reorgs. */
async function open(t: Parameters<typeof temporaryFolder>[0], version: '4.7.2' | '4.8.2') {
  const folder = join(golden, 'forks', 'forks7');
  const { config } = loadConfig({ file: join(folder, 'config.conf') });
  const chain = await openChain({ config, dataDir: temporaryFolder(t), log: silent });
  const release = apiRelease(version);
  const filters = new FollowedFilters({
    ledger: chain.ledger,
    form: { release, rpcLimits: NO_RPC_LIMITS },
    isControlled: false,
    now: () => 0,
    log: silent,
  });
  t.teardown(async () => {
    filters.close();
    await chain.ledger.close();
  });
  const blocks = gunzipSync(readFileSync(join(folder, 'pushes.ndjson.gz')))
    .toString()
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as { readonly block?: string }).block)
    .filter((block) => block !== undefined);
  return { chain, filters, blocks };
}

function push(chain: Chain, block: string): void {
  try {
    chain.importBlock(decodeBlock(fromHex(block)));
  } catch (error) {
    if (!(error instanceof ChainError)) throw error;
  }
}

/** Returns the positions of those reported logs whose block is canonical. */
function canonicalLogs(chain: Chain, results: readonly LogResult[]): readonly string[] {
  return [...new Set(results.map(placeOf))].filter((place) => {
    const [number, hash] = place.split(' ');
    return toHex(chain.ledger.blockIdAt(Number(number))!) === hash;
  });
}

const placeOf = ({ blockNumber, blockHash, logIndex }: LogResult): string =>
  `${Number(blockNumber)} ${blockHash.replace('0x', '')} ${logIndex}`;

t.test('a client that follows a log filter has the logs of the canonical chain', async (t) => {
  const { chain, filters, blocks } = await open(t, '4.8.2');
  const id = await filters.of.fullnode.add(ALL);
  let reorgs = 0;
  chain.listeners.add({ forked: () => reorgs++ });
  const all: LogResult[] = [];
  const current = new Set<string>();
  const wrong: string[] = [];
  for (const [at, block] of blocks.entries()) {
    push(chain, block);
    if (at % 7 !== 0 && at !== blocks.length - 1) continue;
    await chain.ledger.flush();
    for (const log of JSON.parse(await filters.of.fullnode.take(id)) as LogResult[]) {
      all.push(log);
      const place = placeOf(log);
      if (current.has(place) !== log.removed) wrong.push(`${place} ${log.removed}`);
      if (log.removed) current.delete(place);
      else current.add(place);
    }
  }
  t.ok(reorgs > 10);
  t.ok(all.length > 100);
  t.same(wrong, [], 'no log is reported twice, or removed without having been reported');
  t.same([...current].sort(), [...canonicalLogs(chain, all)].sort());
});

t.test('release 4.7.2 does not report blocks that a reorg applies', async (t) => {
  const { chain, filters, blocks } = await open(t, '4.7.2');
  const id = await filters.of.fullnode.add(undefined);
  const extended: string[] = [];
  const applied: string[] = [];
  chain.listeners.add({
    applied: ({ idHex }) => (chain.isReorging ? applied : extended).push(`0x${idHex}`),
  });
  for (const block of blocks.slice(0, 150)) push(chain, block);
  await chain.ledger.flush();
  t.ok(applied.length > 0, 'reorgs have applied blocks');
  t.same(JSON.parse(await filters.of.fullnode.take(id)), extended);
});

t.test('a filter does not receive blocks from before its creation', async (t) => {
  const { chain, filters, blocks } = await open(t, '4.8.2');
  for (const block of blocks.slice(0, 20)) push(chain, block);
  await chain.ledger.flush();
  const id = await filters.of.fullnode.add(undefined);
  t.same(JSON.parse(await filters.of.fullnode.take(id)), []);
  push(chain, blocks[20]!);
  await chain.ledger.flush();
  t.same(JSON.parse(await filters.of.fullnode.take(id)), [`0x${toHex(chain.ledger.position.headId)}`]);
});

t.test('answers calls that wait for a block when the filters are closed', async (t) => {
  const { chain, filters, blocks } = await open(t, '4.8.2');
  const id = await filters.of.fullnode.add(undefined);
  push(chain, blocks[0]!);
  await chain.ledger.flush();
  const polled = filters.of.fullnode.take(id);
  filters.close();
  t.same(JSON.parse(await polled), []);
});

t.test('deletes all filters after the log could not be read, and serves new filters', async (t) => {
  const { chain, filters, blocks } = await open(t, '4.8.2');
  const { ledger } = chain;
  const { entryOfId } = ledger;
  const id = await filters.of.fullnode.add(undefined);
  // A revert reads the entry of the reverted block.
  ledger.entryOfId = () => {
    ledger.entryOfId = entryOfId;
    throw new Error('the disk failed');
  };
  let hasReverted = false;
  chain.listeners.add({
    reverted: () => {
      hasReverted = true;
    },
  });
  const rest = blocks.values();
  for (const block of rest) {
    push(chain, block);
    if (hasReverted) break;
  }
  await ledger.flush();
  await t.rejects(filters.of.fullnode.take(id) as Promise<string>, { message: 'filter not found' });
  const later = await filters.of.fullnode.add(undefined);
  const { headNumber } = ledger.position;
  for (const block of rest) {
    push(chain, block);
    if (ledger.position.headNumber > headNumber) break;
  }
  await ledger.flush();
  const ids = JSON.parse(await filters.of.fullnode.take(later)) as string[];
  t.equal(ids.at(-1), `0x${toHex(ledger.position.headId)}`);
});
