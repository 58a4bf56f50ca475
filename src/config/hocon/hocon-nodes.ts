import { itemAt } from '../../primitives/assert.js';
import type { HoconScalar, Origin } from './hocon-value.js';

/**
 * HOCON before substitution. `concat` is a value of several pieces, `stack` the values given to one key, later ones
 * last.
 */
export type HoconNode = HoconScalar | BlankNode | ListNode | ObjectNode | UnresolvedNode;
type UnresolvedNode = ReferenceNode | ConcatNode | StackNode;

/** White space between two pieces: part of a text, dropped beside lists and objects. */
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
/** `paths` in the order of trying: inside an included file first below the including object, then from the root. */
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

/** Gives `key` a further value: objects merge, what holds substitutions is kept in layers until they are known. */
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

/** A list or object with a substitution inside may look back at the value that it replaces. */
function hasReference(node: HoconNode): boolean {
  if (node.kind === 'list') return node.items.some(hasReference);
  if (node.kind === 'object') return [...node.fields.values()].some(hasReference);
  return isUnresolved(node);
}
