import { keyAddress } from '../../crypto/key-address.js';
import { secp256k1 } from '../../crypto/secp256k1.js';
import { type Address, toAddress } from '../../primitives/address.js';
import { fromHex } from '../../primitives/bytes.js';
import { UsageError } from '../../primitives/errors.js';
import type { ProducerKey } from './produce-block.js';

/** Keys that may sign blocks, indexed by their address. */
export class ProducerKeys {
  private readonly byAddress = new Map<Address, ProducerKey>();
  private readonly prefix: number;

  constructor(prefix: number) {
    this.prefix = prefix;
  }

  /**
   * Adds a private key (64 hex digits) and returns its address.
   * @throws {UsageError} invalid key; the error text does not contain the key
   */
  add(hex: string): Address {
    const privateKey = /^[0-9a-f]{64}$/i.test(hex) ? fromHex(hex) : undefined;
    if (privateKey === undefined || !secp256k1.isPrivateKey(privateKey)) {
      throw new UsageError('invalid private key; expected 64 hex digits, above zero and below the order of the curve');
    }
    const bytes = keyAddress(privateKey, this.prefix);
    const address = toAddress(bytes);
    this.byAddress.set(address, { privateKey, address: bytes });
    return address;
  }

  get addresses(): readonly Uint8Array[] {
    return [...this.byAddress.values()].map(({ address }) => address);
  }

  get(address: Uint8Array): ProducerKey | undefined {
    return this.byAddress.get(toAddress(address));
  }
}
