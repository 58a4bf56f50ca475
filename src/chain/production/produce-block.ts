import {
  Block,
  BlockHeader,
  BlockHeaderRaw,
  TransactionContractContractType as ContractType,
} from '../../codec/generated/messages.js';
import { secp256k1 } from '../../crypto/secp256k1.js';
import { type Address, addressBytes } from '../../primitives/address.js';
import { concatBytes, equalBytes } from '../../primitives/bytes.js';
import { AccountRoot } from '../../state-transition/block/account-root.js';
import { type DecodedBlock, merkleRoot, toDecodedBlock } from '../../state-transition/block/decoded-block.js';
import { headerHash } from '../../state-transition/block/encoded-block.js';
import { ChainError } from '../../state-transition/errors.js';
import { rememberParent } from '../../state-transition/state/block-hash-history.js';
import { witnessKeyAddress } from '../../state-transition/state/permissions.js';
import type { State } from '../../state-transition/state/state.js';
import { isFrozenTrade } from '../../state-transition/system-contracts/exchange/frozen-trades.js';
import type { BlockContext, DecodedTransaction } from '../../state-transition/transaction.js';
import { fieldSize } from '../../state-transition/transactions/decode-transaction.js';
import { changesPermission, type Mempool } from '../mempool.js';

/** Maximum size of a block's header and transactions together, in bytes. Reference: ChainConstant.BLOCK_SIZE. */
const BLOCK_BYTES_MAX = 2_000_000;

/** Key that signs blocks: the key of a witness or of its witness permission. */
export interface ProducerKey {
  readonly privateKey: Uint8Array;
  /** Address of the key, 21 bytes. */
  readonly address: Uint8Array;
}

interface ProduceOptions {
  readonly witness: Address;
  readonly key: ProducerKey;
  readonly timeMs: number;
  readonly parent: { readonly number: number; readonly id: Uint8Array; readonly stateRoot: () => Uint8Array };
  readonly isSorted: boolean;
  /** Returns true when packing must end. */
  readonly isTimeUp: () => boolean;
}

/**
 * Packs pending transactions into a block and signs it. Then reverts the state to that of the head. When the time for
 * packing is over, the transactions that were not taken yet stay in the mempool, unlike in java-tron. As in java-tron,
 * a taken transaction is removed even if it is not packed, for example because it does not fit into the block or cannot
 * be executed. Reference: Manager.generateBlock.
 * @returns undefined if the key is not the witness's signing key
 */
export function produceBlock(state: State, pool: Mempool, options: ProduceOptions): DecodedBlock | undefined {
  pool.resetToHead();
  const raw = headerOf(state, options);
  if (!maySign(state, options)) return undefined;
  const mark = state.mark();
  const packed = pool.packing(() => pack(state, pool, raw, options));
  state.revertTo(mark);
  pool.resetToHead();
  const block = new Block();
  block.transactions = packed.map(({ message }) => message);
  raw.txTrieRoot = merkleRoot(block.transactions);
  block.blockHeader = Object.assign(new BlockHeader(), { rawData: raw, witnessSignature: sign(raw, options.key) });
  return toDecodedBlock(block);
}

function headerOf(state: State, { parent, timeMs, witness }: ProduceOptions): BlockHeaderRaw {
  return Object.assign(new BlockHeaderRaw(), {
    number: BigInt(parent.number + 1),
    parentHash: parent.id,
    timestamp: BigInt(timeMs),
    version: state.rules.release.blockVersion,
    witnessAddress: addressBytes(witness),
  });
}

function maySign(state: State, { witness, key }: ProduceOptions): boolean {
  if (!state.properties.isOn('ALLOW_MULTI_SIGN')) return true;
  const account = state.account(witness);
  return account !== undefined && equalBytes(witnessKeyAddress(account), key.address);
}

function pack(state: State, pool: Mempool, raw: BlockHeaderRaw, options: ProduceOptions): DecodedTransaction[] {
  const context: BlockContext = {
    number: Number(raw.number),
    timeMs: options.timeMs,
    witness: raw.witnessAddress,
    parentId: raw.parentHash,
    isSigned: false,
  };
  rememberParent(state, context.number, context.parentId);
  const packed: DecodedTransaction[] = [];
  const owners = new Set<Address>();
  let size = Block.encode(
    Object.assign(new Block(), { blockHeader: Object.assign(new BlockHeader(), { rawData: raw }) }),
  ).length;
  let shielded = 0;
  const accountRoot = AccountRoot.begin(state, options.parent.stateRoot);
  while (!options.isTimeUp()) {
    const item = take(pool, options.isSorted);
    if (item === undefined) break;
    const { transaction } = item;
    const bytes = fieldSize(transaction.size);
    if (size + bytes > BLOCK_BYTES_MAX) continue;
    if (transaction.contractType === ContractType.ShieldedTransferContract && ++shielded > 1) continue;
    if (owners.has(transaction.owner)) continue;
    if (changesPermission(transaction)) owners.add(transaction.owner);
    if (state.rules.release.rules.freezesExchangeTrades && isFrozenTrade(state, transaction)) continue;
    const mark = state.mark();
    try {
      packed.push(pool.executeForBlock(item, context).packed);
      accountRoot?.take(mark);
      size += bytes;
    } catch (error) {
      if (!(error instanceof ChainError)) throw error;
      state.revertTo(mark);
    }
  }
  if (accountRoot !== undefined) raw.accountStateRoot = accountRoot.finish();
  return packed;
}

/**
 * Removes and returns the next transaction: first from `pending`, then from `repush`. If the queues are sorted, returns
 * the transaction with the higher fee, and that of `pending` if the fees are equal.
 */
function take({ pending, repush }: Mempool, isSorted: boolean): ReturnType<Mempool['pending']['poll']> {
  const first = pending.peek();
  if (first === undefined) return repush.poll();
  const again = repush.peek();
  return isSorted && again !== undefined && first.order < again.order ? repush.poll() : pending.poll();
}

/** Returns a signature of 65 bytes: r, s and the recovery byte, which is 0 or 1 as in java-tron. */
function sign(raw: BlockHeaderRaw, { privateKey }: ProducerKey): Uint8Array {
  const { signature, recid } = secp256k1.sign(headerHash(raw), privateKey);
  return concatBytes(signature, Uint8Array.of(recid));
}
