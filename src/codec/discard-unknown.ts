import type { MessageType } from './descriptor.js';

/** Deletes the unknown fields of a message and of all messages in it. */
export function discardUnknown(message: object, type: MessageType<object>): void {
  const fields = message as Record<string, unknown>;
  fields['$unknown'] = undefined;
  for (const { prop, kind, message: inner } of type.$fields) {
    if (kind !== 'message' || inner === undefined) continue;
    const value = fields[prop];
    for (const item of Array.isArray(value) ? value : value === undefined ? [] : [value]) {
      discardUnknown(item as object, inner());
    }
  }
}
