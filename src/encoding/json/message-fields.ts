import type { FieldDescriptor, MessageType } from '../../codec/descriptor.js';

/** A message as an object of field values by property name, for code that prints any message type. */
export type AnyMessage = Record<string, unknown>;

export function typeOf(message: object): MessageType<object> {
  return message.constructor as MessageType<object>;
}

/** Messages that are printed with all fields, including default values. Reference: JsonFormat.MESSAGES. */
const PRINTED_WHOLE = new Set([
  'protocol.AccountBalanceResponse',
  'protocol.BlockBalanceTrace',
  'protocol.TransactionBalanceTrace',
  'protocol.TransactionBalanceTrace.Operation',
]);

/** Returns the fields of a type in the order of their numbers. */
export function fieldsOf(type: MessageType<object>): readonly FieldDescriptor[] {
  let fields = ordered.get(type);
  if (fields === undefined) {
    fields = [...type.$fields].sort((a, b) => a.id - b.id);
    ordered.set(type, fields);
  }
  return fields;
}

const ordered = new Map<MessageType<object>, readonly FieldDescriptor[]>();

export function isPrintedWhole(type: MessageType<object>): boolean {
  return PRINTED_WHOLE.has(type.$name);
}

/** Returns true if a field is printed: its value is not the default, or its message is printed with all fields. */
export function isPrinted(field: FieldDescriptor, value: unknown, isWhole: boolean): boolean {
  if (value === undefined || value === null) return false;
  if (isWhole) return true;
  if (field.key !== undefined) return (value as Map<unknown, unknown>).size > 0;
  if (field.repeated === true) return (value as readonly unknown[]).length > 0;
  switch (field.kind) {
    case 'bytes':
      return (value as Uint8Array).length > 0;
    case 'string':
      return value !== '';
    case 'bool':
      return value === true;
    case 'message':
      return true;
    case 'int64':
      return value !== 0n && value !== 0;
    default:
      return value !== 0;
  }
}
