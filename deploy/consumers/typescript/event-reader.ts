import { fileURLToPath } from 'node:url';
import protobuf from 'protobufjs';

/** A record of a sink with `payload = protobuf`. */
export interface EventRecord {
  readonly topic: string;
  readonly partition: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly value: Uint8Array;
}

const SCHEMA = fileURLToPath(new URL('../../../proto/tronicle/events/v1/events.proto', import.meta.url));

/** Joins the parts of values. Decodes each value as the message that its headers specify. */
export class EventReader {
  private readonly root: protobuf.Root;
  /** Received parts of an incomplete value, by partition. */
  private readonly parts = new Map<string, Uint8Array[]>();

  private constructor(root: protobuf.Root) {
    this.root = root;
  }

  /** Opens a reader. @param file path of the protobuf schema */
  static async open(file = SCHEMA): Promise<EventReader> {
    return new EventReader(await new protobuf.Root().load(file));
  }

  /**
   * Returns the decoded event. Integers are text, and bytes are hex. Returns undefined until the last part of a value
   * was received.
   */
  read({ topic, partition, headers, value }: EventRecord): Record<string, unknown> | undefined {
    const place = `${topic}/${partition}`;
    const { part = '0', parts = '1', schema } = headers;
    if (schema === undefined) throw new Error(`${place} is not written in protobuf: its records name no schema`);
    const before = part === '0' ? [] : (this.parts.get(place) ?? []);
    const values = [...before, value];
    this.parts.delete(place);
    if (Number(part) + 1 < Number(parts)) {
      this.parts.set(place, values);
      return undefined;
    }
    const type = this.root.lookupType(schema);
    const message = type.toObject(type.decode(Buffer.concat(values)), { longs: String, enums: String });
    return inHex(message) as Record<string, unknown>;
  }
}

function inHex(value: unknown): unknown {
  if (value instanceof Uint8Array) return Buffer.from(value).toString('hex');
  if (Array.isArray(value)) return value.map(inHex);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, inHex(each)]));
}
