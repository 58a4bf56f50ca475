import { fileURLToPath } from 'node:url';
import protobuf from 'protobufjs';
import { Writer } from '../../../codec/writer.js';
import type { LOG_TOPIC, Trigger } from '../../event-kinds.js';
import { type RecordObject, type RecordValue, readRecord } from './read-record.js';

type EventTrigger = Exclude<Trigger, typeof LOG_TOPIC>;

const PACKAGE = 'tronicle.events.v1';
const FILE = fileURLToPath(new URL('../../../../proto/tronicle/events/v1/events.proto', import.meta.url));

/** Message of each kind of event. */
const messages: Readonly<Record<EventTrigger, string>> = {
  block: 'BlockEvent',
  transaction: 'TransactionEvent',
  contractevent: 'ContractEvent',
  contractlog: 'ContractLogEvent',
  solidity: 'SolidityEvent',
  solidityevent: 'ContractEvent',
  soliditylog: 'ContractLogEvent',
  stake: 'StakeEvent',
  unstake: 'StakeEvent',
  delegate: 'DelegationEvent',
  undelegate: 'DelegationEvent',
  vote: 'VoteEvent',
  reward: 'RewardEvent',
  permission: 'PermissionEvent',
  balance: 'BalanceEvent',
};

/** An event in protobuf. */
interface EventMessage {
  /** Full name of its message. */
  readonly schema: string;
  readonly bytes: Uint8Array;
}

/**
 * The protobuf form of a JSON payload: the same members by the names in `proto/tronicle/events/v1/events.proto`; null members are left
 * out. @throws {TypeError} a payload that the schema does not describe
 */
export function toEventMessage(trigger: EventTrigger, payload: string): EventMessage {
  const name = messages[trigger];
  const shape = shapeOf(name);
  const record = readRecord(payload);
  return { schema: `${PACKAGE}.${name}`, bytes: Writer.bytesOf((writer) => shape.write(record, writer)) };
}

/** How the members of an object become the fields of a message. */
class MessageShape {
  private readonly type: protobuf.Type;
  private fields: readonly FieldShape[] = [];

  constructor(type: protobuf.Type) {
    this.type = type;
  }

  /** Apart from the constructor, because messages may hold each other. */
  resolve(shapes: ReadonlyMap<string, MessageShape>): void {
    const fields = [...this.type.fieldsArray].sort((a, b) => a.id - b.id);
    this.fields = fields.map((field) => new FieldShape(field, shapes.get(field.resolvedType?.name ?? '')));
  }

  write(record: RecordObject, writer: Writer): void {
    let known = 0;
    for (const field of this.fields) {
      const value = record.get(field.name);
      if (value === undefined) continue;
      known++;
      if (value !== null) field.write(value, writer);
    }
    if (known < record.size) this.refuseUnknown(record);
  }

  /** A list or a map that can be missing is a message of its own, with one field. */
  get isContainer(): boolean {
    return this.type.fieldsArray.length === 1 && this.type.fieldsArray[0]!.repeated;
  }

  writeItems(items: readonly RecordValue[] | RecordObject, writer: Writer): void {
    this.fields[0]!.write(items, writer);
  }

  /** A member of an object whose names are data: the name and its value are the two fields. */
  writeMember(name: string, value: RecordValue, writer: Writer): void {
    this.fields[0]!.write(name, writer);
    if (value !== null) this.fields[1]!.write(value, writer);
  }

  /** Members that are always null have no field. */
  private refuseUnknown(record: RecordObject): void {
    const names = new Set(this.fields.map(({ name }) => name));
    for (const [name, value] of record) {
      if (value !== null && !names.has(name)) throw new TypeError(`${this.type.name} has no field for ${name}`);
    }
  }
}

class FieldShape {
  /** In JSON. */
  readonly name: string;
  private readonly field: protobuf.Field;
  private readonly message: MessageShape | undefined;
  private readonly isOptional: boolean;

  constructor(field: protobuf.Field, message: MessageShape | undefined) {
    const { json_name: jsonName, proto3_optional: isOptional } = (field.options ?? {}) as Readonly<
      Record<string, unknown>
    >;
    this.field = field;
    this.message = message;
    this.name = typeof jsonName === 'string' ? jsonName : camel(field.name);
    this.isOptional = isOptional === true;
  }

  write(value: RecordValue, writer: Writer): void {
    if (!this.field.repeated) this.writeOne(value, writer);
    else if (Array.isArray(value)) for (const item of value) this.writeOne(item, writer);
    else if (value instanceof Map && this.message !== undefined) this.writeMembers(value, this.message, writer);
    else throw this.error(value);
  }

  private writeMembers(object: RecordObject, message: MessageShape, writer: Writer): void {
    for (const [name, value] of object) {
      writer.begin(this.tag(2));
      message.writeMember(name, value, writer);
      writer.end();
    }
  }

  private writeOne(value: RecordValue, writer: Writer): void {
    const { message } = this;
    const { type, repeated } = this.field;
    // Only what is optional tells a default value from none; items of a list are all there.
    const isKept = this.isOptional || repeated;
    if (message !== undefined && typeof value === 'object' && value !== null) {
      writer.begin(this.tag(2));
      if (value instanceof Map && !message.isContainer) message.write(value, writer);
      else message.writeItems(value, writer);
      writer.end();
    } else if (type === 'int64' && typeof value === 'bigint') {
      if (isKept || value !== 0n) writer.int64(this.tag(0), value);
    } else if (type === 'bool' && typeof value === 'boolean') {
      if (isKept || value) writer.bool(this.tag(0), value);
    } else if (type === 'string' && typeof value === 'string') {
      if (isKept || value !== '') writer.string(this.tag(2), value);
    } else if (type === 'bytes' && typeof value === 'string' && HEX.test(value)) {
      if (isKept || value !== '') writer.bytes(this.tag(2), Buffer.from(value, 'hex'));
    } else throw this.error(value);
  }

  private tag(wireType: number): number {
    return this.field.id * 8 + wireType;
  }

  private error(value: RecordValue): TypeError {
    return new TypeError(`${this.field.fullName} is ${this.field.type}, which ${typeof value} is not`);
  }
}

const HEX = /^(?:[0-9a-f]{2})*$/;

let shapes: ReadonlyMap<string, MessageShape> | undefined;

/** Read from the schema when it is first asked for. */
function shapeOf(name: string): MessageShape {
  shapes ??= readShapes();
  return shapes.get(name)!;
}

function readShapes(): ReadonlyMap<string, MessageShape> {
  const root = new protobuf.Root().loadSync(FILE, { keepCase: true });
  root.resolveAll();
  const types = root.lookup(PACKAGE) as protobuf.Namespace;
  const made = new Map(
    types.nestedArray.flatMap((type) => (type instanceof protobuf.Type ? [[type.name, new MessageShape(type)]] : [])),
  );
  for (const shape of made.values()) shape.resolve(made);
  return made;
}

function camel(name: string): string {
  return name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}
