import { TransactionContractContractType as ContractType, Witness } from '../../codec/generated/messages.js';
import { JavaHashMap, javaHashOfByteString } from '../../java-compat/hash-map.js';
import { type Address, toAddress } from '../../primitives/address.js';
import type { RowChange } from '../../projections/state/state-reader.js';
import type { DecodedBlock } from '../../state-transition/block/decoded-block.js';
import type { DecodedTransaction } from '../../state-transition/transaction.js';

/** Types of transactions in which a witness sets its URL. */
const WITNESS_CONTRACTS: ReadonlySet<number> = new Set([
  ContractType.WitnessCreateContract,
  ContractType.WitnessUpdateContract,
]);

/** A block with changed witness rows. */
interface WitnessBlock {
  readonly block: Pick<DecodedBlock, 'witness'> & {
    readonly transactions: readonly Pick<DecodedTransaction, 'contractType' | 'owner'>[];
  };
  /** Changed witness rows. */
  readonly rows: readonly RowChange[];
  /** Active witnesses before the block. */
  readonly before: readonly Address[];
  /** Active witnesses after the block. */
  readonly after: readonly Address[];
  /** Number of the first slot after the parent, counted from genesis. */
  readonly firstSlot: number;
}

/**
 * Returns the witnesses whose rows java-tron would write in a block, in the order of the writes. A witness may occur
 * more than once. Reference: StatisticManager.applyBlock, MaintenanceManager.doMaintenance.
 *
 * java-tron also writes rows that do not change. If the set of active witnesses changes, it writes all previous and all
 * new witnesses. If a witness sets its current URL again, it writes the row too.
 */
export function witnessWrites({ block, rows, before, after, firstSlot }: WitnessBlock): Address[] {
  const owners = block.transactions
    .filter(({ contractType }) => WITNESS_CONTRACTS.has(contractType))
    .map(({ owner }) => owner);
  const missed: Address[] = [];
  const voted = new JavaHashMap<Address, undefined>(javaHashOfByteString);
  for (const row of rows) {
    const address = toAddress(row.key);
    const [old, now] = [witnessOf(row.before), witnessOf(row.after)];
    if (old.totalMissed !== now.totalMissed) missed.push(address);
    if (old.voteCount !== now.voteCount) voted.set(address, undefined);
  }
  const turns = new Map(before.map((address, place) => [address, distance(firstSlot, place, before.length)]));
  missed.sort((a, b) => (turns.get(a) ?? 0) - (turns.get(b) ?? 0));
  const votes = voted.entries().map(([address]) => address);
  const jobs = [...before].sort().join() === [...after].sort().join() ? [] : [...before, ...after];
  return [...owners, block.witness, ...missed, ...votes, ...jobs];
}

function witnessOf(row: Uint8Array | undefined): Witness {
  return row === undefined ? new Witness() : Witness.decode(row);
}

/**
 * Returns the number of slots from slot `first` to the next slot of a witness.
 * @param place index of the witness in the schedule
 * @param count length of the schedule
 */
function distance(first: number, place: number, count: number): number {
  return (((place - first) % count) + count) % count;
}
