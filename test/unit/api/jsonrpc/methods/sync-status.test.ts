import t from 'tap';
import type { ApiContext, ChainView } from '../../../../../src/api/context/api-context.js';
import { blocksBehind, syncStatus } from '../../../../../src/api/jsonrpc/methods/sync-status.js';

const HEAD_MS = 1_700_000_000_000;

/** Returns a node with a number of peers, a clock, and four states in memory. */
const node = (active: number, nowMs: number) =>
  ({ peers: { active }, now: () => nowMs, snapshotCount: 4 }) as unknown as ApiContext;
const view = (slotMs: number) =>
  ({ headNumber: 100, state: { rules: { slotMs }, properties: { number: () => HEAD_MS } } }) as unknown as ChainView;

t.test('counts the slots since the head with the block time of the network', async (t) => {
  t.equal(blocksBehind(node(1, HEAD_MS + 9999), view(3000)), 3);
  t.equal(blocksBehind(node(1, HEAD_MS + 9999), view(500)), 19);
  t.equal(blocksBehind(node(1, HEAD_MS - 1), view(3000)), 0, 'the clock is late');
});

t.test(
  'returns the newest block on disk as startingBlock, and the head plus the missing blocks as highestBlock',
  async (t) => {
    const status = { startingBlock: '0x60', currentBlock: '0x64', highestBlock: '0x67' };
    t.same(syncStatus(node(1, HEAD_MS + 9000), view(3000)), status);
    t.equal(syncStatus(node(0, HEAD_MS + 9000), view(3000)), false, 'there are no peers');
  },
);
