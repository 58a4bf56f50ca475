import { closeSync, openSync, writeSync } from 'node:fs';
import {
  Any,
  Block,
  BlockHeader,
  BlockHeaderRaw,
  TransactionResultContractResult as ContractResult,
  TransactionContractContractType as ContractType,
  Transaction,
  TransactionContract,
  TransactionRaw,
  TransactionResult,
} from '../../../src/codec/generated/messages.js';
import { sha256 } from '../../../src/crypto/hash.js';
import { secp256k1 } from '../../../src/crypto/secp256k1.js';
import { concatBytes } from '../../../src/primitives/bytes.js';
import { merkleRoot } from '../../../src/state-transition/block/decoded-block.js';
import { blockId, headerHash } from '../../../src/state-transition/block/encoded-block.js';
import { SLOT_MS } from '../../../src/state-transition/consensus/schedule.js';
import { seeded } from '../../support/projections/chain.js';
import { SIGNER_RANGES, type Signer } from './day-accounts.js';
import { type Day, type MadeTransaction, makeTransaction } from './day-mix.js';

/** Transactions of a block: 9 million a day in 28,800 blocks are 312. */
export const DAY_BLOCK_TRANSACTIONS = 312;
const EXPIRATION_MS = 60_000n;
/** Offset of the recovery byte in a signature of a wallet. */
const RECOVERY_OFFSET = 27;

/** Facts of the chain that the generated blocks continue. */
export interface DayStart {
  readonly genesisId: Uint8Array;
  readonly genesisMs: number;
  readonly headId: Uint8Array;
  readonly headNumber: number;
  readonly headMs: number;
  readonly blockVersion: number;
}

interface DayOptions {
  readonly file: string;
  readonly blocks: number;
  readonly accounts: number;
  readonly signers: readonly Signer[];
  readonly start: DayStart;
}

/**
 * Writes signed blocks to a file of the form of `tronicle export`. All slots have a block. The blocks are not executed:
 * all transactions succeed, and no maintenance occurs in the first six hours.
 * @returns number of transactions up to each block, starting with 0
 */
export function writeDay({ file, blocks, accounts, signers, start }: DayOptions): number[] {
  const day: Day = { signers, accounts, random: seeded(accounts), openDelegations: [] };
  const output = openSync(file, 'w');
  const counts = [0];
  let { headId: parentId, headNumber: number, headMs: timeMs } = start;
  try {
    writeSync(output, concatBytes(Buffer.from('tronicle blocks 1\n'), start.genesisId));
    for (let at = 0; at < blocks; at++) {
      number++;
      const transactions = Array.from({ length: DAY_BLOCK_TRANSACTIONS }, (_, order) =>
        sign(makeTransaction(day), parentId, BigInt(timeMs + order)),
      );
      timeMs += SLOT_MS;
      const block = blockOf(start, { number, timeMs, parentId, transactions, signers });
      const bytes = Block.encode(block.message);
      const length = Buffer.alloc(4);
      length.writeUInt32BE(bytes.length);
      writeSync(output, concatBytes(length, bytes));
      parentId = block.id;
      counts.push((counts.at(-1) ?? 0) + transactions.length);
    }
  } finally {
    closeSync(output);
  }
  return counts;
}

interface NextBlock {
  readonly number: number;
  readonly timeMs: number;
  readonly parentId: Uint8Array;
  readonly transactions: Transaction[];
  readonly signers: readonly Signer[];
}

function blockOf(
  { genesisMs, blockVersion }: DayStart,
  { number, timeMs, parentId, transactions, signers }: NextBlock,
): { readonly message: Block; readonly id: Uint8Array } {
  const witnesses = signers.slice(...SIGNER_RANGES.witnesses);
  const slot = Math.trunc((timeMs - genesisMs) / SLOT_MS);
  const { address: witnessAddress, key } = witnesses[slot % witnesses.length] as Signer;
  const rawData = Object.assign(new BlockHeaderRaw(), {
    number: BigInt(number),
    timestamp: BigInt(timeMs),
    parentHash: parentId,
    txTrieRoot: merkleRoot(transactions),
    witnessAddress,
    version: blockVersion,
  });
  const { signature, recid } = secp256k1.sign(headerHash(rawData), key);
  const witnessSignature = concatBytes(signature, Uint8Array.of(recid));
  const blockHeader = Object.assign(new BlockHeader(), { rawData, witnessSignature });
  return { message: Object.assign(new Block(), { transactions, blockHeader }), id: blockId(rawData) };
}

/** Signs a transaction, and adds the result that its execution will have. */
function sign({ type, value, feeLimit, signer }: MadeTransaction, headId: Uint8Array, timestamp: bigint): Transaction {
  const parameter = Object.assign(new Any(), { typeUrl: `type.googleapis.com/protocol.${type}`, value });
  const rawData = Object.assign(new TransactionRaw(), {
    refBlockBytes: headId.subarray(6, 8),
    refBlockHash: headId.subarray(8, 16),
    expiration: timestamp + EXPIRATION_MS,
    timestamp,
    feeLimit,
    contract: [Object.assign(new TransactionContract(), { type: ContractType[type], parameter })],
  });
  const { signature, recid } = secp256k1.sign(sha256(TransactionRaw.encode(rawData)), signer.key);
  const ret = [Object.assign(new TransactionResult(), { contractRet: ContractResult.SUCCESS })];
  const bytes = concatBytes(signature, Uint8Array.of(recid + RECOVERY_OFFSET));
  return Object.assign(new Transaction(), { rawData, signature: [bytes], ret });
}
