import { networkInterfaces } from 'node:os';
import type { Logger } from 'pino';
import { BoundedCache } from '../bounded-cache.js';
import { type NodeAddress, plainHost } from '../transport/node-address.js';
import { DnsTree, type LookUpText } from './dns-tree.js';
import type { TreeEntry } from './tree-entry.js';

/** Time from the start of the node to the first read of the DNS trees, in ms. Reference: Client of the package dns. */
const FIRST_MS = 5000;
/** Time between two reads of the DNS trees, in ms. */
const PERIOD_MS = 3_600_000;
/** Maximum number of cached records of all trees. */
const RECORDS_MAX = 2000;

interface DnsNodesOptions {
  /** URLs of the trees to read. Configured by `node.dns.treeUrls`. */
  readonly urls: readonly string[];
  readonly lookUp: LookUpText;
  readonly log: Logger;
  readonly now: () => number;
}

/** Reads the nodes listed by DNS trees, once per hour. Reference: DnsManager. */
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

  /** Returns the listed nodes, each once. Leaves out the addresses of this machine. */
  nodes(): readonly NodeAddress[] {
    const interfaces = Object.values(networkInterfaces()).flatMap((all) => all ?? []);
    const own = new Set(interfaces.map(({ address }) => plainHost(address)));
    const found = new Map<string, NodeAddress>();
    for (const { tree } of this.trees)
      for (const node of tree.nodes) found.set(`${node.ipv4} ${node.ipv6} ${node.port}`, node);
    return [...found.values()].filter(({ ipv4, ipv6 }) => !own.has(ipv4 ?? ipv6 ?? ''));
  }

  /** Reads the trees one after the other. A failed tree does not stop the others. */
  async readAll(): Promise<void> {
    const { log } = this.options;
    for (const { url, tree } of this.trees) {
      if (this.isClosed) return;
      try {
        await tree.read();
        log.info({ url, nodes: tree.nodes.length }, 'dns tree read');
      } catch (error) {
        log.warn({ url, reason: (error as Error).message }, 'dns tree read failed');
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
