import { HASH_BYTES, keccak256 } from '../../crypto/hash.js';
import { itemAt, present } from '../../primitives/assert.js';
import { EMPTY_BYTES, fromHex, toHex } from '../../primitives/bytes.js';
import { unchecked } from '../errors.js';
import { decodeRlp, malformedRlp, type RlpItem, rlpList, rlpText } from './rlp.js';

/** Rows of trie nodes. The key is the hash of the node's bytes, in hex. */
interface NodeRows {
  get(hash: string): Uint8Array | undefined;
  put(hash: string, node: Uint8Array): void;
  delete(hash: string): void;
}

/**
 * A node of the trie. Keys and paths are texts of hexadecimal digits. Each branch on the path to a value consumes one
 * digit.
 */
type Node =
  | { readonly kind: 'leaf'; readonly path: string; readonly value: Uint8Array }
  | { readonly kind: 'extension'; readonly path: string; readonly child: Reference }
  | { readonly kind: 'branch'; readonly children: readonly (Reference | undefined)[]; readonly value?: Uint8Array };

/** A loaded node, or the hash of a node that is not loaded yet. */
type Reference = Node | { readonly kind: 'hash'; readonly hash: string };

const WIDTH = 16;
const NO_CHILDREN: readonly (Reference | undefined)[] = new Array(WIDTH).fill(undefined);
const NOTHING = rlpText(EMPTY_BYTES);

/** Root of an empty trie. */
export const EMPTY_TRIE_ROOT = keccak256(rlpText(EMPTY_BYTES));

/**
 * A Merkle Patricia trie over keys of one length. Stores only the nodes of the newest root: when a node changes, its
 * old row is deleted. The root equals that of Ethereum's trie, with one exception in java-tron 4.7.2.
 *
 * The exception is a leaf with an empty path. Such a leaf exists if another key differs from the key of the leaf only
 * in the last digit. When the key of the leaf is put again, java-tron 4.7.2 replaces the leaf by a branch with a
 * value. Reference: TrieImpl.
 */
export class Trie {
  private readonly rows: NodeRows;
  private readonly keepsEndedLeaves: boolean;
  private root: Reference | undefined;

  /**
   * Opens a trie. Nodes are loaded on demand.
   * @param root hash of the newest root
   * @param keepsEndedLeaves true if a leaf with an empty path remains a leaf when its key is put again (see
   * `ReleaseRules`)
   */
  constructor(rows: NodeRows, root: Uint8Array, { keepsEndedLeaves }: { readonly keepsEndedLeaves: boolean }) {
    this.rows = rows;
    this.keepsEndedLeaves = keepsEndedLeaves;
    const hash = toHex(root);
    this.root = hash === toHex(EMPTY_TRIE_ROOT) ? undefined : { kind: 'hash', hash };
  }

  /**
   * Sets the value of a key.
   * @throws {ChainError} RuntimeException: the row of the root or of another node is missing
   */
  put(key: Uint8Array, value: Uint8Array): void {
    this.root = this.insert(this.root, toHex(key), value);
  }

  /** Stores the changed nodes. @returns the hash of the root, 32 bytes */
  commit(): Uint8Array {
    if (this.root === undefined) return EMPTY_TRIE_ROOT;
    if (this.root.kind === 'hash') return fromHex(this.root.hash);
    const hash = this.keep(this.encode(this.root));
    this.root = { kind: 'hash', hash };
    return fromHex(hash);
  }

  private insert(found: Reference | undefined, path: string, value: Uint8Array): Node {
    if (found === undefined) return { kind: 'leaf', path, value };
    const node = found.kind === 'hash' ? this.take(found.hash) : found;
    if (node.kind === 'branch') return path === '' ? { ...node, value } : this.insertBelow(node.children, path, value);
    // The key of a leaf with an empty path is put again. java-tron 4.7.2 replaces the leaf by a branch.
    if (path === '' && !this.keepsEndedLeaves) return { kind: 'branch', children: NO_CHILDREN, value };
    if (node.kind === 'leaf' && node.path === path) return { kind: 'leaf', path, value };
    const shared = commonLength(node.path, path);
    if (node.kind === 'extension' && shared === node.path.length) {
      return { kind: 'extension', path: node.path, child: this.insert(node.child, path.slice(shared), value) };
    }
    const children = NO_CHILDREN.with(digitAt(node.path, shared), below(node, shared + 1));
    const branch = this.insertBelow(children, path.slice(shared), value);
    return shared === 0 ? branch : { kind: 'extension', path: path.slice(0, shared), child: branch };
  }

  private insertBelow(children: readonly (Reference | undefined)[], path: string, value: Uint8Array): Node {
    const digit = digitAt(path, 0);
    return { kind: 'branch', children: children.with(digit, this.insert(children[digit], path.slice(1), value)) };
  }

  /** Loads a node that is about to change, and deletes its row, because a changed node has another key (hash). */
  private take(hash: string): Node {
    const row = this.rows.get(hash);
    if (row === undefined) throw unchecked('RuntimeException', `Invalid Trie state, can't resolve hash ${hash}`);
    this.rows.delete(hash);
    return nodeOf(decodeRlp(row));
  }

  private encode(node: Node): Uint8Array {
    switch (node.kind) {
      case 'leaf':
        return rlpList([rlpText(packPath(node.path, true)), rlpText(node.value)]);
      case 'extension':
        return rlpList([rlpText(packPath(node.path, false)), this.refer(node.child)]);
      case 'branch':
        return rlpList([
          ...node.children.map((child) => (child === undefined ? NOTHING : this.refer(child))),
          node.value === undefined ? NOTHING : rlpText(node.value),
        ]);
    }
  }

  /**
   * Encodes a reference to a child. If the encoded child is shorter than a hash, the reference is the encoded child
   * itself. Otherwise, it is the hash of the encoded child.
   */
  private refer(child: Reference): Uint8Array {
    if (child.kind === 'hash') return rlpText(fromHex(child.hash));
    const bytes = this.encode(child);
    return bytes.length < HASH_BYTES ? bytes : rlpText(fromHex(this.keep(bytes)));
  }

  private keep(bytes: Uint8Array): string {
    const hash = toHex(keccak256(bytes));
    this.rows.put(hash, bytes);
    return hash;
  }
}

/** Returns a leaf or an extension without the first digits of its path, as the child of a new branch. */
function below(node: Exclude<Node, { kind: 'branch' }>, digits: number): Reference {
  const path = node.path.slice(digits);
  return node.kind === 'extension' && path === '' ? node.child : { ...node, path };
}

function nodeOf(item: RlpItem): Node {
  if (item instanceof Uint8Array) throw malformedRlp();
  if (item.length !== 2) {
    const children = item.slice(0, WIDTH).map((child) => referenceOf(child));
    const value = item[WIDTH];
    return value instanceof Uint8Array && value.length > 0
      ? { kind: 'branch', children, value }
      : { kind: 'branch', children };
  }
  const [packed, rest] = item as [Uint8Array, RlpItem];
  const path = unpackPath(packed);
  if (isLeafPath(packed)) return { kind: 'leaf', path, value: rest as Uint8Array };
  return { kind: 'extension', path, child: present(referenceOf(rest), 'an extension node has a child') };
}

function referenceOf(item: RlpItem): Reference | undefined {
  if (!(item instanceof Uint8Array)) return nodeOf(item);
  if (item.length === 0) return undefined;
  if (item.length !== HASH_BYTES) throw malformedRlp();
  return { kind: 'hash', hash: toHex(item) };
}

/** Encodes a path in hex-prefix form, with flags for a leaf and for an odd number of digits. */
function packPath(path: string, isLeaf: boolean): Uint8Array {
  const flag = isLeaf ? 2 : 0;
  return fromHex(path.length % 2 === 0 ? `${flag}0${path}` : `${flag + 1}${path}`);
}

function unpackPath(packed: Uint8Array): string {
  return toHex(packed).slice((itemAt(packed, 0) & 0x10) === 0 ? 2 : 1);
}

function isLeafPath(packed: Uint8Array): boolean {
  return (itemAt(packed, 0) & 0x20) !== 0;
}

function digitAt(path: string, at: number): number {
  return Number.parseInt(path.charAt(at), 16);
}

function commonLength(a: string, b: string): number {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length++;
  return length;
}
