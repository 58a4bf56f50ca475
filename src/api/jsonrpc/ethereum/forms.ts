import type { TransactionInfo } from '../../../codec/generated/messages.js';
import { itemAt } from '../../../primitives/assert.js';
import { BLOOM_BITS, bloomBitIndexes } from '../../../projections/indexes/log-blooms.js';
import { data, quantity, ZERO_ADDRESS, ZERO_HASH } from '../quantities.js';

/** Values that only the Ethereum form of a block needs. */
interface BlockFigures {
  /** Energy price at the block's time, in SUN per unit of energy. */
  readonly price: bigint;
  readonly energyUsed: bigint;
  /** Energy limit of one call on this node (`vm.maxEnergyLimitForConstant`). */
  readonly energyMax: bigint;
  readonly infos: readonly TransactionInfo[];
  readonly transactionCount: number;
}

/** Members of a block in java-tron's form. Its hashes are hex and may be shorter than 32 bytes. */
interface ReferenceBlock {
  readonly parentHash: string;
  readonly stateRoot: string;
  readonly transactionsRoot: string;
  readonly receiptsRoot: string;
}

const HASH_CHARACTERS = ZERO_HASH.length;
/** Keccak-256 of an empty list encoded in RLP. Clients check `sha3Uncles` against it. */
const NO_UNCLES = '0x1dcc4de8dec75d7aab85b567b6ccd41ad312451b948a7413f0a142fd40d49347';
/** Root of an empty trie. Clients check `transactionsRoot` against it. */
const EMPTY_ROOT = '0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421';

/**
 * Converts a block to the form that Ethereum tools read. Hashes have 32 bytes. Hashes of empty lists are those of
 * Ethereum. The base fee is the energy price, because TRON burns the energy fee. The gas limit is the energy that a
 * call may request. In java-tron's form, the gas limit is the sum of the fee limits in SUN.
 */
export function ethereumBlock<Block extends ReferenceBlock>(
  block: Block,
  { price, energyUsed, energyMax, infos, transactionCount }: BlockFigures,
): Block {
  const { parentHash, stateRoot } = block;
  const rootOf = (root: string): string => (transactionCount === 0 ? EMPTY_ROOT : fullHash(root));
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

/** A signature in hex: the words `r` and `s`, and the recovery id `v`. */
interface SignatureText {
  readonly r: string;
  readonly s: string;
  readonly v: string;
}

/**
 * Converts a signature to the form of legacy Ethereum transactions, without leading zeros. An Ethereum client that
 * recovers the sender gets a wrong address, because TRON signs different bytes.
 */
export function ethereumSignature({ r, s, v }: SignatureText): SignatureText {
  return { r: wordQuantity(r), s: wordQuantity(s), v: quantity(recoveryOf(BigInt(v))) };
}

/**
 * Returns a number of up to 256 bits as a JSON-RPC quantity. The function `quantity` is limited to 64 bits.
 * @param word number in hex
 */
function wordQuantity(word: string): string {
  return `0x${BigInt(word).toString(16)}`;
}

/**
 * Returns 27 or 28 for a signature; 0 without a signature. TRON also accepts other values. From such values, Ethereum
 * clients would compute a wrong chain id.
 */
function recoveryOf(v: bigint): bigint {
  return v === 0n ? 0n : 27n + (BigInt.asUintN(8, v - 27n) & 1n);
}

/** Converts a receipt. Adds the bloom filter of its logs. */
export function ethereumReceipt(receipt: { readonly from: string | null }, info: TransactionInfo): object {
  return { ...receipt, from: receipt.from ?? ZERO_ADDRESS, logsBloom: bloomOf([info]) };
}

/** Returns the bloom filter (256 bytes) of the addresses and topics of all logs. */
function bloomOf(infos: readonly TransactionInfo[]): string {
  const bloom = new Uint8Array(BLOOM_BITS / 8);
  for (const { log } of infos) {
    for (const { address, topics } of log) {
      for (const word of [address.subarray(-20), ...topics]) {
        for (const bitIndex of bloomBitIndexes(word)) {
          const at = bloom.length - 1 - (bitIndex >> 3);
          bloom[at] = itemAt(bloom, at) | (1 << (bitIndex & 7));
        }
      }
    }
  }
  return data(bloom);
}
