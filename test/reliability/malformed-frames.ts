import assert from 'node:assert/strict';
import { wrapMessage } from '../../src/p2p/transport/compression.js';
import { encodeFrame } from '../../src/p2p/transport/frames.js';
import { encodeKeepAlive } from '../../src/p2p/transport/framework-message.js';
import { RawPeer } from '../support/p2p/raw-peer.js';
import { NETWORK } from '../support/peers/peer-node.js';
import { createRandom } from './random.js';
import type { Measurement } from './run.js';
import { endOf } from './support/end-of.js';
import { Endings } from './support/endings.js';
import { expectedEnds, type Release } from './support/expected-ends.js';
import { FloodedNode, type FloodedState } from './support/flooded-node.js';
import { HostilePeer } from './support/hostile-peer.js';
import { type MalformedFrame, malformedFrame } from './support/malformed-frames.js';

const RELEASES: readonly Release[] = ['4.7.2', '4.8.2'];
/** Number of parallel connections. It is below the connection limit of the node. */
const LANES = 16;
/**
 * Maximum number of frames before the first measurement of the memory. These frames load and compile the code, so the
 * growth after this measurement does not include the memory for it.
 */
const WARM_MAX = 500;
const WARM_SHARE = 0.1;
/**
 * Number of frames between two measurements of the memory. A garbage collection precedes each measurement, so memory
 * that grows from one measurement to the next is a leak.
 */
const MEASURE_FRAMES = 2500;
const GROWTH_MAX = 64 * 1024 * 1024;
/**
 * Ping that follows each complete frame. The answer (a pong) shows that the node still processes messages of the
 * connection.
 */
const PING = encodeFrame(...wrapMessage(encodeKeepAlive('ping', 1)));
const MB = 1024 * 1024;

export const malformedFrames: Measurement = {
  title: 'handles malformed peer frames by 4.7.2 and 4.8.2: flipped bits, truncation, wrong lengths and compression',
  gate: 100_000,
  night: 10_000_000,
  async run({ count, random }) {
    const seed = Math.floor(random() * 2 ** 32);
    const lines: string[] = [];
    for (const release of RELEASES) {
      const run = new Run(release, seed);
      lines.push(await run.all(Math.ceil(count / RELEASES.length)));
    }
    return lines.join('; ');
  },
};

/** Sends frames to one node. Each frame depends only on the seed and the index of the frame. */
class Run {
  private readonly release: Release;
  private readonly seed: number;
  private readonly ends = new Map<string, number>();
  private readonly wrong: string[] = [];
  private next = 0;
  private hosts = 0;

  constructor(release: Release, seed: number) {
    this.release = release;
    this.seed = seed;
  }

  async all(count: number): Promise<string> {
    const endings = new Endings();
    try {
      const node = await FloodedNode.start(endings, this.release);
      await node.produce(3);
      await this.until(node, Math.min(WARM_MAX, Math.ceil(count * WARM_SHARE)));
      const before = await node.state();
      const states: FloodedState[] = [];
      while (this.next < count) {
        await this.until(node, Math.min(count, this.next + MEASURE_FRAMES));
        states.push(await node.state());
      }
      return `${this.judged(before, states, count)}; ${node.memoryPeak()}`;
    } finally {
      await endings.run();
    }
  }

  private judged(before: FloodedState, states: readonly FloodedState[], count: number): string {
    const after = states.at(-1)!;
    const ends = [...this.ends].sort(([, a], [, b]) => b - a).map(([end, times]) => `${end} ${times}`);
    const growth = Math.max(...states.map(({ bytes }) => bytes)) - before.bytes;
    const peak = Math.max(...states.map(({ bytesMost }) => bytesMost)) - before.bytes;
    const figures =
      `${this.release}: ${count} frames on ${this.hosts} connections, ${after.failures.length} failures, ` +
      `${this.wrong.length} ends that java-tron does not have, at most +${(growth / MB).toFixed(1)} MB after a garbage collection ` +
      `(+${(peak / MB).toFixed(1)} MB with garbage); ${ends.join(', ')}`;
    assert.deepEqual(after.failures, [], figures);
    assert.deepEqual(this.wrong.slice(0, 20), [], figures);
    assert.ok(growth < GROWTH_MAX, figures);
    assert.equal(after.head, before.head, figures);
    return figures;
  }

  private async until(node: FloodedNode, count: number): Promise<void> {
    await Promise.all(Array.from({ length: LANES }, () => this.lane(node.port, count)));
  }

  private async lane(port: number, count: number): Promise<void> {
    while (this.next < count) {
      const place = this.next++;
      const frame = malformedFrame(createRandom(this.seed + place));
      if (frame.isFirst) await this.first(port, frame, place);
      else await this.later(port, frame, place);
    }
  }

  /** Returns a local address that the node has not banned. */
  private host(): string {
    const at = ++this.hosts;
    return `127.${1 + ((at >> 16) & 127)}.${(at >> 8) & 255}.${at & 255}`;
  }

  private async first(port: number, frame: MalformedFrame, place: number): Promise<void> {
    const raw = await RawPeer.dial(port, this.host());
    raw.write(frame.bytes);
    const expected = expectedEnds(frame.bytes, this.release, true);
    // For `waits`, no end is expected: the node waits for more bytes, or answers a message that may be a HELLO.
    if (!expected.has('waits')) this.note(frame, place, expected, await endOf(raw, false));
    raw.close();
  }

  private async later(port: number, frame: MalformedFrame, place: number): Promise<void> {
    const peer = await HostilePeer.dial({ port, networkId: NETWORK, from: this.host() });
    const stream = frame.isCut ? frame.bytes : Buffer.concat([frame.bytes, PING]);
    peer.raw.write(stream);
    const expected = expectedEnds(stream, this.release, false);
    if (expected.has('waits')) this.count('waits');
    else this.note(frame, place, expected, await endOf(peer.raw, true));
    peer.close();
  }

  private note({ kind, bytes }: MalformedFrame, place: number, expected: ReadonlySet<string>, end: string): void {
    this.count(end);
    if (expected.has(end)) return;
    const start = Buffer.from(bytes.subarray(0, 200)).toString('hex');
    this.wrong.push(`${kind}, number ${place}: ${end} instead of ${[...expected].join(' or ')} for ${start}`);
  }

  private count(end: string): void {
    this.ends.set(end, (this.ends.get(end) ?? 0) + 1);
  }
}
