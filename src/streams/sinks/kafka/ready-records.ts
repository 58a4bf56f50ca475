import kafkajs, { type CompressionTypes, type ISocketFactory, type Message } from 'kafkajs';
import { encodeRecords } from './encode-record.js';
import { PLACEHOLDER_BYTES, socketsWithRecords } from './produce-request.js';

/**
 * Passes records through kafkajs that are encoded already: its own encoder takes an object, and a buffer of 512 bytes,
 * for each header of each record, which is half of all that forwarding costs. The library lets a codec make a batch's
 * bytes of its records: here their id, in whose place they are put when the request is written ({@link sockets}). The
 * codec's number is one whose bits in the batch (the lowest three) say that nothing is compressed.
 */
export const READY_RECORDS = 8 as CompressionTypes;

/** Batches on their way, by id. */
const batches = new Map<number, Buffer>();
let newest = 0;

/** Bytes of a placeholder before its value: length, attributes, time, place, key and length of the value, one each. */
const VALUE_AT = 6;

// Its type names the codecs that Kafka knows only.
(kafkajs.CompressionCodecs as Record<number, () => unknown>)[READY_RECORDS] = () => ({
  compress: async ({ buffer }: { buffer: Buffer }) => buffer.subarray(VALUE_AT, VALUE_AT + PLACEHOLDER_BYTES),
  // Brokers call such batches uncompressed.
  decompress: async (buffer: Buffer) => buffer,
});

export function readyRecords(id: number): Uint8Array | undefined {
  return batches.get(id);
}

/** For every client that sends them. */
export const sockets: ISocketFactory = socketsWithRecords(readyRecords);

/** Records of one topic, to be sent with `compression: READY_RECORDS`. */
interface ReadyTopic {
  /** For kafkajs to count: one for each record. */
  readonly messages: Message[];
  /** To be called when sending has ended, which may repeat it. */
  readonly release: () => void;
}

/** @param partitions records by partition, from `encodeRecordBody` */
export function readyTopic(partitions: ReadonlyMap<number, readonly Buffer[]>): ReadyTopic {
  const ids: number[] = [];
  const parts = new Map<number, SameMessages>();
  for (const [partition, bodies] of partitions) {
    newest = (newest + 1) % 2 ** 32;
    ids.push(newest);
    batches.set(newest, encodeRecords(bodies));
    const value = Buffer.alloc(PLACEHOLDER_BYTES);
    value.writeUInt32BE(newest);
    const messages = new SameMessages(bodies.length);
    parts.set(partition, messages.fill({ key: null, value, partition }));
  }
  const release = (): void => {
    for (const id of ids) batches.delete(id);
  };
  return { messages: TopicMessages.ofParts(parts), release };
}

/*
 * What kafkajs does with a message costs as much as making its record does: an object and a buffer of 512 bytes, and a
 * copy of the list of those before it. These lists answer for all messages at once. A version of the library that asks
 * in another way finds an array like any other, with the same messages, and is slower.
 */

/** One message as often as there are records. */
class SameMessages extends Array<Message> {
  /** As if each was asked: they are the same. */
  override map<To>(to: (message: Message, at: number, all: Message[]) => To): To[] {
    const [first] = this;
    return first === undefined ? [] : new Array<To>(this.length).fill(to(first, 0, this));
  }
}

/** Messages of all partitions. */
class TopicMessages extends Array<Message> {
  private parts: ReadonlyMap<number, SameMessages> = new Map();

  static ofParts(parts: ReadonlyMap<number, SameMessages>): TopicMessages {
    const messages = new TopicMessages();
    messages.parts = parts;
    for (const part of parts.values()) messages.push(...part);
    return messages;
  }

  /** kafkajs reduces them to an object of lists by partition, and to nothing else. */
  override reduce<To>(): To {
    return Object.fromEntries(this.parts) as To;
  }
}
