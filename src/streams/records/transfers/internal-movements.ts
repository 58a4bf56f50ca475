import type { InternalTransaction } from '../../../codec/generated/messages.js';
import { equalBytes, toUtf8 } from '../../../primitives/bytes.js';
import type { MovementKind } from './kinds.js';
import { TRX, type TransactionMovements } from './movement.js';

type Party = 'caller' | 'recipient';

/** Sender and recipient of the value of an internal transaction. */
interface ValueRow {
  readonly kind: MovementKind;
  readonly from?: Party;
  readonly to?: Party;
}

const SELF_DESTRUCT = 'suicide';
/**
 * Note of the internal transaction that follows an internal transaction with the note {@link SELF_DESTRUCT}. Its value
 * is unfrozen TRX that was paid out. The value of the first of these two transactions already includes this TRX.
 */
const UNFROZEN_ON_SELF_DESTRUCT = 'withdrawExpireUnfreezeWhileSuiciding';

/**
 * Internal transactions that change balances, by their note. If a note ends with a resource (`freezeForEnergy`), the
 * key omits the resource (`freezeFor`). In a stake operation, the TRX moves from or to the caller, and the recipient
 * gets only the resource.
 */
const valueRows: ReadonlyMap<string, ValueRow> = new Map<string, ValueRow>([
  ['call', { kind: 'internal', from: 'caller', to: 'recipient' }],
  ['create', { kind: 'internal', from: 'caller', to: 'recipient' }],
  [SELF_DESTRUCT, { kind: 'self-destruct', from: 'caller', to: 'recipient' }],
  ['freezeFor', { kind: 'stake', from: 'caller' }],
  ['unfreezeFor', { kind: 'unstake', to: 'caller' }],
  ['freezeBalanceV2For', { kind: 'stake', from: 'caller' }],
  ['withdrawExpireUnfreeze', { kind: 'unstake', to: 'caller' }],
  ['withdrawExpireUnfreezeWhileUnfreezing', { kind: 'unstake', to: 'caller' }],
  ['withdrawExpireUnfreezeWhileCanceling', { kind: 'unstake', to: 'caller' }],
  [UNFROZEN_ON_SELF_DESTRUCT, { kind: 'unstake', to: 'recipient' }],
  ['withdrawReward', { kind: 'reward', to: 'caller' }],
]);

/** Adds the movements of the internal transactions of a successful transaction. */
export function addInternalMovements(movements: TransactionMovements): void {
  const { internal } = movements.transaction;
  for (const [index, one] of internal.entries()) {
    if (one.rejected) continue;
    const note = toUtf8(one.note);
    const row = valueRows.get(note) ?? valueRows.get(note.replace(/(For)[A-Z][A-Za-z]*$/, '$1'));
    if (row === undefined) continue;
    const isDestroyed = note === SELF_DESTRUCT;
    addValues(movements, one, row, isDestroyed ? unfrozenWith(one, internal[index + 1]) : 0n);
    if (isDestroyed) openSelfDestruct(movements, one);
  }
}

/**
 * Adds one movement for each value of an internal transaction.
 * @param excluded part of the TRX value in SUN that is not added, because the next internal transaction reports it
 */
function addValues(
  movements: TransactionMovements,
  { callerAddress, transferToAddress, callValueInfo }: InternalTransaction,
  { kind, from, to }: ValueRow,
  excluded: bigint,
): void {
  const addressOf = (party: Party | undefined): Uint8Array | undefined =>
    party && (party === 'caller' ? callerAddress : transferToAddress);
  for (const { tokenId, callValue } of callValueInfo) {
    const isTrx = tokenId === '';
    const amount = isTrx ? callValue - excluded : callValue;
    movements.add(kind, isTrx ? TRX : tokenId, addressOf(from), addressOf(to), amount);
  }
}

function unfrozenWith({ callerAddress }: InternalTransaction, next: InternalTransaction | undefined): bigint {
  if (next === undefined || next.rejected || toUtf8(next.note) !== UNFROZEN_ON_SELF_DESTRUCT) return 0n;
  return equalBytes(next.callerAddress, callerAddress) ? (next.callValueInfo[0]?.callValue ?? 0n) : 0n;
}

/**
 * Adds the possible movements of a destroyed contract that no internal transaction reports: the reward and the stake
 * 1.0 that it pays out, and the value that it receives after its destruction. If the contract is its own recipient, its
 * balance is burnt.
 */
function openSelfDestruct(
  movements: TransactionMovements,
  { callerAddress, transferToAddress }: InternalTransaction,
): void {
  movements.mayMove('reward', 'in', callerAddress, TRX);
  movements.mayMove('unstake', 'in', transferToAddress, TRX);
  movements.mayMove('self-destruct', 'out', callerAddress);
  movements.mayMove('self-destruct', 'out', transferToAddress);
}
