import {
  Any,
  Block,
  Transaction,
  TransactionContract,
  TransactionContractContractType,
  TransactionRaw,
  TransferContract,
} from '../../../src/codec/generated/messages.js';
import { sha256 } from '../../../src/crypto/hash.js';
import { addressOfKey } from '../../../src/crypto/key-address.js';
import { secp256k1 } from '../../../src/crypto/secp256k1.js';
import { type Address, toAddress } from '../../../src/primitives/address.js';
import { utf8 } from '../../../src/primitives/bytes.js';

const PREFIX = 0x41;

interface SignedTransfer {
  readonly owner: Uint8Array;
  /** Memo of the transaction. Transactions with different memos have different ids. */
  readonly text: string;
  /** Names from which the signing keys are derived, in the order of the signatures. */
  readonly signers: readonly string[];
  /** Function that changes each signature. Default: no change. */
  readonly change?: ((bytes: Uint8Array) => Uint8Array) | undefined;
}

/** Returns the address of the key that is derived from a name. */
export function addressNamed(name: string): Address {
  return toAddress(addressOfKey(secp256k1.publicKeyOf(keyNamed(name)), PREFIX));
}

/** Returns a transfer of 0 TRX to an empty address. */
export function signedTransfer({ owner, text, signers, change = (bytes) => bytes }: SignedTransfer): Transaction {
  const value = TransferContract.encode(Object.assign(new TransferContract(), { ownerAddress: owner }));
  const parameter = Object.assign(new Any(), { typeUrl: 'type.googleapis.com/protocol.TransferContract', value });
  const type = TransactionContractContractType.TransferContract;
  const contract = [Object.assign(new TransactionContract(), { type, parameter })];
  const rawData = Object.assign(new TransactionRaw(), { contract, data: utf8(text) });
  const transaction = Object.assign(new Transaction(), { rawData });
  transaction.signature = signers.map((signer) => {
    const { signature, recid } = secp256k1.sign(idOf(transaction), keyNamed(signer));
    return change(Uint8Array.from([...signature, recid + 27]));
  });
  return transaction;
}

export function idOf({ rawData }: Transaction): Uint8Array {
  return sha256(TransactionRaw.encode(rawData ?? new TransactionRaw()));
}

/** Encodes a block without a header. */
export function blockBytes(transactions: Transaction[]): Uint8Array {
  return Block.encode(Object.assign(new Block(), { transactions }));
}

function keyNamed(name: string): Uint8Array {
  return sha256(utf8(name));
}
