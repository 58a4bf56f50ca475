import { networkInterfaces } from 'node:os';
import type { Logger } from 'pino';
import { BoundedCache } from '../bounded-cache.js';
import { type NodeAddress, plainHost } from '../transport/node-address.js';
import { DnsTree, type LookUpText } from './dns-tree.js';
import type { TreeEntry } from './tree-entry.js';

/** ms until the trees are read, and between two readings. Reference: Client of the package dns. */
const FIRST_MS = 5000;
const PERIOD_MS = 3_600_000;
/** Records that are remembered, of all trees. */
const RECORDS_MAX = 2000;

interface DnsNodesOptions {
  /** `node.dns.treeUrls` */
  readonly urls: readonly string[];
  readonly lookUp: LookUpText;
  readonly log: Logger;
  readonly now: () => number;
}

/** Nodes that DNS trees list, read again each hour. Reference: DnsManager. */
export class DnsNodes {
  private readonly options: DnsNodesOptions;
  private readonly trees: readonly { readonly url: string; readonly tree: DnsTree }[];
  private timer: NodeJS.Timeout | undefined;
  private isClosed = false;

  constructor(options: DnsNodesOptions) {
    this.options = options;
    const { urls, lookUp, now } = options;
    const cache = new BoundedCache<TreeEntry>({ entriesMax: RECORDS_MAX, now });
    const isClosed = (): boolean => this.isClosed;
    this.trees = urls.map((url) => ({ url, tree: new DnsTree({ url, lookUp, cache, isClosed }) }));
  }

  start(): void {
    if (this.trees.length > 0) this.later(FIRST_MS);
  }

  close(): void {
    this.isClosed = true;
    clearTimeout(this.timer);
  }

  /** Each once, without those of this machine. */
  nodes(): readonly NodeAddress[] {
    const interfaces = Object.values(networkInterfaces()).flatMap((all) => all ?? []);
    const own = new Set(interfaces.map(({ address }) => plainHost(address)));
    const found = new Map<string, NodeAddress>();
    for (const { tree } of this.trees)
      for (const node of tree.nodes) found.set(`${node.ipv4} ${node.ipv6} ${node.port}`, node);
    return [...found.values()].filter(({ ipv4, ipv6 }) => !own.has(ipv4 ?? ipv6 ?? ''));
  }

  /** One tree behind the other; one that fails keeps none of the others. */
  async readAll(): Promise<void> {
    const { log } = this.options;
    for (const { url, tree } of this.trees) {
      if (this.isClosed) return;
      try {
        await tree.read();
        log.info({ url, nodes: tree.nodes.length }, 'a DNS tree was read');
      } catch (error) {
        log.warn({ url, reason: (error as Error).message }, 'a DNS tree cannot be read');
      }
    }
  }

  private later(ms: number): void {
    this.timer = setTimeout(async () => {
      await this.readAll();
      if (!this.isClosed) this.later(PERIOD_MS);
    }, ms);
  }
}
