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

/** Records of a tree that are read: with five nodes in each, several times the network. */
const ENTRIES_MAX = 4096;

/** The TXT record of a name, its texts in their order; undefined: nobody answers, or there is none. */
export type LookUpText = (name: string) => Promise<readonly string[] | undefined>;

interface DnsTreeOptions {
  /** `tree://<public key>@<domain>` */
  readonly url: string;
  readonly lookUp: LookUpText;
  /** Records by their names: a tree that changes keeps most of them. */
  readonly cache: BoundedCache<TreeEntry>;
  readonly isClosed: () => boolean;
}

/**
 * Nodes that a domain lists. Links to other trees are not followed, as the reference does not.
 * Reference: ClientTree, SubtreeSync.
 */
export class DnsTree {
  private readonly options: DnsTreeOptions;
  private seq = 0;
  private found: readonly NodeAddress[] = [];

  constructor(options: DnsTreeOptions) {
    this.options = options;
  }

  /** While the tree is read for the first time those that were read already. */
  get nodes(): readonly NodeAddress[] {
    return this.found;
  }

  /** Reads the tree where it has changed; what was found stays when that fails. @throws {DnsTreeError} */
  async read(): Promise<void> {
    const link = parseTreeLink(this.options.url);
    const root = await this.root(link);
    if (root.seq <= this.seq) return;
    const nodes: NodeAddress[] = [];
    if (this.seq === 0) this.found = nodes;
    const isWhole = await this.readNodes(link, root.nodes, nodes);
    this.found = nodes;
    // What nobody answered is asked for again.
    if (isWhole) this.seq = root.seq;
  }

  private async root(link: TreeLink): Promise<TreeRoot> {
    const texts = await this.options.lookUp(link.domain);
    const text = texts?.find((one) => one.startsWith(ROOT_PREFIX));
    if (text === undefined) throw new DnsTreeError(`no root was found at ${link.domain}`);
    return parseTreeRoot(text, link);
  }

  /** @returns whether every record was there */
  private async readNodes({ domain }: TreeLink, top: string, nodes: NodeAddress[]): Promise<boolean> {
    const names = new Set([top]);
    let isWhole = true;
    for (const name of names) {
      if (this.options.isClosed()) return false;
      const entry = await this.entry(name, domain);
      if (entry === undefined) isWhole = false;
      else if (entry.kind === 'link') throw new DnsTreeError(`a link among the nodes of ${domain}`);
      else if (entry.kind === 'nodes') nodes.push(...entry.nodes);
      else for (const child of entry.children) names.add(child);
      if (names.size > ENTRIES_MAX) throw new DnsTreeError(`${domain} has more than ${ENTRIES_MAX} records`);
    }
    return isWhole;
  }

  private async entry(name: string, domain: string): Promise<TreeEntry | undefined> {
    const { cache, lookUp } = this.options;
    if (!isName(name)) throw new DnsTreeError(`${name} is no name of a record`);
    const known = cache.get(name);
    if (known !== undefined) return known;
    const texts = await lookUp(`${name}.${domain}`);
    if (texts === undefined) return undefined;
    const entry = parseTreeEntry(texts.map((text) => text.trim()).join(''), name);
    cache.set(name, entry);
    return entry;
  }
}
