import {
  P2pCompressMessage as CompressMessage,
  P2pCompressMessageCompressType as CompressType,
} from '../../codec/generated/messages.js';
import { compress, snappyLength, uncompress } from '../../codec/snappy.js';
import { P2pError } from '../p2p-error.js';
import { varint32 } from './frames.js';

/** Tags of the fields of P2pCompressMessage. */
const TYPE_TAG = 0x08;
const DATA_TAG = 0x12;

/**
 * Wraps a message as peers of version 1 exchange it after the handshake.
 * @returns the parts of the wrapped message, to be copied once, into the frame: half a block less for the collector
 * Reference: UpgradeController.codeSendData.
 */
export function wrapMessage(body: Uint8Array): readonly [head: Uint8Array, data: Uint8Array] {
  const compressed = compress(body);
  const isShorter = compressed.length < body.length;
  const data = isShorter ? compressed : body;
  const type = isShorter ? [TYPE_TAG, CompressType.snappy] : [];
  return [Uint8Array.from([...type, DATA_TAG, ...varint32(data.length)]), data];
}

/**
 * @param bytesMax size from which on a decompressed message is too big
 * @throws {P2pError | ProtobufError} CORRUPTED_FRAME: what cannot be decompressed; BIG_MESSAGE
 */
export function unwrapMessage(frame: Uint8Array, bytesMax: number): Uint8Array {
  const { type, data } = CompressMessage.decode(frame);
  if (type === CompressType.uncompress) return data;
  const size = snappyLength(data);
  if (size === undefined) throw new P2pError('CORRUPTED_FRAME', 'no snappy block');
  if (size >= bytesMax) throw new P2pError('BIG_MESSAGE', `uncompressed length ${size}`);
  const body = uncompress(data);
  if (body === undefined) throw new P2pError('CORRUPTED_FRAME', 'no snappy block');
  return body;
}
