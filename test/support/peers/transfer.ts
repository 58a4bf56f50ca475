import secp256k1 from 'secp256k1';
import {
  Any,
  TransactionContractContractType as ContractType,
  Transaction,
  TransactionContract,
  TransactionRaw,
  TransferContract,
} from '../../../src/codec/generated/messages.js';
import { decodeBase58Check } from '../../../src/crypto/base58-check.js';
import { sha256 } from '../../../src/crypto/hash.js';
import { concatBytes, fromHex, fromInt64 } from '../../../src/primitives/bytes.js';
import { keys, type PeerNode } from './peer-node.js';

const [from, to] = Object.keys(keys).slice(-2);

/** Sender and recipient addresses, 21 bytes each. */
export const payer = decodeBase58Check(from!);
export const payee = decodeBase58Check(to!);

/** Returns a signed transfer between two funded accounts. It references the head. */
export function transfer(node: PeerNode, amount: bigint): Transaction {
  const fields = { ownerAddress: payer, toAddress: payee, amount };
  return byPayer(node, 'TransferContract', TransferContract.encode(Object.assign(new TransferContract(), fields)));
}

/**
 * Returns a transaction signed by the payer, for any contract. It references the head.
 * @param value the contract's message, encoded
 */
export function byPayer({ node }: PeerNode, type: keyof typeof ContractType, value: Uint8Array): Transaction {
  const { headNumber, headId } = node.chain.ledger.position;
  const head = node.chain.state.properties.get('latest_block_header_timestamp');
  const parameter = Object.assign(new Any(), { typeUrl: `type.googleapis.com/protocol.${type}`, value });
  const rawData = Object.assign(new TransactionRaw(), {
    refBlockBytes: fromInt64(BigInt(headNumber)).subarray(6),
    refBlockHash: headId.subarray(8, 16),
    expiration: head + 60_000n,
    timestamp: head,
    contract: [Object.assign(new TransactionContract(), { type: ContractType[type], parameter })],
  });
  const { signature, recid } = secp256k1.ecdsaSign(sha256(TransactionRaw.encode(rawData)), fromHex(keys[from!]!));
  return Object.assign(new Transaction(), { rawData, signature: [concatBytes(signature, Uint8Array.of(recid))] });
}
