import type { Logger } from 'pino';
import type { NodeAddress } from '../../transport/node-address.js';
import { leavesOf, makeTree, signRoot, type TreeBody, urlOfTree } from '../make-tree.js';
import { NODES_PREFIX, nodesOfLeaf, seqOfRoot } from '../tree-entry.js';
import { type DnsZone, ROOT_NAME, ROOT_TTL_S, type ZoneChanges, type ZoneRecord } from './dns-zone.js';

/** Time until discovered nodes are first published, in ms. Reference: PublishService. */
const FIRST_MS = 300_000;
/** Time between two rounds of publication, in ms. */
const PERIOD_MS = 3_600_000;

export interface TreePublisherOptions {
  readonly zone: DnsZone;
  readonly domain: string;
  /** Private key that signs the tree, 64 hex digits. */
  readonly privateKey: string;
  /** Current nodes of the tree. */
  readonly nodes: () => Promise<readonly NodeAddress[]> | readonly NodeAddress[];
  /** True if the nodes never change. They are then published only once, at the start. */
  readonly isStatic: boolean;
  /** URLs of other trees, `tree://…`. */
  readonly links: readonly string[];
  readonly nodesPerLeaf: number;
  /**
   * Minimum share of changed nodes for a new publication: (added + removed nodes) / published nodes. Must be above 0.
   */
  readonly changeThreshold: number;
  readonly log: Logger;
}

/** Publishes a tree of nodes at a DNS provider. Reference: PublishService, AwsClient, AliClient. */
export class TreePublisher {
  private readonly options: TreePublisherOptions;
  private timer: NodeJS.Timeout | undefined;
  private isClosed = false;
  /** Sequence number of the last known root. New roots continue from it, even if the root record was deleted. */
  private seq = 0;

  constructor(options: TreePublisherOptions) {
    this.options = options;
  }

  /** Starts publishing. If the provider denies access, logs the error at once, and each round tries again. */
  start(): void {
    const { isStatic, zone } = this.options;
    if (isStatic) void this.round();
    else {
      this.later(FIRST_MS);
      void this.succeeds(() => zone.check());
    }
  }

  close(): void {
    this.isClosed = true;
    clearTimeout(this.timer);
    this.options.zone.close();
  }

  /**
   * Publishes the tree if enough nodes have changed.
   * @returns true if records were changed
   * @throws {DnsPublishError | DnsTreeError} a request failed, or a published record is invalid
   */
  async publish(): Promise<boolean> {
    const { zone, nodes, links, nodesPerLeaf, changeThreshold, privateKey, domain, log } = this.options;
    const existing = await zone.records();
    const before = nodesIn(existing.map(({ text }) => text));
    const root = existing.find(({ name }) => name === ROOT_NAME);
    if (root !== undefined) this.seq = seqOfRoot(root.text);
    const body = makeTree(leavesOf(await nodes(), nodesPerLeaf), links);
    const after = nodesIn(body.records.values());
    const share = (missing(before, after) + missing(after, before)) / before.size;
    const seq = this.seq + 1;
    if (before.size > 0 && share < changeThreshold) {
      log.info({ domain, share, changeThreshold }, 'dns tree not published: too few changes');
      return false;
    }
    const changes = changesOf(existing, this.recordsOf(body, signRoot(body, seq, privateKey)));
    await zone.change(changes, `Tree update of ${domain} at seq ${seq}`);
    const counts = { added: changes.added.length, updated: changes.updated.length, deleted: changes.deleted.length };
    log.info({ url: urlOfTree(privateKey, domain), seq, nodes: after.size, ...counts }, 'dns tree published');
    return true;
  }

  private recordsOf({ records }: TreeBody, root: string): readonly ZoneRecord[] {
    const ttlS = this.options.zone.entryTtlS;
    const entries = [...records].map(([name, text]) => ({ name: name.toLowerCase(), text, ttlS }));
    return [...entries, { name: ROOT_NAME, text: root, ttlS: ROOT_TTL_S }];
  }

  private async round(): Promise<void> {
    const isPublished = await this.succeeds(() => this.publish());
    if (!(isPublished && this.options.isStatic)) this.later(PERIOD_MS);
  }

  private later(ms: number): void {
    if (!this.isClosed) this.timer = setTimeout(() => void this.round(), ms);
  }

  /** Runs `work` and logs its error. @returns true if it succeeded */
  private async succeeds(work: () => Promise<unknown>): Promise<boolean> {
    const { domain, log } = this.options;
    try {
      await work();
      return true;
    } catch (error) {
      if (!this.isClosed) log.error({ domain, reason: (error as Error).message }, 'dns tree publication failed');
      return false;
    }
  }
}

/** Returns the addresses of all nodes in leaf records, without ids. An unreadable leaf counts as empty. */
function nodesIn(texts: Iterable<string>): ReadonlySet<string> {
  const found = new Set<string>();
  for (const text of texts)
    for (const { ipv4, ipv6, port } of text.startsWith(NODES_PREFIX) ? readable(text) : [])
      found.add(`${ipv4} ${ipv6} ${port}`);
  return found;
}

function readable(text: string): readonly NodeAddress[] {
  try {
    return nodesOfLeaf(text);
  } catch {
    return [];
  }
}

function missing(these: ReadonlySet<string>, among: ReadonlySet<string>): number {
  return [...these].filter((node) => !among.has(node)).length;
}

/** Returns the zone changes. Deletes all other TXT records of the domain, as java-tron does. */
function changesOf(existing: readonly ZoneRecord[], target: readonly ZoneRecord[]): ZoneChanges {
  const before = new Map(existing.map((record) => [record.name, record]));
  const names = new Set(target.map(({ name }) => name));
  return {
    added: target.filter(({ name }) => !before.has(name)),
    updated: target.filter(({ name, text, ttlS }) => {
      const old = before.get(name);
      return old !== undefined && (old.text !== text || old.ttlS !== ttlS);
    }),
    deleted: existing.filter(({ name }) => !names.has(name)),
  };
}
