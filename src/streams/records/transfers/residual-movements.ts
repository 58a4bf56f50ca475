import { ADDRESS_BYTES } from '../../../primitives/address.js';
import { toHex } from '../../../primitives/bytes.js';
import type { StreamedTransaction } from '../../follow/block-content.js';
import { type BalanceChange, balanceKey } from './balance-changes.js';
import type { MovementKind } from './kinds.js';
import { type Movement, type OpenMovement, TRX } from './movement.js';

/** Part of a balance change that the movements of a block do not explain. */
interface Residual {
  readonly account: string;
  readonly token: string;
  /** Change of the balance that is not explained, in SUN or smallest units. Negative for a decrease. */
  amount: bigint;
  cause: Pick<Movement, 'kind' | 'transaction'> | undefined;
}

/** Possible causes of balance changes that no receipt shows. */
interface Causes {
  readonly open: readonly OpenMovement[];
  /** Transactions of the block that ran a smart contract successfully. */
  readonly programs: readonly StreamedTransaction[];
  /** Address (hex) of the black hole account. */
  readonly blackhole: string;
}

/**
 * Returns the missing movements of a block, so that the sum of the movements of each account and token is exactly the
 * change of its balance. The kind of a missing movement is that of a possible movement, or `other`.
 */
export function residualMovements(
  balances: ReadonlyMap<string, BalanceChange>,
  found: readonly Movement[],
  causes: Causes,
): Movement[] {
  const residuals = residualsOf(balances, found);
  if (residuals.length === 0) return [];
  for (const residual of residuals) residual.cause = causeOf(residual, causes);
  nameCallsOfPrecompiles(residuals, causes);
  return paired(residuals);
}

function residualsOf(balances: ReadonlyMap<string, BalanceChange>, found: readonly Movement[]): Residual[] {
  const rest = new Map<string, Residual>();
  const add = (account: string, token: string, amount: bigint): void => {
    const key = balanceKey(account, token);
    const known = rest.get(key);
    if (known === undefined) rest.set(key, { account, token, amount, cause: undefined });
    else known.amount += amount;
  };
  for (const { account, token, before, after } of balances.values()) add(account, token, after - before);
  for (const { standard, token, from, to, amount } of found) {
    if (standard !== 'TRX' && standard !== 'TRC10') continue;
    if (from !== undefined) add(from, token, amount);
    if (to !== undefined) add(to, token, -amount);
  }
  return [...rest.values()].filter(({ amount }) => amount !== 0n).sort(byAccount);
}

function byAccount(a: Residual, b: Residual): number {
  const [left, right] = [balanceKey(a.account, a.token), balanceKey(b.account, b.token)];
  return left < right ? -1 : left > right ? 1 : 0;
}

function causeOf({ account, token, amount }: Residual, { open, blackhole }: Causes): Residual['cause'] {
  const direction = amount > 0n ? 'in' : 'out';
  const fits = open.find(
    (one) => one.account === account && one.direction === direction && (one.token ?? token) === token,
  );
  if (fits !== undefined) return fits;
  // No receipt contains this amount for the black hole, so a destroyed contract sent it.
  return account === blackhole && direction === 'in' ? open.find(({ kind }) => kind === 'self-destruct') : undefined;
}

/**
 * Sets the cause of residuals from calls of precompiles with value, for which java-tron records no internal
 * transaction. The value moves from calling contracts to precompiles, so the sum of their residuals is 0.
 */
function nameCallsOfPrecompiles(residuals: readonly Residual[], { programs }: Causes): void {
  for (const token of new Set(residuals.map((one) => one.token))) {
    const unnamed = residuals.filter((one) => one.token === token && one.cause === undefined);
    const received = unnamed.filter(({ account, amount }) => amount > 0n && PRECOMPILE.test(account));
    const sent = unnamed.filter(({ amount }) => amount < 0n);
    const sum = [...received, ...sent].reduce((total, { amount }) => total + amount, 0n);
    if (received.length === 0 || sum !== 0n) continue;
    const senders = new Set(sent.map(({ account }) => account));
    const callers = programs.filter((program) => parties(program).some((account) => senders.has(account)));
    const transaction = callers.length === 1 ? callers[0] : undefined;
    for (const one of [...received, ...sent]) one.cause = { kind: 'internal', transaction };
  }
}

/** Returns the addresses (hex) of the smart contracts that a transaction called directly or indirectly. */
function parties({ info, internal }: StreamedTransaction): string[] {
  return [info?.contractAddress, ...internal.map(({ transferToAddress }) => transferToAddress)].flatMap((address) =>
    address === undefined ? [] : [toHex(address)],
  );
}

/** Hex address of a precompile: the address prefix, zeros, and a number of at most four bytes. */
const PRECOMPILE = new RegExp(`^..0{${(ADDRESS_BYTES - 5) * 2}}`);

/**
 * Combines a decrease and an increase into one movement if amount, token and cause are equal. Any other residual
 * becomes a movement with one account.
 */
function paired(residuals: readonly Residual[]): Movement[] {
  const left = new Set(residuals);
  const movements: Movement[] = [];
  for (const one of residuals) {
    if (!left.delete(one)) continue;
    const other = [...left].find((two) => two.token === one.token && two.amount === -one.amount && isSame(one, two));
    if (other !== undefined) left.delete(other);
    const [sender, recipient] = one.amount < 0n ? [one, other] : [other, one];
    movements.push({
      kind: kindOf(one),
      standard: one.token === TRX ? 'TRX' : 'TRC10',
      token: one.token,
      from: sender?.account,
      to: recipient?.account,
      amount: one.amount < 0n ? -one.amount : one.amount,
      transaction: one.cause?.transaction,
    });
  }
  return movements;
}

function isSame(one: Residual, two: Residual): boolean {
  return kindOf(one) === kindOf(two) && one.cause?.transaction === two.cause?.transaction;
}

function kindOf({ cause }: Residual): MovementKind {
  return cause?.kind ?? 'other';
}
