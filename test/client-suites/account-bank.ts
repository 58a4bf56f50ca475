import { createHash } from 'node:crypto';
import { TronWeb, type Types } from 'tronweb';
import { until } from '../support/until.js';

/**
 * Balance of each account in SUN. TronWeb's suite issues assets at 1,024 TRX each, and applies for a witness at 9,999
 * TRX.
 */
const FUNDS = 100_000_000_000;

/** Creates funded accounts on a private network and stores their keys. */
export class AccountBank {
  /** Private keys of the accounts that each call of `create` has created, oldest call first. */
  readonly made: string[][] = [];
  readonly tronWeb: TronWeb;

  /** @param privateKey key of the account that pays */
  constructor(fullHost: string, privateKey: string) {
    this.tronWeb = new TronWeb({ fullHost, privateKey });
  }

  /** Creates accounts. Resolves when they have received their funds. @returns their private keys */
  async create(count: number): Promise<readonly string[]> {
    const keys = newKeys(`batch ${this.made.length}`, count);
    await this.pay(keys.map(addressOf));
    this.made.push(keys);
    return keys;
  }

  /**
   * Sends TRX to each address and waits until the node shows the balances.
   * @param amount in SUN
   * @throws {Error} the node rejects a transfer
   */
  async pay(addresses: readonly string[], amount = FUNDS): Promise<void> {
    for (const address of addresses) await this.send(await this.tronWeb.transactionBuilder.sendTrx(address, amount));
    for (const address of addresses)
      await until(`funds of ${address}`, async () => (await this.tronWeb.trx.getUnconfirmedBalance(address)) >= amount);
  }

  /**
   * Signs and broadcasts a transaction.
   * @param key key of the owner; default: the key of the account that pays
   * @returns the transaction id
   * @throws {Error} the node rejects the transaction
   */
  async send(unsigned: Types.Transaction, key?: string): Promise<string> {
    const signed = await this.tronWeb.trx.sign(unsigned, key);
    const { result, message } = await this.tronWeb.trx.sendRawTransaction(signed);
    if (!result) throw new Error(`${unsigned.raw_data.contract[0]?.type}: ${Buffer.from(message ?? '', 'hex')}`);
    return signed.txID;
  }

  /** Waits until a transaction is in a block. @throws {Error} the transaction has failed */
  async untilDone(id: string): Promise<void> {
    const info = await until(`transaction ${id}`, async () => {
      const found = await this.tronWeb.trx.getUnconfirmedTransactionInfo(id);
      return found.id === undefined ? undefined : found;
    });
    const { result } = info.receipt;
    if (result !== undefined && result !== 'SUCCESS') throw new Error(`${id}: ${result}`);
  }
}

/** Returns private keys that are derived from a text. Equal texts result in equal keys. */
export function newKeys(text: string, count: number): string[] {
  return Array.from({ length: count }, (_, at) =>
    createHash('sha256').update(`tronicle foreign suite ${text} ${at}`).digest('hex'),
  );
}

/** Returns the address of a private key as Base58Check text. */
export function addressOf(privateKey: string): string {
  return String(TronWeb.address.fromPrivateKey(privateKey));
}
