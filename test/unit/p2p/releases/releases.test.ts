import t from 'tap';
import { peerRelease } from '../../../../src/p2p/releases/releases.js';
import { later, older } from '../../../support/p2p/fake-peer.js';

t.test('maps listed errors to disconnect reasons, and all others to UNKNOWN', async (t) => {
  t.same(later.reasons, {
    BAD_TRX: 'BAD_TX',
    BAD_BLOCK: 'BAD_BLOCK',
    BLOCK_SIGN_ERROR: 'BAD_BLOCK',
    BLOCK_MERKLE_ERROR: 'BAD_BLOCK',
    NO_SUCH_MESSAGE: 'NO_SUCH_MESSAGE',
    BAD_MESSAGE: 'BAD_PROTOCOL',
    RATE_LIMIT_EXCEEDED: 'BAD_PROTOCOL',
    SYNC_FAILED: 'SYNC_FAIL',
    DB_ITEM_NOT_FOUND: 'FETCH_FAIL',
  });
  t.equal(older.reasons.MESSAGE_WITH_WRONG_LENGTH, 'BAD_PROTOCOL');
});

t.test('enables the services that 4.8.2 added only in 4.8.2', async (t) => {
  t.same([later.evictsIdlePeers, older.evictsIdlePeers], [true, false]);
  t.same([later.followsMembers, older.followsMembers], [true, false]);
});

t.test('throws for an unknown release', async (t) => {
  t.throws(() => peerRelease('4.8.3'), RangeError);
});
