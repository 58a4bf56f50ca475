import { Duplex } from 'node:stream';
import t from 'tap';
import type { ByteLink } from '../../../../src/p2p/links/stream-socket.js';
import { libp2p228 } from '../../../../src/p2p/releases/transport-rules.js';
import { Channel } from '../../../../src/p2p/transport/channel.js';
import { ByteBudget } from '../../../../src/primitives/byte-budget.js';
import { varint } from '../../../../src/primitives/bytes.js';
import { until } from '../../../support/until.js';

const FRAME_BYTES = 100_000;
const FRAME = Buffer.concat([Buffer.from(varint(FRAME_BYTES)), Buffer.alloc(FRAME_BYTES, 1)]);

/** A link without a remote end. It discards the written data, except while `isBlocked`. */
class Link extends Duplex implements ByteLink {
  readonly remoteAddress = '10.0.0.1';
  readonly remotePort = 1;
  isBlocked = false;
  private unblocked: (() => void) | undefined;

  unblock(): void {
    this.isBlocked = false;
    this.unblocked?.();
  }

  destroySoon(): void {
    this.destroy();
  }

  override _read(): void {}

  override _write(_chunk: Uint8Array, _encoding: BufferEncoding, done: () => void): void {
    if (this.isBlocked) this.unblocked = done;
    else done();
  }
}

function opened(budget: ByteBudget, handled: (channel: Channel) => void | Promise<void> = () => undefined) {
  const failures: unknown[] = [];
  const socket = new Link();
  const channel = new Channel({
    socket,
    rules: libp2p228,
    isActive: false,
    isTrusted: () => false,
    now: () => 0,
    clock: () => 0,
    bytes: () => undefined,
    budget,
    events: {
      message: handled,
      closing: () => undefined,
      closed: () => undefined,
      failed: (_, error) => failures.push((error as Error).message),
    },
  });
  channel.shookHands();
  return { socket, channel, failures, receive: (bytes: Uint8Array) => socket.emit('data', bytes) };
}

t.test('closes the channel with the most unread data when the data of all channels is too large', async (t) => {
  const budget = new ByteBudget({ bytesMax: 3 * FRAME_BYTES });
  const honest = opened(budget);
  honest.receive(FRAME.subarray(0, 50_000));
  const peers = [1, 2, 3].map(() => opened(budget));
  for (const { receive } of peers) receive(FRAME.subarray(0, FRAME_BYTES));
  t.equal(peers.filter(({ channel }) => channel.isClosed).length, 1);
  t.notOk(honest.channel.isClosed);
  t.ok(budget.bytes <= 3 * FRAME_BYTES, `${budget.bytes} bytes`);
  honest.receive(FRAME.subarray(50_000));
  t.ok(budget.bytes <= 2 * FRAME_BYTES + 10, 'a complete frame is not counted');
});

t.test('closes a channel whose frame does not arrive, but not while a message is handled', async (t) => {
  let now = 0;
  const budget = new ByteBudget({ bytesMax: 10 * FRAME_BYTES, stallMs: 10_000, now: () => now });
  const stalled = opened(budget);
  stalled.receive(FRAME.subarray(0, 50_000));
  const busy = opened(budget, () => new Promise(() => undefined));
  busy.receive(Buffer.concat([Buffer.from([1, 1]), FRAME.subarray(0, 50_000)]));
  now = 10_001;
  budget.dropStalled();
  t.same(stalled.failures, ['incomplete message without progress']);
  t.same(busy.failures, []);
});

t.test('stops reading a peer that does not read the answers to its many short requests', async (t) => {
  const answer = Uint8Array.of(0xfe);
  let answers = 0;
  const { socket, channel, receive } = opened(new ByteBudget({ bytesMax: 100 * FRAME_BYTES }), (asking) => {
    answers++;
    asking.send(answer);
  });
  socket.isBlocked = true;
  const requests = 50_000;
  receive(Buffer.alloc(2 * requests, Buffer.from([1, 1])));
  t.ok(answers < 20_000, `${answers} answers are in memory`);
  t.ok(socket.isPaused());
  t.notOk(channel.isClosed);
  socket.unblock();
  await until('the answers to all requests', () => answers === requests);
  t.notOk(socket.isPaused());
});
