import t from 'tap';
import { readHoconText } from '../../../../src/config/hocon/hocon.js';
import { configFrom } from '../../../../src/config/load-config.js';
import { peerLimits } from '../../../../src/node/peers/peer-limits.js';
import { DEFAULT_LIMITS, NO_LIMITS, type PeerLimits } from '../../../../src/p2p/releases/peer-limits.js';
import { peerRelease } from '../../../../src/p2p/releases/releases.js';

function limitsOf(lines: string, release = '4.8.2'): PeerLimits {
  const { config } = configFrom(
    readHoconText(`storage { }\ntronicle.release = "${release}"\n${lines}\n`, 'x.conf'),
    {},
  );
  return peerRelease(release, peerLimits(config)).limits;
}

t.test('reads the keys of peer limits with their defaults', async (t) => {
  t.same(limitsOf(''), DEFAULT_LIMITS);
  const lines = `node { maxBlockInvPerSecond = 11, maxPendingBlockSize = 51, maxTrxCacheSize = 2001, inactiveThreshold = 12 }
rate.limiter.p2p { syncBlockChain = 1.5, fetchInvData = 2.5, disconnect = 0.5 }
committee.pBFTExpireNum = 21`;
  t.same(limitsOf(lines), {
    blockIdsPerSecond: 11,
    summariesPerSecond: 1.5,
    fetchesPerSecond: 2.5,
    goodbyesPerSecond: 0.5,
    pendingBlocksMax: 51,
    transactionsMax: 2001,
    votedBlocks: 21,
    idleSeconds: 12,
  });
  t.same(limitsOf(lines, '4.7.2'), NO_LIMITS, 'release 4.7.2 has no such limits');
});

t.test('clamps limits that are out of bounds, and rejects rates of 0 since 4.8.2', async (t) => {
  const low = 'node { maxBlockInvPerSecond = 0, maxPendingBlockSize = 0, maxTrxCacheSize = 0, inactiveThreshold = 0 }';
  t.match(limitsOf(low), { blockIdsPerSecond: 1, pendingBlocksMax: 50, transactionsMax: 2000, idleSeconds: 1 });
  t.equal(limitsOf('node.maxPendingBlockSize = 2001').pendingBlocksMax, 2000);
  for (const name of ['syncBlockChain', 'fetchInvData', 'disconnect']) {
    const lines = `rate.limiter.p2p.${name} = 0`;
    t.throws(() => limitsOf(lines), { message: `Check rate.limiter.p2p.${name}, must be above 0, actual: 0` });
    t.ok(limitsOf(lines, '4.7.2'));
  }
});
