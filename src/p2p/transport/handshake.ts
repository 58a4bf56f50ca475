import {
  P2pDisconnectCode as DisconnectCode,
  P2pHelloMessage as HelloMessage,
} from '../../codec/generated/messages.js';
import { present } from '../../primitives/assert.js';
import type { TransportRules } from '../releases/transport-rules.js';
import type { Channel } from './channel.js';
import type { ChannelTable } from './channel-table.js';
import { encodeHello, type GoodbyeName, TRANSPORT_VERSION } from './framework-message.js';
import { fromEndpoint, type NodeAddress, toEndpoint } from './node-address.js';

interface HandshakeOptions {
  readonly table: ChannelTable;
  readonly rules: TransportRules;
  readonly networkId: number;
  /** Address that this node announces. */
  readonly self: () => NodeAddress;
  readonly now: () => number;
  /** Called when the handshake is complete and both sides may send messages. */
  readonly connected: (channel: Channel) => void;
}

/** Exchanges the first message (HELLO) in each direction. Reference: HandshakeService of TRON's Java library libp2p. */
export class Handshake {
  private readonly options: HandshakeOptions;

  constructor(options: HandshakeOptions) {
    this.options = options;
  }

  /** Sends the HELLO of the dialling side. */
  start(channel: Channel): void {
    this.say(channel, DisconnectCode.NORMAL, BigInt(channel.startMs));
  }

  /**
   * Handles the HELLO of a peer. To reject it, closes the connection. If the reason has a HELLO code, first sends a
   * HELLO with this code.
   */
  take(channel: Channel, hello: HelloMessage): void {
    const { table, rules, networkId, now } = this.options;
    if (channel.isHandshaken) {
      channel.sayGoodbye('DUP_HANDSHAKE');
      channel.close();
      return;
    }
    channel.announced = fromEndpoint(present(hello.from, 'the decoder rejects a HELLO without sender'));
    channel.nodeId = channel.announced.id;
    channel.version = hello.version;
    const code = table.admit(channel);
    if (code !== DisconnectCode.NORMAL) {
      if (!channel.isActive || rules.diallerRefuses) this.say(channel, code, hello.timestamp);
      channel.close();
      return;
    }
    table.updateNodeId(channel, channel.nodeId);
    if (channel.isClosed) return;
    if (channel.isActive) {
      // Early java-tron releases have no field for the network id, and write the network id into the version field.
      const isSameNetwork = hello.networkId === networkId || hello.version === networkId;
      if (hello.code !== DisconnectCode.NORMAL || !isSameNetwork) {
        channel.close();
        return;
      }
    } else {
      if (hello.networkId !== networkId) {
        this.say(channel, DisconnectCode.DIFFERENT_VERSION, hello.timestamp);
        channel.close();
        return;
      }
      this.say(channel, DisconnectCode.NORMAL, hello.timestamp);
    }
    channel.noteLatency(now() - channel.startMs);
    this.finish(channel);
  }

  /**
   * Accepts a peer of a release without handshake, after the peer's first message.
   * @returns false if the peer is rejected
   */
  takeSilent(channel: Channel): boolean {
    channel.shookHands();
    const code = this.options.table.admit(channel);
    if (code !== DisconnectCode.NORMAL) {
      channel.sayGoodbye(goodbyes.get(code) ?? 'UNKNOWN');
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

  /**
   * Sends a HELLO.
   * @param code reason of a rejection; NORMAL if the peer is accepted
   * @param startMs start time of the connection by the clock of the dialling side
   */
  private say(channel: Channel, code: number, startMs: bigint): void {
    const { self, rules, networkId, now } = this.options;
    const message = Object.assign(new HelloMessage(), {
      from: toEndpoint(self()),
      networkId,
      code,
      timestamp: rules.sendsStartTime ? startMs : BigInt(now()),
      version: TRANSPORT_VERSION,
    });
    channel.send(encodeHello(message));
  }
}

/**
 * Close reasons by HELLO code, for a rejected peer that sent no HELLO. Reference: ChannelManager.getDisconnectReason.
 */
const goodbyes: ReadonlyMap<number, GoodbyeName> = new Map([
  [DisconnectCode.DIFFERENT_VERSION, 'DIFFERENT_VERSION'],
  [DisconnectCode.TIME_BANNED, 'RECENT_DISCONNECT'],
  [DisconnectCode.DUPLICATE_PEER, 'DUPLICATE_PEER'],
  [DisconnectCode.TOO_MANY_PEERS, 'TOO_MANY_PEERS'],
  [DisconnectCode.MAX_CONNECTION_WITH_SAME_IP, 'TOO_MANY_PEERS_WITH_SAME_IP'],
]);
