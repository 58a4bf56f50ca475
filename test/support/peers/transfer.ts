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

/** Address of the sender, 21 bytes. */
export const payer = decodeBase58Check(from!);
/** Address of the recipient, 21 bytes. */
export const payee = decodeBase58Check(to!);

/** Returns a signed transfer between two funded accounts. Its TAPOS reference is the head. */
export function transfer(node: PeerNode, amount: bigint): Transaction {
  const fields = { ownerAddress: payer, toAddress: payee, amount };
  return byPayer(node, 'TransferContract', TransferContract.encode(Object.assign(new TransferContract(), fields)));
}

/**
 * Returns a transaction with any contract, signed by the payer. Its TAPOS reference is the head.
 * @param value encoded message of the contract
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
