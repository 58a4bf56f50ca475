import { base32nopad } from '@scure/base';
import { P2pDnsRoot, P2pDnsRootTreeRoot, P2pEndPoints } from '../../codec/generated/messages.js';
import { keccak256 } from '../../crypto/hash.js';
import { SIGNATURE_BYTES, secp256k1 } from '../../crypto/secp256k1.js';
import { itemAt } from '../../primitives/assert.js';
import { concatBytes, equalBytes, toUtf8, utf8 } from '../../primitives/bytes.js';
import { TronError } from '../../primitives/errors.js';
import { createNodeId, fromEndpoint, type NodeAddress } from '../transport/node-address.js';

/** Thrown for an unreadable DNS tree, or a record at the wrong position in it. */
export class DnsTreeError extends TronError<'DNS_TREE'> {
  constructor(text: string) {
    super('DNS_TREE', text);
  }
}

/** Domain and signer of a tree, from a URL `tree://<base32 of the compressed key>@<domain>`. */
export interface TreeLink {
  readonly domain: string;
  /** Public key of the signer, compressed, 33 bytes. */
  readonly publicKey: Uint8Array;
}

/** Root record of a tree: names of its two subtrees, and a sequence number that rises with each change. */
export interface TreeRoot {
  readonly nodes: string;
  readonly links: string;
  readonly seq: number;
}

export type TreeEntry =
  | { readonly kind: 'branch'; readonly children: readonly string[] }
  | { readonly kind: 'link' }
  | { readonly kind: 'nodes'; readonly nodes: readonly NodeAddress[] };

export const ROOT_PREFIX = 'tree-root-v1:';
export const LINK_PREFIX = 'tree://';
export const BRANCH_PREFIX = 'tree-branch:';
export const NODES_PREFIX = 'nodes:';

const PUBLIC_KEY_BYTES = 33;
/** Size of a record name in bytes. A name consists of the leading bytes of the record's hash. */
const NAME_BYTES = 16;

/**
 * Parses a tree URL. Reference: LinkEntry.parseEntry.
 * @throws {DnsTreeError} when the URL is malformed, or the key does not have 33 bytes
 */
export function parseTreeLink(url: string): TreeLink {
  if (!url.startsWith(LINK_PREFIX))
    throw new DnsTreeError(`invalid dns tree url ${url}: must start with ${LINK_PREFIX}`);
  const [key, domain, more] = url.slice(LINK_PREFIX.length).split('@');
  if (key === undefined || domain === undefined || more !== undefined)
    throw new DnsTreeError(`invalid dns tree url ${url}: must be ${LINK_PREFIX}<public key>@<domain>`);
  const publicKey = decoded(key, base32nopad.decode);
  if (publicKey.length !== PUBLIC_KEY_BYTES)
    throw new DnsTreeError(`invalid dns tree url ${url}: the public key must have ${PUBLIC_KEY_BYTES} bytes in base32`);
  return { domain, publicKey };
}

/**
 * Parses a root record. Reference: RootEntry.parseEntry.
 * @throws {DnsTreeError} when the record is invalid, or signed with another key
 */
export function parseTreeRoot(text: string, { publicKey, domain }: TreeLink): TreeRoot {
  const { treeRoot, signature: signed } = decodedRoot(text);
  const { eRoot, lRoot, seq } = treeRoot ?? new P2pDnsRootTreeRoot();
  const [nodes, links] = [toUtf8(eRoot), toUtf8(lRoot)];
  for (const name of [nodes, links]) if (!isName(name)) throw new DnsTreeError(`invalid record name: ${name}`);
  const signature = bytesOfBase64(toUtf8(signed));
  if (signature.length !== SIGNATURE_BYTES)
    throw new DnsTreeError(`invalid root signature: ${signature.length} bytes, expected ${SIGNATURE_BYTES}`);
  const hash = keccak256(utf8(signedText(nodes, links, seq)));
  const signer = decoded(signature, (bytes) =>
    compressed(secp256k1.recover(bytes.subarray(0, 64), recoveryOf(bytes), hash)),
  );
  if (!equalBytes(signer, publicKey))
    throw new DnsTreeError(`dns tree ${domain}: the root is not signed with the public key in the tree URL`);
  return { nodes, links, seq };
}

/**
 * Parses a record. Reference: Client.doResolveEntry.
 * @param name name of the record, which is the hash of its text
 * @throws {DnsTreeError} when the name is not the hash of the text, or the record is invalid
 */
export function parseTreeEntry(text: string, name: string): TreeEntry {
  if (nameOf(text) !== name) throw new DnsTreeError(`dns record ${name}: the name is not the hash of the text`);
  if (text.startsWith(BRANCH_PREFIX)) {
    const children = text.slice(BRANCH_PREFIX.length);
    return { kind: 'branch', children: children === '' ? [] : children.split(',') };
  }
  if (text.startsWith(LINK_PREFIX)) return { kind: 'link' };
  if (!text.startsWith(NODES_PREFIX)) throw new DnsTreeError(`dns record ${name}: unknown record type`);
  return { kind: 'nodes', nodes: nodesOfLeaf(text) };
}

/**
 * Returns the nodes of a leaf record. Does not check that the name of the record is its hash. Reference:
 * NodesEntry.parseEntry
 * @throws {DnsTreeError} the record is not a valid leaf
 */
export function nodesOfLeaf(text: string): readonly NodeAddress[] {
  const { nodes } = decoded(text.slice(NODES_PREFIX.length), (base64) => P2pEndPoints.decode(bytesOfBase64(base64)));
  return nodes.map((node) => ({ ...fromEndpoint(node), id: createNodeId() }));
}

/**
 * Returns the sequence number of a root. Does not check the signer.
 * @throws {DnsTreeError} the text is not a root record
 */
export function seqOfRoot(text: string): number {
  const isRoot = text.startsWith(ROOT_PREFIX);
  const { treeRoot, signature } = isRoot ? decodedRoot(text) : new P2pDnsRoot();
  if (treeRoot === undefined || bytesOfBase64(toUtf8(signature)).length !== SIGNATURE_BYTES)
    throw new DnsTreeError('the TXT record of the domain is not the root of a dns tree');
  return treeRoot.seq;
}

/** Returns true if a text is a valid record name: 16 bytes in base32. */
export function isName(text: string): boolean {
  try {
    return base32nopad.decode(text).length === NAME_BYTES;
  } catch {
    return false;
  }
}

/** Returns the name of a record within its domain: the leading bytes of its hash in base32. */
export function nameOf(text: string): string {
  return base32nopad.encode(keccak256(utf8(text)).subarray(0, NAME_BYTES));
}

function decodedRoot(text: string): P2pDnsRoot {
  return decoded(text.slice(ROOT_PREFIX.length), (base64) => P2pDnsRoot.decode(bytesOfBase64(base64)));
}

/** Returns the signed text of a root record, in protobuf text format. */
export function signedText(nodes: string, links: string, seq: number): string {
  return `eRoot: "${nodes}"\nlRoot: "${links}"\n${seq === 0 ? '' : `seq: ${seq}\n`}`;
}

/** Returns the recovery id, 0 or 1. Some signers write it as 27 or 28. */
function recoveryOf(signature: Uint8Array): number {
  const header = itemAt(signature, SIGNATURE_BYTES - 1);
  return header < 27 ? header : header - 27;
}

function bytesOfBase64(text: string): Uint8Array {
  return Buffer.from(text.replaceAll('"', ''), 'base64url');
}

function decoded<T, R>(value: T, decode: (value: T) => R): R {
  try {
    return decode(value);
  } catch (error) {
    throw new DnsTreeError(`invalid dns record: ${(error as Error).message}`);
  }
}

/** Returns a public key in compressed form, 33 bytes. */
export function compressed(key: Uint8Array): Uint8Array {
  return concatBytes(Uint8Array.of((itemAt(key, 64) & 1) === 1 ? 3 : 2), key.subarray(1, 33));
}
