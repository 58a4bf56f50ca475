import secp256k1 from 'secp256k1';
import {
  Any,
  Transaction,
  TransactionContract,
  TransactionRaw,
  TransferContract,
} from '../../../src/codec/generated/messages.js';
import { decodeBase58Check } from '../../../src/domain/base58-check.js';
import { concatBytes, fromHex, fromInt64 } from '../../../src/domain/bytes.js';
import { sha256 } from '../../../src/domain/hash.js';
import { keys, type PeerNode } from './peer-node.js';

const [from, to] = Object.keys(keys).slice(-2);

/** A signed payment between two rich accounts, that refers to the head. */
export function transfer({ node }: PeerNode, amount: bigint): Transaction {
  const { headNumber, headId } = node.chain.ledger.position;
  const head = node.chain.state.properties.get('latest_block_header_timestamp');
  const value = TransferContract.encode(
    Object.assign(new TransferContract(), {
      ownerAddress: decodeBase58Check(from!),
      toAddress: decodeBase58Check(to!),
      amount,
    }),
  );
  const parameter = Object.assign(new Any(), { typeUrl: 'type.googleapis.com/protocol.TransferContract', value });
  const rawData = Object.assign(new TransactionRaw(), {
    refBlockBytes: fromInt64(BigInt(headNumber)).subarray(6),
    refBlockHash: headId.subarray(8, 16),
    expiration: head + 60_000n,
    timestamp: head,
    contract: [Object.assign(new TransactionContract(), { type: 1, parameter })],
  });
  const { signature, recid } = secp256k1.ecdsaSign(sha256(TransactionRaw.encode(rawData)), fromHex(keys[from!]!));
  return Object.assign(new Transaction(), { rawData, signature: [concatBytes(signature, Uint8Array.of(recid))] });
}
