import { join } from 'node:path';
import t from 'tap';
import type { ApiContext, ChainView } from '../../../src/api/context/api-context.js';
import type { Chain } from '../../../src/chain/chain.js';
import { NO_FLAGS } from '../../../src/config/flags.js';
import { loadConfig } from '../../../src/config/load-config.js';
import { openChain } from '../../../src/node/open-chain.js';
import { createApiContext } from '../../../src/node/serving/api-context.js';
import { type ServedNode, servedLocally } from '../../../src/node/serving/served-node.js';
import { ChainReporter } from '../../../src/node/threads/api-threads/chain-reporter.js';
import type { PendingUpdate } from '../../../src/node/threads/api-threads/messages.js';
import { RemoteChain } from '../../../src/node/threads/api-threads/remote-chain.js';
import { toHex } from '../../../src/primitives/bytes.js';
import { openLedger } from '../../../src/projections/ledger/open-ledger.js';
import { blocksOf, offer } from '../../support/node/recorded-blocks.js';
import { silent } from '../../support/projections/chain.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { golden } from '../../support/tronicle.js';

// Compares the views of the API thread with those of the chain thread. Messages are copied by structured clone, as
// between threads.

interface Pair {
  readonly chain: Chain;
  readonly local: ServedNode;
  readonly remote: ApiContext;
  readonly remoteChain: RemoteChain;
  readonly reporter: ChainReporter;
}

/**
 * Opens a chain, and a reader of its data folder with the views of an API thread.
 * @param undelivered receives the updates in place of the reader. The reader then fetches updates when it reads.
 */
async function openPair(
  t: Parameters<typeof temporaryFolder>[0],
  folder: string,
  undelivered?: PendingUpdate[],
): Promise<Pair> {
  const { config } = loadConfig({ file: join(folder, 'config.conf'), flags: NO_FLAGS });
  const dataDir = temporaryFolder(t);
  const chain = await openChain({ config, dataDir, log: silent });
  await chain.ledger.flush();
  const { retention } = config.tronicle.history;
  const notifier = chain.ledger.notifierBuffer;
  const ledger = await openLedger({
    dataDir,
    retention,
    checkpointVersion: 2,
    log: silent,
    readOnly: true,
    follows: true,
    notifier,
  });
  const remoteChain: RemoteChain = new RemoteChain({
    ledger,
    rules: chain.state.rules,
    submit: () => Promise.resolve(),
    receiveUpdates: () => {
      for (const update of undelivered?.splice(0) ?? []) remoteChain.apply(update);
    },
  });
  const reporter = new ChainReporter(chain, (update) => {
    const copy = structuredClone(update) as PendingUpdate;
    if (undelivered === undefined) remoteChain.apply(copy);
    else undelivered.push(copy);
  });
  t.teardown(async () => {
    reporter.close();
    await ledger.close();
    await chain.ledger.close();
  });
  const local = servedLocally({ chain, config, log: silent, now: () => 0 });
  return {
    chain,
    local,
    remote: createApiContext({ source: remoteChain, config, now: () => 0 }),
    remoteChain,
    reporter,
  };
}

const TABLES = [
  'accounts',
  'accountAssets',
  'witnesses',
  'votes',
  'delegatedResources',
  'delegation',
  'contracts',
  'storage',
] as const;

/** Returns all values of a view and its pending transactions, as text. */
function seen(api: ApiContext, name: 'head' | 'solidified'): string {
  const pending = api.pending.all().map(({ signature }) => signature.map(toHex));
  return JSON.stringify([seenIn(api.view(name)), api.openBlocks, api.snapshotCount, pending]);
}

function seenIn({ state, headNumber, blockIdAt, recentKeys }: ChainView): string {
  const rows = TABLES.map((table) => [...state[table].range()]);
  const heights = [headNumber, toHex(blockIdAt(headNumber)!), state.properties.get('TOTAL_NET_WEIGHT')];
  const shown = (_: string, value: unknown): unknown => {
    if (typeof value === 'bigint') return String(value);
    if (value instanceof Uint8Array) return toHex(value);
    // JSON.stringify converts a Buffer to an object before it calls the replacer.
    if ((value as { type?: unknown } | null)?.type === 'Buffer')
      return toHex(Uint8Array.from((value as { data: number[] }).data));
    return value instanceof Map ? [...value] : value;
  };
  const keys = TABLES.map((table) => [...new Set(recentKeys(state[table] as never))].sort());
  return JSON.stringify([rows, heights, keys], shown);
}

t.test('shows the API thread the same state as the chain thread', async (t) => {
  const folder = join(golden, 'system-modern');
  const pair = await openPair(t, folder);
  const { chain, local, remote, reporter } = pair;
  const blocks = blocksOf(folder);
  const mismatched: string[] = [];
  const shownBy = new WeakMap<ChainView, string>();
  let repeated = 0;
  const compare = async (what: string): Promise<void> => {
    reporter.report();
    // Between threads, each message arrives in another turn of the event loop.
    await Promise.resolve();
    for (const name of ['head', 'solidified'] as const) {
      if (seen(local.api, name) !== seen(remote, name)) mismatched.push(`${name} ${what}`);
      // The API thread may return the same view object again only if its content is unchanged, because answers are
      // cached per view object.
      const view = remote.view(name);
      const shown = seenIn(view);
      if ((shownBy.get(view) ?? shown) !== shown) mismatched.push(`${name} is another ${what}`);
      if (remote.view(name) === view) repeated++;
      shownBy.set(view, shown);
    }
  };
  for (const [at, block] of blocks.slice(0, 260).entries()) {
    offer(chain, block);
    await compare(`with the transactions of ${block.number}`);
    chain.importBlock(block);
    await chain.ledger.flush();
    chain.mempool.reinject();
    if (at % 3 === 0) await compare(`after ${block.number}`);
    if (at % 50 !== 49) continue;
    chain.rollback(block.number - 3);
    await chain.ledger.flush();
    await compare(`rolled back from ${block.number}`);
    for (const again of blocks.slice(at - 2, at + 1)) chain.importBlock(again);
    await chain.ledger.flush();
    await compare(`again at ${block.number}`);
  }
  reporter.report();
  t.same(mismatched, []);
  t.ok(repeated > 600, 'an unchanged view is the same object');
});

t.test('reads updates that were sent but not delivered yet, at most once in synchronous code', async (t) => {
  const folder = join(golden, 'system-modern');
  const undelivered: PendingUpdate[] = [];
  const { chain, local, remote, reporter } = await openPair(t, folder, undelivered);
  let pending = 0;
  for (const block of blocksOf(folder).slice(0, 40)) {
    const before = remote.pending.count;
    offer(chain, block);
    reporter.report();
    t.equal(remote.pending.count, before, 'one slice reads one state');
    await Promise.resolve();
    t.equal(seen(remote, 'head'), seen(local.api, 'head'));
    pending += remote.pending.count;
    chain.importBlock(block);
    await chain.ledger.flush();
    chain.mempool.reinject();
    reporter.report();
    await Promise.resolve();
    t.equal(seen(remote, 'head'), seen(local.api, 'head'));
  }
  t.ok(pending > 0);
  t.equal(undelivered.length, 0);
});

t.test('a delayed reader shows the same state, although changes were deleted before it read them', async (t) => {
  const folder = join(golden, 'system-modern');
  const { chain, local, remote, remoteChain, reporter } = await openPair(t, folder);
  const blocks = blocksOf(folder).slice(0, 240);
  let forgottenUnread = 0;
  let lastRead = remoteChain.ledger.position.headNumber;
  // The reader pauses for one block, then for more blocks, up to sixty. A reader that is further behind opens the
  // ledger again.
  for (let at = 0, pause = 1; at < blocks.length; pause = (pause % 60) + 7) {
    const group = blocks.slice(at, at + pause);
    at += pause;
    for (const block of group) {
      chain.importBlock(block);
      await chain.ledger.flush();
    }
    if (chain.ledger.keptHeight > lastRead) forgottenUnread++;
    reporter.report();
    await Promise.resolve();
    for (const name of ['head', 'solidified'] as const)
      t.equal(seen(remote, name), seen(local.api, name), `${name} ${pause}`);
    t.equal(remoteChain.ledger.keptHeight, chain.ledger.keptHeight);
    lastRead = remoteChain.ledger.position.headNumber;
  }
  t.ok(forgottenUnread > 2, 'changes were deleted before the reader read them');
});
