import type { Chain } from '../../../src/chain/chain.js';
import { Transaction, TransactionRaw } from '../../../src/codec/generated/messages.js';
import { sha256 } from '../../../src/crypto/hash.js';
import { ChangedRows } from '../../../src/node/test-driver/changed-rows.js';
import { EMPTY_BYTES, toHex } from '../../../src/primitives/bytes.js';
import { javaStoreIds, storeName } from '../../../src/projections/state/stores.js';
import { type DecodedBlock, decodeBlock } from '../../../src/state-transition/block/decoded-block.js';
import type { DecodedTransaction } from '../../../src/state-transition/transaction.js';
import type { Rows } from '../../conformance/compare-rows.js';
import { explain, explainInfos, sameText } from '../../conformance/replay-session.js';
import { compareStep, ShadowState } from '../../conformance/shadow-state.js';
import type { Actor } from './actors.js';
import { type Attempt, attemptDifference, attemptOurs, blockOfAttempt } from './attempt.js';
import type { HeadFacts, JavaNode, Refusal } from './java-node.js';
import { headOfOurs, makeOurs, offerOurs, offerOursAgain, pushOurs } from './our-node.js';
import { ShownAccounts } from './shown-accounts.js';
import { StoredAccounts } from './stored-accounts.js';

/** Thrown if the answers of the two nodes differ. The text contains the position and both answers. */
export class Difference extends Error {}

/** java-tron and a chain of this node. Sends each input to both nodes and compares their answers. */
export class NodePair {
  readonly chain: Chain;
  private readonly java: JavaNode;
  private readonly changed: ChangedRows;
  private readonly stored: StoredAccounts;
  private readonly shown: ShownAccounts;
  private readonly expected = new ShadowState();
  private readonly actual = new ShadowState();

  constructor(java: JavaNode, chain: Chain) {
    this.java = java;
    this.chain = chain;
    this.stored = new StoredAccounts(chain.state);
    this.shown = new ShownAccounts(java, chain);
    this.changed = new ChangedRows(chain.ledger);
  }

  async begin(): Promise<void> {
    const { head, rows } = await this.java.begin(javaStoreIds.map(storeName));
    this.compareHead('genesis', head);
    this.compareRows('genesis', rows);
  }

  /** Submits a transaction to both nodes. @returns true if both accepted it @throws {Difference} the answers differ */
  async offer(transaction: Transaction, what: string): Promise<boolean> {
    const theirs = await this.java.offer(Transaction.encode(transaction));
    const ours = offerOurs(this.chain, transaction);
    if (!isSameRefusal(theirs, ours)) {
      const id = toHex(sha256(TransactionRaw.encode(transaction.rawData ?? new TransactionRaw())));
      const place = `after block ${this.chain.ledger.position.headNumber}, transaction ${id} (${what})`;
      const hex = toHex(Transaction.encode(transaction));
      throw new Difference(`${place}\n reference ${describe(theirs)}\n ours      ${describe(ours)}\n ${hex}`);
    }
    return ours === undefined;
  }

  /**
   * Executes a transaction on both nodes with an empty mempool, in a block of a witness.
   * @returns true if both nodes accepted the transaction
   * @throws {Difference} the results differ
   */
  async attempt(transaction: Transaction, witness: Uint8Array, timeMs: number, what: string): Promise<boolean> {
    const block = blockOfAttempt(this.chain, witness, timeMs);
    const theirs = await this.java.attempt(Transaction.encode(transaction), block);
    const ours = attemptOurs(this.chain, transaction, witness, timeMs);
    const found = this.differenceOf(theirs, ours);
    if (found === undefined) return !('error' in ours);
    const hex = toHex(Transaction.encode(transaction));
    throw new Difference(`on block ${this.chain.ledger.position.headNumber}, tried (${what}): ${found}\n ${hex}`);
  }

  private differenceOf(theirs: Attempt | Refusal, ours: Attempt | Refusal): string | undefined {
    if (!('error' in theirs) && !('error' in ours))
      return attemptDifference([this.expected, this.actual], theirs, ours);
    const [their, our] = [theirs, ours].map((one) => ('error' in one ? one : undefined));
    return isSameRefusal(their, our) ? undefined : `\n reference ${describe(their)}\n ours      ${describe(our)}`;
  }

  /**
   * Makes both nodes produce a block from the pending transactions. Returns undefined if neither node produces a block.
   * @throws {Difference} the blocks differ
   */
  async make(witness: Uint8Array, signer: Actor, timeMs: number): Promise<DecodedBlock | undefined> {
    const theirs = await this.java.make(signer.key, witness, timeMs);
    const ours = makeOurs(this.chain, witness, signer, timeMs);
    if (theirs === (ours === undefined ? undefined : toHex(ours.bytes))) return ours;
    const number = this.chain.ledger.position.headNumber + 1;
    const block = theirs === undefined ? undefined : decodeBlock(Buffer.from(theirs, 'hex'));
    throw new Difference(`block ${number} as made${firstDiffering(block, ours)}`);
  }

  /**
   * Pushes a block to both nodes. The remaining transactions stay pending if `keeps` is true; otherwise they are
   * deleted.
   * @throws {Difference} the results differ
   */
  async push(block: DecodedBlock, keeps = false): Promise<void> {
    const { head, rows, refusal, stored } = await this.java.push(block.bytes);
    this.stored.forget();
    const before = toHex(this.chain.ledger.position.headId);
    const { size: pending } = this.chain.mempool.pending;
    const ours = pushOurs(this.chain, block, keeps);
    const where = `block ${block.number} ${block.idHex}`;
    if (!isSameRefusal(refusal, ours)) {
      throw new Difference(`${where}\n reference ${describe(refusal)}\n ours      ${describe(ours)}`);
    }
    this.compareHead(where, head);
    const isSwitched = head.id !== before && block.parentIdHex !== before;
    // Compares no rows if the nodes already had the block and transactions were pending, because java-tron does not
    // revert the effects of the pending transactions in this case.
    if (head.id !== before || pending === 0) this.compareRows(where, isSwitched ? await this.allRows() : rows);
    if (stored !== undefined) this.compareStored(where, stored, block);
    if (head.id !== before) await this.compareShown(where, rows);
    if (keeps) await this.offerAgain(where);
    else await this.java.forget();
  }

  private async offerAgain(where: string): Promise<void> {
    const theirs = await this.java.offerAgain();
    const ours = offerOursAgain(this.chain);
    if (theirs.join() === ours.join()) return;
    throw new Difference(`${where}: what waits then\n reference ${theirs}\n ours      ${ours}`);
  }

  private async compareShown(where: string, rows: Rows): Promise<void> {
    const found = await this.shown.difference(rows);
    if (found !== undefined) throw new Difference(`${where}: as it is answered, ${found}`);
  }

  private compareStored(where: string, theirs: readonly string[], { transactions }: DecodedBlock): void {
    const ours = this.stored.take();
    const count = Math.max(theirs.length, ours.length);
    const at = Array.from({ length: count }, (_, index) => theirs[index] === ours[index]).indexOf(false);
    if (at < 0) return;
    const shown = `reference ${theirs[at]}\n ours      ${ours[at]}`;
    const transaction = transactions[at];
    const what = transaction === undefined ? '' : `${transaction.contractType}: ${toHex(transaction.bytes)}`;
    throw new Difference(
      `${where}: accounts stored, ${at} of ${theirs.length} and ${ours.length}\n ${shown}\n ${what}`,
    );
  }

  private compareHead(where: string, theirs: HeadFacts): void {
    const ours = headOfOurs(this.chain);
    for (const fact of ['number', 'id', 'solidified'] as const) {
      if (theirs[fact] === ours[fact]) continue;
      throw new Difference(`${where}: ${fact}\n reference ${theirs[fact]}\n ours      ${ours[fact]}`);
    }
    if (theirs.infos !== ours.infos)
      throw new Difference(`${where}: receipts\n${explainInfos(theirs.infos, ours.infos)}`);
  }

  /**
   * Returns all rows of java-tron, and null for each expected row that java-tron does not have. Used after a reorg,
   * because java-tron may then have flushed rows that were not compared before.
   */
  private async allRows(): Promise<Rows> {
    const rows = await this.java.rows();
    for (const name of this.expected.rows.keys()) {
      const [store = '', key = ''] = name.split('/');
      if (rows[store]?.[key] === undefined) rows[store] = { ...rows[store], [key]: null };
    }
    return rows;
  }

  private compareRows(where: string, theirs: Rows): void {
    const differences = compareStep(this.expected, this.actual, theirs, this.changed.take());
    if (differences.length === 0) return;
    const shown = differences.slice(0, 8).map(explain).join('\n');
    throw new Difference(`${where}: ${differences.length} rows\n${shown}`);
  }
}

function isSameRefusal(theirs: Refusal | undefined, ours: Refusal | undefined): boolean {
  if (theirs === undefined || ours === undefined) return theirs === ours;
  return theirs.error === ours.error && sameText(theirs.text, ours.text);
}

const describe = (refusal: Refusal | undefined): string =>
  refusal === undefined ? 'accepted' : `${refusal.error}: ${refusal.text}`;

/** Returns the first transaction in which two blocks differ. If all transactions are equal, returns both blocks. */
function firstDiffering(theirs: DecodedBlock | undefined, ours: DecodedBlock | undefined): string {
  if (theirs === undefined || ours === undefined) return `\n reference ${theirs?.idHex}\n ours      ${ours?.idHex}`;
  const count = Math.max(theirs.transactions.length, ours.transactions.length);
  for (let at = 0; at < count; at++) {
    const [a, b] = [theirs.transactions[at], ours.transactions[at]];
    if (a?.idHex === b?.idHex && toHex(a?.bytes ?? EMPTY_BYTES) === toHex(b?.bytes ?? EMPTY_BYTES)) continue;
    const results = ({ message }: DecodedTransaction): string =>
      message.ret.map(({ contractRet }) => contractRet).join(' ');
    const text = (one: DecodedTransaction | undefined): string =>
      one === undefined ? 'nothing' : `${one.idHex}, type ${one.contractType}, result ${results(one)}`;
    return `, transaction ${at}\n reference ${text(a)}\n ours      ${text(b)}\n ${toHex((a ?? b)?.bytes ?? EMPTY_BYTES)}`;
  }
  return `\n reference ${toHex(theirs.bytes)}\n ours      ${toHex(ours.bytes)}`;
}
