import {
  type TransactionContractContractType as ContractType,
  type Transaction,
  TransferContract,
} from '../../../src/codec/generated/messages.js';
import { decodeBase58Check } from '../../../src/crypto/base58-check.js';
import { fromHex } from '../../../src/primitives/bytes.js';
import { signedTransaction } from '../signed-transaction.js';
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
  const head = node.chain.state.properties.get('latest_block_header_timestamp');
  return signedTransaction({
    type,
    value,
    blockId: node.chain.ledger.position.headId,
    timestamp: head,
    expiration: head + 60_000n,
    key: () => fromHex(keys[from!]!),
  });
}
