import { fromHex } from '../../../src/primitives/bytes.js';
import { PeerNode } from '../../support/peers/peer-node.js';
import { anonymousBytes } from './anonymous-memory.js';
import { Endings } from './endings.js';
import type { FloodedState, NodeOrder } from './flooded-node.js';

/** Interval of memory measurements, in ms. */
const MEASURE_MS = 50;
/** Runs a node of the given release in a separate process. Executes commands and reports the state of the node. */
const [, , release = '', more = ''] = process.argv;
const failures: string[] = [];
const noted = (what: string) => (error: unknown) => {
  failures.push(`${what}: ${error instanceof Error ? error.stack : String(error)}`);
};
process.on('uncaughtException', noted('uncaught'));
process.on('unhandledRejection', noted('unhandled'));

const endings = new Endings();
const made = await PeerNode.open(endings, { more: `tronicle.release = "${release}"\n${more}` });
const traffic = { udpIn: 0, udpOut: 0, datagramsIn: 0 };
const { counts } = made.node.peers;
const counted = counts.bytes.bind(counts);
counts.bytes = (kind, count) => {
  if (kind === 'udpIn' || kind === 'udpOut') traffic[kind] += count;
  if (kind === 'udpIn') traffic.datagramsIn++;
  counted(kind, count);
};
await made.join();
let bytesMost = 0;
const measure = (): void => {
  bytesMost = Math.max(bytesMost, anonymousBytes());
};
const timer = setInterval(measure, MEASURE_MS);
endings.teardown(() => clearInterval(timer));

/** Returns the state of the node. Collects garbage before it measures the memory. */
function state(ids: readonly string[] = []): FloodedState {
  measure();
  const most = bytesMost;
  globalThis.gc?.();
  bytesMost = anonymousBytes();
  const { chain } = made.node;
  const { user, system } = process.cpuUsage();
  return {
    port: made.port,
    failures,
    bytes: bytesMost,
    bytesMost: most,
    cpuMs: (user + system) / 1000,
    head: made.headNumber,
    headId: made.head,
    parentId: chain.recent.head.parentIdHex,
    headTimeMs: chain.recent.head.timeMs,
    ...traffic,
    known: ids.filter((id) => chain.recent.get(id) !== undefined || chain.ledger.numberOf(fromHex(id)) !== undefined)
      .length,
    pending: chain.mempool.pending.size + chain.mempool.repush.size,
    peers: made.network.peers.active().length,
  };
}

process.on('message', (order: NodeOrder) => {
  void (async () => {
    if (order.do === 'produce') await made.produce(order.count ?? 1);
    if (order.do === 'end') await endings.run();
    process.send?.(state(order.ids));
    if (order.do === 'end') process.disconnect?.();
  })().catch(noted('order'));
});
process.send?.(state());
