import { createRandom } from '../reliability/random.js';
import type { NetworkConditions } from './sim-net.js';

/** Forgeries: blocks and messages that a malicious witness creates. */
export const FORGERIES = [
  'wrong signer',
  'slot of another witness',
  'from the future',
  'wrong Merkle root',
  'stolen payment',
  'duplicate payment',
  'two blocks in one slot',
  'orphans',
  'random bytes',
] as const;
export type Forgery = (typeof FORGERIES)[number];

/**
 * State of the disk after a crash during a flush. `log`: the entries are on disk. `checkpoint`: the entries and a
 * checkpoint of the state are on disk.
 */
export type Half = 'log' | 'checkpoint';
const HALVES: readonly (Half | undefined)[] = [undefined, 'log', 'checkpoint'];

/** A fault. It starts `atMs` after genesis and lasts for `forMs`, both in ms. */
export type Fault = { readonly atMs: number; readonly forMs: number } & (
  | { readonly kind: 'network'; readonly conditions: NetworkConditions }
  /** These nodes cannot reach the others. */
  | { readonly kind: 'cut'; readonly side: readonly number[]; readonly breaks: boolean }
  /**
   * The node is down until the fault ends and then starts from its disk. With `half`, it crashes in its next flush.
   */
  | { readonly kind: 'crash'; readonly node: number; readonly half?: Half }
  | { readonly kind: 'skew'; readonly node: number; readonly ms: number }
  /** Another node produces with the key of this node. */
  | { readonly kind: 'duplicate'; readonly of: number }
  | { readonly kind: 'forgery'; readonly what: Forgery }
  /** The malicious node changes the signature of each block that it sends on request. */
  | { readonly kind: 'tampering' }
);

/** Parameters of one simulation. Equal plans result in equal runs, byte for byte. */
export interface Plan {
  readonly seed: number;
  /** Number of honest nodes. Each has one witness. A plan with forgeries has one more witness, which is malicious. */
  readonly nodes: number;
  readonly release: '4.7.2' | '4.8.2';
  readonly faults: readonly Fault[];
  /** Mean interval between two payments, in ms. */
  readonly paymentMs: number;
  /**
   * Simulates a slow machine: maximum time in ms by which a call of `performance.now` advances this clock. `Date.now`
   * does not advance.
   */
  readonly slownessMs: number;
  /** Interval of maintenances, in ms. */
  readonly maintenanceMs: number;
  readonly calm: NetworkConditions;
}

/** Time without faults at the start, in ms. */
const QUIET_MS = 9_000;
/** Duration of the period in which faults start, in ms. */
const FAULTY_MS = 45_000;
/** Time in ms in which each witness of a small network has a slot. */
const ROUND_MS = 20_000;

const isMalicious = ({ kind }: Fault): boolean => kind === 'forgery' || kind === 'tampering';

export const losesMessages = ({ faults }: Plan): boolean =>
  faults.some((fault) => fault.kind === 'network' && fault.conditions.loss > 0);
export const hasMalicious = ({ faults }: Plan): boolean => faults.some(isMalicious);
export const duplicatesOf = ({ faults }: Plan): readonly Extract<Fault, { kind: 'duplicate' }>[] =>
  faults.filter((fault) => fault.kind === 'duplicate');
export const healedMs = ({ faults }: Plan): number =>
  faults.reduce((latest, { atMs, forMs }) => Math.max(latest, atMs + forMs), QUIET_MS);

/** Returns the plan of a seed. */
export function planOf(seed: number): Plan {
  const random = createRandom(Math.imul(seed, 0x9e3779b1) + 17);
  const below = (count: number): number => Math.floor(random() * count);
  const between = (least: number, most: number): number => least + below(most - least + 1);
  const nodes = below(20) === 0 ? between(13, 27) : between(5, 7);
  const conditions = (): NetworkConditions => ({
    delayMs: [between(1, 50), between(60, [200, 900, 4000][below(3)]!)],
    loss: below(3) === 0 ? 0 : random() * 0.15,
    overtaking: below(3) === 0 ? 0 : random() * 0.2,
  });
  const fault = (): Fault => {
    const when = { atMs: QUIET_MS + below(FAULTY_MS), forMs: between(3_000, 24_000) };
    const kind = below(10);
    if (kind < 2) return { ...when, kind: 'network', conditions: conditions() };
    if (kind < 4) {
      const size = between(1, Math.floor(nodes / 2));
      const side = shuffled(nodes, random).slice(0, size);
      return { ...when, kind: 'cut', side, breaks: below(2) === 0 };
    }
    if (kind < 6) {
      const half = HALVES[when.atMs % HALVES.length];
      return { ...when, kind: 'crash', node: below(nodes), ...(half && { half }) };
    }
    if (kind === 6) return { ...when, kind: 'skew', node: below(nodes), ms: between(-4_000, 4_000) };
    if (kind === 7) return { ...when, kind: 'duplicate', of: below(nodes) };
    if (kind === 8 && below(3) === 0) return { ...when, kind: 'tampering' };
    const forMs = when.forMs + ROUND_MS;
    return { ...when, forMs, kind: 'forgery', what: FORGERIES[below(FORGERIES.length)]! };
  };
  const made = Array.from({ length: between(1, 8) }, fault);
  // Allows only one duplicate producer. With several, fewer than 70 % of the witnesses could follow the rules.
  const duplicate = made.find(({ kind }) => kind === 'duplicate');
  return {
    seed,
    nodes,
    release: below(2) === 0 ? '4.7.2' : '4.8.2',
    faults: made.filter((one) => one.kind !== 'duplicate' || one === duplicate),
    paymentMs: between(300, 3_000),
    slownessMs: [0, 1, 8, 40][below(4)]!,
    maintenanceMs: below(3) === 0 ? 30_000 : 21_600_000,
    calm: { delayMs: [1, between(20, 400)], loss: 0, overtaking: 0 },
  };
}

export function shuffled(count: number, random: () => number): readonly number[] {
  const all = Array.from({ length: count }, (_, at) => at);
  for (let at = count - 1; at > 0; at--) {
    const other = Math.floor(random() * (at + 1));
    [all[at], all[other]] = [all[other]!, all[at]!];
  }
  return all;
}
