import { EMPTY_BYTES, fromHex, toHex } from '../../log/domain/bytes.js';
import { keccak256 } from '../../log/domain/hash.js';
import { unchecked } from '../errors.js';
import { decodeRlp, malformedRlp, rlpList, rlpText } from './rlp.js';
const HASH_BYTES = 32;
const WIDTH = 16;
/** A branch's own value: keys have one length, so none ends at a branch. */
const NO_VALUE = rlpText(EMPTY_BYTES);
/** Root of a trie without values. */
export const EMPTY_TRIE_ROOT = keccak256(rlpText(EMPTY_BYTES));
/**
 * A Merkle Patricia trie over keys of one length. Only the nodes of the newest root are kept: a changed node's row leaves.
 * Reference: TrieImpl, which keeps and hashes as Ethereum's does.
 */
export class Trie {
    rows;
    root;
    /** @param root hash of the newest root; rows are looked up when they are needed */
    constructor(rows, root) {
        this.rows = rows;
        const hash = toHex(root);
        this.root = hash === toHex(EMPTY_TRIE_ROOT) ? undefined : { kind: 'hash', hash };
    }
    /** @throws {ChainError} RuntimeException, a root or node that has no row */
    put(key, value) {
        this.root = this.insert(this.root, toHex(key), value);
    }
    /** Keeps what was put. @returns the root's hash, 32 bytes */
    commit() {
        if (this.root === undefined)
            return EMPTY_TRIE_ROOT;
        if (this.root.kind === 'hash')
            return fromHex(this.root.hash);
        const hash = this.keep(this.encode(this.root));
        this.root = { kind: 'hash', hash };
        return fromHex(hash);
    }
    insert(found, path, value) {
        if (found === undefined)
            return { kind: 'leaf', path, value };
        const node = found.kind === 'hash' ? this.take(found.hash) : found;
        if (node.kind === 'branch')
            return this.insertBelow(node.children, path, value);
        if (node.kind === 'leaf' && node.path === path)
            return { kind: 'leaf', path, value };
        const shared = commonLength(node.path, path);
        if (node.kind === 'extension' && shared === node.path.length) {
            return { kind: 'extension', path: node.path, child: this.insert(node.child, path.slice(shared), value) };
        }
        const children = new Array(WIDTH).fill(undefined);
        children[digitAt(node.path, shared)] = below(node, shared + 1);
        const branch = this.insertBelow(children, path.slice(shared), value);
        return shared === 0 ? branch : { kind: 'extension', path: path.slice(0, shared), child: branch };
    }
    insertBelow(children, path, value) {
        const digit = digitAt(path, 0);
        return { kind: 'branch', children: children.with(digit, this.insert(children[digit], path.slice(1), value)) };
    }
    /** A node that is about to change, so that its row leaves. */
    take(hash) {
        const row = this.rows.get(hash);
        if (row === undefined)
            throw unchecked('RuntimeException', `Invalid Trie state, can't resolve hash ${hash}`);
        this.rows.delete(hash);
        return nodeOf(decodeRlp(row));
    }
    encode(node) {
        switch (node.kind) {
            case 'leaf':
                return rlpList([rlpText(packPath(node.path, true)), rlpText(node.value)]);
            case 'extension':
                return rlpList([rlpText(packPath(node.path, false)), this.refer(node.child)]);
            case 'branch':
                return rlpList([
                    ...node.children.map((child) => (child === undefined ? NO_VALUE : this.refer(child))),
                    NO_VALUE,
                ]);
        }
    }
    /** How a node stands in the one above: whole when it is shorter than a hash. */
    refer(child) {
        if (child.kind === 'hash')
            return rlpText(fromHex(child.hash));
        const bytes = this.encode(child);
        return bytes.length < HASH_BYTES ? bytes : rlpText(fromHex(this.keep(bytes)));
    }
    keep(bytes) {
        const hash = toHex(keccak256(bytes));
        this.rows.put(hash, bytes);
        return hash;
    }
}
/** What of a leaf or an extension lies below a branch that takes the first digits of its path. */
function below(node, digits) {
    const path = node.path.slice(digits);
    return node.kind === 'extension' && path === '' ? node.child : { ...node, path };
}
function nodeOf(item) {
    if (item instanceof Uint8Array)
        throw malformedRlp();
    if (item.length !== 2) {
        return { kind: 'branch', children: item.slice(0, WIDTH).map((child) => referenceOf(child)) };
    }
    const [packed, rest] = item;
    const path = unpackPath(packed);
    if (isLeafPath(packed))
        return { kind: 'leaf', path, value: rest };
    return { kind: 'extension', path, child: referenceOf(rest) };
}
function referenceOf(item) {
    if (!(item instanceof Uint8Array))
        return nodeOf(item);
    if (item.length === 0)
        return undefined;
    if (item.length !== HASH_BYTES)
        throw malformedRlp();
    return { kind: 'hash', hash: toHex(item) };
}
/** Hex-prefix form: a flag for leaves, one for an odd number of digits. */
function packPath(path, isLeaf) {
    const flag = isLeaf ? 2 : 0;
    return fromHex(path.length % 2 === 0 ? `${flag}0${path}` : `${flag + 1}${path}`);
}
function unpackPath(packed) {
    return toHex(packed).slice((packed[0] & 0x10) === 0 ? 2 : 1);
}
function isLeafPath(packed) {
    return (packed[0] & 0x20) !== 0;
}
function digitAt(path, at) {
    return Number.parseInt(path.charAt(at), 16);
}
function commonLength(a, b) {
    let length = 0;
    while (length < a.length && a[length] === b[length])
        length++;
    return length;
}
//# sourceMappingURL=trie.js.map