import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { produceBlock } from '../../src/chain/production/produce-block.js';
import type { PeerNetwork } from '../../src/p2p/peer-network.js';
import { type MessageName, WireMessageType } from '../../src/p2p/wire/message-types.js';
import type { Reason } from '../../src/p2p/wire/messages.js';
import { addressBytes } from '../../src/primitives/address.js';
import { fromHex, toHex } from '../../src/primitives/bytes.js';
import type { DecodedBlock } from '../../src/state-transition/block/decoded-block.js';
import { SLOT_MS, scheduledWitness, slotAt, slotTime } from '../../src/state-transition/consensus/schedule.js';
import { createRandom } from '../reliability/random.js';
import { Checker } from './checker.js';
import { configText, type SimAccount, witnessOf } from './sim-config.js';
import { SimFailure } from './sim-failure.js';
import { SimNet } from './sim-net.js';
import { SimNode } from './sim-node.js';
import { SimTime } from './sim-time.js';

const GENESIS_MS = 1_800_000_000_000;
/** Delay of each message in ms. */
const DELAY_MS = 20;
/** Time in ms in which all nodes connect and sync. */
const GREETING_MS = 4000;
const STEP_MS = 10;
const WITNESSES = 5;
const MEMORY = '/dev/shm';

/** Nodes and links of a scenario. */
export interface StageOptions {
  readonly nodes: number;
  /** Pairs of node numbers. The first node dials the second. */
  readonly links: readonly (readonly [from: number, to: number])[];
  /** Numbers of nodes that `start` omits, because the scenario starts them later. */
  readonly late?: readonly number[];
  readonly release?: '4.7.2' | '4.8.2';
  readonly requestLifeMs?: number;
  /** Numbers of nodes that change the signature of each block that they send on request. */
  readonly tampering?: readonly number[];
}

/** A message that one node has sent to another. */
export interface Sent {
  readonly from: number;
  readonly to: number;
  readonly type: MessageName;
  readonly bytes: Uint8Array;
}

/** Messages that are being delayed. */
export interface DelayedMessages {
  /** Sends all delayed messages. Later messages are no longer delayed. */
  release(): void;
  /** Sends the first of the delayed messages. */
  releaseOne(): void;
  readonly count: number;
}

/** End of a connection, as one of its nodes observes it. */
export interface Disconnect {
  readonly at: number;
  readonly from: number;
  readonly reason: Reason | undefined;
}

const nameOf = new Map(Object.entries(WireMessageType).map(([name, byte]) => [byte as number, name as MessageName]));

/**
 * A few nodes that produce no blocks on their own. The scenario produces the blocks, and delays single messages. Any
 * node can produce a block, because all have the key of every witness.
 */
export class Stage {
  readonly nodes: readonly SimNode[];
  readonly sent: Sent[] = [];
  readonly disconnects: Disconnect[] = [];
  readonly story: string[] = [];
  private readonly folder: string;
  private readonly time: SimTime;
  private readonly checker: Checker;
  private readonly keys: ReadonlyMap<string, SimAccount>;
  private readonly rules = new Set<(message: Sent, go: () => void) => boolean>();
  private readonly late: readonly number[];

  constructor({ nodes, links, late = [], release = '4.7.2', requestLifeMs = 300_000, tampering = [] }: StageOptions) {
    this.folder = mkdtempSync(join(existsSync(MEMORY) ? MEMORY : tmpdir(), 'tronicle-stage-'));
    this.late = late;
    this.time = new SimTime(GENESIS_MS + 1000, createRandom(1));
    const net = new SimNet(this.time, { delayMs: [DELAY_MS, DELAY_MS + 1], loss: 0, overtaking: 0 }, createRandom(2));
    const accounts = Array.from({ length: WITNESSES }, (_, at) => witnessOf(at));
    this.keys = new Map(accounts.map((account) => [toHex(account.bytes), account]));
    this.checker = new Checker({
      genesisMs: GENESIS_MS,
      witnesses: accounts.map(({ bytes }) => bytes),
      log: (line) => this.log(line),
    });
    const maintenanceMs = 21_600_000;
    const config = configText({ genesisMs: GENESIS_MS, witnesses: WITNESSES, maintenanceMs, release });
    const all = Array.from({ length: nodes }, (_, at) => at);
    this.nodes = all.map(
      (at) =>
        new SimNode({
          at,
          folder: this.folder,
          config,
          witnesses: [],
          dials: links.filter(([from]) => from === at).map(([, to]) => to),
          trusts: all,
          net,
          log: this.logOf(at),
          requestLifeMs,
          ...(tampering.includes(at) && { tampers: () => true }),
          joined: (node, network) => this.listen(node, network),
          started: (node, chain) => this.checker.watch(node, chain),
        }),
    );
  }

  /**
   * Starts all nodes except those in `late`. Then runs the network for `GREETING_MS`, in which the nodes connect and
   * sync.
   */
  async start(): Promise<void> {
    for (const { at } of this.nodes) if (!this.late.includes(at)) await this.nodes[at]!.start();
    await this.run(GREETING_MS);
  }

  async end(): Promise<void> {
    for (const node of this.nodes) await node.end();
    rmSync(this.folder, { recursive: true, force: true });
  }

  get nowMs(): number {
    return this.time.nowMs;
  }

  /** Runs the network for a time in ms. @throws {SimFailure} an invariant is broken */
  async run(ms: number): Promise<void> {
    await this.time.run(this.time.nowMs + ms);
    if (this.checker.failure !== undefined) throw this.checker.failure;
  }

  /** Executes a function as an event of a node, at the current time. */
  async act(at: number, what: () => void | Promise<void>): Promise<void> {
    this.time.after(0, this.nodes[at]!.up.life, what);
    await this.run(0);
  }

  /** Runs the network until a condition is met. @throws {SimFailure} the condition is not met in `withinMs` */
  async until(what: string, isTrue: () => boolean, withinMs: number): Promise<void> {
    const limit = this.time.nowMs + withinMs;
    while (!isTrue()) {
      this.expect(`${what} within ${withinMs} ms`, this.time.nowMs < limit);
      await this.run(STEP_MS);
    }
  }

  /** @throws {SimFailure} the condition is not met */
  expect(what: string, isTrue: boolean): void {
    if (!isTrue) throw new SimFailure('condition not met', `${what} (${this.heads()})`);
  }

  /**
   * Waits until a block is the head of all running nodes.
   * @throws {SimFailure} the block is not the head of all running nodes within `withinMs`
   */
  async agree({ idHex }: DecodedBlock, withinMs: number): Promise<void> {
    const isHead = (node: SimNode): boolean => !node.isUp || node.head === idHex;
    await this.until('heads agree', () => this.nodes.every(isHead), withinMs);
  }

  /** Checks that no node has disconnected a peer. @throws {SimFailure} a peer was disconnected */
  expectNoDisconnect(): void {
    this.expect(`no disconnects: ${JSON.stringify(this.disconnects)}`, this.disconnects.length === 0);
  }

  /**
   * Produces the block of the next slot on top of the head of a node. The node announces it.
   * @param aheadMs time in ms by which the clock of the node is ahead
   */
  async make(
    at: number,
    options: { readonly isAnnounced?: boolean; readonly aheadMs?: number } = {},
  ): Promise<DecodedBlock> {
    const { isAnnounced = true, aheadMs = 0 } = options;
    // After a maintenance, two slots have no producer.
    const firstMs = slotTime(this.nodes[at]!.chain.state, 1);
    const nextMs = Math.max(firstMs, Math.ceil((this.time.nowMs + aheadMs + 1) / SLOT_MS) * SLOT_MS);
    await this.run(nextMs - aheadMs - this.time.nowMs);
    const block = this.block(at, nextMs);
    await this.act(at, async () => {
      const { node, network } = this.nodes[at]!.up;
      if (isAnnounced) network.announceBlock(block);
      node.chain.importBlock(block, { isOwn: true });
      await node.chain.ledger.flush();
    });
    return block;
  }

  /** Produces several blocks, one after the other. @returns the last block */
  async produceMany(at: number, count: number): Promise<DecodedBlock> {
    for (let left = count; left > 1; left--) await this.make(at);
    return this.make(at);
  }

  /**
   * Returns a valid block on top of the head of a node, for the slot at a time. The block is not applied or announced.
   */
  block(at: number, timeMs: number): DecodedBlock {
    const { chain } = this.nodes[at]!;
    const { headNumber, headId } = chain.ledger.position;
    const slot = slotAt(chain.state, timeMs);
    const witness = scheduledWitness(chain.state, slot);
    const address = addressBytes(witness);
    return produceBlock(chain.state, chain.mempool, {
      witness,
      key: { privateKey: fromHex(this.keys.get(toHex(address))!.privateKey), address },
      timeMs: slotTime(chain.state, slot),
      parent: { number: headNumber, id: headId, stateRoot: () => chain.headStateRoot() },
      isSorted: false,
      isTimeUp: () => true,
    })!;
  }

  /**
   * Drops or delays the next messages of a kind from one node to another.
   * @param options `count`: number of these messages, unlimited by default; `isLost`: true to drop them, false to delay
   * them until `release`
   */
  keep(
    from: number,
    to: number,
    type: MessageName,
    options: { count?: number; isLost?: boolean } = {},
  ): DelayedMessages {
    const { count = Number.POSITIVE_INFINITY, isLost = false } = options;
    const kept: (() => void)[] = [];
    let accepted = 0;
    const rule = (message: Sent, go: () => void): boolean => {
      if (message.from !== from || message.to !== to || message.type !== type || accepted >= count) return false;
      accepted++;
      if (!isLost) kept.push(go);
      return true;
    };
    this.rules.add(rule);
    const node = this.nodes[from]!;
    const send = (most: number): void => {
      if (!node.isUp) return;
      this.time.after(0, node.up.life, () => {
        for (const go of kept.splice(0, most)) go();
      });
    };
    return {
      release: () => {
        this.rules.delete(rule);
        send(kept.length);
      },
      releaseOne: () => send(1),
      get count() {
        return accepted;
      },
    };
  }

  /**
   * Drops inventories, blocks, and requests for them between two nodes without closing their connection.
   * @returns function `heal`, which lets later messages pass
   */
  partition(one: number, other: number): { readonly heal: () => void } {
    const types = ['INVENTORY', 'BLOCK', 'FETCH_INV_DATA', 'SYNC_BLOCK_CHAIN', 'BLOCK_CHAIN_INVENTORY'] as const;
    const all = types.flatMap((type) => [
      this.keep(one, other, type, { isLost: true }),
      this.keep(other, one, type, { isLost: true }),
    ]);
    return {
      heal: () => {
        for (const delayed of all) delayed.release();
      },
    };
  }

  sentOf(from: number, to: number, type: MessageName): readonly Sent[] {
    return this.sent.filter((one) => one.from === from && one.to === to && one.type === type);
  }

  private listen(node: SimNode, { peers }: PeerNetwork): void {
    const [add, remove] = [peers.add.bind(peers), peers.remove.bind(peers)];
    const numberOf = (host: string): number => this.nodes.findIndex((other) => other.host === host);
    peers.add = (peer) => {
      const send = peer.send.bind(peer);
      peer.send = (bytes) => {
        const type = nameOf.get(bytes[0]!)!;
        const message = { from: node.at, to: numberOf(peer.channel.host), type, bytes };
        this.sent.push(message);
        const go = (): void => send(bytes);
        for (const rule of this.rules) if (rule(message, go)) return;
        go();
      };
      add(peer);
    };
    peers.remove = (channel) => {
      const peer = remove(channel);
      if (peer !== undefined) {
        const reason = peer.disconnectReason ?? peer.remoteReason;
        this.disconnects.push({ at: node.at, from: numberOf(channel.host), reason });
      }
      return peer;
    };
  }

  private heads(): string {
    return this.nodes
      .map((node) => `${node.at}: ${node.isUp ? `${node.headNumber} ${node.head.slice(16, 24)}` : 'down'}`)
      .join(', ');
  }

  private logOf(at: number): pino.Logger {
    const write = (line: string): void => {
      const { level: _, msg, ...rest } = JSON.parse(line);
      this.log(`node ${at} logs: ${msg} ${JSON.stringify(rest)}`);
    };
    return pino({ level: 'info', base: null, timestamp: false }, { write });
  }

  private log(line: string): void {
    this.story.push(`${((this.time.nowMs - GENESIS_MS) / 1000).toFixed(3)} ${line}`);
  }
}
