import type { RuleSet, Switch } from '../machine/rule-set.js';
import type { OpRun, Run } from './op-run.js';

/** A price that depends on operands, memory, storage or accounts. */
export interface DynamicPrice {
  of(run: OpRun): number;
  /** Energy beside that of memory, where rules differ in it: an instruction of the loop carries it. */
  readonly base?: number;
  /** The price of a call holds its penalty and what the call is given. */
  readonly isCall?: true;
}

/** Energy before the operation runs: a number where it never depends on anything but the rules. */
type Price = number | DynamicPrice;

/** What moves the place in the code, or words on the stack: each interpreter does these in its own way. */
export type Flow = 'duplicate' | 'swap' | 'jump' | 'jumpIf' | 'destination';

/** A word that the code and the place in it alone decide: prepared code holds it. */
export interface Constant {
  readonly word: (code: Uint8Array, pc: number) => bigint;
}

export type OpcodeRow = readonly [
  byte: number,
  name: string,
  pops: number,
  pushes: number,
  since: 'always' | Switch,
  price: Price,
  does: Run | Flow | Constant,
];

/**
 * The opcodes that a rule set has, by byte. Rule sets that differ in no row share one, so it can name prepared code.
 */
export interface InstructionSet {
  readonly isEnabled: Uint8Array;
  /** Of opcodes that the rules do not have as well. */
  readonly names: readonly (string | undefined)[];
  readonly pops: Int32Array;
  readonly pushes: Int32Array;
  /** Energy of those that always cost the same; -1 for the others, whose price is in `dynamic`. */
  readonly energy: Int32Array;
  readonly dynamic: readonly (DynamicPrice | undefined)[];
  /** Undefined for flow. */
  readonly run: readonly (Run | undefined)[];
  readonly flow: readonly (Flow | undefined)[];
  readonly constant: readonly (Constant | undefined)[];
}

/** Finds the instruction set of rules among those of a table. */
export class InstructionSets {
  private readonly rows: readonly OpcodeRow[];
  /** Switches that rows ask for, each once. */
  private readonly switches: readonly Switch[];
  private readonly byKey = new Map<string, InstructionSet>();
  private readonly byRules = new WeakMap<RuleSet, InstructionSet>();

  constructor(rows: readonly OpcodeRow[]) {
    this.rows = rows;
    this.switches = [...new Set(rows.flatMap(([, , , , since]) => (since === 'always' ? [] : [since])))];
  }

  of(rules: RuleSet): InstructionSet {
    const known = this.byRules.get(rules);
    if (known !== undefined) return known;
    const key = this.switches.filter((name) => rules[name]).join(' ');
    const set = this.byKey.get(key) ?? instructionSet(this.rows, rules);
    this.byKey.set(key, set);
    this.byRules.set(rules, set);
    return set;
  }
}

function instructionSet(rows: readonly OpcodeRow[], rules: RuleSet): InstructionSet {
  const isEnabled = new Uint8Array(256);
  const names: (string | undefined)[] = new Array(256).fill(undefined);
  const pops = new Int32Array(256);
  const pushes = new Int32Array(256);
  const energy = new Int32Array(256);
  const dynamic: (DynamicPrice | undefined)[] = new Array(256).fill(undefined);
  const run: (Run | undefined)[] = new Array(256).fill(undefined);
  const flow: (Flow | undefined)[] = new Array(256).fill(undefined);
  const constant: (Constant | undefined)[] = new Array(256).fill(undefined);
  for (const [byte, name, rowPops, rowPushes, since, price, does] of rows) {
    const isReplacing = names[byte] !== undefined;
    names[byte] = name;
    if (since !== 'always' && !rules[since]) continue;
    if (isReplacing && isEnabled[byte] === 0) continue;
    isEnabled[byte] = 1;
    pops[byte] = rowPops;
    pushes[byte] = rowPushes;
    energy[byte] = typeof price === 'number' ? price : -1;
    dynamic[byte] = typeof price === 'number' ? undefined : price;
    run[byte] = runOf(does);
    flow[byte] = typeof does === 'string' ? does : undefined;
    constant[byte] = typeof does === 'object' ? does : undefined;
  }
  return { isEnabled, names, pops, pushes, energy, dynamic, run, flow, constant };
}

function runOf(does: Run | Flow | Constant): Run | undefined {
  if (typeof does !== 'object') return typeof does === 'string' ? undefined : does;
  return (run) => run.push(does.word(run.frame.code, run.pc));
}
