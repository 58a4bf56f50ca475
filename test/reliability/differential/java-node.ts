import { toHex } from '../../../src/primitives/bytes.js';
import type { Rows } from '../../conformance/compare-rows.js';
import { ALONE, JavaProcess } from '../reference/java-process.js';

/** Exception of a rejected transaction or block: its class name without the package, and its text. */
export interface Refusal {
  readonly error: string;
  readonly text: string | null;
}

/** Head of a chain. */
export interface HeadFacts {
  readonly number: number;
  readonly id: string;
  readonly solidified: number;
  /** Encoded `TransactionRet` of the block, in hex. */
  readonly infos: string;
}

/**
 * A java-tron process that `reference/FuzzedNode.java` controls. It reads one line per command and writes one line per
 * answer.
 */
export class JavaNode {
  private readonly java: JavaProcess;

  /**
   * @param reference folder of a compiled java-tron
   * @param folder folder with `config.conf`; the data is stored there too
   */
  constructor(reference: string, folder: string) {
    this.java = new JavaProcess('FuzzedNode', reference, folder, ALONE);
  }

  /**
   * Starts java-tron.
   * @param stores names of the stores whose rows are compared
   * @returns the head, and all rows of these stores
   */
  async begin(stores: readonly string[]): Promise<{ head: HeadFacts; rows: Rows }> {
    return headAndRows(await this.java.request(`stores ${stores.join(',')}`));
  }

  /** Returns all rows of the compared stores. */
  async rows(): Promise<Rows> {
    return headAndRows(await this.java.request('rows')).rows;
  }

  async offer(transaction: Uint8Array): Promise<Refusal | undefined> {
    const words = await this.java.request(`tx ${toHex(transaction)}`);
    return words[0] === 'refused' ? refusalOf(words) : undefined;
  }

  /**
   * Produces a block from the pending transactions.
   * @returns the encoded block in hex; undefined if the key may not sign
   * @throws {Error} java-tron produces no block for another reason
   */
  async make(key: Uint8Array, witness: Uint8Array, timeMs: number): Promise<string | undefined> {
    const words = await this.java.request(`make ${toHex(key)} ${toHex(witness)} ${timeMs}`);
    if (words[0] === 'refused') throw new Error(`java-tron produces no block: ${JSON.stringify(refusalOf(words))}`);
    return words[1];
  }

  /**
   * Pushes a block.
   * @returns the head and the rows that changed. For an accepted block, also the accounts that java-tron stored, in
   * the format of `StoredAccounts`
   */
  async push(
    block: Uint8Array,
  ): Promise<{ head: HeadFacts; rows: Rows; refusal?: Refusal; stored?: readonly string[] }> {
    const words = await this.java.request(`push ${toHex(block)}`);
    if (words[0] !== 'refused') return { ...headAndRows(words), stored: JSON.parse(words[6] ?? '[]') as string[] };
    return { ...headAndRows(words.slice(2)), refusal: refusalOf(words) };
  }

  /**
   * Executes a transaction in a block without storing the result.
   * @returns the receipt (encoded, hex) and the rows that the transaction writes, or the exception
   */
  async attempt(transaction: Uint8Array, block: Uint8Array): Promise<Refusal | { receipt: string; rows: Rows }> {
    const words = await this.java.request(`try ${toHex(transaction)} ${toHex(block)}`);
    if (words[0] === 'refused') return refusalOf(words);
    const [, receipt = '', rows = '{}'] = words;
    return { receipt, rows: JSON.parse(rows) as Rows };
  }

  /**
   * Returns accounts as java-tron sends them to a client, encoded in hex. Undefined for an account that does not exist.
   */
  async accounts(addresses: readonly string[]): Promise<(string | undefined)[]> {
    const [, accounts = ''] = await this.java.request(`accounts ${addresses.join(',')}`);
    return accounts.split(',').map((account) => (account === 'none' ? undefined : account));
  }

  /** Deletes the transactions that were pending before the last block. */
  async forget(): Promise<void> {
    await this.java.request('forget');
  }

  /**
   * Submits the transactions again that were pending before the last block.
   * @returns ids of the pending transactions, in order
   */
  async offerAgain(): Promise<string[]> {
    const [, ids = ''] = await this.java.request('again');
    return ids === '' ? [] : ids.split(',');
  }

  stop(): void {
    this.java.stop();
  }
}

function refusalOf([, error = '', text = '-']: readonly string[]): Refusal {
  return { error, text: text === '-' ? null : Buffer.from(text.slice(1), 'base64').toString() };
}

/** Parses the words of an answer: kind, number, id, solidified number, receipts or `-`, and rows as JSON. */
function headAndRows([, number, id = '', solidified, infos = '-', rows = '{}']: readonly string[]): {
  head: HeadFacts;
  rows: Rows;
} {
  const head = { number: Number(number), id, solidified: Number(solidified), infos: infos.slice(0, -1) };
  return { head, rows: JSON.parse(rows) as Rows };
}
