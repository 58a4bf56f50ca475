import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { SLOT_MS } from '../../src/state-transition/consensus/schedule.js';
import { createRandom } from '../reliability/random.js';
import { Attacker } from './attacker.js';
import { Checker } from './checker.js';
import { payment } from './payments.js';
import { duplicatesOf, type Fault, hasMalicious, healedMs, losesMessages, type Plan } from './plan.js';
import { configText, witnessOf } from './sim-config.js';
import type { SimFailure } from './sim-failure.js';
import { SimNet } from './sim-net.js';
import { hostOf, SimNode } from './sim-node.js';
import { SimTime } from './sim-time.js';

/** Time of genesis in all simulations, in ms since 1970. It is a multiple of the slot time. */
const GENESIS_MS = 1_800_000_000_000;
/**
 * Minimum number of slots of a round after lost messages. All nodes must find one head within two rounds. A round must
 * cover the timeouts with which the protocol detects a missing response: 20 s for an announced block, and 30 s without
 * progress.
 */
const LOSSY_ROUND_SLOTS = 14;
/**
 * Maximum time in ms that a node may wait for an announced item. It is the sum of the timeout, the interval of the
 * check, and changes of clocks.
 */
const AWAITED_MS = 20_000 + 2000 + 11_000;
/** Maximum number of nodes that a node dials. It dials only nodes with lower numbers. */
const DIALS = 4;
const MEMORY = '/dev/shm';
const DIFFERS = 'rejected a block that a witness signed, report written';

/** Result of a simulation. */
export interface Outcome {
  readonly plan: Plan;
  readonly failure: SimFailure | undefined;
  readonly story: readonly string[];
  /** Time in ms from the end of the last fault until all nodes have the same head. */
  readonly agreedMs: number;
  readonly blocks: number;
  readonly reorgs: number;
  readonly head: string;
}

/** Runs a network with the faults of a plan. Then runs it until all nodes have the same head. */
export async function simulate(plan: Plan): Promise<Outcome> {
  const folder = mkdtempSync(join(existsSync(MEMORY) ? MEMORY : tmpdir(), 'tronicle-simulation-'));
  const world = new World(plan, folder);
  try {
    return await world.live();
  } finally {
    await world.end();
    rmSync(folder, { recursive: true, force: true });
  }
}

class World {
  private readonly plan: Plan;
  private readonly folder: string;
  private readonly time: SimTime;
  private readonly net: SimNet;
  private readonly checker: Checker;
  private readonly nodes: SimNode[];
  private readonly duplicates = new Map<Fault, SimNode>();
  private readonly malicious: SimNode | undefined;
  private readonly story: string[] = [];
  private readonly random: () => number;
  private tampers = 0;

  constructor(plan: Plan, folder: string) {
    this.plan = plan;
    this.folder = folder;
    const { nodes, seed, calm, release, maintenanceMs } = plan;
    const seeded = (part: number): (() => number) => createRandom(Math.imul(seed + 1, 0x85ebca6b) + part);
    this.random = seeded(1);
    this.time = new SimTime(GENESIS_MS + 1000, seeded(2));
    this.time.slownessMs = plan.slownessMs;
    this.net = new SimNet(this.time, calm, seeded(3));
    const duplicates = duplicatesOf(plan);
    const witnesses = nodes + (hasMalicious(plan) ? 1 : 0);
    const addresses = Array.from({ length: witnesses }, (_, at) => witnessOf(at).bytes);
    this.checker = new Checker({ genesisMs: GENESIS_MS, witnesses: addresses, log: (line) => this.log(line) });
    const config = configText({ genesisMs: GENESIS_MS, witnesses, maintenanceMs, release });
    const all = nodes + duplicates.length + (hasMalicious(plan) ? 1 : 0);
    const trusts = Array.from({ length: all }, (_, at) => at);
    const make = (at: number, key: number | undefined, isWatched: boolean, tampers?: () => boolean): SimNode =>
      new SimNode({
        at,
        folder,
        config,
        witnesses: key === undefined ? [] : [witnessOf(key)],
        dials: dialsOf(at),
        trusts,
        net: this.net,
        log: this.logOf(at),
        ...(tampers !== undefined && { tampers }),
        started: (node, chain) => isWatched && this.checker.watch(node, chain),
      });
    this.nodes = Array.from({ length: nodes }, (_, at) => make(at, at, true));
    for (const [at, duplicate] of duplicates.entries())
      this.duplicates.set(duplicate, make(nodes + at, duplicate.of, true));
    if (hasMalicious(plan)) this.malicious = make(all - 1, undefined, false, () => this.tampers > 0);
  }

  async live(): Promise<Outcome> {
    const { plan, time, checker } = this;
    this.log(`seed ${plan.seed}: ${plan.nodes} nodes, ${plan.faults.length} faults`);
    for (const node of this.nodes) await node.start();
    await this.malicious?.start();
    for (const [at, fault] of plan.faults.entries()) this.arrange(fault, at);
    this.pay();
    const healed = GENESIS_MS + healedMs(plan);
    for (let atMs = time.nowMs; checker.failure === undefined && atMs < healed; ) {
      atMs = Math.min(atMs + SLOT_MS, healed);
      await this.run(atMs);
      this.checkAwaited();
    }
    if (checker.failure === undefined) this.log('all faults have ended');
    const agreedMs = await this.agree(healed);
    const [first] = this.nodes;
    return {
      plan,
      failure: checker.failure,
      story: this.story,
      agreedMs,
      blocks: checker.blocks,
      reorgs: checker.reorgs,
      head: first!.isUp ? first!.head : '',
    };
  }

  async end(): Promise<void> {
    for (const node of [...this.nodes, ...this.duplicates.values(), this.malicious]) await node?.end();
  }

  /**
   * Runs until all nodes have the same new head, and no node has a lower solidified height than before. Fails after two
   * rounds. Returns the time needed, in ms; infinity after a failure.
   */
  private async agree(healedAtMs: number): Promise<number> {
    const { nodes, checker, plan } = this;
    const witnesses = plan.nodes + (this.malicious === undefined ? 0 : 1);
    const slots = Math.max(witnesses, losesMessages(plan) ? LOSSY_ROUND_SLOTS : 0);
    const limit = healedAtMs + 2 * slots * SLOT_MS;
    const before = Math.max(...nodes.map((node) => (node.isUp ? node.headNumber : 0)));
    const solidified = Math.max(...nodes.map((node) => (node.isUp ? node.chain.solidifiedNumber : 0)));
    for (let atMs = healedAtMs; checker.failure === undefined && atMs <= limit; ) {
      const heads = new Set(nodes.map((node) => (node.isUp ? node.head : '')));
      const [first] = nodes;
      const grows = first!.isUp && first!.headNumber > before && first!.chain.solidifiedNumber >= solidified;
      if (heads.size === 1 && grows) return atMs - healedAtMs;
      atMs += 500;
      await this.run(atMs);
    }
    if (checker.failure === undefined) {
      const heads = nodes.map(
        (node) => `${node.at}: ${node.isUp ? `${node.headNumber} ${node.head.slice(16, 24)}` : 'down'}`,
      );
      checker.fail(undefined, 'heads do not agree within two rounds', heads.join(', '));
    }
    return Number.POSITIVE_INFINITY;
  }

  /** Checks that each node has disconnected a peer whose response is overdue. */
  private checkAwaited(): void {
    for (const node of this.nodes) {
      if (!node.isUp) continue;
      const { life, network } = node.up;
      const sinceMs = this.time.nowMs + life.skewMs - AWAITED_MS;
      for (const { itemRequests, channel } of network.peers.active())
        for (const [key, requestedMs] of itemRequests)
          if (requestedMs < sinceMs)
            this.checker.fail(node, 'a peer with an overdue response stays connected', `${channel.key}: ${key}`);
    }
  }

  /**
   * Runs the events up to a time. An uncaught exception fails the simulation, because it would end the process of a
   * node.
   */
  private async run(untilMs: number): Promise<void> {
    try {
      await this.time.run(untilMs);
    } catch (error) {
      this.checker.fail(
        undefined,
        'an exception ends a node',
        error instanceof Error ? (error.stack ?? error.message) : String(error),
      );
    }
  }

  private arrange(fault: Fault, at: number): void {
    const { time, net, plan } = this;
    const from = GENESIS_MS + fault.atMs;
    const to = from + fault.forMs;
    const during = (start: () => void | Promise<void>, end: () => void | Promise<void>): void => {
      time.at(from, undefined, start);
      time.at(to, undefined, end);
    };
    switch (fault.kind) {
      case 'network':
        during(
          () => {
            this.log(`network: ${JSON.stringify(fault.conditions)}`);
            net.conditions = fault.conditions;
          },
          () => {
            net.conditions = plan.calm;
          },
        );
        return;
      case 'cut':
        time.at(from, undefined, () => {
          this.log(`cut: ${fault.side.join(' ')} for ${fault.forMs} ms${fault.breaks ? ', breaks' : ''}`);
          net.cut({ side: new Set(fault.side.map(hostOf)), untilMs: to, breaks: fault.breaks });
        });
        return;
      case 'crash': {
        const node = this.nodes[fault.node]!;
        const { half } = fault;
        let isOurs = false;
        const crash = async (): Promise<void> => {
          if (!node.isUp) return;
          isOurs = true;
          this.log(`node ${node.at} crashes at ${node.headNumber}${half === undefined ? '' : `, with the ${half}`}`);
          await node.crash();
        };
        let forget = (): void => undefined;
        during(
          async () => {
            if (half === undefined) return crash();
            if (!node.isUp) return;
            forget = node.keepHalf(half, () => time.after(0, undefined, crash));
          },
          async () => {
            forget();
            if (!isOurs) return;
            await node.start();
            this.log(`node ${node.at} starts`);
          },
        );
        return;
      }
      case 'skew': {
        const node = this.nodes[fault.node]!;
        during(
          () => this.skew(node, fault.ms),
          () => this.skew(node, 0),
        );
        return;
      }
      case 'duplicate': {
        const duplicate = this.duplicates.get(fault)!;
        during(
          async () => {
            await duplicate.start();
            this.log(`node ${duplicate.at} starts, a duplicate of node ${fault.of}`);
          },
          async () => {
            await duplicate.end();
            this.log(`node ${duplicate.at} ends`);
          },
        );
        return;
      }
      case 'tampering':
        during(
          () => void this.tampers++,
          () => void this.tampers--,
        );
        return;
      case 'forgery':
        this.forge(fault, from, to, at);
    }
  }

  private skew(node: SimNode, ms: number): void {
    this.log(`the clock of node ${node.at} is ${ms} ms ahead`);
    node.setSkew(ms);
  }

  /** Repeats a forgery until the end of the fault, each time at the next possible time. */
  private forge(fault: Extract<Fault, { kind: 'forgery' }>, fromMs: number, toMs: number, at: number): void {
    const { time } = this;
    const node = this.malicious!;
    const key = witnessOf(this.plan.nodes);
    const attacker = new Attacker(node, key, createRandom(Math.imul(this.plan.seed + 1, 0xc2b2ae35) + at));
    const next = (): void => {
      const { life } = node.up;
      const whenMs = Math.max(time.nowMs, attacker.timeFor(fault.what));
      if (whenMs > toMs) return;
      time.at(whenMs, life, () => {
        this.log(`node ${node.at} ${attacker.act(fault.what)}`);
        time.after(SLOT_MS, life, next);
      });
    };
    time.at(fromMs, undefined, () => void time.after(0, node.up.life, next));
  }

  /** Submits payments to random nodes until the end of the simulation. */
  private pay(): void {
    const { time, plan, random, nodes } = this;
    time.after(plan.paymentMs * 2 * random(), undefined, () => {
      const node = nodes[Math.floor(random() * nodes.length)]!;
      const draw = random();
      if (node.isUp) {
        time.after(0, node.up.life, () => {
          try {
            const transaction = payment(node.chain, createRandom(Math.floor(draw * 2 ** 32)));
            const submitted = node.up.node.submit(transaction);
            node.up.network.submitTransaction(submitted);
          } catch (error) {
            this.log(`node ${node.at} refuses a payment: ${error instanceof Error ? error.message : error}`);
          }
        });
      }
      this.pay();
    });
  }

  /** Returns the logger of a node. It stores warnings. An error line fails the simulation. */
  private logOf(at: number): pino.Logger {
    const write = (line: string): void => {
      const { level, msg, reason, err, time: _, ...rest } = JSON.parse(line);
      const text = `${msg}${reason === undefined ? '' : `: ${reason}`}${err === undefined ? '' : `: ${err.message}`}`;
      this.log(`node ${at} logs: ${text} ${JSON.stringify(rest).replaceAll(this.folder, '')}`);
      // Rejecting a block that a witness signed is an error among honest nodes, but expected for a forged block.
      const isExpected = this.malicious !== undefined && msg === DIFFERS;
      if (level >= 50 && at < this.nodes.length && !isExpected)
        this.checker.fail(this.nodes[at], 'a node reports an error', `${text} ${err?.stack ?? ''}`);
    };
    return pino({ level: 'warn', base: null, timestamp: false }, { write });
  }

  private log(line: string): void {
    const { nowMs } = this.time;
    this.story.push(`${((nowMs - GENESIS_MS) / 1000).toFixed(3)} ${line}`);
  }
}

function dialsOf(at: number): readonly number[] {
  const near = [1, 2].map((distance) => at - distance);
  const far = [at >> 1, 0];
  return [...new Set([...near, ...far])].filter((other) => other >= 0 && other < at).slice(0, DIALS);
}
