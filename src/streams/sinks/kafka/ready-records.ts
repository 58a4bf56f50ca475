import kafkajs, { type CompressionTypes, type Message } from 'kafkajs';
import { encodeRecords } from './encode-record.js';

/**
 * Passes records through kafkajs that are encoded already: its own encoder takes an object, and a buffer of 512 bytes, for each header of
 * each record, which is half of all that forwarding costs. The library lets a codec make a batch's bytes of its records. The
 * codec's number is one whose bits in the batch (the lowest three) say that nothing is compressed.
 */
export const READY_RECORDS = 8 as CompressionTypes;

/** Batches on their way, by the number that their first placeholder carries. */
const batches = new Map<number, Buffer>();
let newest = 0;

/** Bytes of a placeholder before its value: length, attributes, time, place, key and length of the value, one each. */
const VALUE_AT = 6;

// Its type names the codecs that Kafka knows only.
(kafkajs.CompressionCodecs as Record<number, () => unknown>)[READY_RECORDS] = () => ({
  compress: async ({ buffer }: { buffer: Buffer }) => {
    const records = batches.get(buffer.readUInt32BE(VALUE_AT));
    if (records === undefined) throw new Error('a batch of encoded records is sent that nobody prepared');
    return records;
  },
  // Brokers call such batches uncompressed.
  decompress: async (buffer: Buffer) => buffer,
});

/** Placeholders for kafkajs to count: one for each record. */
interface ReadyBatch {
  readonly messages: readonly Message[];
  /** To be called when sending has ended, which may repeat it. */
  readonly release: () => void;
}

/** Records of one partition, to be sent with `compression: READY_RECORDS`. @param bodies from `encodeRecordBody` */
export function readyBatch(partition: number, bodies: readonly Buffer[]): ReadyBatch {
  newest = (newest + 1) % 2 ** 32;
  const id = newest;
  batches.set(id, encodeRecords(bodies));
  const value = Buffer.alloc(4);
  value.writeUInt32BE(id);
  const empty = { key: null, value: null, partition };
  const messages = bodies.map((_, place) => (place === 0 ? { key: null, value, partition } : empty));
  return { messages, release: () => batches.delete(id) };
}
