import { P2pDisconnectMessage as DisconnectMessage, P2pHelloMessage as HelloMessage, P2pKeepAliveMessage as KeepAliveMessage, P2pStatusMessage as StatusMessage, } from '../../log/codec/generated/messages.js';
import { P2pError } from '../p2p-error.js';
import { isValidEndpoint } from './node-address.js';
/** First byte of the messages of the connection layer; those of applications are below 0x80. */
export const FrameworkType = { ping: 0xff, pong: 0xfe, hello: 0xfd, status: 0xfc, goodbye: 0xfb };
/** Version that both ends must at least have for messages to be wrapped. */
export const TRANSPORT_VERSION = 1;
/** ms that the other side's clock may be ahead in a keep-alive message. Reference: Constant, NETWORK_TIME_DIFF. */
const AHEAD_MAX_MS = 1000;
export function encodeKeepAlive(kind, nowMs) {
    const message = Object.assign(new KeepAliveMessage(), { timestamp: BigInt(nowMs) });
    return typed(FrameworkType[kind], KeepAliveMessage.encode(message));
}
export function encodeHello(message) {
    return typed(FrameworkType.hello, HelloMessage.encode(message));
}
/** Why a node of libp2p 2.1 or later closes. Reference: DisconnectReason. */
const GOODBYES = new Map([
    [0, 'PEER_QUITING'],
    [1, 'BAD_PROTOCOL'],
    [2, 'TOO_MANY_PEERS'],
    [3, 'DUPLICATE_PEER'],
    [4, 'DIFFERENT_VERSION'],
    [5, 'RANDOM_ELIMINATION'],
    [6, 'EMPTY_MESSAGE'],
    [7, 'PING_TIMEOUT'],
    [8, 'DISCOVER_MODE'],
    [10, 'NO_SUCH_MESSAGE'],
    [11, 'BAD_MESSAGE'],
    [12, 'TOO_MANY_PEERS_WITH_SAME_IP'],
    [13, 'RECENT_DISCONNECT'],
    [14, 'DUP_HANDSHAKE'],
]);
export function goodbyeName(reason) {
    return GOODBYES.get(reason) ?? 'UNKNOWN';
}
export function encodeStatus(message) {
    return typed(FrameworkType.status, StatusMessage.encode(message));
}
/**
 * @param bytes type and protobuf
 * @throws {P2pError | ProtobufError} NO_SUCH_MESSAGE, BAD_MESSAGE: the connection is closed without a word
 */
export function decodeFramework(bytes, nowMs) {
    const body = bytes.subarray(1);
    const decoded = decodeByType(bytes[0], body);
    if (decoded.kind === 'ping' || decoded.kind === 'pong') {
        const aheadMs = Number(decoded.message.timestamp) - nowMs;
        if (aheadMs > AHEAD_MAX_MS)
            throw new P2pError('CLOCK_AHEAD', `the peer's clock is ${aheadMs} ms ahead of this one`);
    }
    if (!isValid(decoded))
        throw new P2pError('BAD_MESSAGE', `type: ${decoded.kind}`);
    return decoded;
}
function decodeByType(type, body) {
    switch (type) {
        case FrameworkType.ping:
            return { kind: 'ping', message: KeepAliveMessage.decode(body) };
        case FrameworkType.pong:
            return { kind: 'pong', message: KeepAliveMessage.decode(body) };
        case FrameworkType.hello:
            return { kind: 'hello', message: HelloMessage.decode(body) };
        case FrameworkType.status:
            return { kind: 'status', message: StatusMessage.decode(body) };
        case FrameworkType.goodbye:
            return { kind: 'goodbye', message: DisconnectMessage.decode(body) };
        default:
            throw new P2pError('NO_SUCH_MESSAGE', `type:${type}`);
    }
}
function isValid(decoded) {
    if (decoded.kind === 'hello' || decoded.kind === 'status')
        return isValidEndpoint(decoded.message.from);
    if (decoded.kind === 'goodbye')
        return true;
    return decoded.message.timestamp > 0n;
}
function typed(type, body) {
    return Buffer.concat([Uint8Array.of(type), body]);
}
//# sourceMappingURL=framework-message.js.map