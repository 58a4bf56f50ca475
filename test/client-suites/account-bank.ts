import { createHash } from 'node:crypto';
import { TronWeb, type Types } from 'tronweb';
import { until } from '../support/until.js';

/** SUN of each account: TronWeb's suite issues assets at 1,024 TRX each and applies for a witness at 9,999. */
const FUNDS = 100_000_000_000;

/** Makes accounts on a private network and keeps their keys. */
export class AccountBank {
  /** The private keys of each call of `create`, oldest first. */
  readonly made: string[][] = [];
  readonly tronWeb: TronWeb;

  /** @param privateKey of the account that pays */
  constructor(fullHost: string, privateKey: string) {
    this.tronWeb = new TronWeb({ fullHost, privateKey });
  }

  /** New accounts with funds, which are there when it returns. @returns their private keys */
  async create(count: number): Promise<readonly string[]> {
    const keys = newKeys(`batch ${this.made.length}`, count);
    await this.pay(keys.map(addressOf));
    this.made.push(keys);
    return keys;
  }

  /** Sends TRX to each, and waits until it is there. @param amount in SUN @throws {Error} the node refuses */
  async pay(addresses: readonly string[], amount = FUNDS): Promise<void> {
    for (const address of addresses) await this.send(await this.tronWeb.transactionBuilder.sendTrx(address, amount));
    for (const address of addresses)
      await until(`funds of ${address}`, async () => (await this.tronWeb.trx.getUnconfirmedBalance(address)) >= amount);
  }

  /**
   * Signs and broadcasts.
   * @param key of the owner; the account that pays when none is given
   * @throws {Error} the node refuses
   */
  async send(unsigned: Types.Transaction, key?: string): Promise<string> {
    const signed = await this.tronWeb.trx.sign(unsigned, key);
    const { result, message } = await this.tronWeb.trx.sendRawTransaction(signed);
    if (!result) throw new Error(`${unsigned.raw_data.contract[0]?.type}: ${Buffer.from(message ?? '', 'hex')}`);
    return signed.txID;
  }

  /** Waits until a transaction is in a block. @throws {Error} a program that failed */
  async untilDone(id: string): Promise<void> {
    const info = await until(`transaction ${id}`, async () => {
      const found = await this.tronWeb.trx.getUnconfirmedTransactionInfo(id);
      return found.id === undefined ? undefined : found;
    });
    const { result } = info.receipt;
    if (result !== undefined && result !== 'SUCCESS') throw new Error(`${id}: ${result}`);
  }
}

/** Private keys that everybody can make again. */
export function newKeys(text: string, count: number): string[] {
  return Array.from({ length: count }, (_, at) =>
    createHash('sha256').update(`tronicle foreign suite ${text} ${at}`).digest('hex'),
  );
}

/** Address of a private key, in Base58Check. */
export function addressOf(privateKey: string): string {
  return String(TronWeb.address.fromPrivateKey(privateKey));
}
