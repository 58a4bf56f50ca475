import snappy from 'snappy';
import { P2pCompressMessage as CompressMessage, P2pCompressMessageCompressType as CompressType, } from '../../log/codec/generated/messages.js';
import { P2pError } from '../p2p-error.js';
/**
 * Bytes that a compressed message may have. The reference has no bound; twice a frame is more than any of its messages that
 * has to fit a frame when it does not shrink, and keeps a frame of repetitions from becoming 100 MB.
 */
const MESSAGE_BYTES_MAX = 10 * 1024 * 1024;
/** Wraps a message as peers of version 1 exchange it after the handshake. Reference: UpgradeController.codeSendData. */
export function wrapMessage(body) {
    const compressed = snappy.compressSync(Buffer.from(body.buffer, body.byteOffset, body.length));
    const isShorter = compressed.length < body.length;
    return CompressMessage.encode(Object.assign(new CompressMessage(), {
        type: isShorter ? CompressType.snappy : CompressType.uncompress,
        data: isShorter ? compressed : body,
    }));
}
/** @throws {P2pError | ProtobufError} what cannot be unwrapped, or would become too big */
export function unwrapMessage(frame) {
    const { type, data } = CompressMessage.decode(frame);
    if (type === CompressType.uncompress)
        return data;
    const size = announcedSize(data);
    if (size > MESSAGE_BYTES_MAX)
        throw new P2pError('BIG_MESSAGE', `uncompressed length ${size}`);
    try {
        return snappy.uncompressSync(Buffer.from(data.buffer, data.byteOffset, data.length), { asBuffer: true });
    }
    catch (cause) {
        throw new P2pError('PARSE_MESSAGE_FAILED', 'no snappy block', { cause });
    }
}
/** A snappy block begins with its uncompressed length. */
function announcedSize(block) {
    let size = 0;
    for (let at = 0; at < 5; at++) {
        const byte = block[at];
        if (byte === undefined)
            break;
        size += (byte & 0x7f) * 2 ** (7 * at);
        if (byte <= 0x7f)
            return size;
    }
    throw new P2pError('PARSE_MESSAGE_FAILED', 'no snappy block');
}
//# sourceMappingURL=compression.js.map