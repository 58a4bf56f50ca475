import type { MessageType } from '../../codec/descriptor.js';

/**
 * Maximum number of fields in an encoded request, at all levels. java-tron has no such limit. A valid request has fewer
 * than a hundred fields, or several thousand with a large ABI. The decoding of a million fields would block all other
 * calls for a second.
 */
const FIELDS_MAX = 50_000;

/**
 * Decodes a message from a client.
 * @throws {FieldCountError} the message has too many fields
 * @throws {ProtobufError} the bytes are not a valid message
 */
export function decodeRequest<T>(bytes: Uint8Array, type: MessageType<T>): T {
  return type.decode(bytes, FIELDS_MAX);
}
