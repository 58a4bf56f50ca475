import { itemAt } from '../../primitives/assert.js';
import { UsageError } from '../../primitives/errors.js';
import {
  type HoconNode,
  isUnresolved,
  layersOf,
  type ObjectNode,
  type ReferenceNode,
  type StackNode,
} from './hocon-nodes.js';
import { type HoconList, type HoconObject, type HoconValue, type Origin, originText } from './hocon-value.js';

export type EnvironmentVariables = Readonly<Record<string, string | undefined>>;

/**
 * Resolves substitutions. A path that the file does not define is read from the environment.
 * @throws {UsageError} a required substitution has no value, substitutions form a cycle, or pieces cannot be joined
 */
export function resolveHocon(root: ObjectNode, env: EnvironmentVariables): HoconObject {
  return new Resolver(root, env).resolveObject(root, []);
}

/**
 * Resolves the substitutions of one file. All values that are set for a key are its layers. A key that refers to itself
 * reads its previous value, so `below` contains the layers under the layer that is being resolved.
 */
class Resolver {
  private readonly root: ObjectNode;
  private readonly env: EnvironmentVariables;
  private below = new Map<string, readonly HoconNode[]>();

  constructor(root: ObjectNode, env: EnvironmentVariables) {
    this.root = root;
    this.env = env;
  }

  resolveObject(node: ObjectNode, path: readonly string[]): HoconObject {
    const fields = new Map<string, HoconValue>();
    for (const [key, child] of node.fields) {
      const childPath = [...path, key];
      if (this.below.has(keyOf(childPath))) throw this.cycle(childPath, child.origin);
      const value = this.resolve(child, childPath);
      if (value !== undefined) fields.set(key, value);
    }
    return { kind: 'object', fields, origin: node.origin };
  }

  private resolve(node: HoconNode, path: readonly string[]): HoconValue | undefined {
    if (node.kind === 'object') return this.resolveObject(node, path);
    if (node.kind === 'list' && !this.below.has(keyOf(path)))
      return this.withBelow(path, [], () => this.list(node, path));
    if (node.kind === 'list') return this.list(node, path);
    if (node.kind === 'blank') return { kind: 'string', text: node.text, origin: node.origin };
    return isUnresolved(node) ? this.fold(layersOf(node), path) : node;
  }

  private list(node: HoconNode & { kind: 'list' }, path: readonly string[]): HoconValue {
    const items = node.items.map((item, index) => this.piece(item, [...path, `[${index}]`]));
    return { kind: 'list', items: items.filter((item) => item !== undefined), origin: node.origin };
  }

  /**
   * Merges the layers, starting with the last one. Stops at a value that is not an object. The layers under this value
   * are not resolved, so they may be invalid.
   */
  private fold(layers: readonly HoconNode[], path: readonly string[]): HoconValue | undefined {
    let value: HoconValue | undefined;
    for (let index = layers.length - 1; index >= 0; index--) {
      const next = this.layer(itemAt(layers, index), layers.slice(0, index), path);
      if (next === undefined) continue;
      value = value === undefined ? next : mergeValues(next, value);
      if (next.kind !== 'object') break;
    }
    return value;
  }

  /**
   * Resolves one layer. While an object is resolved, its key still has this object, because the object may refer to its
   * own members. While any other layer is resolved, the key has only the layers under that layer.
   */
  private layer(node: HoconNode, below: readonly HoconNode[], path: readonly string[]): HoconValue | undefined {
    if (node.kind === 'object') return this.resolveObject(node, path);
    return this.withBelow(path, below, () => this.piece(node, path));
  }

  private withBelow<T>(path: readonly string[], layers: readonly HoconNode[], run: () => T): T {
    const key = keyOf(path);
    const outer = this.below.get(key);
    this.below.set(key, layers);
    const result = run();
    if (outer === undefined) this.below.delete(key);
    else this.below.set(key, outer);
    return result;
  }

  private piece(node: HoconNode, path: readonly string[]): HoconValue | undefined {
    if (node.kind === 'reference') return this.reference(node);
    if (node.kind !== 'concat') return this.resolve(node, path);
    const values = node.parts.map((part, index) => ({
      blank: part.kind === 'blank',
      value: this.piece(part, part.kind === 'object' ? [...path, `{${index}}`] : path),
    }));
    return join(values, node.origin);
  }

  private reference(node: ReferenceNode): HoconValue | undefined {
    for (const path of node.paths) {
      const value = this.referred(node, path);
      if (value !== undefined) return value;
    }
    const text = this.env[itemAt(node.paths, node.paths.length - 1).join('.')];
    if (text !== undefined) return { kind: 'string', text, origin: { file: 'env variables', line: 0 } };
    if (node.optional) return undefined;
    throw new UsageError(`${originText(node.origin)}: could not resolve substitution to a value: ${node.text}`);
  }

  /** Resolves a reference. An optional substitution that is part of a cycle is absent. */
  private referred(node: ReferenceNode, path: readonly string[]): HoconValue | undefined {
    const before = new Map(this.below);
    try {
      const found = this.lookUp(path);
      return found && this.resolve(found, path);
    } catch (error) {
      if (!(error instanceof CycleError && node.optional)) throw error;
      this.below = before;
      return undefined;
    }
  }

  private lookUp(path: readonly string[]): HoconNode | undefined {
    let node: HoconNode | undefined = this.root;
    path.forEach((name, index) => {
      node = node && this.child(node, name, path.slice(0, index));
      const below = this.below.get(keyOf(path.slice(0, index + 1)));
      if (below !== undefined && node !== undefined) node = stack(below);
    });
    return node;
  }

  /** Returns a member of an object with layers. Resolves only the layers that this member needs. */
  private child(node: HoconNode, name: string, path: readonly string[]): HoconNode | undefined {
    const layers = layersOf(node);
    const found: HoconNode[] = [];
    for (let index = layers.length - 1; index >= 0; index--) {
      const layer = itemAt(layers, index);
      const object = isUnresolved(layer) ? this.layer(layer, layers.slice(0, index), path) : layer;
      if (object === undefined) continue;
      if (object.kind !== 'object') break;
      const member = object.fields.get(name);
      if (member === undefined) continue;
      found.unshift(member as HoconNode);
      if (member.kind !== 'object' && !isUnresolved(member as HoconNode)) break;
    }
    return stack(found);
  }

  private cycle(path: readonly string[], origin: Origin): CycleError {
    return new CycleError(`${originText(origin)}: substitutions of '${path.join('.')}' form a cycle`);
  }
}

class CycleError extends UsageError {}

function stack(layers: readonly HoconNode[]): HoconNode | undefined {
  const top = layers[layers.length - 1];
  if (top === undefined || layers.length === 1) return top;
  const flat: StackNode = { kind: 'stack', layers: layers.flatMap(layersOf), origin: top.origin };
  return flat;
}

/**
 * Joins pieces from left to right: appends lists, merges objects, concatenates texts. Ignores blanks before and after a
 * list or an object, and unquoted words after it. Reference: ConfigConcatenation.join.
 */
function join(
  parts: readonly { blank: boolean; value: HoconValue | undefined }[],
  origin: Origin,
): HoconValue | undefined {
  let joined: HoconValue | undefined;
  let isBlank = true;
  for (const { blank, value } of parts) {
    if (value === undefined) continue;
    if (joined === undefined || (isBlank && isContainer(value))) joined = value;
    else if (!isContainer(joined) && !isContainer(value))
      joined = { kind: 'string', text: joined.text + value.text, origin };
    else if (joined.kind === 'list' && value.kind === 'list')
      joined = { ...joined, items: [...joined.items, ...value.items] };
    else if (joined.kind === 'object' && value.kind === 'object') joined = mergeValues(joined, value);
    else if (!isContainer(joined) || !(blank || (value.kind === 'string' && value.unquoted)))
      throw new UsageError(`${originText(origin)}: cannot concatenate a list or an object with something else`);
    isBlank &&= blank;
  }
  return isBlank ? undefined : joined;
}

function isContainer(value: HoconValue): value is HoconList | HoconObject {
  return value.kind === 'list' || value.kind === 'object';
}

/** Merges two objects, member by member. If a value is no object, the second value replaces the first one. */
export function mergeValues(old: HoconValue, value: HoconValue): HoconValue {
  if (old.kind !== 'object' || value.kind !== 'object') return value;
  const fields = new Map(old.fields);
  for (const [key, member] of value.fields) {
    const before = fields.get(key);
    fields.set(key, before === undefined ? member : mergeValues(before, member));
  }
  return { kind: 'object', fields, origin: value.origin };
}

function keyOf(path: readonly string[]): string {
  return JSON.stringify(path);
}
