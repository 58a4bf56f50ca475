import {
  P2pCompressMessage as CompressMessage,
  P2pCompressMessageCompressType as CompressType,
} from '../../codec/generated/messages.js';
import { compress, snappyLength, uncompress } from '../../codec/snappy.js';
import { varint } from '../../primitives/bytes.js';
import { P2pError } from '../p2p-error.js';

/** Field tags of P2pCompressMessage. */
const TYPE_TAG = 0x08;
const DATA_TAG = 0x12;

/**
 * Compresses a message if this makes it shorter. Wraps the message in the form of transport version 1. Reference:
 * UpgradeController.codeSendData.
 * @returns the two parts of the wrapped message; the frame copies them once, which saves one copy per block
 */
export function wrapMessage(body: Uint8Array): readonly [head: Uint8Array, data: Uint8Array] {
  const compressed = compress(body);
  const isShorter = compressed.length < body.length;
  const data = isShorter ? compressed : body;
  const type = isShorter ? [TYPE_TAG, CompressType.snappy] : [];
  return [Uint8Array.from([...type, DATA_TAG, ...varint(data.length)]), data];
}

/**
 * Decodes a message in the form of transport version 1.
 * @param bytesMax a decompressed message of this size in bytes or more is rejected
 * @throws {P2pError | ProtobufError} CORRUPTED_FRAME: invalid snappy data; BIG_MESSAGE: the decompressed message is too
 * large
 */
export function unwrapMessage(frame: Uint8Array, bytesMax: number): Uint8Array {
  const { type, data } = CompressMessage.decode(frame);
  if (type === CompressType.uncompress) return data;
  const size = snappyLength(data);
  if (size === undefined) throw new P2pError('CORRUPTED_FRAME', 'invalid snappy block');
  if (size >= bytesMax) throw new P2pError('BIG_MESSAGE', `uncompressed length ${size}`);
  const body = uncompress(data);
  if (body === undefined) throw new P2pError('CORRUPTED_FRAME', 'invalid snappy block');
  return body;
}
