import kafkajs, { type CompressionTypes, type ISocketFactory, type Message } from 'kafkajs';
import { type BatchRecords, encodeRecords, type TimedBody } from './encode-record.js';
import { PLACEHOLDER_BYTES, socketsWithRecords } from './produce-request.js';

/**
 * Codec with which kafkajs sends records that are already encoded. The encoder of kafkajs would allocate an object and
 * a buffer of 512 bytes for each header of each record. These allocations would take half of the CPU time of
 * forwarding.
 *
 * This codec writes an id (placeholder) instead of a batch. The sockets ({@link sockets}) replace the placeholder by
 * the records of the batch. Brokers read only the lowest three bits of the codec's number, which mean "no compression".
 */
export const READY_RECORDS = 8 as CompressionTypes;

/** Encoded records of batches that are being sent, by the id that the codec writes in place of the records. */
const batches = new Map<number, BatchRecords>();
let newest = 0;

/**
 * Byte offset of the id in the record that kafkajs passes to the codec. The fields before it have one byte each:
 * length, attributes, time, offset, key and value length.
 */
const VALUE_AT = 6;

// Cast: the library's type allows only the codecs that Kafka defines.
(kafkajs.CompressionCodecs as Record<number, () => unknown>)[READY_RECORDS] = () => ({
  compress: async ({ buffer }: { buffer: Buffer }) => buffer.subarray(VALUE_AT, VALUE_AT + PLACEHOLDER_BYTES),
  // Never called, because brokers read the number of this codec as "no compression".
  decompress: async (buffer: Buffer) => buffer,
});

export function readyRecords(id: number): BatchRecords | undefined {
  return batches.get(id);
}

/** Socket factory for every kafkajs client that sends the records of {@link readyBatch}. */
export const sockets: ISocketFactory = socketsWithRecords(readyRecords);

/** Records of one batch. They must be sent with `compression: READY_RECORDS`. */
interface ReadyBatch {
  /**
   * One message per record, because kafkajs writes the number of messages into the header of the batch. All messages
   * contain the id of the batch. The codec writes this id, and the sockets replace it by the encoded records.
   */
  readonly messages: Message[];
  /** Frees the prepared records. Must be called after the last attempt to send them. */
  readonly release: () => void;
}

/** Prepares the records of a batch for a partition. @param bodies records with bodies of `encodeRecordBody` */
export function readyBatch(partition: number, bodies: readonly TimedBody[]): ReadyBatch {
  newest = (newest + 1) % 2 ** 32;
  const id = newest;
  batches.set(id, encodeRecords(bodies));
  const value = Buffer.alloc(PLACEHOLDER_BYTES);
  value.writeUInt32BE(id);
  const messages = new SameMessages(bodies.length).fill({ key: null, value, partition }) as SameMessages;
  return { messages, release: () => batches.delete(id) };
}

/**
 * An array that contains the same message once per record. With a normal array, kafkajs would create an object, a
 * buffer of 512 bytes and a copy of a list for each message, which takes as long as encoding the record. If another
 * version of kafkajs uses this array differently, it behaves as a normal array with the same messages, only slower.
 */
class SameMessages extends Array<Message> {
  /** Calls `to` only for the first message, because all messages are equal. */
  override map<To>(to: (message: Message, at: number, all: Message[]) => To): To[] {
    const [first] = this;
    return first === undefined ? [] : new Array<To>(this.length).fill(to(first, 0, this));
  }

  /** Replaces the only use of `reduce` in kafkajs, which groups the messages by partition. */
  override reduce<To>(): To {
    return { [this[0]?.partition ?? 0]: this } as To;
  }
}
