import type { HelloMessage } from '../../codec/generated/messages.js';
import { sha256 } from '../../crypto/hash.js';
import { itemAt } from '../../primitives/assert.js';
import { equalBytes, fromInt64, toHex } from '../../primitives/bytes.js';
import type { DecodedBlock } from '../../state-transition/block/decoded-block.js';
import { ChainError } from '../../state-transition/errors.js';
import type { LocalChain } from '../local-chain.js';
import { itemKey, type Peer } from '../peers/peer.js';
import type { PeerSet } from '../peers/peer-set.js';
import type { PeerRelease } from '../releases/peer-release.js';
import type { Channel } from '../transport/channel.js';
import { type HostPort, hostPortKey } from '../transport/node-address.js';
import { encodeMessage } from '../wire/messages.js';
import { isSignatureSize } from '../wire/signature-size.js';

/** Time until the first update of the relay connections, in ms. Reference: RelayService.init. */
const FIRST_MS = 30_000;
/** Time between two updates of the relay connections, in ms. */
const PERIOD_MS = 100_000;

/** Identity of the witness for which this node produces blocks. */
export interface WitnessIdentity {
  /** Witness address, 21 bytes. */
  readonly address: Uint8Array;
  /** Returns a signature of 65 bytes: r, s and the recovery byte. */
  sign(hash: Uint8Array): Uint8Array;
}

interface RelayOptions {
  readonly chain: LocalChain;
  readonly peers: PeerSet;
  readonly release: PeerRelease;
  /** Relay nodes of the configuration: `node.fastForward`. */
  readonly nodes: readonly HostPort[];
  /**
   * True for a relay node. It accepts only active witnesses, and sends them blocks without a request. Set by the flag
   * `--fast-forward`.
   */
  readonly isRelay: boolean;
  /**
   * Number of upcoming witnesses in the schedule to which a block is sent directly. Configured by
   * `node.maxFastForwardNum`.
   */
  readonly nextWitnesses: number;
  /** Identity of the witness of this node; undefined for a node that does not produce blocks. */
  readonly identity: WitnessIdentity | undefined;
  /** Returns true if this node is the master of its backup group. */
  readonly isMaster: () => boolean;
  /** Called with the address of an accepted witness, to exempt it from connection limits. */
  readonly trust: (host: string) => void;
}

/** Sends blocks directly between witnesses and relay nodes. Reference: RelayService. */
export class BlockRelay {
  private readonly options: RelayOptions;
  private readonly timers: NodeJS.Timeout[] = [];
  /** True while relay nodes are dialled. Undefined until the first update. */
  private isDialling: boolean | undefined;

  constructor(options: RelayOptions) {
    this.options = options;
  }

  /**
   * Returns the nodes to dial. Before the first update, these are the configured nodes. Afterwards, the relay nodes are
   * added while this node produces blocks, and excluded while it does not.
   */
  dialled(configured: readonly HostPort[]): readonly HostPort[] {
    const { nodes } = this.options;
    if (this.isDialling === undefined) return configured;
    const relays = new Set(nodes.map(hostPortKey));
    const others = configured.filter((node) => !relays.has(hostPortKey(node)));
    return this.isDialling ? [...others, ...nodes] : others;
  }

  start(): void {
    const { identity, nodes } = this.options;
    if (identity === undefined || nodes.length === 0) return;
    const turn = (): void => this.turn();
    const first = setTimeout(() => {
      turn();
      this.timers.push(setInterval(turn, PERIOD_MS));
    }, FIRST_MS);
    this.timers.push(first);
  }

  close(): void {
    for (const timer of this.timers.splice(0)) clearTimeout(timer);
  }

  /**
   * Adds witness address and signature to a HELLO for a relay node. Does nothing for other nodes, or while this node
   * does not produce blocks.
   */
  fill(hello: HelloMessage, host: string): void {
    const { identity } = this.options;
    if (identity === undefined || !this.isRelayNode(host) || !this.isProducing(identity)) return;
    hello.address = identity.address;
    hello.signature = identity.sign(signedPart(hello));
  }

  /**
   * Returns true if a peer is accepted. A relay node requires the signature of an active witness; other nodes accept
   * all peers. Reference: checkHelloMessage.
   */
  accepts(hello: HelloMessage, channel: Channel): boolean {
    const { isRelay, release, chain, trust } = this.options;
    if (!isRelay) return true;
    const { address, signature } = hello;
    if (address.length === 0 || !this.isActive(address)) return false;
    if (this.othersOf(address, channel) >= release.peersOfWitness) return false;
    if (release.checksSignatureSizes && !isSignatureSize(signature.length)) return false;
    try {
      if (!chain.isSignedByWitness(toHex(address), signedPart(hello), signature)) return false;
    } catch (error) {
      if (error instanceof ChainError) return false;
      throw error;
    }
    trust(channel.host);
    return true;
  }

  /** Sends a block to the next witnesses of the schedule that do not have it. */
  broadcast(block: DecodedBlock): void {
    const next = this.witnessesAfter(block.witness);
    const key = itemKey({ kind: 'block', id: block.idHex });
    const message = encodeMessage('BLOCK', block.bytes);
    for (const peer of this.options.peers.inSync()) {
      const address = peer.hello?.address ?? new Uint8Array(0);
      if (address.length === 0 || !next.has(toHex(address)) || peer.received.has(key) || peer.spread.has(key)) continue;
      peer.send(message);
      peer.spread.add(key);
    }
  }

  /** Dials the relay nodes while this node produces blocks, and disconnects them otherwise. */
  turn(): void {
    const { identity, peers, release } = this.options;
    this.isDialling = identity !== undefined && this.isProducing(identity);
    if (this.isDialling) return;
    for (const peer of peers.active()) {
      if (!this.isRelayNode(peer.channel.host)) continue;
      if (release.notWitness === undefined) peer.channel.close();
      else peer.disconnect(release.notWitness);
    }
  }

  /** Returns the number of other connections with the same witness address in their HELLO. */
  private othersOf(address: Uint8Array, channel: Channel): number {
    const isOther = (peer: Peer): boolean =>
      peer.channel !== channel && peer.hello !== undefined && equalBytes(peer.hello.address, address);
    return this.options.peers.active().filter(isOther).length;
  }

  private isRelayNode(host: string): boolean {
    return this.options.nodes.some((node) => node.host === host);
  }

  /**
   * Returns true if this node produces blocks: its witness is active, and the node is the master of its backup group.
   * Reference: RelayService.isActiveWitness.
   */
  private isProducing({ address }: WitnessIdentity): boolean {
    return this.isActive(address) && this.options.isMaster();
  }

  private isActive(address: Uint8Array): boolean {
    return this.options.chain.activeWitnesses().includes(toHex(address));
  }

  private witnessesAfter(witness: string): ReadonlySet<string> {
    const { chain, nextWitnesses } = this.options;
    const all = chain.activeWitnesses();
    const at = all.indexOf(witness);
    if (at < 0) return new Set(all);
    return new Set(Array.from({ length: nextWitnesses }, (_, step) => itemAt(all, (at + 1 + step) % all.length)));
  }
}

/** Returns the signed bytes of a HELLO: the hash of its timestamp. */
function signedPart({ timestamp }: HelloMessage): Uint8Array {
  return sha256(fromInt64(timestamp));
}
