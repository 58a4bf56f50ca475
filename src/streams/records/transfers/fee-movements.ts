import { toHex } from '../../../primitives/bytes.js';
import type { StreamedTransaction } from '../../follow/block-content.js';
import type { BlockFacts } from './block-facts.js';
import { type Movement, TRX } from './movement.js';

/**
 * Returns a function that creates the movements of a transaction's fee. Failed transactions pay fees too. Fees for the
 * fee pool and burnt fees have no recipient. Before proposal 49, all other fees go to the black hole account.
 * @param blackhole address (hex) of the black hole account
 */
export function feesIn(
  transactions: readonly StreamedTransaction[],
  facts: BlockFacts,
  blackhole: string,
): (transaction: StreamedTransaction) => Movement[] {
  const unpooled = transactions.reduce((sum, { info }) => sum + (info?.fee ?? 0n) - (info?.packingFee ?? 0n), 0n);
  // A block burns all fees that are not for the fee pool, or sends all of these fees to the black hole account. The
  // increase of BURN_TRX_AMOUNT shows which of the two.
  const recipient = unpooled > 0n && facts.increase('BURN_TRX_AMOUNT') === unpooled ? undefined : blackhole;
  return (transaction) => {
    const { info } = transaction;
    const from = ownerOf(transaction);
    if (info === undefined || from === undefined) return [];
    const { fee, packingFee } = info;
    const pooled = recipient === undefined ? fee : packingFee;
    const parts = [
      { to: recipient, amount: fee - pooled },
      { to: undefined, amount: pooled },
    ];
    return parts
      .filter(({ to, amount }) => amount > 0n && to !== from)
      .map(({ to, amount }) => ({ kind: 'fee', standard: 'TRX', token: TRX, from, to, amount, transaction }));
  };
}

function ownerOf({ parameter }: StreamedTransaction): string | undefined {
  const owner = (parameter as { ownerAddress?: Uint8Array } | undefined)?.ownerAddress;
  return owner && toHex(owner);
}
