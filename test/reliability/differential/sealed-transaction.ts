import type { Chain } from '../../../src/chain/chain.js';
import {
  Any,
  TransactionContractContractType as ContractType,
  Transaction,
  TransactionContract,
  TransactionRaw,
} from '../../../src/codec/generated/messages.js';
import { sha256 } from '../../../src/crypto/hash.js';
import { secp256k1 } from '../../../src/crypto/secp256k1.js';
import { concatBytes, fromInt64, utf8 } from '../../../src/primitives/bytes.js';
import { decodeBlock } from '../../../src/state-transition/block/decoded-block.js';
import type { Actor } from './actors.js';
import { mutateRaw, mutateSigned } from './mutate.js';
import type { RandomChoices } from './random-choices.js';

/** Content of a transaction. The reference block and the signature are added later. */
export interface Draft {
  readonly type: keyof typeof ContractType;
  /** Encoded message of the contract. */
  readonly value: Uint8Array;
  readonly signers: readonly Actor[];
  readonly permissionId?: number;
  readonly feeLimit?: bigint;
  readonly memo?: Uint8Array;
}

interface MessageClass<T> {
  new (): T;
  encode(message: T): Uint8Array;
}

/** Creates a draft with the message of one contract. */
export function draft<T extends object>(
  type: Draft['type'],
  Message: MessageClass<T>,
  fields: Partial<T>,
  signer: Actor,
  options: Partial<Draft> = {},
): Draft {
  return { type, value: Message.encode(Object.assign(new Message(), fields)), signers: [signer], ...options };
}

/**
 * Times in ms between the head and the expiration of a transaction: near the minimum for a block in the next slot,
 * and near the maximum for any block.
 */
const EXPIRATIONS_MS = [-1n, 0n, 1n, 2999n, 3000n, 3001n, 86_400_000n, 86_400_001n];

/**
 * Returns the block for the TAPOS reference of a transaction. In most cases it is the head, sometimes an older block.
 */
function referred({ ledger }: Chain, random: RandomChoices): [number: number, id: Uint8Array] {
  const { headNumber, headId } = ledger.position;
  const older = random.chance(0.02) ? ledger.block(random.below(headNumber + 1)) : undefined;
  if (older === undefined) return [headNumber, headId];
  const { number, id } = decodeBlock(older.block);
  return [number, id];
}

/**
 * Completes and signs a transaction. In most cases, it refers to the head and expires within an hour. In rare cases,
 * one of these two properties is invalid.
 */
export function seal(
  chain: Chain,
  random: RandomChoices,
  { type, value, signers, permissionId, feeLimit, memo }: Draft,
): Transaction {
  const [number, id] = referred(chain, random);
  const headMs = chain.state.properties.get('latest_block_header_timestamp');
  const parameter = Object.assign(new Any(), { typeUrl: `type.googleapis.com/protocol.${type}`, value });
  const contract = Object.assign(new TransactionContract(), { type: ContractType[type], parameter });
  if (permissionId !== undefined) contract.permissionId = permissionId;
  const rawData = Object.assign(new TransactionRaw(), {
    refBlockBytes: fromInt64(BigInt(number)).subarray(6),
    refBlockHash: random.chance(0.002) ? random.bytes(8) : id.subarray(8, 16),
    expiration: headMs + (random.chance(0.006) ? random.pick(EXPIRATIONS_MS) : 3_600_000n),
    timestamp: headMs + BigInt(random.below(1_000_000_000)),
    contract: [contract],
    feeLimit: feeLimit ?? 0n,
  });
  const contractRet =
    memo ?? (random.chance(0.05) ? utf8(random.pick(['memo', 'm\u00e9mo \u{1f600}', 'm'.repeat(300)])) : undefined);
  if (contractRet !== undefined) rawData.data = contractRet;
  if (random.chance(0.015)) mutateRaw(rawData, random);
  const hash = sha256(TransactionRaw.encode(rawData));
  const signature = signers.map(({ key }) => {
    const signed = secp256k1.sign(hash, key);
    return concatBytes(signed.signature, Uint8Array.of(signed.recid));
  });
  const transaction = Object.assign(new Transaction(), { rawData, signature });
  if (random.chance(0.01)) mutateSigned(transaction, random);
  return transaction;
}
