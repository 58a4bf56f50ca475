import { type Address, toAddress } from '../../../primitives/address.js';
import { fromHex } from '../../../primitives/bytes.js';
import type { State } from '../../../state-transition/state/state.js';
import type { CallRequest } from '../../../vm/machine/call-request.js';
import type { CallFrame } from '../../../vm/machine/frame.js';
import type { VmHooks, WatchedMachine, WatchedRun } from '../../../vm/machine/hooks.js';
import { SLOAD_OPCODE, SSTORE_OPCODE } from '../../../vm/opcodes/code-layout.js';
import { ZERO_HASH } from '../quantities.js';
import { AccountReader, type AccountSnapshot, hasContent, printAccount } from './account-snapshot.js';
import type { TraceLimits } from './trace-limits.js';
import type { Effects, TracedOutcome, Tracer } from './tracer.js';

/** Options of geth's `prestateTracer`. */
interface PrestateOptions {
  /** True to show changed state before and after the run. False to show all accessed state before the run. */
  readonly diffMode: boolean;
  readonly disableCode: boolean;
  readonly disableStorage: boolean;
  /** True to include empty accounts. */
  readonly includeEmpty: boolean;
}

/**
 * Opcodes that read the account whose address is on top of the stack: BALANCE, EXTCODESIZE, EXTCODECOPY, EXTCODEHASH,
 * ISCONTRACT, SELFDESTRUCT.
 */
const READS = new Set([0x31, 0x3b, 0x3c, 0x3f, 0xd4, 0xff]);
/** Opcode that reads the account whose address is the second word on the stack. */
const TOKENBALANCE = 0xd1;
/** Estimated JSON size of an account, or of a slot with its value, in characters. */
const ENTRY_CHARACTERS = 200;

/** Collects the accounts and storage slots that a run accesses. */
export class TouchedState implements VmHooks {
  readonly accounts = new Set<Address>();
  readonly slots = new Map<Address, Set<bigint>>();
  private readonly limits: TraceLimits;
  private machine: WatchedMachine | undefined;

  constructor(limits: TraceLimits) {
    this.limits = limits;
  }

  step(): void {
    this.limits.step();
  }

  paid(run: WatchedRun): void {
    const { opcode, machine } = run;
    this.machine = machine;
    if (opcode === SLOAD_OPCODE || opcode === SSTORE_OPCODE) this.touchSlot(run.frame.context, run.peek(0));
    else if (READS.has(opcode)) this.touch(machine.addressOf(run.peek(0)));
    else if (opcode === TOKENBALANCE) this.touch(machine.addressOf(run.peek(1)));
  }

  calling(_: CallFrame, { address }: CallRequest): void {
    // The hook `paid` runs before the hook `calling` and has set `machine`.
    if (this.machine !== undefined) this.touch(this.machine.addressOf(address));
  }

  enter(frame: CallFrame): void {
    this.touch(frame.context);
  }

  /**
   * Adds the sender, the receiver and every account that the run has written. The written accounts include those that
   * only paid fees.
   */
  complete({ from, to }: TracedOutcome, { state, before }: Effects): void {
    for (const address of [from, to])
      if (address !== null) this.touch(toAddress(fromHex(prefixOf(state) + address.slice(2))));
    for (const [address] of state.accountsWrittenSince(before)) this.touch(address);
  }

  private touch(address: Address): void {
    if (this.accounts.has(address)) return;
    this.limits.add(ENTRY_CHARACTERS);
    this.accounts.add(address);
  }

  private touchSlot(address: Address, slot: bigint): void {
    const slots = this.slots.get(address) ?? new Set<bigint>();
    this.slots.set(address, slots);
    if (slots.has(slot)) return;
    this.limits.add(ENTRY_CHARACTERS);
    slots.add(slot);
  }
}

function prefixOf({ rules }: State): string {
  return rules.addressPrefix.toString(16).padStart(2, '0');
}

/**
 * Shows the state that a run reads or changes, in the form of geth's `prestateTracer`. Balances are in SUN. Nonces are
 * omitted.
 */
export class PrestateTracer implements Tracer {
  private readonly options: PrestateOptions;
  private readonly limits: TraceLimits;
  private readonly touched: TouchedState;

  constructor(options: PrestateOptions, limits: TraceLimits) {
    this.options = options;
    this.limits = limits;
    this.touched = new TouchedState(limits);
  }

  get hooks(): VmHooks {
    return this.touched;
  }

  answer(outcome: TracedOutcome, effects: Effects): string {
    const { touched, options, limits } = this;
    touched.complete(outcome, effects);
    const reader = new AccountReader(effects, { ...options, limits });
    const pre: [string, object][] = [];
    const post: [string, object][] = [];
    for (const address of [...touched.accounts].sort()) {
      const slots = touched.slots.get(address) ?? [];
      const before = reader.before(address, slots);
      const name = `0x${address.slice(2)}`;
      if (!options.diffMode) {
        if (options.includeEmpty || hasContent(before)) pre.push([name, printAccount(before)]);
        continue;
      }
      const after = reader.after(address, slots);
      if (before.exists && !after.exists) {
        pre.push([name, printAccount(before)]);
        continue;
      }
      const [old, changed] = differenceOf(before, after);
      if (changed === undefined) continue;
      post.push([name, changed]);
      if (hasContent(before)) pre.push([name, old]);
    }
    if (!options.diffMode) return JSON.stringify(Object.fromEntries(pre));
    return JSON.stringify({ post: Object.fromEntries(post), pre: Object.fromEntries(pre) });
  }
}

/**
 * Returns two items: the account before the run with its changed slots, and the values that changed, as they are after
 * the run. The second item is undefined if nothing changed.
 */
function differenceOf(before: AccountSnapshot, after: AccountSnapshot): readonly [object, object | undefined] {
  const slots = [...before.storage.keys()].filter((slot) => after.storage.get(slot) !== before.storage.get(slot));
  const changed = {
    ...(after.balance !== before.balance && { balance: `0x${after.balance.toString(16)}` }),
    ...(after.code !== before.code && { code: after.code }),
    ...(after.codeHash !== before.codeHash && { codeHash: after.codeHash }),
  };
  const written = filled(after.storage, slots);
  const old = printAccount({ ...before, storage: filled(before.storage, slots) });
  const isChanged = slots.length > 0 || Object.keys(changed).length > 0;
  if (!isChanged) return [old, undefined];
  return [old, { ...changed, ...(written.size > 0 && { storage: Object.fromEntries(written) }) }];
}

/** Returns the given slots whose value is not zero. */
function filled(storage: ReadonlyMap<string, string>, slots: readonly string[]): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const slot of slots) {
    const word = storage.get(slot);
    if (word !== undefined && word !== ZERO_HASH) found.set(slot, word);
  }
  return found;
}
