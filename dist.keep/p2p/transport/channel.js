import { CLOSED_BAN_MS } from './ban-list.js';
import { unwrapMessage, wrapMessage } from './compression.js';
import { encodeFrame, FRAME_BYTES_MAX, FrameDecoder, STRANGER_FRAME_BYTES_MAX } from './frames.js';
import { TRANSPORT_VERSION } from './framework-message.js';
import { hostPortKey, plainHost } from './node-address.js';
/** Bytes that wait for a peer that does not read; more than all that one of its questions can be answered with at a time. */
const UNSENT_BYTES_MAX = 64 * 1024 * 1024;
/** Above it a long answer waits until the peer has read. */
const UNSENT_BYTES_SLOW = 4 * 1024 * 1024;
/** ms without a byte from the peer. Reference: Channel.init, ReadTimeoutHandler. */
const READ_TIMEOUT_MS = 60_000;
/** One TCP connection: frames, compression, what the keep-alive needs. Reference: Channel. */
export class Channel {
    isActive;
    isTrusted;
    host;
    port;
    startMs;
    nodeId;
    /** What the peer announced in its HELLO. */
    announced;
    /** Of the peer's transport; 0 until its HELLO came. */
    version = 0;
    waitsForPong = false;
    pingSentMs;
    lastSendMs;
    /** Since when this side has given it up, ms. */
    closedMs;
    lastReadMs;
    socket;
    options;
    decoder = new FrameDecoder(STRANGER_FRAME_BYTES_MAX);
    isBusy = false;
    isKnown = false;
    latencySum = 0;
    latencyCount = 0;
    constructor(options) {
        const { socket, isActive, nodeId, now } = options;
        this.options = options;
        this.socket = socket;
        this.isActive = isActive;
        this.nodeId = nodeId;
        this.host = plainHost(socket.remoteAddress ?? '');
        this.port = socket.remotePort ?? 0;
        this.isTrusted = options.isTrusted(this.host);
        this.startMs = now();
        this.pingSentMs = this.startMs;
        this.lastSendMs = this.startMs;
        this.lastReadMs = this.startMs;
        socket.on('data', (chunk) => this.read(chunk));
        socket.on('error', (error) => this.fail(error));
        socket.on('close', () => {
            this.closedMs ??= now();
            options.events.closed(this);
        });
    }
    get key() {
        return hostPortKey(this);
    }
    /** Both sides have said who they are, or the peer is of a release that does not. */
    get isHandshaken() {
        return this.isKnown;
    }
    /** From now on messages of all sizes are taken. */
    shookHands() {
        this.isKnown = true;
        this.decoder.bytesMax = FRAME_BYTES_MAX;
    }
    get isClosed() {
        return this.closedMs !== undefined;
    }
    /** Mean of the handshake and the keep-alives, ms. */
    get latencyMs() {
        return this.latencyCount === 0 ? 0 : Math.trunc(this.latencySum / this.latencyCount);
    }
    noteLatency(ms) {
        this.latencySum += ms;
        this.latencyCount++;
    }
    /** Sends type and protobuf; after the handshake wrapped, where the peer knows that. Nothing once it is closed. */
    send(bytes) {
        if (this.isClosed)
            return;
        const body = this.isWrapping ? wrapMessage(bytes) : bytes;
        const frame = encodeFrame(body);
        this.socket.write(frame);
        this.options.bytes('tcpOut', frame.length);
        this.lastSendMs = this.options.now();
        if (this.socket.writableLength > UNSENT_BYTES_MAX)
            this.fail(new Error('the peer does not read'));
    }
    /** Ends at once while the peer reads, else when it has read what it was sent, or is gone. */
    async drained() {
        if (this.isClosed || this.socket.writableLength <= UNSENT_BYTES_SLOW)
            return;
        await new Promise((resolve) => {
            const done = () => {
                this.socket.off('drain', done).off('close', done);
                resolve();
            };
            this.socket.on('drain', done).on('close', done);
        });
    }
    /** What was sent before still goes out; the address is banned. */
    close(banMs = CLOSED_BAN_MS) {
        if (this.isClosed)
            return;
        this.options.events.closing(this, banMs);
        this.end();
    }
    /** Closes without a ban. */
    end() {
        this.closedMs ??= this.options.now();
        this.socket.destroySoon();
    }
    /** Closes a peer that has been silent for too long, or has not shaken hands in that time whatever it sent. */
    checkSilence() {
        const nowMs = this.options.now();
        if (this.isClosed && nowMs - this.closedMs > READ_TIMEOUT_MS)
            this.socket.destroy();
        if (this.isBusy || nowMs - (this.isKnown ? this.lastReadMs : this.startMs) <= READ_TIMEOUT_MS)
            return;
        this.fail(new Error(this.isKnown ? 'nothing was read for a minute' : 'no handshake for a minute'));
    }
    get isWrapping() {
        return this.isHandshaken && this.version >= TRANSPORT_VERSION;
    }
    read(chunk) {
        this.options.bytes('tcpIn', chunk.length);
        if (this.isClosed)
            return;
        this.lastReadMs = this.options.now();
        this.decoder.push(chunk);
        if (!this.isBusy)
            this.pump();
    }
    /** One message behind the other: the form of a frame depends on the frames before it. */
    pump() {
        try {
            while (!this.isClosed) {
                const frame = this.decoder.next();
                if (frame === undefined)
                    return;
                const bytes = this.isWrapping ? unwrapMessage(frame) : frame;
                const handled = this.options.events.message(this, bytes);
                if (handled !== undefined) {
                    this.waitFor(handled);
                    return;
                }
            }
        }
        catch (error) {
            this.fail(error);
        }
    }
    waitFor(handled) {
        this.isBusy = true;
        this.socket.pause();
        handled.then(() => {
            this.isBusy = false;
            this.lastReadMs = this.options.now();
            this.socket.resume();
            this.pump();
        }, (error) => this.fail(error));
    }
    fail(error) {
        if (this.isClosed)
            return;
        this.options.events.failed(this, error);
        this.close();
    }
}
//# sourceMappingURL=channel.js.map