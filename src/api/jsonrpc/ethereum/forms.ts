import type { TransactionInfo } from '../../../codec/generated/messages.js';
import { itemAt } from '../../../primitives/assert.js';
import { BLOOM_BITS, bloomPlaces } from '../../../projections/indexes/log-blooms.js';
import { data, quantity, ZERO_ADDRESS, ZERO_HASH } from '../quantities.js';

/** What the form of an Ethereum block follows from. */
interface BlockFigures {
  /** SUN per energy when the block was made. */
  readonly price: bigint;
  readonly energyUsed: bigint;
  /** Energy of one call on this node. `vm.maxEnergyLimitForConstant` */
  readonly energyMax: bigint;
  readonly infos: readonly TransactionInfo[];
}

/** Members of a block in java-tron's form. Its hashes (hex) may be shorter than Ethereum's. */
interface ReferenceBlock {
  readonly parentHash: string;
  readonly stateRoot: string;
  readonly transactionsRoot: string;
  readonly receiptsRoot: string;
  readonly transactions: readonly unknown[];
}

const HASH_CHARACTERS = ZERO_HASH.length;
/** Keccak-256 of the RLP of an empty list: clients compare it with `uncles`. */
const NO_UNCLES = '0x1dcc4de8dec75d7aab85b567b6ccd41ad312451b948a7413f0a142fd40d49347';
/** Root of a trie without entries: clients compare it with `transactions`. */
const EMPTY_ROOT = '0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421';

/**
 * A block as Ethereum's tools read it: each hash has 32 bytes and those of empty lists are Ethereum's, the price of
 * energy is the base fee (it is burnt, and there are no tips), and the limit holds what a tool may ask for, where the
 * reference adds up fee limits in SUN.
 */
export function ethereumBlock(block: ReferenceBlock, { price, energyUsed, energyMax, infos }: BlockFigures): object {
  const { parentHash, stateRoot, transactions } = block;
  const rootOf = (root: string): string => (transactions.length === 0 ? EMPTY_ROOT : fullHash(root));
  return {
    ...block,
    baseFeePerGas: quantity(price),
    gasLimit: quantity(energyUsed > energyMax ? energyUsed : energyMax),
    logsBloom: bloomOf(infos),
    parentHash: fullHash(parentHash),
    receiptsRoot: rootOf(block.receiptsRoot),
    sha3Uncles: NO_UNCLES,
    stateRoot: fullHash(stateRoot),
    transactionsRoot: rootOf(block.transactionsRoot),
  };
}

function fullHash(hash: string): string {
  return hash.length === HASH_CHARACTERS ? hash : ZERO_HASH;
}

/** Members of a transaction in java-tron's form, as far as they are changed. */
interface ReferenceTransaction {
  readonly blockHash: string;
  readonly from: string | null;
  readonly gasPrice: string;
  readonly r: string;
  readonly s: string;
  readonly v: string;
}

/**
 * A transaction: no account has a number of its own, and what is in no block has no place. Its signature has the form
 * of the first transactions of Ethereum, without leading zeros; a client that recovers a sender from it finds another,
 * because TRON signs other bytes.
 */
export function ethereumTransaction(transaction: ReferenceTransaction, price: bigint): object {
  const { blockHash, from, gasPrice, r, s, v } = transaction;
  const place = blockHash === '0x' ? { blockHash: null, blockNumber: null, transactionIndex: null } : {};
  return {
    ...transaction,
    from: from ?? ZERO_ADDRESS,
    gasPrice: gasPrice === '0x' ? quantity(price) : gasPrice,
    nonce: '0x0',
    r: wordQuantity(r),
    s: wordQuantity(s),
    v: quantity(recoveryOf(BigInt(v))),
    ...place,
  };
}

/** A number of up to 256 bits; `quantity` has 64, as Java's long. @param word hex */
function wordQuantity(word: string): string {
  return `0x${BigInt(word).toString(16)}`;
}

/** 27 or 28 for a signature, 0 for none: what else TRON accepts means one of the two, and a chain's id to clients. */
function recoveryOf(v: bigint): bigint {
  return v === 0n ? 0n : 27n + (BigInt.asUintN(8, v - 27n) & 1n);
}

/** A receipt, with the bloom filter of its logs. */
export function ethereumReceipt(receipt: { readonly from: string | null }, info: TransactionInfo): object {
  return { ...receipt, from: receipt.from ?? ZERO_ADDRESS, logsBloom: bloomOf([info]) };
}

/** Bloom filter of 256 bytes over addresses and topics of logs. */
function bloomOf(infos: readonly TransactionInfo[]): string {
  const bloom = new Uint8Array(BLOOM_BITS / 8);
  for (const { log } of infos) {
    for (const { address, topics } of log) {
      for (const word of [address.subarray(-20), ...topics]) {
        for (const place of bloomPlaces(word)) {
          const at = bloom.length - 1 - (place >> 3);
          bloom[at] = itemAt(bloom, at) | (1 << (place & 7));
        }
      }
    }
  }
  return data(bloom);
}
