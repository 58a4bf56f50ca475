import { present } from '../../../../primitives/assert.js';
import { varint } from '../../../../primitives/bytes.js';
import { LOG_TRIGGER_TOPIC } from '../../../event-kinds.js';
import type { BlockRecords, EventRecord, PayloadSchema } from '../../../records/event-record.js';
import { messageIndex, registeredSchema } from './registered-schemas.js';
import type { SchemaRegistry } from './schema-registry.js';

const MAGIC = 0;

/**
 * Returns a value in Confluent's wire format: a zero byte, the schema id in four bytes, the indexes of the message
 * (protobuf only), the value.
 * @param message index of a top-level protobuf message in its file; undefined for other formats
 */
export function frameValue(id: number, message: number | undefined, value: string | Uint8Array): Uint8Array {
  const indexes = message === undefined ? [] : messageIndexes(message);
  const bytes = typeof value === 'string' ? Buffer.from(value) : value;
  const framed = Buffer.allocUnsafe(5 + indexes.length + bytes.length);
  framed[0] = MAGIC;
  framed.writeUInt32BE(id, 1);
  framed.set(indexes, 5);
  framed.set(bytes, 5 + indexes.length);
  return framed;
}

/**
 * Returns the number of indexes (always 1) and the index, as zigzag varints. For index 0, both are written as one zero
 * byte.
 */
function messageIndexes(message: number): number[] {
  return message === 0 ? [0] : [...varint(2), ...varint(2 * message)];
}

/** Schema id and message index of the values of one topic and one message. */
interface Frame {
  readonly id: number;
  readonly message: number | undefined;
}

/** Adds the head of Confluent's wire format to the values of records. */
export class FramedRecords {
  private readonly registry: SchemaRegistry;
  private readonly topicOf: (trigger: EventRecord['trigger']) => string;
  private readonly frames = new Map<string, Frame>();

  constructor(registry: SchemaRegistry, topicOf: (trigger: EventRecord['trigger']) => string) {
    this.registry = registry;
    this.topicOf = topicOf;
  }

  /**
   * Returns the blocks with values in Confluent's wire format. Does not change entries of the log topic, because only
   * replicas read them.
   * @throws {SchemaRegistryError} the id of a schema is not known; no block is returned then
   * @throws {SinkError} the registry rejects a schema
   */
  async of(blocks: readonly BlockRecords[]): Promise<readonly BlockRecords[]> {
    for (const { records } of blocks) for (const record of records) await this.prepare(record);
    return blocks.map((block) => ({ ...block, records: block.records.map((record) => this.framed(record)) }));
  }

  private async prepare({ trigger, schema }: EventRecord): Promise<void> {
    if (trigger === LOG_TRIGGER_TOPIC || this.frames.has(frameName(trigger, schema))) return;
    const subject = `${this.topicOf(trigger)}-value`;
    const id = await this.registry.idOf(subject, registeredSchema(schema?.format ?? 'json', trigger));
    const message = schema?.format === 'protobuf' ? messageIndex(schema.name) : undefined;
    this.frames.set(frameName(trigger, schema), { id, message });
  }

  private framed(record: EventRecord): EventRecord {
    const { trigger, schema, payload } = record;
    if (trigger === LOG_TRIGGER_TOPIC) return record;
    const { id, message } = present(this.frames.get(frameName(trigger, schema)), 'each record is prepared');
    return { ...record, payload: frameValue(id, message, payload) };
  }
}

function frameName(trigger: EventRecord['trigger'], schema: PayloadSchema | undefined): string {
  return schema === undefined ? trigger : `${trigger} ${schema.format} ${schema.name}`;
}
