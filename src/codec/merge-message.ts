import type { MessageType } from './descriptor.js';
import { messageTypeOf } from './descriptor.js';

type Fields = Record<string, unknown>;

/**
 * Merges a later occurrence of a singular message into the earlier occurrence. Appends lists, merges messages, and
 * copies other values unless they are the default. A default value in the later occurrence therefore does not replace
 * the earlier value. Block ids depend on this rule of Java. Reference: mergeFrom of the generated Java classes.
 * @param merged called for each message that was merged into another message
 */
export function mergeMessage(
  type: MessageType<object>,
  into: object,
  part: object,
  merged: (into: object, part: object) => void,
): void {
  const target = into as Fields;
  const source = part as Fields;
  for (const field of type.$fields) {
    const { prop, kind, repeated, key } = field;
    const value = source[prop];
    if (key !== undefined) {
      for (const [name, item] of value as Map<unknown, unknown>)
        (target[prop] as Map<unknown, unknown>).set(name, item);
    } else if (repeated) {
      for (const item of value as readonly unknown[]) (target[prop] as unknown[]).push(item);
    } else if (kind === 'message') {
      if (value === undefined) continue;
      if (target[prop] === undefined) target[prop] = value;
      else mergeMessage(messageTypeOf(field), target[prop] as object, value as object, merged);
    } else if (!isDefault(value)) target[prop] = value;
  }
  merged(into, part);
}

function isDefault(value: unknown): boolean {
  if (value instanceof Uint8Array) return value.length === 0;
  return value === 0 || value === 0n || value === '' || value === false;
}
