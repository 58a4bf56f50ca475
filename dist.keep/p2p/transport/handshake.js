import { P2pDisconnectCode as DisconnectCode, P2pHelloMessage as HelloMessage, } from '../../log/codec/generated/messages.js';
import { encodeHello, TRANSPORT_VERSION } from './framework-message.js';
import { fromEndpoint, toEndpoint } from './node-address.js';
/** The first message of a connection in either direction. Reference: HandshakeService of libp2p. */
export class Handshake {
    options;
    constructor(options) {
        this.options = options;
    }
    /** What the dialling side begins with. */
    start(channel) {
        this.say(channel, DisconnectCode.NORMAL);
    }
    /** Takes the peer's HELLO; a refusal is said with a code where there is one, then the connection is closed. */
    take(channel, hello) {
        const { table, networkId, now } = this.options;
        if (channel.isHandshaken) {
            channel.close();
            return;
        }
        channel.announced = fromEndpoint(hello.from);
        channel.nodeId = channel.announced.id;
        channel.version = hello.version;
        const code = table.admit(channel);
        if (code !== DisconnectCode.NORMAL) {
            this.refuse(channel, code);
            return;
        }
        table.updateNodeId(channel, channel.nodeId);
        if (channel.isClosed)
            return;
        if (channel.isActive) {
            // Releases before the network id had a field of its own write it where the version is now.
            const isSameNetwork = hello.networkId === networkId || hello.version === networkId;
            if (hello.code !== DisconnectCode.NORMAL || !isSameNetwork) {
                channel.close();
                return;
            }
        }
        else {
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
    takeSilent(channel) {
        channel.shookHands();
        if (this.options.table.admit(channel) !== DisconnectCode.NORMAL) {
            channel.close();
            return false;
        }
        this.finish(channel);
        return true;
    }
    finish(channel) {
        channel.shookHands();
        this.options.connected(channel);
    }
    refuse(channel, code) {
        this.say(channel, code);
        channel.close();
    }
    say(channel, code) {
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
//# sourceMappingURL=handshake.js.map