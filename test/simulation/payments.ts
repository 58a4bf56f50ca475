import type { Chain } from '../../src/chain/chain.js';
import {
  Any,
  Transaction,
  TransactionContract,
  TransactionRaw,
  TransferContract,
} from '../../src/codec/generated/messages.js';
import { sha256 } from '../../src/crypto/hash.js';
import { secp256k1 } from '../../src/crypto/secp256k1.js';
import { concatBytes, fromHex, fromInt64 } from '../../src/primitives/bytes.js';
import { PAYERS, payerOf, type SimAccount } from './sim-config.js';

/**
 * Returns a payment between two of the funded accounts. Its TAPOS reference is the head.
 * @param signer account that signs; default: the payer
 */
export function payment(chain: Chain, random: () => number, signer?: SimAccount): Transaction {
  const from = Math.floor(random() * PAYERS);
  const payer = payerOf(from);
  const { headNumber, headId } = chain.ledger.position;
  const head = chain.state.properties.get('latest_block_header_timestamp');
  const value = TransferContract.encode(
    Object.assign(new TransferContract(), {
      ownerAddress: payer.bytes,
      toAddress: payerOf((from + 1) % PAYERS).bytes,
      amount: BigInt(1 + Math.floor(random() * 1_000_000)),
    }),
  );
  const parameter = Object.assign(new Any(), { typeUrl: 'type.googleapis.com/protocol.TransferContract', value });
  const rawData = Object.assign(new TransactionRaw(), {
    refBlockBytes: fromInt64(BigInt(headNumber)).subarray(6),
    refBlockHash: headId.subarray(8, 16),
    expiration: head + 60_000n,
    timestamp: BigInt(Date.now()),
    contract: [Object.assign(new TransactionContract(), { type: 1, parameter })],
  });
  const { signature, recid } = secp256k1.sign(
    sha256(TransactionRaw.encode(rawData)),
    fromHex((signer ?? payer).privateKey),
  );
  return Object.assign(new Transaction(), { rawData, signature: [concatBytes(signature, Uint8Array.of(recid))] });
}
