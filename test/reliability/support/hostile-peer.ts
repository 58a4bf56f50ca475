import { HelloMessage, HelloMessageBlockId } from '../../../src/codec/generated/messages.js';
import { wrapMessage } from '../../../src/p2p/transport/compression.js';
import { encodeFrame } from '../../../src/p2p/transport/frames.js';
import { createNodeId, toEndpoint } from '../../../src/p2p/transport/node-address.js';
import { WireMessageType } from '../../../src/p2p/wire/message-types.js';
import { decodeDisconnect, encodeMessage } from '../../../src/p2p/wire/messages.js';
import { RawPeer } from '../../support/p2p/raw-peer.js';

const PING = encodeMessage('P2P_PING', Uint8Array.of(0xc0));

export interface HostilePeerOptions {
  readonly port: number;
  readonly networkId: number;
  /** Local address of the connection. A new one is needed after a ban. */
  readonly from?: string;
  /** True to announce a chain that has only the genesis block. */
  readonly isBehind?: boolean;
}

/** A peer that is compatible with a node of any chain, because it repeats the values of the node's HELLO. */
export class HostilePeer {
  readonly raw: RawPeer;
  /** First message of the node. */
  readonly hello: HelloMessage;

  private constructor(raw: RawPeer, hello: HelloMessage) {
    this.raw = raw;
    this.hello = hello;
  }

  static async dial({ port, networkId, from, isBehind = false }: HostilePeerOptions): Promise<HostilePeer> {
    const raw = await RawPeer.dial(port, from);
    const id = createNodeId();
    raw.hello({ id, networkId });
    await raw.nextHello();
    const first = await raw.nextWrapped();
    if (first?.[0] !== WireMessageType.P2P_HELLO) throw new Error('no P2P_HELLO came');
    const hello = HelloMessage.decode(first.subarray(1));
    const own = hello.clone();
    own.from = toEndpoint({ id, ipv4: '127.0.0.1', ipv6: undefined, port: 1 });
    if (isBehind) own.headBlockId = Object.assign(new HelloMessageBlockId(), { hash: own.genesisBlockId!.hash });
    raw.sayWrapped(encodeMessage('P2P_HELLO', HelloMessage.encode(own)));
    return new HostilePeer(raw, hello);
  }

  say(...messages: readonly Uint8Array[]): void {
    this.raw.write(framesOf(messages));
  }

  /**
   * Resolves when the operating system has accepted the messages. The peer therefore sends no faster than the node
   * reads.
   */
  sayAll(messages: readonly Uint8Array[]): Promise<void> {
    return this.raw.writeAll(framesOf(messages));
  }

  /** Returns the next message of a type. Skips other messages. */
  async next(type: number): Promise<Uint8Array | undefined> {
    for (let message = await this.raw.nextWrapped(); message !== undefined; message = await this.raw.nextWrapped())
      if (message[0] === type) return message.subarray(1);
    return undefined;
  }

  /**
   * Waits until the node has processed all earlier messages: for the answer to a ping, or for the end of the
   * connection.
   * @returns reason of the end
   */
  async done(): Promise<string> {
    this.say(PING);
    for (let message = await this.raw.nextWrapped(); message !== undefined; message = await this.raw.nextWrapped()) {
      if (message[0] === WireMessageType.P2P_PONG) return 'answered';
      if (message[0] === WireMessageType.P2P_DISCONNECT) return decodeDisconnect(message.subarray(1));
    }
    return 'closed';
  }

  close(): void {
    this.raw.close();
  }
}

function framesOf(messages: readonly Uint8Array[]): Uint8Array {
  return Buffer.concat(messages.map((message) => encodeFrame(...wrapMessage(message))));
}
