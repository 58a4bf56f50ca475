import type { TransactionInfo } from '../../../codec/generated/messages.js';
import { itemAt } from '../../../primitives/assert.js';
import { BLOOM_BITS, bloomPlaces } from '../../../projections/indexes/log-blooms.js';
import { data, quantity, ZERO_HASH } from '../quantities.js';

/** What the form of an Ethereum block follows from. */
interface BlockFigures {
  /** SUN per energy when the block was made. */
  readonly price: bigint;
  readonly energyUsed: bigint;
  /** Energy of one call on this node. `vm.maxEnergyLimitForConstant` */
  readonly energyMax: bigint;
  readonly infos: readonly TransactionInfo[];
}

/** Hashes (hex) of a block that may be shorter than Ethereum's. */
interface BlockHashes {
  readonly parentHash: string;
  readonly stateRoot: string;
  readonly transactionsRoot: string;
}

const HASH_CHARACTERS = ZERO_HASH.length;

/**
 * A block as Ethereum's tools read it: each hash has 32 bytes, the price of energy is the base fee (it is burnt, and
 * there are no tips), and the limit holds what a tool may ask for, where the reference adds up fee limits in SUN.
 */
export function ethereumBlock(block: BlockHashes, { price, energyUsed, energyMax, infos }: BlockFigures): object {
  const { parentHash, stateRoot, transactionsRoot } = block;
  return {
    ...block,
    baseFeePerGas: quantity(price),
    gasLimit: quantity(energyUsed > energyMax ? energyUsed : energyMax),
    logsBloom: bloomOf(infos),
    parentHash: fullHash(parentHash),
    stateRoot: fullHash(stateRoot),
    transactionsRoot: fullHash(transactionsRoot),
  };
}

function fullHash(hash: string): string {
  return hash.length === HASH_CHARACTERS ? hash : ZERO_HASH;
}

/** A transaction: no account has a number of its own, and what is in no block has no place. */
export function ethereumTransaction(transaction: object, price: bigint): object {
  const { blockHash, v, gasPrice } = transaction as Record<string, string>;
  const numbers = {
    nonce: '0x0',
    v: v === '0x00' ? '0x0' : v,
    gasPrice: gasPrice === '0x' ? quantity(price) : gasPrice,
  };
  const place = blockHash === '0x' ? { blockHash: null, blockNumber: null, transactionIndex: null } : {};
  return { ...transaction, ...numbers, ...place };
}

export function ethereumReceipt(receipt: object, info: TransactionInfo): object {
  return { ...receipt, logsBloom: bloomOf([info]) };
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
