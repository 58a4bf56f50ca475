import type { VmHooks } from '../../../vm/machine/hooks.js';
import { ZERO_HASH } from '../quantities.js';
import { AccountReader, type AccountSnapshot } from './account-snapshot.js';
import { TouchedState } from './prestate-tracer.js';
import type { TraceLimits } from './trace-limits.js';
import type { Effects, TracedOutcome, Tracer } from './tracer.js';

/** A change of one value in Parity's form: `=` unchanged, `+` added, `-` removed, `*` modified. */
type Change =
  | '='
  | { readonly '+': string }
  | { readonly '-': string }
  | { readonly '*': { from: string; to: string } };

/** Prints the accounts that a run changed, in the form of Parity's `stateDiff`. Balances are in SUN. Nonces are 0. */
export class StateDiffTracer implements Tracer {
  private readonly limits: TraceLimits;
  private readonly touched: TouchedState;

  constructor(limits: TraceLimits) {
    this.limits = limits;
    this.touched = new TouchedState(limits);
  }

  get hooks(): VmHooks {
    return this.touched;
  }

  answer(outcome: TracedOutcome, effects: Effects): string {
    const { touched, limits } = this;
    touched.complete(outcome, effects);
    const reader = new AccountReader(effects, { disableCode: false, disableStorage: false, limits });
    const changed: [string, object][] = [];
    for (const address of [...touched.accounts].sort()) {
      const slots = touched.slots.get(address) ?? [];
      const shown = diffOf(reader.before(address, slots), reader.after(address, slots));
      if (shown !== undefined) changed.push([`0x${address.slice(2)}`, shown]);
    }
    return JSON.stringify(Object.fromEntries(changed));
  }
}

/** Returns the changes of an account; undefined if nothing changed. */
function diffOf(before: AccountSnapshot, after: AccountSnapshot): object | undefined {
  if (!before.exists && !after.exists) return undefined;
  const change = changeBetween(before.exists, after.exists);
  const storage = [...after.storage]
    .map(([slot, to]) => [slot, before.storage.get(slot) ?? ZERO_HASH, to] as const)
    .filter(([, from, to]) => from !== to)
    .map(([slot, from, to]) => [slot, change(from, to)] as const);
  const balance = change(`0x${before.balance.toString(16)}`, `0x${after.balance.toString(16)}`);
  const code = change(before.code, after.code);
  if (balance === '=' && code === '=' && storage.length === 0) return undefined;
  return { balance, code, nonce: change('0x0', '0x0'), storage: Object.fromEntries(storage) };
}

function changeBetween(existed: boolean, exists: boolean): (from: string, to: string) => Change {
  if (!existed) return (_, to) => ({ '+': to });
  if (!exists) return (from) => ({ '-': from });
  return (from, to) => (from === to ? '=' : { '*': { from, to } });
}
