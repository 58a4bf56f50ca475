import t from 'tap';
import { exposition } from '../../../../src/api/metrics/exposition.js';
import { PeerMetrics } from '../../../../src/node/peers/peer-metrics.js';
import { peerRelease } from '../../../../src/p2p/releases/releases.js';
import type { DecodedBlock } from '../../../../src/state-transition/block/decoded-block.js';

const WITNESS = `41${'11'.repeat(20)}`;

/** Returns a block with only the fields that metrics read. */
function block(idHex: string, timeMs: number, number: number): DecodedBlock {
  return {
    idHex,
    number,
    timeMs,
    raw: { witnessAddress: Buffer.from(WITNESS, 'hex'), version: 28 },
  } as unknown as DecodedBlock;
}

async function lines({ set }: PeerMetrics, name: string): Promise<string[]> {
  return exposition([await set.snapshot()])
    .split('\n')
    .filter((line) => line.startsWith(name));
}

t.test('counts peer events with the metric names of java-tron', async (t) => {
  const peers = new PeerMetrics({ hasMeters: true, now: () => 10_000 });
  peers.bytes('tcpIn', 300);
  peers.bytes('tcpOut', 20);
  peers.bytes('udpOut', 7);
  peers.second();
  peers.bytes('tcpIn', 50);
  peers.second();
  peers.disconnected('TIME_OUT');
  peers.disconnected('BAD_BLOCK');
  peers.disconnected('TIME_OUT');
  peers.refused('NO_SUCH_MESSAGE', true);
  peers.refused('BAD_TRX', false);
  peers.handled('BLOCK', 50);
  peers.handled('BLOCK', 51);
  peers.blockReceived(400, 30);
  peers.blockReceived(400, undefined);
  peers.blockAccepted(0.2, true);
  peers.blockFailed(7, 'because');
  t.same(await lines(peers, 'tron:tcp_bytes_sum'), ['tron:tcp_bytes_sum{type="in"} 350']);
  t.same(await lines(peers, 'tron:udp_bytes_sum'), [
    'tron:udp_bytes_sum{type="in"} 0',
    'tron:udp_bytes_sum{type="out"} 7',
  ]);
  t.same(await lines(peers, 'tron:p2p_disconnect_total'), [
    'tron:p2p_disconnect_total{type="time_out"} 2',
    'tron:p2p_disconnect_total{type="bad_block"} 1',
  ]);
  t.same(await lines(peers, 'tron:p2p_error_total'), [
    'tron:p2p_error_total{type="no_such_message"} 1',
    'tron:p2p_error_total{type="bad_trx"} 1',
  ]);
  t.same(await lines(peers, 'tron:message_process_latency_seconds_count'), [
    'tron:message_process_latency_seconds_count{type="BLOCK"} 1',
  ]);
  t.same(await lines(peers, 'tron:block_fetch_latency_seconds_count'), ['tron:block_fetch_latency_seconds_count 1']);
  t.same(await lines(peers, 'tron:block_receive_delay_seconds_count'), ['tron:block_receive_delay_seconds_count 2']);
  t.same(await lines(peers, 'tron:block_process_latency_seconds_count'), [
    'tron:block_process_latency_seconds_count{sync="true"} 1',
  ]);
  const { tcpIn, tcpOut, udpOut, errorProtoCount, disconnections, failed } = peers.statistics();
  t.same([tcpIn.count, tcpOut.count, udpOut.count], [350n, 20n, 7n]);
  t.equal(errorProtoCount, 1);
  t.same(disconnections, [
    { reason: 'BAD_BLOCK', count: 1 },
    { reason: 'TIME_OUT', count: 2 },
  ]);
  t.same(failed, { number: 7, reason: 'because' });
});

t.test('measures the delay of witness blocks and counts double production', async (t) => {
  const peers = new PeerMetrics({ hasMeters: true, now: () => 10_000 });
  for (const lateMs of [10, 900, 1000, 2999, 3000, 9000]) {
    peers.blockArrives(block(`id${lateMs}`, 10_000 - lateMs, 1));
  }
  peers.blockArrives(block('again', 1000, 5));
  peers.blockArrives(block('again', 1000, 5));
  const { latency, witnessLatencies, versions, duplicates } = peers.statistics();
  t.same(latency, { count: 8, top75: 9000, top95: 9000, top99: 9000, delay1S: 1, delay2S: 1, delay3S: 4 });
  t.same(witnessLatencies, [{ witness: WITNESS, ...latency }]);
  t.same(versions, [{ address: WITNESS, version: 28 }]);
  t.same(duplicates, [{ address: WITNESS, blockNum: 5, count: 1 }]);
  t.same([...peers.takeDuplicates().values()], [1]);
  t.equal(peers.takeDuplicates().size, 0);
});

t.test('updates only the newest block version of each witness if metrics are disabled', async (t) => {
  const peers = new PeerMetrics({ hasMeters: false, now: () => 10_000 });
  peers.bytes('tcpIn', 300);
  peers.second();
  peers.disconnected('TIME_OUT');
  peers.refused('NO_SUCH_MESSAGE', true);
  peers.blockArrives(block('one', 1000, 5));
  peers.blockArrives(block('two', 1000, 5));
  const { tcpIn, disconnections, errorProtoCount, latency, witnessLatencies, versions, duplicates } =
    peers.statistics();
  t.same([tcpIn.count, errorProtoCount, latency.count], [0n, 0, 0]);
  t.same([disconnections, witnessLatencies, duplicates], [[], [], []]);
  t.same(versions, [{ address: WITNESS, version: 28 }]);
});

t.test('counts outgoing messages, meters UDP input and renames two rejections in release 4.8.2', async (t) => {
  const peers = new PeerMetrics({ hasMeters: true, release: peerRelease('4.8.2'), now: () => 10_000 });
  peers.bytes('tcpOut', 20);
  peers.bytes('udpIn', 7);
  peers.second();
  t.same(await lines(peers, 'tron:tcp_bytes_sum'), [
    'tron:tcp_bytes_sum{type="in"} 0',
    'tron:tcp_bytes_sum{type="out"} 20',
  ]);
  t.equal(peers.statistics().udpIn.count, 7n);
  peers.refused('BLOCK_SIGN_ERROR', false);
  peers.refused('BLOCK_MERKLE_ERROR', false);
  t.same(await lines(peers, 'tron:p2p_error_total'), [
    'tron:p2p_error_total{type="block_sign_invalid"} 1',
    'tron:p2p_error_total{type="block_merkle_invalid"} 1',
  ]);
  const older = new PeerMetrics({ hasMeters: true, now: () => 10_000 });
  older.bytes('udpIn', 7);
  older.second();
  older.refused('BLOCK_SIGN_ERROR', false);
  t.equal(older.statistics().udpIn.count, 0n);
  t.same(await lines(older, 'tron:p2p_error_total'), ['tron:p2p_error_total{type="block_sign_error"} 1']);
});
