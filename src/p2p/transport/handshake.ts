import {
  P2pDisconnectCode as DisconnectCode,
  P2pHelloMessage as HelloMessage,
} from '../../log/codec/generated/messages.js';
import type { Channel } from './channel.js';
import type { ChannelTable } from './channel-table.js';
import { encodeHello, TRANSPORT_VERSION } from './framework-message.js';
import { fromEndpoint, type NodeAddress, toEndpoint } from './node-address.js';

export interface HandshakeOptions {
  readonly table: ChannelTable;
  readonly networkId: number;
  /** What this node announces. */
  readonly self: () => NodeAddress;
  readonly now: () => number;
  /** The handshake is over, both sides may send messages. */
  readonly connected: (channel: Channel) => void;
}

/** The first message of a connection in either direction. Reference: HandshakeService of libp2p. */
export class Handshake {
  private readonly options: HandshakeOptions;

  constructor(options: HandshakeOptions) {
    this.options = options;
  }

  /** What the dialling side begins with. */
  start(channel: Channel): void {
    this.say(channel, DisconnectCode.NORMAL);
  }

  /** Takes the peer's HELLO; a refusal is said with a code where there is one, then the connection is closed. */
  take(channel: Channel, hello: HelloMessage): void {
    const { table, networkId, now } = this.options;
    if (channel.isHandshaken) {
      channel.close();
      return;
    }
    channel.announced = fromEndpoint(hello.from!);
    channel.nodeId = channel.announced.id;
    channel.version = hello.version;
    const code = table.admit(channel);
    if (code !== DisconnectCode.NORMAL) {
      this.refuse(channel, code);
      return;
    }
    table.updateNodeId(channel, channel.nodeId);
    if (channel.isClosed) return;
    if (channel.isActive) {
      // Releases before the network id had a field of its own write it where the version is now.
      const isSameNetwork = hello.networkId === networkId || hello.version === networkId;
      if (hello.code !== DisconnectCode.NORMAL || !isSameNetwork) {
        channel.close();
        return;
      }
    } else {
      if (hello.networkId !== networkId) {
        this.refuse(channel, DisconnectCode.DIFFERENT_VERSION);
        return;
      }
      this.say(channel, DisconnectCode.NORMAL);
    }
    channel.noteLatency(now() - channel.startMs);
    this.finish(channel);
  }

  /** An application message came first, as releases without this handshake send. @returns whether the peer is taken */
  takeSilent(channel: Channel): boolean {
    channel.shookHands();
    if (this.options.table.admit(channel) !== DisconnectCode.NORMAL) {
      channel.close();
      return false;
    }
    this.finish(channel);
    return true;
  }

  private finish(channel: Channel): void {
    channel.shookHands();
    this.options.connected(channel);
  }

  private refuse(channel: Channel, code: number): void {
    this.say(channel, code);
    channel.close();
  }

  private say(channel: Channel, code: number): void {
    const { self, networkId, now } = this.options;
    const message = Object.assign(new HelloMessage(), {
      from: toEndpoint(self()),
      networkId,
      code,
      timestamp: BigInt(now()),
      version: TRANSPORT_VERSION,
    });
    channel.send(encodeHello(message));
  }
}
