import { ControlError, FUND_TRX_MAX } from '../../api/network-control.js';
import type { ProducerKey } from '../../chain/production/produce-block.js';
import { TransferContract } from '../../codec/generated/messages.js';
import { decodeBase58Check } from '../../crypto/base58-check.js';
import { isAddress } from '../../primitives/address.js';
import { concatBytes, fromHex, toHex } from '../../primitives/bytes.js';
import { SUN_PER_TRX } from '../../primitives/units.js';
import { ChainError } from '../../state-transition/errors.js';
import type { TronicleNode } from '../lifecycle/node.js';
import { signTransaction, witnessKey } from './sign-transaction.js';

const HEX_ADDRESS = /^(?:0x)?([0-9a-f]{40}|[0-9a-f]{42})$/i;

/**
 * Sends TRX from the witness account to test accounts. The transfers do not disturb tests: no test relies on the
 * balance of the witness account, because it grows with every block.
 */
export class Faucet {
  private readonly node: TronicleNode;
  private readonly key: ProducerKey;
  /**
   * Number of transfers sent. It changes the timestamp of each transaction, so that two equal transfers at the same
   * head have different ids.
   */
  private transferCount = 0;

  /** Creates a faucet that sends from the account of the node's witness key. @throws {UsageError} no witness key */
  constructor(node: TronicleNode) {
    this.node = node;
    this.key = witnessKey(node.config, 'tronicle.devnet.control');
  }

  /**
   * Adds a transfer of whole TRX to the mempool.
   * @param to receiver, in Base58Check or as hex of 20 or 21 bytes
   * @returns id (hex) of the pending transaction
   * @throws {ControlError} invalid amount or address, or the transfer is rejected
   */
  fund(to: string, trx: number): string {
    if (!Number.isSafeInteger(trx) || trx < 1 || trx > FUND_TRX_MAX)
      throw new ControlError(
        `invalid amount ${trx}; the faucet sends 1 to ${FUND_TRX_MAX.toLocaleString('en')} whole TRX`,
      );
    const contract = Object.assign(new TransferContract(), {
      ownerAddress: this.key.address,
      toAddress: this.readAddress(to),
      amount: BigInt(trx) * SUN_PER_TRX,
    });
    const transfer = { type: 'TransferContract', contract, shiftMs: this.transferCount++ } as const;
    try {
      return toHex(this.node.submit(signTransaction(this.node, this.key, transfer)).id);
    } catch (error) {
      if (!(error instanceof ChainError)) throw error;
      throw new ControlError(`transfer refused: ${error.text ?? error.exception}`);
    }
  }

  private readAddress(text: string): Uint8Array {
    const { addressPrefix } = this.node.config;
    const hex = HEX_ADDRESS.exec(text)?.[1]?.toLowerCase();
    const bytes = hex === undefined ? decodeBase58Check(text) : fromHex(hex);
    const full = bytes?.length === 20 ? concatBytes(Uint8Array.of(addressPrefix), bytes) : bytes;
    if (full !== undefined && isAddress(full, addressPrefix)) return full;
    throw new ControlError(`not an address of this network: ${text.slice(0, 80) || '(empty)'}`);
  }
}
