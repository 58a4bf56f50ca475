import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { broadcastTransaction, RememberedIds } from '../../../src/api/operations/broadcast.js';
import { ReturnResponse_code as Code, Transaction } from '../../../src/codec/generated/messages.js';
import { servedLocally } from '../../../src/node/serving/served-node.js';
import { Resilience } from '../../../src/p2p/peers/resilience.js';
import type { HostPort } from '../../../src/p2p/transport/node-address.js';
import { toAddress } from '../../../src/primitives/address.js';
import { toHex } from '../../../src/primitives/bytes.js';
import type { DecodedBlock } from '../../../src/state-transition/block/decoded-block.js';
import { slotTime } from '../../../src/state-transition/consensus/schedule.js';
import { decodeTransaction } from '../../../src/state-transition/transactions/decode-transaction.js';
import { freePort } from '../../support/free-port.js';
import { silentLog } from '../../support/p2p/silent-log.js';
import { PeerNode, type Scope } from '../../support/peers/peer-node.js';
import { golden } from '../../support/tronicle.js';
import { Difference } from './difference.js';
import { keyOf, makeBlock } from './made-block.js';
import { type NodeFacts, PeeredReference } from './peered-reference.js';

export interface TwoNodesOptions {
  /** Folder of a compiled java-tron. */
  readonly reference: string;
  /** Release of the java-tron in `reference`. */
  readonly release: string;
  readonly folder: string;
  readonly setting: Setting;
}

/** Configuration of both nodes for a group of acts. */
export interface Setting {
  /**
   * Address of all peers. The dialled peer also listens at this address. If undefined, each peer has its own address,
   * and the dialled peer has {@link CALLEE}.
   */
  readonly host?: string;
  /**
   * Returns additional lines of the configuration.
   * @param port port of the dialled peer, which no other listener uses
   */
  readonly more?: (port: number) => string;
  /**
   * Start option `--fast-forward` or `--witness`. With it, the nodes still produce no blocks, because the chain is
   * not recent.
   */
  readonly flag?: 'fast-forward' | 'witness';
}

interface Started {
  readonly ours: PeerNode;
  readonly theirs: PeeredReference;
  readonly release: string;
  readonly ports: { readonly theirs: number; readonly callee: number };
  readonly calleeHost: string;
  readonly file: string;
}

/** Address of the dialled peer in scenes without `host`. */
export const CALLEE = '127.200.0.1';

/** Checks that disconnect useless peers. The key is the name in this node, the value is the name in java-tron. */
export const PEER_CHECKS = {
  evictWhenFull: 'disconnectRandom',
  evictOnLan: 'disconnectLan',
  evictWhenIsolated: 'disconnectIsolated2',
} as const;

/** Maximum time in ms after a block until both nodes have the same pending transactions. */
const AGREED_MS = 2000;
/** Time in ms after its start during which java-tron does not sync. Reference: SyncService.init. */
const IDLE_MS = 10_500;

/** java-tron and this node with connections to peers. Both have the same chain, whose blocks this node creates. */
export class TwoNodes {
  readonly ours: PeerNode;
  readonly theirs: PeeredReference;
  readonly release: string;
  readonly ports: { readonly ours: number; readonly theirs: number };
  /** Address and port at which the dialled peer listens. */
  readonly callee: HostPort;
  private readonly files: readonly { readonly name: string; readonly text: string }[];
  private readonly startedMs = Date.now();
  private readonly served: ReturnType<typeof servedLocally>;

  private constructor({ ours, theirs, release, ports, calleeHost, file }: Started) {
    this.ours = ours;
    this.theirs = theirs;
    this.release = release;
    this.callee = { host: calleeHost, port: ports.callee };
    this.ports = { ours: ours.port, theirs: ports.theirs };
    const { node } = ours;
    this.files = [file, node.config.file].map((name) => ({ name, text: readFileSync(name, 'utf8') }));
    this.served = servedLocally({
      chain: node.chain,
      config: node.config,
      log: silentLog,
      now: Date.now,
      peers: node.peers,
    });
  }

  static async start(scope: Scope, { reference, release, folder, setting }: TwoNodesOptions): Promise<TwoNodes> {
    mkdirSync(folder, { recursive: true });
    const port = await freePort();
    const calleePort = await freePort();
    const more = setting.more?.(calleePort) ?? '';
    const text = readFileSync(join(golden, 'stake', 'config.conf'), 'utf8');
    const own = `node.listen.port = ${port}
node.passive = ["127.0.0.1:1"]
node.discovery.external.ip = "127.0.0.1"
node.maxConnectionsWithSameIp = 20
node.fetchBlock.timeout = 1000
node.validateSignThreadNum = 1
node.discovery.enable = true
node.http { fullNodeEnable = false, solidityEnable = false, PBFTEnable = false }
node.rpc { enable = false, solidityEnable = false, PBFTEnable = false }
node.jsonrpc { httpFullNodeEnable = false, httpSolidityEnable = false, httpPBFTEnable = false }
node.backup.port = 0`;
    const file = join(folder, 'config.conf');
    writeFileSync(file, `${text}\n${own}\n${more}\n`);
    const theirs = await PeeredReference.start(
      reference,
      folder,
      setting.flag === undefined ? [] : [`--${setting.flag}`],
    );
    scope.teardown(() => theirs.stop());
    const ours = await PeerNode.start(scope, {
      more: `tronicle.release = "${release}"\nnode.fetchBlock.timeout = 1000\nnode.discovery.enable = true\n${more}`,
      flags: { fastForward: setting.flag === 'fast-forward', witness: setting.flag === 'witness' },
    });
    await sleep(IDLE_MS);
    const ports = { theirs: port, callee: calleePort };
    return new TwoNodes({ ours, theirs, release, ports, calleeHost: setting.host ?? CALLEE, file });
  }

  /** Writes both configuration files again, with additional lines at the end. */
  reconfigure(lines: string): void {
    for (const { name, text } of this.files) writeFileSync(name, `${text}\n${lines}\n`);
  }

  /** Time in ms since the start of the node that started last, or slightly less. */
  get ageMs(): number {
    return Date.now() - this.startedMs;
  }

  /**
   * Makes both nodes produce a block from the pending transactions, announce it and apply it.
   * @throws {Difference} the blocks differ
   */
  async make(): Promise<DecodedBlock> {
    const { node } = this.ours;
    await this.agreed();
    const block = this.ours.make();
    const { witnessAddress } = block.raw;
    const made = await this.theirs.make(keyOf(toAddress(witnessAddress)), witnessAddress, block.timeMs);
    if (made !== toHex(block.bytes))
      throw new Difference(`a block as made\n reference ${made}\n ours      ${toHex(block.bytes)}`);
    node.announce?.(block);
    node.chain.importBlock(block, { isOwn: true });
    await this.settle();
    return block;
  }

  /** Pushes an empty block to both nodes. @param slots number of slots between the head and the block */
  async grow(slots = 1): Promise<DecodedBlock> {
    const { chain } = this.ours.node;
    const { headId } = chain.ledger.position;
    const timeMs = slotTime(chain.state, slots);
    const block = makeBlock(this.ours, { parentId: headId, timeMs });
    await this.theirs.push(block.bytes);
    chain.importBlock(block);
    await this.settle();
    return block;
  }

  /** Waits until java-tron has added the pending transactions again after a block, which it does in another thread. */
  private async agreed(): Promise<void> {
    const until = Date.now() + AGREED_MS;
    while (Date.now() < until) {
      const { pending } = await this.theirs.facts();
      if (pending === this.ownFacts().pending) return;
      await sleep(AGREED_MS / 100);
    }
  }

  private async settle(): Promise<void> {
    const { chain } = this.ours.node;
    await chain.ledger.flush();
    chain.mempool.reinject();
  }

  /** Submits a transaction to both nodes as a client. @throws {Difference} the result codes differ */
  async submit(transaction: Transaction): Promise<void> {
    await this.agreed();
    const { api } = this.served;
    const answer = await broadcastTransaction(api, decodeTransaction(transaction), new RememberedIds());
    const ours = Object.entries(Code).find(([, code]) => code === answer.code)?.[0];
    const theirs = await this.theirs.offer(Transaction.encode(transaction));
    if (theirs !== ours)
      throw new Difference(`a transaction that is submitted\n reference ${theirs}\n ours      ${ours}`);
  }

  /** Runs a check for useless peers once on both nodes, as if no block had arrived for a minute. Only for 4.8.2. */
  async checkPeers(name: keyof typeof PEER_CHECKS): Promise<void> {
    const { node, network } = this.ours;
    const { inactiveThreshold, isOpenFullTcpDisconnect, ...places } = node.config.node;
    const resilience = new Resilience({
      peers: network.peers,
      limits: { ...places, evictsWhenFull: isOpenFullTcpDisconnect },
      idleMs: inactiveThreshold * 1000,
      savedMs: () => Date.now() - 61_000,
      log: silentLog,
      now: Date.now,
    });
    resilience[name]();
    await this.theirs.checkPeers(PEER_CHECKS[name]);
  }

  /** Disconnects all peers of both nodes, as nodes do when they stop. */
  async disconnect(): Promise<void> {
    await Promise.all([this.theirs.disconnect(), this.ours.network.close()]);
  }

  /** Waits until both nodes have detected that all peers have disconnected, at most {@link AGREED_MS}. */
  async alone(): Promise<void> {
    const until = Date.now() + AGREED_MS;
    while (Date.now() < until) {
      if ((await this.theirs.facts()).connected === 0 && this.ownFacts().connected === 0) return;
      await sleep(AGREED_MS / 100);
    }
  }

  ownFacts(): NodeFacts {
    const { chain, voted } = this.ours.node;
    return {
      head: this.ours.headNumber,
      id: this.ours.head,
      pending: chain.mempool.pending.size,
      agreed: voted.number,
      connected: this.ours.network.transport.table.size,
    };
  }
}
