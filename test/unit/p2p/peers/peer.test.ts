import t from 'tap';
import { HelloMessage } from '../../../../src/codec/generated/messages.js';
import { itemKey } from '../../../../src/p2p/peers/peer.js';
import { endOf, fakePeer } from '../../../support/p2p/fake-peer.js';

t.test('sends a disconnect message once, with the first reason', async (t) => {
  const fake = fakePeer();
  fake.peer.disconnect('BAD_BLOCK');
  fake.peer.disconnect('TIME_OUT');
  t.same([endOf(fake), fake.sent.length, fake.peer.disconnectReason], ['BAD_BLOCK', 1, 'BAD_BLOCK']);
});

t.test('treats a peer as idle without outstanding requests', async (t) => {
  const { peer } = fakePeer();
  t.ok(peer.isIdle);
  peer.itemRequests.set('a', 1);
  t.same([peer.isIdle, peer.isSyncIdle], [false, true]);
  peer.syncRequests.set('a', 1);
  t.notOk(peer.isSyncIdle);
});

t.test('sends fewer than three requests a second to a peer whose release limits them', async (t) => {
  let time = 0;
  const { peer } = fakePeer({ now: () => time });
  const requestAt = (ms: number) => {
    let count = 0;
    for (const end = time + ms; time < end; time += 10) if (peer.mayRequest('blocks')) count++;
    return count;
  };
  t.equal(requestAt(1000), 100, 'no limit for a peer that states no release');
  peer.hello = Object.assign(new HelloMessage(), { codeVersion: Buffer.from('4.8.2') });
  const inTen = requestAt(10_000);
  t.ok(inTen >= 28 && inTen <= 31, `${inTen} in ten seconds`);
});

t.test('computes the 75th percentile of response times', async (t) => {
  const { peer } = fakePeer();
  t.equal(peer.blockLatency75, 0);
  for (const ms of [40, 10, 30]) peer.noteBlockLatency(ms);
  t.equal(peer.blockLatency75, 40);
  for (const ms of [20, 50, 60, 70]) peer.noteBlockLatency(ms);
  t.equal(peer.blockLatency75, 60);
});

t.test('counts a new common block as progress, but not a restart from genesis', async (t) => {
  let time = 5;
  const { peer } = fakePeer({ now: () => time });
  const genesis = peer.commonBlock;
  time = 9;
  peer.setCommonBlock({ hex: '01'.repeat(32), number: 7 });
  t.equal(peer.commonBlockMs, 9);
  time = 12;
  peer.resetCommonBlock(genesis);
  t.same([peer.commonBlock, peer.commonBlockMs], [genesis, 9]);
});

t.test('distinguishes a block and a transaction with one id', async (t) => {
  t.not(itemKey({ kind: 'block', id: 'aa' }), itemKey({ kind: 'transaction', id: 'aa' }));
});
