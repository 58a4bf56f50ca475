import type { RuleSet, Switch } from '../machine/rule-set.js';
import type { OpRun, Run } from './op-run.js';

/** Price that depends on operands, memory, storage or accounts. */
export interface DynamicPrice {
  of(run: OpRun): number;
  /**
   * Price without memory growth, if it differs between rule sets. Prepared code stores it as the operand of the
   * instruction.
   */
  readonly base?: number;
  /** True for call operations. Their price includes the penalty and the energy for the inner call. */
  readonly isCall?: true;
}

/** Energy that is charged before the operation executes. It is a number if only the rules determine it. */
type Price = number | DynamicPrice;

/** Operations that change `pc` or reorder the stack. Each interpreter implements them itself. */
export type Flow = 'duplicate' | 'swap' | 'jump' | 'jumpIf' | 'destination';

/** Operation that pushes a word that depends only on the code and its offset. Prepared code contains this word. */
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
 * Opcodes of a rule set, by byte. Rule sets that enable the same opcodes share one object, so that caches can use the
 * object as key.
 */
export interface InstructionSet {
  readonly isEnabled: Uint8Array;
  /** Name of each opcode, including opcodes that the rules do not enable. */
  readonly names: readonly (string | undefined)[];
  readonly pops: Int32Array;
  readonly pushes: Int32Array;
  /** Energy of opcodes with a fixed price. −1 for other opcodes, whose price is in `dynamic`. */
  readonly energy: Int32Array;
  readonly dynamic: readonly (DynamicPrice | undefined)[];
  /** Functions that execute the opcodes; undefined for flow operations, which each interpreter implements itself. */
  readonly run: readonly (Run | undefined)[];
  readonly flow: readonly (Flow | undefined)[];
  readonly constant: readonly (Constant | undefined)[];
}

/** Cache of instruction sets by rules. */
export class InstructionSets {
  private readonly rows: readonly OpcodeRow[];
  /** Names of all rules on which the opcode rows depend, without duplicates. */
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
