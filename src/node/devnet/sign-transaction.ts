import type { ProducerKey } from '../../chain/production/produce-block.js';
import {
  Any,
  TransactionContractContractType as ContractType,
  Transaction,
  TransactionContract,
  TransactionRaw,
} from '../../codec/generated/messages.js';
import type { NodeConfig } from '../../config/load-config.js';
import { sha256 } from '../../crypto/hash.js';
import { secp256k1 } from '../../crypto/secp256k1.js';
import { concatBytes, fromHex, fromInt64 } from '../../primitives/bytes.js';
import { UsageError } from '../../primitives/errors.js';
import type { ContractTypeName } from '../../state-transition/contract-types.js';
import { type ContractRow, contractTable } from '../../state-transition/system-contracts/table.js';
import type { TronicleNode } from '../lifecycle/node.js';

/** Time from the head block to the expiration of a transaction that the node creates, in ms. */
const LIFE_MS = 60_000n;

interface OwnContract {
  readonly type: ContractTypeName;
  /** Parameter message of the transaction's contract. */
  readonly contract: object;
  /**
   * Difference in ms between the transaction's timestamp and the time of the head. Two otherwise equal transactions
   * need different values.
   */
  readonly shiftMs?: number;
}

/** Creates and signs a transaction for an account of this node. The head is the reference block. */
export function signTransaction(
  { chain }: Pick<TronicleNode, 'chain'>,
  { privateKey }: ProducerKey,
  { type, contract, shiftMs = 0 }: OwnContract,
): Transaction {
  const { headNumber, headId } = chain.ledger.position;
  const head = chain.state.properties.get('latest_block_header_timestamp');
  const { message }: ContractRow = contractTable[type];
  const parameter = Object.assign(new Any(), {
    typeUrl: `type.googleapis.com/${message.$name}`,
    value: message.encode(contract),
  });
  const rawData = Object.assign(new TransactionRaw(), {
    refBlockBytes: fromInt64(BigInt(headNumber)).subarray(6),
    refBlockHash: headId.subarray(8, 16),
    expiration: head + LIFE_MS,
    timestamp: head + BigInt(shiftMs),
    contract: [Object.assign(new TransactionContract(), { type: ContractType[type], parameter })],
  });
  const { signature, recid } = secp256k1.sign(sha256(TransactionRaw.encode(rawData)), privateKey);
  return Object.assign(new Transaction(), { rawData, signature: [concatBytes(signature, Uint8Array.of(recid))] });
}

/**
 * Returns the witness key of a single-node network.
 * @param key configuration key that needs the witness key, for the message
 * @throws {UsageError} the node has no witness key
 */
export function witnessKey({ witness }: NodeConfig, key: string): ProducerKey {
  const [privateKey] = witness.privateKeys;
  const { accountAddress } = witness;
  if (!witness.enabled || privateKey === undefined || accountAddress === undefined)
    throw new UsageError(`${key} needs a node that produces blocks: add --witness`);
  return { privateKey: fromHex(privateKey), address: fromHex(accountAddress) };
}
