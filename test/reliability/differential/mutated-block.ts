import { type Transaction, TransactionResult } from '../../../src/codec/generated/messages.js';
import { type DecodedBlock, merkleRoot } from '../../../src/state-transition/block/decoded-block.js';
import { type Actor, everybody } from './actors.js';
import type { RandomChoices } from './random-choices.js';
import { resigned } from './resigned-block.js';

/**
 * Returns a changed copy of a block with a new signature. Most copies violate one rule.
 * @param older a transaction of an earlier block, which some copies contain
 */
export function mutated(
  block: DecodedBlock,
  signer: Actor,
  random: RandomChoices,
  older: Transaction | undefined,
): DecodedBlock {
  return resigned(block, signer, ({ transactions }, raw) => {
    changeTransactions(transactions, random, older);
    if (random.chance(0.95)) raw.txTrieRoot = merkleRoot(transactions);
    if (random.chance(0.05)) raw.timestamp += BigInt(random.pick([-3000, 3000, -1, 1, -30_000, 2999]));
    if (random.chance(0.03)) raw.number += BigInt(random.pick([-1, 1]));
    if (random.chance(0.03)) raw.witnessAddress = random.pick(everybody).bytes;
    if (random.chance(0.02)) raw.parentHash = random.bytes(32);
    if (random.chance(0.05)) raw.version = random.pick([0, 1, 27, 99]);
  });
}

function changeTransactions(transactions: Transaction[], random: RandomChoices, older: Transaction | undefined): void {
  const at = random.below(Math.max(transactions.length, 1));
  const one = transactions[at];
  if (one === undefined) return;
  switch (random.below(8)) {
    case 0:
      transactions.splice(at, 1);
      return;
    case 1:
      transactions.splice(random.below(transactions.length), 0, ...transactions.splice(at, 1));
      return;
    case 2:
      transactions.push(one);
      return;
    case 3:
      if (older !== undefined) transactions.splice(at, 0, older);
      return;
    case 4:
      one.signature = random.chance(0.5) ? [] : [random.bytes(65)];
      return;
    case 5:
      one.ret = random.chance(0.4) ? [] : [...one.ret, ...surplus(random)];
      return;
    default: {
      const result = one.ret[0] ?? new TransactionResult();
      result.contractRet = random.below(17);
      if (random.chance(0.2)) result.ret = 1;
      if (random.chance(0.1)) result.fee = 7n;
      one.ret = [result];
    }
  }
}

/** Returns 1, 2 or 40 additional transaction results. 40 results exceed the size limit. */
function surplus(random: RandomChoices): TransactionResult[] {
  const result = Object.assign(new TransactionResult(), { fee: random.chance(0.5) ? 0n : 7n });
  return new Array<TransactionResult>(random.pick([1, 2, 40])).fill(result);
}
