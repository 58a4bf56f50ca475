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
  /** Local address of the connection. After a ban, another address is needed. */
  readonly from?: string;
  /** True to send a HELLO with a chain that has only genesis. */
  readonly isBehind?: boolean;
}

/** A peer that is compatible with a node of any chain. It copies the values of the node's HELLO. */
export class HostilePeer {
  readonly raw: RawPeer;
  /** HELLO of the node, which is its first message. */
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
    if (first?.[0] !== WireMessageType.P2P_HELLO) throw new Error('no P2P_HELLO was received');
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
   * Sends messages. Resolves when the operating system has accepted them. A caller that awaits the promise sends no
   * faster than the node reads.
   */
  sayAll(messages: readonly Uint8Array[]): Promise<void> {
    return this.raw.writeAll(framesOf(messages));
  }

  /** Returns the next message of a type; undefined if the connection ends first. Skips other messages. */
  async next(type: number): Promise<Uint8Array | undefined> {
    for (let message = await this.raw.nextWrapped(); message !== undefined; message = await this.raw.nextWrapped())
      if (message[0] === type) return message.subarray(1);
    return undefined;
  }

  /**
   * Waits until the node has processed all earlier messages. Sends a ping, and waits for its answer or for the end of
   * the connection.
   * @returns `answered`, or the reason of the end
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
