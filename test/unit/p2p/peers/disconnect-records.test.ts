import t from 'tap';
import { DisconnectRecords } from '../../../../src/p2p/peers/disconnect-records.js';

// Reference: NodeStatistics.nodeDisconnectedLocal, nodeDisconnectedRemote.
t.test('counts disconnects with a reason by address', async (t) => {
  const records = new DisconnectRecords(() => 0);
  t.same(records.of('a'), { times: 0, local: undefined, remote: undefined });
  records.note('a', { local: undefined, remote: undefined });
  t.equal(records.of('a').times, 0);
  records.note('a', { local: 'BAD_BLOCK', remote: undefined });
  records.note('a', { local: undefined, remote: 'TIME_OUT' });
  records.note('a', { local: 'BAD_TX', remote: 'FORKED' });
  t.same(records.of('a'), { times: 4, local: 'BAD_TX', remote: 'FORKED' });
  t.equal(records.of('b').times, 0);
});
