import { P2pDisconnectMessage } from '../../../src/codec/generated/messages.js';
import { unwrapMessage } from '../../../src/p2p/transport/compression.js';
import { FRAME_BYTES_MAX } from '../../../src/p2p/transport/frames.js';
import { FrameworkType } from '../../../src/p2p/transport/framework-message.js';
import { WireMessageType } from '../../../src/p2p/wire/message-types.js';
import { decodeDisconnect } from '../../../src/p2p/wire/messages.js';
import type { RawPeer } from '../../support/p2p/raw-peer.js';

/**
 * Reads messages up to a pong of the connection layer or the end of the connection. Returns `answered` for a pong, the
 * reason of a TRON disconnect, `goodbye` with the reason code of a libp2p disconnect, or `closed` for an end without a
 * message.
 */
export async function endOf(peer: RawPeer, isWrapped: boolean): Promise<string> {
  for (let frame = await peer.next(); frame !== undefined; frame = await peer.next()) {
    const message = isWrapped ? unwrapMessage(frame, FRAME_BYTES_MAX) : frame;
    const [type] = message;
    if (type === FrameworkType.pong) return 'answered';
    if (type === WireMessageType.P2P_DISCONNECT) return decodeDisconnect(message.subarray(1));
    if (type === FrameworkType.goodbye) return `goodbye ${P2pDisconnectMessage.decode(message.subarray(1)).reason}`;
  }
  return 'closed';
}
