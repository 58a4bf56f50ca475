import t from 'tap';
import { checkChainIds } from '../../../../src/p2p/sync/check-chain-ids.js';
import type { ChainIds } from '../../../../src/p2p/wire/messages.js';
import { fakePeer } from '../../../support/p2p/fake-peer.js';
import { idAt, madeChain } from '../../../support/p2p/made-chain.js';

const range = (first: number, count: number) => Array.from({ length: count }, (_, at) => idAt(first + at));
const TOO_FAR = 90 + 3_600_000 / 3000 + 1;

// Cases in the order in which java-tron checks them. Reference: ChainInventoryMsgHandler.check.
const rows: readonly (readonly [text: string | undefined, ids: ChainIds])[] = [
  [undefined, { ids: range(100, 3), remaining: 0 }],
  [undefined, { ids: range(100, 1), remaining: 0 }],
  ['blockIds is empty', { ids: [], remaining: 0 }],
  ['big blockIds size: 2002', { ids: range(100, 2002), remaining: 0 }],
  ['remain: 1, blockIds size: 3', { ids: range(100, 3), remaining: 1 }],
  ['not continuous block', { ids: [idAt(100), idAt(102)], remaining: 0 }],
  [`unlinked block, my head: ${idAt(100).hex}, peer: ${idAt(99).hex}`, { ids: range(99, 2), remaining: 0 }],
  [undefined, { ids: range(100, TOO_FAR - 100), remaining: 0 }],
  [
    `lastNum: ${TOO_FAR} + remainNum: 0 > futureMaxNum: ${TOO_FAR - 1}`,
    { ids: range(100, TOO_FAR - 99), remaining: 0 },
  ],
];

t.test('accepts only ids that match the open request, else rejects the peer', async (t) => {
  for (const [text, ids] of rows) {
    const { peer } = fakePeer();
    const check = () => checkChainIds(madeChain(100), peer, ids, 0);
    t.throws(check, { message: 'not send syncBlockChainMsg' });
    peer.chainRequest = { ids: new Set([idAt(100).hex]), last: idAt(100), atMs: 0 };
    if (text === undefined) t.doesNotThrow(check);
    else t.throws(check, { code: 'BAD_MESSAGE', message: text });
  }
});

t.test('computes the highest possible block from the block time of the network', async (t) => {
  const { peer } = fakePeer();
  peer.chainRequest = { ids: new Set([idAt(100).hex]), last: idAt(100), atMs: 0 };
  const ids: ChainIds = { ids: range(100, 2001), remaining: 0 };
  t.throws(() => checkChainIds(madeChain(100), peer, ids, 0), { code: 'BAD_MESSAGE' });
  t.doesNotThrow(() => checkChainIds(madeChain(100, { slotMs: 500 }), peer, ids, 0));
});

t.test('does not bound future blocks for a node at genesis', async (t) => {
  const { peer } = fakePeer();
  peer.chainRequest = { ids: new Set([idAt(0).hex]), last: idAt(0), atMs: 0 };
  t.doesNotThrow(() => checkChainIds(madeChain(0), peer, { ids: range(0, 2000), remaining: 10 ** 9 }, 0));
});
