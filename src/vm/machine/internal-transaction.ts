import { InternalTransaction, InternalTransactionCallValueInfo } from '../../codec/generated/messages.js';
import { keccak256 } from '../../crypto/hash.js';
import { type Address, addressBytes } from '../../primitives/address.js';
import { EMPTY_BYTES, fromInt64, utf8 } from '../../primitives/bytes.js';

/**
 * A call, creation, transfer or stake operation that a program made.
 * Reference: org.tron.common.runtime.InternalTransaction.
 */
export interface InternalCall {
  readonly hash: Uint8Array;
  readonly sender: Address;
  /** Address of the receiver; undefined for votes, which have no receiver. */
  readonly receiver: Address | undefined;
  /** Amount in SUN. For a stake operation, the amount is set after the operation was executed. */
  value: bigint;
  readonly tokens: readonly (readonly [id: string, amount: bigint])[];
  readonly note: string;
  readonly data: Uint8Array;
  readonly depth: number;
  isRejected: boolean;
  extra: string;
}

interface InternalCallFields {
  readonly parentHash: Uint8Array;
  readonly sender: Address;
  readonly receiver: Address | undefined;
  readonly value: bigint;
  readonly data: Uint8Array;
  readonly note: string;
  readonly nonce: bigint;
  readonly tokens: readonly (readonly [id: string, amount: bigint])[];
  readonly depth: number;
}

export function internalCall(fields: InternalCallFields): InternalCall {
  const { parentHash, sender, receiver, value, data, note, nonce, tokens, depth } = fields;
  const to = note === 'create' || receiver === undefined ? EMPTY_BYTES : addressBytes(receiver);
  const hash = keccak256(parentHash, to, data, fromInt64(value), fromInt64(nonce));
  return { hash, sender, receiver, value, tokens, note, data, depth, isRejected: false, extra: '' };
}

/** Builds the message that receipts contain. Reference: TransactionUtil.buildInternalTransaction. */
export function internalTransactionOf(call: InternalCall): InternalTransaction {
  const info = [['', call.value] as const, ...call.tokens].map(([tokenId, callValue]) =>
    Object.assign(new InternalTransactionCallValueInfo(), { tokenId, callValue }),
  );
  const message = Object.assign(new InternalTransaction(), {
    hash: call.hash,
    callerAddress: addressBytes(call.sender),
    transferToAddress: call.receiver === undefined ? EMPTY_BYTES : addressBytes(call.receiver),
    callValueInfo: info,
    note: utf8(call.note),
    rejected: call.isRejected,
    extra: call.extra,
  });
  if (call.data.length > 0) callData.set(message, call.data);
  return message;
}

/**
 * Call data by internal transaction. Event records need the call data, and the protobuf message has no field for it.
 */
const callData = new WeakMap<InternalTransaction, Uint8Array>();

/**
 * Returns the call data or creation code of a message that {@link internalTransactionOf} built; empty for other
 * messages.
 */
export function callDataOf(message: InternalTransaction): Uint8Array {
  return callData.get(message) ?? EMPTY_BYTES;
}
