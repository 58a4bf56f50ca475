import { fileURLToPath } from 'node:url';
import protobuf from 'protobufjs';
import { Writer } from '../../../log/codec/writer.js';
import { readRecord } from './read-record.js';
const PACKAGE = 'tronicle.events.v1';
const FILE = fileURLToPath(new URL('../../../../proto/tronicle/events/v1/events.proto', import.meta.url));
/** Message of each kind of event. */
const messages = {
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
/**
 * The protobuf form of a JSON payload: the same members by the names in `proto/tronicle/events/v1/events.proto`; null members are left
 * out. @throws {TypeError} a payload that the schema does not describe
 */
export function toEventMessage(trigger, payload) {
    const name = messages[trigger];
    const shape = shapeOf(name);
    const record = readRecord(payload);
    return { schema: `${PACKAGE}.${name}`, bytes: Writer.bytesOf((writer) => shape.write(record, writer)) };
}
/** How the members of an object become the fields of a message. */
class MessageShape {
    type;
    fields = [];
    constructor(type) {
        this.type = type;
    }
    /** Apart from the constructor, because messages may hold each other. */
    resolve(shapes) {
        const fields = [...this.type.fieldsArray].sort((a, b) => a.id - b.id);
        this.fields = fields.map((field) => new FieldShape(field, shapes.get(field.resolvedType?.name ?? '')));
    }
    write(record, writer) {
        let known = 0;
        for (const field of this.fields) {
            const value = record.get(field.name);
            if (value === undefined)
                continue;
            known++;
            if (value !== null)
                field.write(value, writer);
        }
        if (known < record.size)
            this.refuseUnknown(record);
    }
    /** A list or a map that can be missing is a message of its own, with one field. */
    get isContainer() {
        return this.type.fieldsArray.length === 1 && this.type.fieldsArray[0].repeated;
    }
    writeItems(items, writer) {
        this.fields[0].write(items, writer);
    }
    /** A member of an object whose names are data: the name and its value are the two fields. */
    writeMember(name, value, writer) {
        this.fields[0].write(name, writer);
        if (value !== null)
            this.fields[1].write(value, writer);
    }
    /** Members that are always null have no field. */
    refuseUnknown(record) {
        const names = new Set(this.fields.map(({ name }) => name));
        for (const [name, value] of record) {
            if (value !== null && !names.has(name))
                throw new TypeError(`${this.type.name} has no field for ${name}`);
        }
    }
}
class FieldShape {
    /** In JSON. */
    name;
    field;
    message;
    isOptional;
    constructor(field, message) {
        const { json_name: jsonName, proto3_optional: isOptional } = (field.options ?? {});
        this.field = field;
        this.message = message;
        this.name = typeof jsonName === 'string' ? jsonName : camel(field.name);
        this.isOptional = isOptional === true;
    }
    write(value, writer) {
        if (!this.field.repeated)
            this.writeOne(value, writer);
        else if (Array.isArray(value))
            for (const item of value)
                this.writeOne(item, writer);
        else if (value instanceof Map && this.message !== undefined)
            this.writeMembers(value, this.message, writer);
        else
            throw this.error(value);
    }
    writeMembers(object, message, writer) {
        for (const [name, value] of object) {
            writer.begin(this.tag(2));
            message.writeMember(name, value, writer);
            writer.end();
        }
    }
    writeOne(value, writer) {
        const { message } = this;
        const { type, repeated } = this.field;
        // Only what is optional tells a default value from none; items of a list are all there.
        const isKept = this.isOptional || repeated;
        if (message !== undefined && typeof value === 'object' && value !== null) {
            writer.begin(this.tag(2));
            if (value instanceof Map && !message.isContainer)
                message.write(value, writer);
            else
                message.writeItems(value, writer);
            writer.end();
        }
        else if (type === 'int64' && typeof value === 'bigint') {
            if (isKept || value !== 0n)
                writer.int64(this.tag(0), value);
        }
        else if (type === 'bool' && typeof value === 'boolean') {
            if (isKept || value)
                writer.bool(this.tag(0), value);
        }
        else if (type === 'string' && typeof value === 'string') {
            if (isKept || value !== '')
                writer.string(this.tag(2), value);
        }
        else if (type === 'bytes' && typeof value === 'string' && HEX.test(value)) {
            if (isKept || value !== '')
                writer.bytes(this.tag(2), Buffer.from(value, 'hex'));
        }
        else
            throw this.error(value);
    }
    tag(wireType) {
        return this.field.id * 8 + wireType;
    }
    error(value) {
        return new TypeError(`${this.field.fullName} is ${this.field.type}, which ${typeof value} is not`);
    }
}
const HEX = /^(?:[0-9a-f]{2})*$/;
let shapes;
/** Read from the schema when it is first asked for. */
function shapeOf(name) {
    shapes ??= readShapes();
    return shapes.get(name);
}
function readShapes() {
    const root = new protobuf.Root().loadSync(FILE, { keepCase: true });
    root.resolveAll();
    const types = root.lookup(PACKAGE);
    const made = new Map(types.nestedArray.flatMap((type) => (type instanceof protobuf.Type ? [[type.name, new MessageShape(type)]] : [])));
    for (const shape of made.values())
        shape.resolve(made);
    return made;
}
function camel(name) {
    return name.replace(/_([a-z0-9])/g, (_, letter) => letter.toUpperCase());
}
//# sourceMappingURL=event-messages.js.map