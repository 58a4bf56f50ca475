import { BoundedCache } from '../bounded-cache.js';
import { type HostPort, hostPortKey, type NodeAddress } from './node-address.js';

/** Time until the first round of status requests, in ms. Reference: NodeDetectService.init. */
const FIRST_MS = 1000;
/** Time between two rounds of status requests, in ms. */
const PERIOD_MS = 5000;
/** Time limit for the answer to a status request, in ms. */
const ANSWER_MS = 2000;
/**
 * Minimum time in ms between two requests to a known node. A round sends no request to known nodes if all of them were
 * queried within this time.
 */
const QUIET_MS = 30_000;
/**
 * Time in ms that selects the number of known nodes that a round queries. If every known node was queried within this
 * time, a round queries SLOW_COUNT known nodes, otherwise NORMAL_COUNT.
 */
const SLOW_MS = 300_000;
/** Number of known nodes that a normal round queries. */
const NORMAL_COUNT = 10;
/** Number of known nodes that a slow round queries. */
const SLOW_COUNT = 3;
/** Maximum number of new nodes that a round queries. */
const NEW_COUNT = 100;
/** Number of known nodes below which a round adds new nodes. */
const NODES_MIN = 200;
/** Maximum number of known nodes. */
const NODES_MAX = 300;
/** Maximum number of skipped addresses. An address is skipped if it did not answer or had no free connections. */
const BAD_MAX = 5000;
/** Time in ms for which an address is skipped if it did not answer or had no free connections. */
const BAD_LIFE_MS = 3_600_000;

interface NodeDetectOptions {
  /** Returns nodes found by discovery, most recently active first. */
  readonly candidates: () => readonly NodeAddress[];
  /** Returns the address at which a node can be dialled; undefined if no address is usable. */
  readonly targetOf: (node: NodeAddress) => HostPort | undefined;
  /** Sends a status request to a node. */
  readonly request: (target: HostPort, nodeId: string) => void;
  readonly now: () => number;
}

interface StatusRequest {
  readonly node: NodeAddress;
  readonly target: HostPort;
  requestedMs: number;
  /** Time at which the last answered status request was sent, ms. */
  answeredMs: number | undefined;
  /** Number of free connections that the node reported. */
  free: number | undefined;
}

/**
 * Queries nodes for their number of free connections before they are dialled. Enabled by `node.nodeDetectEnable`.
 * Reference: NodeDetectService.
 */
export class NodeDetect {
  private readonly options: NodeDetectOptions;
  private readonly requests = new Map<string, StatusRequest>();
  private readonly bad: BoundedCache<true>;
  private readonly timers: NodeJS.Timeout[] = [];

  constructor(options: NodeDetectOptions) {
    this.options = options;
    this.bad = new BoundedCache({ entriesMax: BAD_MAX, lifeMs: BAD_LIFE_MS, now: options.now });
  }

  start(): void {
    const first = setTimeout(() => {
      this.round();
      this.timers.push(setInterval(() => this.round(), PERIOD_MS));
    }, FIRST_MS);
    this.timers.push(first);
  }

  close(): void {
    for (const timer of this.timers.splice(0)) clearTimeout(timer);
  }

  /** Returns the nodes that have answered, those with the most free connections first. */
  nodes(): readonly NodeAddress[] {
    const answered = [...this.requests.values()].flatMap(({ node, free }) =>
      free === undefined ? [] : [{ node, free }],
    );
    return answered.sort((a, b) => b.free - a.free).map(({ node }) => node);
  }

  round(): void {
    const { now } = this.options;
    for (const stat of this.requests.values())
      if (!isAnswered(stat) && stat.requestedMs < now() - ANSWER_MS) this.giveUp(stat);
    if (this.requests.size < NODES_MIN) this.requestNew();
    const oldest = [...this.requests.values()].sort((a, b) => a.requestedMs - b.requestedMs);
    const [first] = oldest;
    if (first === undefined || first.requestedMs > now() - QUIET_MS) return;
    const count = first.requestedMs > now() - SLOW_MS ? SLOW_COUNT : NORMAL_COUNT;
    for (const stat of oldest.slice(0, count)) this.requestStatus(stat);
  }

  /** Handles a status answer. @param free number of free connections */
  answered(target: HostPort, free: number): void {
    const stat = this.requests.get(hostPortKey(target));
    if (stat === undefined) return;
    if (this.options.now() - stat.requestedMs > ANSWER_MS || free === 0) this.giveUp(stat);
    stat.answeredMs = stat.requestedMs;
    stat.free = free;
  }

  /** Called when the connection of a status request is closed. */
  disconnected(target: HostPort): void {
    const stat = this.requests.get(hostPortKey(target));
    if (stat !== undefined && !isAnswered(stat)) this.giveUp(stat);
  }

  private requestNew(): void {
    const { candidates, targetOf } = this.options;
    let count = 0;
    for (const node of candidates()) {
      if (count >= NEW_COUNT || this.requests.size >= NODES_MAX) return;
      const target = targetOf(node);
      if (target === undefined || this.requests.has(hostPortKey(target)) || this.bad.has(target.host)) continue;
      const stat: StatusRequest = { node, target, requestedMs: 0, answeredMs: undefined, free: undefined };
      this.requests.set(hostPortKey(target), stat);
      this.requestStatus(stat);
      count++;
    }
  }

  private requestStatus(stat: StatusRequest): void {
    const { request, now } = this.options;
    stat.requestedMs = now();
    request(stat.target, stat.node.id);
  }

  private giveUp({ target }: StatusRequest): void {
    this.bad.set(target.host, true);
    this.requests.delete(hostPortKey(target));
  }
}

function isAnswered({ requestedMs, answeredMs }: StatusRequest): boolean {
  return requestedMs === answeredMs;
}
