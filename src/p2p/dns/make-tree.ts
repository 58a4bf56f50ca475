import { base32nopad } from '@scure/base';
import { P2pDnsRoot, P2pDnsRootTreeRoot, P2pEndPoints } from '../../codec/generated/messages.js';
import { keccak256 } from '../../crypto/hash.js';
import { secp256k1 } from '../../crypto/secp256k1.js';
import { itemAt } from '../../primitives/assert.js';
import { concatBytes, fromHex, utf8 } from '../../primitives/bytes.js';
import { type NodeAddress, toEndpoint } from '../transport/node-address.js';
import {
  BRANCH_PREFIX,
  compressed,
  LINK_PREFIX,
  NODES_PREFIX,
  nameOf,
  parseTreeLink,
  ROOT_PREFIX,
  signedText,
} from './tree-entry.js';

/**
 * Maximum number of children of a tree entry. A child takes 27 characters (a name and a comma), and an entry has at
 * most 370 characters. Reference: Tree.MaxChildren.
 */
const CHILDREN_MAX = 13;
/** Number that java-tron's library web3j adds to the recovery id of a signature, so 0 and 1 become 27 and 28. */
const RECOVERY_BASE = 27;

/** A tree without its root record: the record names at the top of its two subtrees, and all other records by name. */
export interface TreeBody {
  readonly nodes: string;
  readonly links: string;
  readonly records: ReadonlyMap<string, string>;
}

/**
 * Sorts nodes by address and returns their leaf records. All nodes of one leaf have the same first byte in their IPv4
 * address. Reference: Tree.merge.
 */
export function leavesOf(nodes: readonly NodeAddress[], nodesPerLeaf: number): readonly string[] {
  const sorted = [...nodes].sort(byAddress);
  const leaves: NodeAddress[][] = [];
  for (const node of sorted) {
    const leaf = leaves.at(-1);
    const fits = leaf !== undefined && leaf.length < nodesPerLeaf && networkOf(itemAt(leaf, 0)) === networkOf(node);
    if (fits) leaf.push(node);
    else leaves.push([node]);
  }
  return leaves.map(leafOf);
}

/**
 * Builds the records of a tree from its leaves.
 * @param links URLs of other trees, `tree://<public key>@<domain>`.
 * @throws {DnsTreeError} an invalid link. Reference: Tree.makeTree.
 */
export function makeTree(leaves: readonly string[], links: readonly string[]): TreeBody {
  for (const link of links) parseTreeLink(link);
  const records = new Map<string, string>();
  const keep = (text: string): string => {
    const name = nameOf(text);
    records.set(name, text);
    return name;
  };
  return { nodes: keep(build(leaves, keep)), links: keep(build(links, keep)), records };
}

/** Returns the signed root record. @param privateKey 64 hex digits. Reference: Tree.sign, RootEntry.toFormat. */
export function signRoot({ nodes, links }: TreeBody, seq: number, privateKey: string): string {
  const { signature, recid } = secp256k1.sign(keccak256(utf8(signedText(nodes, links, seq))), fromHex(privateKey));
  const signed = base64Of(concatBytes(signature, Uint8Array.of(recid + RECOVERY_BASE)));
  const treeRoot = Object.assign(new P2pDnsRootTreeRoot(), { eRoot: utf8(nodes), lRoot: utf8(links), seq });
  const root = Object.assign(new P2pDnsRoot(), { treeRoot, signature: utf8(signed) });
  return ROOT_PREFIX + base64Of(P2pDnsRoot.encode(root));
}

/** Returns the URL that other nodes list in `node.dns.treeUrls`. Reference: LinkEntry.buildRepresent. */
export function urlOfTree(privateKey: string, domain: string): string {
  return `${LINK_PREFIX}${base32nopad.encode(compressed(secp256k1.publicKeyOf(fromHex(privateKey))))}@${domain}`;
}

/**
 * Builds the inner entries of a tree above the given entries.
 * @param keep stores an entry and returns its record name
 * @returns the top entry, which the caller must store. Reference: Tree.build.
 */
function build(entries: readonly string[], keep: (text: string) => string): string {
  if (entries.length === 1) return itemAt(entries, 0);
  if (entries.length <= CHILDREN_MAX) return BRANCH_PREFIX + entries.map(keep).join(',');
  const branches: string[] = [];
  for (let from = 0; from < entries.length; from += CHILDREN_MAX) {
    const branch = build(entries.slice(from, from + CHILDREN_MAX), keep);
    keep(branch);
    branches.push(branch);
  }
  return build(branches, keep);
}

function leafOf(nodes: readonly NodeAddress[]): string {
  // Node ids are not published, because they change at every start of a node.
  const all = nodes.map((node) => toEndpoint({ ...node, id: '' }));
  return NODES_PREFIX + base64Of(P2pEndPoints.encode(Object.assign(new P2pEndPoints(), { nodes: all })));
}

/** Compares two nodes by address. Reference: DnsNode.compareTo. */
function byAddress(a: NodeAddress, b: NodeAddress): number {
  return (
    compare(hexOfIpv4(a.ipv4), hexOfIpv4(b.ipv4)) || compare(hexOfIpv6(a.ipv6), hexOfIpv6(b.ipv6)) || a.port - b.port
  );
}

function compare(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1;
}

function networkOf({ ipv4 }: NodeAddress): number {
  return ipv4 === undefined ? 0 : Number(ipv4.split('.')[0]);
}

function hexOfIpv4(address = '0.0.0.0'): string {
  return address
    .split('.')
    .map((part) => Number(part).toString(16).padStart(2, '0'))
    .join('');
}

/**
 * Returns the bytes of an IPv6 address in hex.
 * @param address address with all eight groups written out, without `::`
 */
function hexOfIpv6(address = '0:0:0:0:0:0:0:0'): string {
  return address
    .split(':')
    .map((group) => group.padStart(4, '0'))
    .join('');
}

function base64Of(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64url');
}
