import { createRandom } from '../reliability/random.js';
import type { Weather } from './sim-net.js';

/** Faults of a malicious witness. */
export const FORGERIES = [
  'signed by another',
  'not its slot',
  'of the future',
  'another root',
  'stolen payment',
  'paid twice',
  'two of one slot',
  'orphans',
  'garbage',
] as const;
export type Forgery = (typeof FORGERIES)[number];

/**
 * Parts of a flush that are on disk when a node crashes during it: entries without their effect, or with a checkpoint
 * of it.
 */
export type Half = 'log' | 'checkpoint';
const HALVES: readonly (Half | undefined)[] = [undefined, 'log', 'checkpoint'];

/** Something that goes wrong, at a time after the begin, ms; all of it is over after `forMs`. */
export type Fault = { readonly atMs: number; readonly forMs: number } & (
  | { readonly kind: 'weather'; readonly weather: Weather }
  /** These nodes cannot reach the others. */
  | { readonly kind: 'cut'; readonly side: readonly number[]; readonly breaks: boolean }
  /**
   * It is down for so long, and then begins with what was on its disk; `half`: from the middle of its next flush on.
   */
  | { readonly kind: 'crash'; readonly node: number; readonly half?: Half }
  | { readonly kind: 'skew'; readonly node: number; readonly ms: number }
  /** One more node that produces with the key of this one. */
  | { readonly kind: 'twin'; readonly of: number }
  | { readonly kind: 'forgery'; readonly what: Forgery }
  /** Blocks that the malicious node is asked for have another signature. */
  | { readonly kind: 'tampering' }
);

/** All that happens in one simulation; with the same plan it is the same, byte for byte. */
export interface Plan {
  readonly seed: number;
  /** Each is a witness. One more, the last witness, is malicious where there are forgeries. */
  readonly nodes: number;
  readonly release: '4.7.2' | '4.8.2';
  readonly faults: readonly Fault[];
  /** ms between two payments. */
  readonly paymentMs: number;
  /** ms that one look at the stop watch takes, at most. */
  readonly slownessMs: number;
  /** ms between two maintenances. */
  readonly maintenanceMs: number;
  readonly calm: Weather;
}

/** ms after which faults begin, and in which they begin. */
const QUIET_MS = 9_000;
const FAULTY_MS = 45_000;
/** In which each of a few witnesses has a slot. */
const ROUND_MS = 20_000;

const isMalicious = ({ kind }: Fault): boolean => kind === 'forgery' || kind === 'tampering';

export const losesMessages = ({ faults }: Plan): boolean =>
  faults.some((fault) => fault.kind === 'weather' && fault.weather.loss > 0);
export const hasMalicious = ({ faults }: Plan): boolean => faults.some(isMalicious);
export const twinsOf = ({ faults }: Plan): readonly Extract<Fault, { kind: 'twin' }>[] =>
  faults.filter((fault) => fault.kind === 'twin');
export const healedMs = ({ faults }: Plan): number =>
  faults.reduce((latest, { atMs, forMs }) => Math.max(latest, atMs + forMs), QUIET_MS);

/** Parameters that a seed generates. */
export function planOf(seed: number): Plan {
  const random = createRandom(Math.imul(seed, 0x9e3779b1) + 17);
  const below = (count: number): number => Math.floor(random() * count);
  const between = (least: number, most: number): number => least + below(most - least + 1);
  const nodes = below(20) === 0 ? between(13, 27) : between(5, 7);
  const weather = (): Weather => ({
    delayMs: [between(1, 50), between(60, [200, 900, 4000][below(3)]!)],
    loss: below(3) === 0 ? 0 : random() * 0.15,
    overtaking: below(3) === 0 ? 0 : random() * 0.2,
  });
  const fault = (): Fault => {
    const when = { atMs: QUIET_MS + below(FAULTY_MS), forMs: between(3_000, 24_000) };
    const kind = below(10);
    if (kind < 2) return { ...when, kind: 'weather', weather: weather() };
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
    if (kind === 7) return { ...when, kind: 'twin', of: below(nodes) };
    if (kind === 8 && below(3) === 0) return { ...when, kind: 'tampering' };
    const forMs = when.forMs + ROUND_MS;
    return { ...when, forMs, kind: 'forgery', what: FORGERIES[below(FORGERIES.length)]! };
  };
  const made = Array.from({ length: between(1, 8) }, fault);
  // With more than one of them the witnesses that keep to the rules could be too few.
  const twin = made.find(({ kind }) => kind === 'twin');
  return {
    seed,
    nodes,
    release: below(2) === 0 ? '4.7.2' : '4.8.2',
    faults: made.filter((one) => one.kind !== 'twin' || one === twin),
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
