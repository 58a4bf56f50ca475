import { setTimeout as sleep } from 'node:timers/promises';
import { wrapMessage } from '../../../src/p2p/transport/compression.js';
import { encodeFrame } from '../../../src/p2p/transport/frames.js';
import { toHex } from '../../../src/primitives/bytes.js';
import type { RandomChoices } from '../differential/random-choices.js';
import type { Callee } from './callee.js';
import { Difference } from './difference.js';
import { PeerLine } from './peer-line.js';
import { comparableReceived } from './shown-message.js';
import type { TwoNodes } from './two-nodes.js';

/** Maximum time in ms until both nodes have sent the same messages. */
const TIMEOUT_MS = 3500;
const POLL_MS = 10;

interface Pair {
  readonly theirs: PeerLine;
  readonly ours: PeerLine;
  readonly host: string;
  requests: number;
}

export interface Turn {
  /** Time in ms without new messages after which both nodes have sent all their messages. */
  readonly quietMs?: number;
  /** Maximum time in ms until both nodes have sent the same messages. */
  readonly timeoutMs?: number;
  /**
   * False for connections on which the node answers no ping. Otherwise, the comparison sends a ping to detect that
   * the node has sent all answers.
   */
  readonly isPinged?: boolean;
}

/**
 * Peers with one connection to each node. They send the same messages to both nodes and compare the received messages.
 */
export class Stage {
  readonly nodes: TwoNodes;
  readonly random: RandomChoices;
  /** Steps so far. They are part of the report of a mismatch. */
  readonly story: string[] = [];
  private isLast = false;
  private readonly pairs = new Map<string, Pair>();
  private readonly nextHost: () => string;

  constructor(nodes: TwoNodes, random: RandomChoices, nextHost: () => string) {
    this.nodes = nodes;
    this.random = random;
    this.nextHost = nextHost;
  }

  /** Connects a peer to both nodes. @param from local address; by default one that is not banned */
  async dial(name: string, from = this.nextHost()): Promise<string> {
    const { ports } = this.nodes;
    const [theirs, ours] = await Promise.all([PeerLine.dial(ports.theirs, from), PeerLine.dial(ports.ours, from)]);
    this.pairs.set(name, { theirs, ours, host: from, requests: 0 });
    this.story.push(`${name} dials from ${from}`);
    return from;
  }

  /** Requests a restart of java-tron after this act, because its state would change the results of later acts. */
  requestRestart(): void {
    this.isLast = true;
  }

  get needsRestart(): boolean {
    return this.isLast;
  }

  /**
   * Checks that both nodes dial the peer in time, or that neither node dials it.
   * @param words message that the peer sends to each node at once
   * @returns true if both nodes dial
   * @throws {Difference} only one node dials, or the messages differ
   */
  async answerDials(name: string, callee: Callee, timeoutMs: number, words?: Uint8Array): Promise<boolean> {
    const { theirs, ours } = await callee.next(timeoutMs, words);
    if (theirs === undefined && ours === undefined) return false;
    if (theirs === undefined) this.differs('only this node dials');
    if (ours === undefined) this.differs('only java-tron dials');
    this.pairs.set(name, { theirs, ours, host: callee.host, requests: 0 });
    this.story.push(`both dial ${name}`);
    await this.compare();
    return true;
  }

  /** Makes a peer answer pings of the nodes from now on. */
  awake(name: string): void {
    const { theirs, ours } = this.pair(name);
    theirs.isAwake = true;
    ours.isAwake = true;
  }

  /** @throws {Difference} always, with the steps so far and `what` */
  differs(what: string): never {
    throw new Difference(`${this.story.join('\n')}\n${what}`);
  }

  /**
   * Waits until both nodes have closed the connection, at most `waitMs`. Then compares the messages.
   * @throws {Difference} the messages differ
   */
  async until(name: string, waitMs: number): Promise<void> {
    const { theirs, ours } = this.pair(name);
    const untilMs = Date.now() + waitMs;
    this.story.push(`both must disconnect ${name} within ${waitMs} ms`);
    while (Date.now() < untilMs && !(theirs.isEnded && ours.isEnded)) await sleep(POLL_MS);
    await this.compare();
  }

  /** Times in ms since 1970 at which the last message of each node arrived. */
  lastMs(name: string): { readonly theirs: number; readonly ours: number } {
    const { theirs, ours } = this.pair(name);
    return { theirs: theirs.lastMs, ours: ours.lastMs };
  }

  hasEnded(name: string): boolean {
    return this.pair(name).theirs.isEnded;
  }

  /** Returns true if a peer of this name exists and neither node has closed its connection. */
  isThere(name: string): boolean {
    const pair = this.pairs.get(name);
    return pair !== undefined && !pair.theirs.isEnded && !pair.ours.isEnded;
  }

  /** Returns an unused address. */
  host(): string {
    return this.nextHost();
  }

  hostOf(name: string): string {
    return this.pair(name).host;
  }

  /** Closes both connections of a peer without a disconnect message. */
  async leave(name: string): Promise<void> {
    const { theirs, ours } = this.pair(name);
    this.story.push(`${name} leaves`);
    theirs.close();
    ours.close();
    await this.compare();
  }

  /** Returns the frames that this node has sent to a peer. */
  framesOf(name: string): readonly Uint8Array[] {
    return this.pair(name).ours.frames;
  }

  /** Sends messages to both nodes, each in a frame of the format after the handshake. Compares the answers. */
  say(name: string, what: string, messages: readonly Uint8Array[], turn: Turn = {}): Promise<void> {
    const bytes = Buffer.concat(messages.map((message) => encodeFrame(...wrapMessage(message))));
    return this.write(name, `${what} ${toHex(Buffer.concat(messages)).slice(0, 300)}`, bytes, {
      isPinged: true,
      ...turn,
    });
  }

  /** Sends raw bytes to both nodes and compares the answers. */
  async write(name: string, what: string, bytes: Uint8Array, turn: Turn = {}): Promise<void> {
    this.story.push(`${name}: ${what}`);
    const { theirs, ours } = this.pair(name);
    theirs.write(bytes);
    ours.write(bytes);
    await this.compare(turn, name);
  }

  /**
   * Waits until each peer has received the same messages from both nodes.
   * @throws {Difference} the messages still differ after the maximum time
   */
  async compare(turn: Turn = {}, pinged?: string): Promise<void> {
    const { quietMs = 120, timeoutMs = TIMEOUT_MS, isPinged = false } = turn;
    const started = Date.now();
    if (isPinged && pinged !== undefined) await this.request(pinged);
    for (;;) {
      await sleep(POLL_MS);
      const wrong = this.firstDiffering();
      const lines = [...this.pairs.values()].flatMap(({ theirs, ours }) => [theirs, ours]);
      const quietSince = Math.max(started, ...lines.map(({ lastMs }) => lastMs));
      if (wrong === undefined && Date.now() - quietSince >= quietMs) return;
      if (wrong !== undefined && Date.now() - started > timeoutMs) this.differs(wrong);
    }
  }

  /** Checks that both nodes have the same head and the same pending transactions. @throws {Difference} they differ */
  async compareNodes(): Promise<void> {
    const started = Date.now();
    for (;;) {
      const theirs = await this.nodes.theirs.facts();
      const ours = this.nodes.ownFacts();
      const [a, b] = [JSON.stringify(theirs), JSON.stringify(ours)];
      if (a === b) return;
      if (Date.now() - started > TIMEOUT_MS)
        throw new Difference(`${this.story.join('\n')}\n reference ${a}\n ours      ${b}`);
      await sleep(POLL_MS);
    }
  }

  close(): void {
    for (const { theirs, ours } of this.pairs.values()) {
      theirs.close();
      ours.close();
    }
    this.pairs.clear();
  }

  /**
   * Sends a ping to both nodes and waits for both answers. The answer to a ping arrives after all answers to earlier
   * messages. Also returns if a connection ends.
   */
  private async request(name: string): Promise<void> {
    const pair = this.pair(name);
    await sleep(2 * POLL_MS);
    pair.requests++;
    const lines = [pair.theirs, pair.ours];
    for (const line of lines) line.ping();
    const until = Date.now() + TIMEOUT_MS;
    while (Date.now() < until && lines.some((line) => !line.isEnded && line.pongs < pair.requests))
      await sleep(POLL_MS);
  }

  private firstDiffering(): string | undefined {
    for (const [name, { theirs, ours }] of this.pairs) {
      const [expected, found] = [comparableReceived(theirs.received), comparableReceived(ours.received)];
      if (expected.join() === found.join() && (theirs.isEnded || theirs.pongs === ours.pongs)) continue;
      const count = Math.max(expected.length, found.length);
      const at = Array.from({ length: count }, (_, index) => expected[index] === found[index]).indexOf(false);
      const shown = (received: readonly string[], { pongs }: PeerLine): string =>
        `[${at}] ${received.slice(at < 0 ? count : at).join(' | ')} (${pongs} pongs)`;
      return `${name} received\n reference ${shown(expected, theirs)}\n ours      ${shown(found, ours)}`;
    }
    return undefined;
  }

  private pair(name: string): Pair {
    const found = this.pairs.get(name);
    if (found === undefined) throw new Error(`no peer has the name ${name}`);
    return found;
  }
}
