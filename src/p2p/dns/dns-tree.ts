import type { BoundedCache } from '../bounded-cache.js';
import type { NodeAddress } from '../transport/node-address.js';
import {
  DnsTreeError,
  isName,
  parseTreeEntry,
  parseTreeLink,
  parseTreeRoot,
  ROOT_PREFIX,
  type TreeEntry,
  type TreeLink,
  type TreeRoot,
} from './tree-entry.js';

/**
 * Maximum number of records read per tree. A record lists five nodes, so the limit covers several times the nodes of
 * the network.
 */
const ENTRIES_MAX = 4096;

/**
 * Returns the strings of the TXT record of a name, in the order of the record. Undefined if there is no answer or no
 * record.
 */
export type LookUpText = (name: string) => Promise<readonly string[] | undefined>;

interface DnsTreeOptions {
  /** URL of the form `tree://<public key>@<domain>`. The key is the compressed public key of the signer in base32. */
  readonly url: string;
  readonly lookUp: LookUpText;
  /** Records by name. The cache is shared by all reads, because a changed tree retains most of its records. */
  readonly cache: BoundedCache<TreeEntry>;
  readonly isClosed: () => boolean;
}

/**
 * Nodes listed by the DNS tree of a domain. Links to other trees are not followed, as in java-tron.
 * Reference: ClientTree, SubtreeSync.
 */
export class DnsTree {
  private readonly options: DnsTreeOptions;
  private seq = 0;
  private found: readonly NodeAddress[] = [];

  constructor(options: DnsTreeOptions) {
    this.options = options;
  }

  /** Nodes of the last successful read. During the first read, the nodes that were read so far. */
  get nodes(): readonly NodeAddress[] {
    return this.found;
  }

  /**
   * Reads the tree if it has changed. If a record has no answer, skips it, and the next call reads the tree again. If
   * the call throws, `nodes` does not change. If the first call throws, `nodes` has the nodes that were read before the
   * failure.
   * @throws {DnsTreeError} the root is missing, the root or a record is invalid, or the tree has too many records
   */
  async read(): Promise<void> {
    const link = parseTreeLink(this.options.url);
    const root = await this.root(link);
    if (root.seq <= this.seq) return;
    const nodes: NodeAddress[] = [];
    if (this.seq === 0) this.found = nodes;
    const isWhole = await this.readNodes(link, root.nodes, nodes);
    this.found = nodes;
    // Stores the sequence number only after a complete read. After an incomplete read, the next call therefore reads
    // the tree again.
    if (isWhole) this.seq = root.seq;
  }

  private async root(link: TreeLink): Promise<TreeRoot> {
    const texts = await this.options.lookUp(link.domain);
    const text = texts?.find((one) => one.startsWith(ROOT_PREFIX));
    if (text === undefined) throw new DnsTreeError(`dns tree ${link.domain}: no root record found`);
    return parseTreeRoot(text, link);
  }

  /** Reads all records below the record `top`. @returns true if every record was found */
  private async readNodes({ domain }: TreeLink, top: string, nodes: NodeAddress[]): Promise<boolean> {
    const names = new Set([top]);
    let isWhole = true;
    for (const name of names) {
      if (this.options.isClosed()) return false;
      const entry = await this.entry(name, domain);
      if (entry === undefined) isWhole = false;
      else if (entry.kind === 'link')
        throw new DnsTreeError(`dns tree ${domain}: a link record is below the root of the nodes`);
      else if (entry.kind === 'nodes') nodes.push(...entry.nodes);
      else for (const child of entry.children) names.add(child);
      if (names.size > ENTRIES_MAX) throw new DnsTreeError(`dns tree ${domain}: more than ${ENTRIES_MAX} records`);
    }
    return isWhole;
  }

  private async entry(name: string, domain: string): Promise<TreeEntry | undefined> {
    const { cache, lookUp } = this.options;
    if (!isName(name)) throw new DnsTreeError(`invalid record name: ${name}`);
    const known = cache.get(name);
    if (known !== undefined) return known;
    const texts = await lookUp(`${name}.${domain}`);
    if (texts === undefined) return undefined;
    const entry = parseTreeEntry(texts.map((text) => text.trim()).join(''), name);
    cache.set(name, entry);
    return entry;
  }
}
