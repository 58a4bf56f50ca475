import {
  DisconnectMessage,
  HelloMessage,
  HelloMessageBlockId,
  ReasonCode,
} from '../../../src/codec/generated/messages.js';
import { createNodeId, toEndpoint } from '../../../src/p2p/transport/node-address.js';
import { WireMessageType } from '../../../src/p2p/wire/message-types.js';
import { encodeMessage } from '../../../src/p2p/wire/messages.js';
import { fromHex, toHex } from '../../../src/primitives/bytes.js';
import { RawPeer } from '../p2p/raw-peer.js';
import { NETWORK, type PeerNode } from './peer-node.js';

/** A simulated peer that has finished the handshake of the transport and sends TRON messages. */
export class TronPeer {
  readonly raw: RawPeer;
  private readonly target: PeerNode;
  private readonly id: string;

  private constructor(raw: RawPeer, target: PeerNode, id: string) {
    this.raw = raw;
    this.target = target;
    this.id = id;
  }

  /** Connects to a node. Resolves when the node has sent its P2P_HELLO. This peer has not sent a TRON message yet. */
  static async dial(target: PeerNode): Promise<TronPeer> {
    const raw = await RawPeer.dial(target.port);
    const id = createNodeId();
    raw.hello({ id, networkId: NETWORK });
    await raw.nextHello();
    const hello = await raw.nextWrapped();
    if (hello?.[0] !== WireMessageType.P2P_HELLO) throw new Error('no P2P_HELLO came');
    return new TronPeer(raw, target, id);
  }

  /**
   * Connects to a node and states the node's own head in its HELLO. The node and this peer are then in sync and
   * exchange announcements.
   */
  static async inSync(target: PeerNode): Promise<TronPeer> {
    const peer = await TronPeer.dial(target);
    peer.say(peer.hello());
    return peer;
  }

  /** Returns the hello message of a compatible peer, with some fields changed. */
  hello(changes: Partial<HelloMessage> = {}): Uint8Array {
    const { ledger, solidifiedNumber } = this.target.node.chain;
    const id = (number: number): HelloMessageBlockId =>
      Object.assign(new HelloMessageBlockId(), { hash: ledger.blockIdAt(number), number: BigInt(number) });
    const message = Object.assign(new HelloMessage(), {
      from: toEndpoint({ id: this.id, ipv4: '127.0.0.1', ipv6: undefined, port: 1 }),
      version: NETWORK,
      timestamp: 1n,
      genesisBlockId: id(0),
      solidBlockId: id(solidifiedNumber),
      headBlockId: id(ledger.position.headNumber),
      ...changes,
    });
    return encodeMessage('P2P_HELLO', HelloMessage.encode(message));
  }

  say(...messages: readonly Uint8Array[]): void {
    for (const message of messages) this.raw.sayWrapped(message);
  }

  /** Returns the next message of a type. Skips other messages. */
  async next(type: number): Promise<Uint8Array> {
    for (let message = await this.raw.nextWrapped(); message !== undefined; message = await this.raw.nextWrapped())
      if (message[0] === type) return message.subarray(1);
    throw new Error(`the connection ended without ${type}`);
  }

  /** Returns the reason in the disconnect message of the node; undefined if the node sends none. */
  async end(): Promise<string | undefined> {
    for (let message = await this.raw.nextWrapped(); message !== undefined; message = await this.raw.nextWrapped()) {
      if (message[0] !== WireMessageType.P2P_DISCONNECT) continue;
      const { reason } = DisconnectMessage.decode(message.subarray(1));
      await this.raw.ended();
      return Object.entries(ReasonCode).find(([, code]) => code === reason)?.[0];
    }
    return undefined;
  }
}

export const anyId = (byte: string): string => toHex(fromHex(byte.repeat(32)));
