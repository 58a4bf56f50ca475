import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Chain } from '../../src/chain/chain.js';
import { present } from '../../src/primitives/assert.js';
import { decodeBlock } from '../../src/state-transition/block/decoded-block.js';
import { readBlockEntry } from '../../src/streams/follow/block-content.js';
import { balanceChanges, balanceIn, balancesIn } from '../../src/streams/records/transfers/balance-changes.js';
import { BalanceSums } from '../../src/streams/records/transfers/balance-sums.js';
import { movementsOf } from '../../src/streams/records/transfers/block-movements.js';
import type { Movement } from '../../src/streams/records/transfers/movement.js';
import { readLines } from './recording.js';
import { type BlockLine, openRecorded, type Report } from './replay-session.js';

export interface Reconciled extends Report {
  /** Number of movements by kind. */
  readonly kinds: ReadonlyMap<string, number>;
}

export function hasBlocks(folder: string): boolean {
  return existsSync(join(folder, 'blocks.ndjson.gz'));
}

/**
 * Sums the records of the topic `transfer` over a recorded chain without forks. Counts balances that differ from the
 * sum, after each block and at the end. Also counts movements of the kind `other`.
 */
export async function reconcileRecording(
  folder: string,
  name: string,
  onDifference: (text: string) => void,
): Promise<Reconciled> {
  const sums = new BalanceSums();
  const report = { name, operations: 0, mismatched: 0, first: undefined as string | undefined, kinds: sums.kinds };
  const differ = (text: string): void => {
    report.mismatched++;
    report.first ??= text;
    onDifference(text);
  };
  const dataDir = mkdtempSync(join(tmpdir(), 'tronicle-'));
  try {
    const chain = await openRecorded(folder, dataDir);
    sums.add(movementsAt(chain, 0));
    for await (const { num, block } of readLines<BlockLine>(join(folder, 'blocks.ndjson.gz'))) {
      if (num === 0 || block === undefined) continue;
      report.operations++;
      chain.importBlock(decodeBlock(Buffer.from(block, 'hex')));
      addBlock(chain, num, sums, differ);
    }
    for (const { account, token, sum, balance } of sums.mismatchesWithAll(balancesIn(chain.ledger.head)))
      differ(`end: ${account} ${token}: sum ${sum}, balance ${balance}`);
    await chain.ledger.close();
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
  return report;
}

function addBlock(chain: Chain, number: number, sums: BalanceSums, differ: (text: string) => void): void {
  const movements = movementsAt(chain, number);
  sums.add(movements);
  for (const { kind, token, from, to, amount } of movements)
    if (kind === 'other') differ(`block ${number}: unexplained ${amount} ${token} from ${from} to ${to}`);
  const { head } = chain.ledger;
  const touched = balanceChanges(rowsAt(chain, number)).values();
  for (const { account, token } of touched) {
    const [sum, balance] = [sums.of(account, token), balanceIn(head, account, token)];
    if (sum !== balance) differ(`block ${number}: ${account} ${token}: sum ${sum}, balance ${balance}`);
  }
}

export function movementsAt(chain: Chain, number: number): Movement[] {
  const { ledger, state } = chain;
  const { addressPrefix, blackhole } = state.rules;
  const block = readBlockEntry(ledger, present(ledger.block(number), 'the chain has the block'));
  return movementsOf(block, { rows: rowsAt(chain, number), head: ledger.head, addressPrefix, blackhole });
}

function rowsAt({ ledger }: Chain, number: number) {
  if (number === 0) return [];
  const { seq } = present(ledger.block(number), 'the chain has the block');
  return present(ledger.changes(seq), 'all changes are retained').rows;
}
