import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Logger } from 'pino';
import type { Chain } from '../../src/chain/chain.js';
import type { Clock } from '../../src/chain/clock.js';
import { NO_FLAGS } from '../../src/config/flags.js';
import { loadConfig, type NodeConfig } from '../../src/config/load-config.js';
import { TronicleNode } from '../../src/node/lifecycle/node.js';
import { LedgerChain } from '../../src/node/peers/ledger-chain.js';
import { peerLimits } from '../../src/node/peers/peer-limits.js';
import { SignaturePool } from '../../src/node/threads/signatures/signature-pool.js';
import type { ByteLink } from '../../src/p2p/links/stream-socket.js';
import { PeerNetwork } from '../../src/p2p/peer-network.js';
import { peerRelease } from '../../src/p2p/releases/releases.js';
import { fromHex, toHex } from '../../src/primitives/bytes.js';
import { tampered } from './attacker.js';
import type { Half } from './plan.js';
import { NETWORK, PORT, type SimAccount } from './sim-config.js';
import type { SimHost, SimNet } from './sim-net.js';

/** One run of a node, from a start to a crash or stop. */
class Life implements SimHost {
  readonly host: string;
  skewMs: number;
  isDown = false;
  accept: ((link: ByteLink) => void) | undefined;

  constructor(host: string, skewMs: number) {
    this.host = host;
    this.skewMs = skewMs;
  }
}

/** The parts of a running node. */
interface Running {
  readonly life: Life;
  readonly node: TronicleNode;
  readonly network: PeerNetwork;
}

export interface SimNodeOptions {
  readonly at: number;
  readonly folder: string;
  readonly config: string;
  /** Witnesses for which the node produces. If empty, the node produces no blocks. */
  readonly witnesses: readonly SimAccount[];
  /** Numbers of the nodes that this node dials. */
  readonly dials: readonly number[];
  /** Numbers of the nodes whose connections this node trusts. */
  readonly trusts: readonly number[];
  readonly net: SimNet;
  readonly log: Logger;
  /** Time in ms after which the node may repeat a request. */
  readonly requestLifeMs?: number;
  /** Function that is called at each start, before the node connects. */
  readonly joined?: (node: SimNode, network: PeerNetwork) => void;
  /** Returns true while the node changes the witness signature of each block that it sends. */
  readonly tampers?: () => boolean;
  /** Function that is called at each start, before any other event. */
  readonly started: (node: SimNode, chain: Chain) => void;
}

export const hostOf = (at: number): string => `10.0.0.${at + 1}`;

/** A node whose time, connections and crashes are simulated. All other parts are those of a real node. */
export class SimNode {
  readonly at: number;
  readonly host: string;
  private skewMs = 0;
  private readonly options: SimNodeOptions;
  private running: Running | undefined;
  private lives = 0;
  /** True if `keepHalf` has already copied the disk for the next start. */
  private isKept = false;

  constructor(options: SimNodeOptions) {
    this.options = options;
    this.at = options.at;
    this.host = hostOf(options.at);
  }

  get isUp(): boolean {
    return this.running !== undefined;
  }

  /** Returns the parts of the running node. @throws {Error} the node is not running */
  get up(): Running {
    if (this.running === undefined) throw new Error(`node ${this.at} is down`);
    return this.running;
  }

  get chain(): Chain {
    return this.up.node.chain;
  }

  get head(): string {
    return toHex(this.chain.ledger.position.headId);
  }

  get headNumber(): number {
    return this.chain.ledger.position.headNumber;
  }

  /** Sets the clock of the node. @param ms time in ms by which the clock is ahead of the simulated time */
  setSkew(ms: number): void {
    this.skewMs = ms;
    if (this.running !== undefined) this.running.life.skewMs = ms;
  }

  /** Opens the data folder and connects to the network. */
  async start(): Promise<void> {
    const { net, started, witnesses } = this.options;
    const life = new Life(this.host, this.skewMs);
    const config = this.writtenConfig();
    const clock: Clock = {
      now: () => Date.now(),
      // `performance.now` also includes the simulated duration of work, by which `Date.now` does not advance.
      monotonicMs: () => net.time.nowMs,
      untilMs: (timeMs) => Math.max(0, timeMs - Date.now()),
    };
    net.add(life);
    const node = await TronicleNode.open({ config, dataDir: this.dataDir, log: this.options.log, clock });
    for (const { privateKey } of witnesses) node.keys.add(privateKey);
    started(this, node.chain);
    net.time.after(0, life, () => {
      const network = this.join(node, life);
      this.running = { life, node, network };
      this.options.joined?.(this, network);
      life.accept = (link) => network.transport.accept(link);
      node.announce = (block) => network.announceBlock(block);
      void network.start();
      if (witnesses.length > 0) node.startProducing();
    });
  }

  /** Ends the node without a flush. Data that is not on disk is lost. */
  async crash(): Promise<void> {
    const { life } = this.up;
    const { dataDir } = this;
    if (!this.isKept) this.keepDisk();
    this.isKept = false;
    this.lives++;
    await this.end();
    life.isDown = true;
    rmSync(dataDir, { recursive: true, force: true });
  }

  /**
   * Copies the data folder during the next flush. The node starts from this copy after a simulated crash. The parts of
   * the ledger that write are private members, so they are read by name.
   * @param reached called after the copy
   * @returns function that cancels the copy
   */
  keepHalf(half: Half, reached: () => void): () => void {
    const part = Reflect.get(this.chain.ledger, 'parts')[half === 'log' ? 'checkpoints' : 'state'];
    const method = half === 'log' ? 'write' : 'commit';
    const original = part[method];
    const restore = (): void => {
      part[method] = original;
    };
    part[method] = (...args: unknown[]) => {
      restore();
      this.keepDisk();
      reached();
      return original.apply(part, args);
    };
    return restore;
  }

  private keepDisk(): void {
    const next = this.folderOf(this.lives + 1);
    mkdirSync(next, { recursive: true });
    cpSync(this.dataDir, next, { recursive: true, filter: (file) => !file.endsWith('lock.mdb') });
    this.isKept = true;
  }

  /** Stops the node and closes its data folder. */
  async end(): Promise<void> {
    if (this.running === undefined) return;
    const { life, node } = this.running;
    life.isDown = true;
    life.accept = undefined;
    this.running = undefined;
    this.options.net.crashed(life);
    await node.chain.ledger.close();
  }

  private get dataDir(): string {
    return this.folderOf(this.lives);
  }

  private folderOf(life: number): string {
    return join(this.options.folder, `${this.at}-${life}`);
  }

  private writtenConfig(): NodeConfig {
    const { folder, config, witnesses } = this.options;
    const file = join(folder, `${this.at}.conf`);
    const keys = witnesses.map(({ privateKey }) => privateKey).join(', ');
    const isFirst = this.lives === 0;
    writeFileSync(file, `${config}\nlocalwitness = [ ${keys} ]\nblock.needSyncCheck = ${!isFirst}\n`);
    const flags = witnesses.length > 0 ? { witness: true } : {};
    return loadConfig({ file, flags: { ...NO_FLAGS, ...flags } }).config;
  }

  private join(node: TronicleNode, life: Life): PeerNetwork {
    const { dials, trusts, net, log, tampers, requestLifeMs = 300_000 } = this.options;
    const { config, chain, clock, target } = node;
    const signatures = new SignaturePool({ threads: 0, addressPrefix: config.addressPrefix });
    const { counts } = node.peers;
    const local = new LedgerChain({
      chain,
      signatures,
      target,
      targetReached: () => undefined,
      blockReceived: (block) => node.blockReceived(block),
      observer: counts,
      log,
      now: clock.now,
    });
    if (tampers !== undefined) {
      const block = local.block.bind(local);
      local.block = (id) => {
        const bytes = block(id);
        return bytes !== undefined && tampers() ? tampered(bytes) : bytes;
      };
    }
    const id = toHex(Buffer.alloc(64, this.at + 1));
    return new PeerNetwork({
      chain: local,
      release: peerRelease(config.tronicle.release, peerLimits(config)),
      networkId: NETWORK,
      self: () => ({ id, ipv4: this.host, ipv6: undefined, port: PORT }),
      listenPort: 0,
      activeNodes: dials.map((at) => ({ host: hostOf(at), port: PORT })),
      trustedHosts: trusts.map(hostOf),
      relayNodes: [],
      relayWitnesses: 2,
      isRelay: false,
      witness: undefined,
      isMaster: () => true,
      candidates: () => [],
      listed: () => [],
      checksIsland: false,
      detects: false,
      minConnections: 0,
      minActiveConnections: 0,
      maxConnections: 40,
      maxConnectionsWithSameIp: 2,
      evictsWhenFull: false,
      syncFetchBatchNum: 2000,
      blockCacheTimeoutMs: requestLifeMs,
      fetchBlockTimeoutMs: 500,
      transactionsMax: 1000,
      connect: (target) => net.connect(life, target),
      observer: counts,
      log,
      now: () => Date.now(),
    });
  }
}

export const keyBytes = ({ privateKey }: SimAccount): Uint8Array => fromHex(privateKey);
