import secp256k1 from 'secp256k1';
import {
  Any,
  TransactionContractContractType as ContractType,
  Transaction,
  TransactionContract,
  TransactionRaw,
} from '../../src/codec/generated/messages.js';
import { sha256 } from '../../src/crypto/hash.js';
import { concatBytes } from '../../src/primitives/bytes.js';

interface SignedOptions {
  readonly type: keyof typeof ContractType;
  /** Encoded message of the contract. */
  readonly value: Uint8Array;
  /** Id of the block to which the transaction refers (TAPOS). */
  readonly blockId: Uint8Array;
  /** Time in ms since 1970. */
  readonly timestamp: bigint;
  /** Time in ms since 1970 at which the transaction expires. */
  readonly expiration: bigint;
  /** Returns the private key that signs, depending on the hash of the transaction. */
  readonly key: (hash: Uint8Array) => Uint8Array;
}

/** Returns a transaction with one contract and one signature. */
export function signedTransaction({ type, value, blockId, timestamp, expiration, key }: SignedOptions): Transaction {
  const parameter = Object.assign(new Any(), { typeUrl: `type.googleapis.com/protocol.${type}`, value });
  const rawData = Object.assign(new TransactionRaw(), {
    refBlockBytes: blockId.subarray(6, 8),
    refBlockHash: blockId.subarray(8, 16),
    expiration,
    timestamp,
    contract: [Object.assign(new TransactionContract(), { type: ContractType[type], parameter })],
  });
  const hash = sha256(TransactionRaw.encode(rawData));
  const { signature, recid } = secp256k1.ecdsaSign(hash, key(hash));
  return Object.assign(new Transaction(), { rawData, signature: [concatBytes(signature, Uint8Array.of(recid))] });
}
