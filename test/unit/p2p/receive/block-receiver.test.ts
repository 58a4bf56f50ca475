import t from 'tap';
import { Block, BlockHeader, BlockHeaderRaw } from '../../../../src/codec/generated/messages.js';
import { DoubleProducers } from '../../../../src/p2p/inventory/double-producers.js';
import { FetchWatch } from '../../../../src/p2p/inventory/fetch-watch.js';
import type { HeaderCheck, ImportResult, LocalChain } from '../../../../src/p2p/local-chain.js';
import { P2pError } from '../../../../src/p2p/p2p-error.js';
import { itemKey } from '../../../../src/p2p/peers/peer.js';
import { BlockReceiver } from '../../../../src/p2p/receive/block-receiver.js';
import type { SyncClient } from '../../../../src/p2p/sync/sync-client.js';
import { type DecodedBlock, toDecodedBlock } from '../../../../src/state-transition/block/decoded-block.js';
import { releaseNamed } from '../../../../src/state-transition/releases/index.js';
import { type FakePeer, fakePeer, later, observer, older, setOf } from '../../../support/p2p/fake-peer.js';
import { silentLog } from '../../../support/p2p/silent-log.js';

const good: HeaderCheck = { isLinked: true, isLow: false, isActive: true, signatureFault: undefined };

function blockAt(timeMs: number): DecodedBlock {
  const rawData = Object.assign(new BlockHeaderRaw(), {
    number: 3n,
    timestamp: BigInt(timeMs),
    parentHash: new Uint8Array(32),
    txTrieRoot: new Uint8Array(32),
  });
  return toDecodedBlock(Object.assign(new Block(), { blockHeader: Object.assign(new BlockHeader(), { rawData }) }));
}

interface Setting {
  readonly judgement?: HeaderCheck;
  readonly pushed?: ImportResult;
  readonly release?: typeof later;
  readonly isRelay?: boolean;
}

/** Returns a receiver over a chain stub, which records its calls in order. */
function receiver({ judgement = good, pushed = { kind: 'applied' }, ...more }: Setting = {}) {
  const { release = later, isRelay = false } = more;
  const done: string[] = [];
  const fake = fakePeer({ release });
  const chain: Partial<LocalChain> = {
    rules: releaseNamed(release.name)!,
    isFiltered: false,
    nowMs: 0,
    head: { hex: '', number: 2 },
    checkHeader: () => judgement,
    importBlock: (_block, as) => {
      done.push(`push ${as}`);
      return pushed;
    },
  };
  const peers = setOf([fake]);
  // Contains only the sync methods that a receiver calls.
  const sync: Pick<SyncClient, 'start' | 'receiveBlock'> = {
    start: () => done.push('sync'),
    receiveBlock: (_peer, block) => done.push('transactions' in block ? 'decoded to the sync' : 'to the sync'),
  };
  const blocks = new BlockReceiver({
    chain: chain as LocalChain,
    release,
    peers,
    sync: sync as SyncClient,
    watch: new FetchWatch({ chain: chain as LocalChain, peers, timeoutMs: 1000, now: () => 0 }),
    doubles: new DoubleProducers(() => 0),
    isRelay,
    announce: () => done.push('announce'),
    executed: () => done.push('executed'),
    observer,
    log: silentLog,
    now: () => 0,
  });
  return { fake, done, take: ({ bytes }: Pick<DecodedBlock, 'bytes'>) => Array.from(blocks.take(fake.peer, bytes)) };
}

function requestFrom({ peer }: FakePeer, { idHex: id }: DecodedBlock, as: 'news' | 'sync' = 'news'): void {
  if (as === 'sync') peer.syncRequests.set(id, 0);
  else peer.itemRequests.set(itemKey({ kind: 'block', id }), 0);
}

t.test('validates, forwards and pushes an announced block', async (t) => {
  const refusal: ImportResult = { kind: 'refused', error: new P2pError('BAD_BLOCK', 'bad') };
  const resting = { ...good, isActive: false };
  const cases: readonly (readonly [what: string, setting: Setting, done: readonly string[]])[] = [
    ['a block of an active witness', {}, ['announce', 'push announced', 'executed']],
    ['a block on a side branch', { pushed: { kind: 'side' } }, ['announce', 'push announced']],
    [
      'a block of an inactive witness in 4.7.2',
      { judgement: resting, release: older },
      ['push announced', 'announce', 'executed'],
    ],
    [
      'an invalid block of an inactive witness in 4.7.2',
      { judgement: resting, release: older, pushed: refusal },
      ['push announced'],
    ],
    ['an invalid block', { pushed: refusal }, ['announce', 'push announced']],
    ['a block after the stop height', { pushed: { kind: 'stopped' } }, ['announce', 'push announced']],
    ['a block with an unknown parent', { judgement: { ...good, isLinked: false } }, ['sync']],
    ['a block below the head', { judgement: { ...good, isLow: true } }, []],
    ['a block of an inactive witness in 4.8.2', { judgement: resting }, []],
  ];
  for (const [what, setting, expected] of cases) {
    const { fake, done, take } = receiver(setting);
    const block = blockAt(0);
    requestFrom(fake, block);
    take(block);
    t.same(done, expected, what);
    t.notOk(fake.peer.isClosed, 'no peer is disconnected');
    t.equal(fake.peer.itemRequests.size, 0, 'the request is settled');
  }
});

t.test('disconnects a peer that sends many rejected blocks and no good one', async (t) => {
  const setting: { pushed: ImportResult } = { pushed: { kind: 'refused', error: new P2pError('BAD_BLOCK', 'bad') } };
  const { fake, take } = receiver(setting);
  const send = (): void => {
    const block = blockAt(0);
    requestFrom(fake, block);
    take(block);
  };
  for (let at = 0; at < 9; at++) send();
  t.equal(fake.peer.rejectedBlocks, 9);
  t.notOk(fake.peer.isClosed);
  send();
  t.ok(fake.peer.isClosed);
});

t.test('rejects input of a malicious peer before any effect', async (t) => {
  const unsigned = { ...good, signatureFault: new P2pError('BLOCK_SIGN_ERROR', 'bad') };
  for (const release of [older, later]) {
    const { fake, done, take } = receiver({ judgement: unsigned, release });
    const block = blockAt(0);
    requestFrom(fake, block);
    t.throws(() => take(block), { code: 'BLOCK_SIGN_ERROR' });
    const ahead = blockAt(3000);
    requestFrom(fake, ahead);
    t.throws(() => take(ahead), { code: 'BAD_MESSAGE', message: 'block time error' });
    t.throws(() => take(blockAt(1)), { code: 'BAD_MESSAGE', message: 'no request' });
    t.same(done, [], release.name);
  }
});

t.test(
  'rejects a late, unrequested block for its time or for the missing request, depending on the release',
  async (t) => {
    const messageOf = (release: typeof later): string => {
      try {
        receiver({ release }).take(blockAt(3000));
        return 'taken';
      } catch (error) {
        return (error as Error).message;
      }
    };
    t.equal(messageOf(older), 'no request');
    t.equal(messageOf(later), 'block time error');
  },
);

t.test('accepts unrequested blocks from a relay, and passes sync blocks to the sync', async (t) => {
  const relay = receiver({ isRelay: true });
  relay.take(blockAt(0));
  t.same(relay.done, ['announce', 'push announced', 'executed']);
  for (const release of [older, later]) {
    const { fake, done, take } = receiver({ release });
    const block = blockAt(0);
    requestFrom(fake, block, 'sync');
    take(block);
    t.same(done, ['to the sync']);
  }
  const ahead = blockAt(3000);
  const trusted = receiver({ isRelay: true, release: older });
  requestFrom(trusted.fake, ahead, 'sync');
  trusted.take(ahead);
  t.same(trusted.done, ['to the sync'], 'release 4.7.2 does not check the time of a requested block of a relay');
  t.throws(
    () => receiver({ isRelay: true, release: older }).take(ahead),
    { code: 'BAD_BLOCK' },
    'release 4.7.2 checks the time of an unrequested block',
  );
  const checked = receiver({ isRelay: true });
  requestFrom(checked.fake, ahead, 'sync');
  t.throws(() => checked.take(ahead), { code: 'BAD_MESSAGE' });
});

t.test('passes a synced block to the queue without its decoded transactions, in any encoding', async (t) => {
  const { fake, done, take } = receiver();
  const block = blockAt(0);
  const unknownField = Buffer.from([0x7a, 0]);
  for (const bytes of [block.bytes, Buffer.concat([block.bytes, unknownField])]) {
    requestFrom(fake, block, 'sync');
    take({ bytes });
  }
  t.same(done, ['to the sync', 'to the sync']);
});
