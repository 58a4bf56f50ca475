import { itemAt } from '../../primitives/assert.js';
import type { HoconScalar, Origin } from './hocon-value.js';

/**
 * A HOCON value before its substitutions are resolved. A `concat` is a value that consists of several pieces. A `stack`
 * contains all values that are set for one key; the last one takes precedence.
 */
export type HoconNode = HoconScalar | BlankNode | ListNode | ObjectNode | UnresolvedNode;
type UnresolvedNode = ReferenceNode | ConcatNode | StackNode;

/**
 * White space between two pieces of a value. In a text, it is a part of the value. Next to lists and objects, it is
 * ignored.
 */
interface BlankNode {
  readonly kind: 'blank';
  readonly text: string;
  readonly origin: Origin;
}
interface ListNode {
  readonly kind: 'list';
  readonly items: readonly HoconNode[];
  readonly origin: Origin;
}
export interface ObjectNode {
  readonly kind: 'object';
  readonly fields: Map<string, HoconNode>;
  readonly origin: Origin;
}
/**
 * A substitution. The resolver tries `paths` one after the other. In an included file, the first path is relative to
 * the object that contains the include, and the second path starts at the root.
 */
export interface ReferenceNode {
  readonly kind: 'reference';
  readonly paths: readonly (readonly string[])[];
  readonly optional: boolean;
  readonly text: string;
  readonly origin: Origin;
}
interface ConcatNode {
  readonly kind: 'concat';
  readonly parts: readonly HoconNode[];
  readonly origin: Origin;
}
export interface StackNode {
  readonly kind: 'stack';
  readonly layers: readonly HoconNode[];
  readonly origin: Origin;
}

/**
 * Adds a value of `key`. Objects are merged. A value with substitutions becomes an additional layer of the key until
 * the substitutions are resolved.
 */
export function setField(fields: Map<string, HoconNode>, key: string, node: HoconNode): void {
  const old = fields.get(key);
  fields.set(key, old === undefined ? node : merge(old, node));
}

export function layersOf(node: HoconNode): readonly HoconNode[] {
  return node.kind === 'stack' ? node.layers : [node];
}

export function isUnresolved(node: HoconNode): node is UnresolvedNode {
  return node.kind === 'reference' || node.kind === 'concat' || node.kind === 'stack';
}

function merge(old: HoconNode, node: HoconNode): HoconNode {
  if (node.kind === 'object' && old.kind === 'object') {
    const fields = new Map(old.fields);
    for (const [key, value] of node.fields) setField(fields, key, value);
    return { kind: 'object', fields, origin: node.origin };
  }
  if (node.kind === 'object' && isUnresolved(old)) {
    const layers = layersOf(old);
    const top = itemAt(layers, layers.length - 1);
    const next = top.kind === 'object' ? [...layers.slice(0, -1), merge(top, node)] : [...layers, node];
    return { kind: 'stack', layers: next, origin: node.origin };
  }
  if (!hasReference(node)) return node;
  return { kind: 'stack', layers: [...layersOf(old), ...layersOf(node)], origin: node.origin };
}

/**
 * Returns true if a value contains substitutions. They may refer to the previous value of the same key, so the previous
 * value must be kept until they are resolved.
 */
function hasReference(node: HoconNode): boolean {
  if (node.kind === 'list') return node.items.some(hasReference);
  if (node.kind === 'object') return [...node.fields.values()].some(hasReference);
  return isUnresolved(node);
}
