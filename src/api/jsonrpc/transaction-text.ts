import { TransactionContractContractType as ContractType } from '../../codec/generated/messages.js';
import type { ReadReceipt } from '../../encoding/contract-types/contract-values.js';
import { contractAmount, contractRecipient } from '../../encoding/contract-types/read-contract.js';
import { present } from '../../primitives/assert.js';
import { EMPTY_BYTES } from '../../primitives/bytes.js';
import type { DecodedBlock } from '../../state-transition/block/decoded-block.js';
import type { ShownTransaction } from '../../state-transition/transaction.js';
import type { ChainView } from '../context/api-context.js';
import type { ApiRelease } from '../releases/api-release.js';
import type { BlockWithReceipts } from './block-content.js';
import { ethereumSignature } from './ethereum/forms.js';
import { JsonBytes } from './json-bytes.js';
import { data, quantity, withoutPrefix, ZERO_ADDRESS, ZERO_HASH } from './quantities.js';

/** Context for rendering a block, transaction or receipt. */
export interface PrintContext {
  readonly view: ChainView;
  readonly addressPrefix: number;
  readonly release: ApiRelease;
  /** If set, responses have the form that Ethereum tools expect. `energyMax` is the energy limit of one call. */
  readonly ethereum?: { readonly energyMax: bigint } | undefined;
}

/** Values of a transaction that depend on its block and its index, as JSON text. */
interface BlockMembers {
  /** Start of the JSON object: hash and number of the block. */
  readonly start: string;
  /** True for a transaction of block 0, whose sender is not shown. */
  readonly isGenesis: boolean;
  readonly gasPrice: string;
  /** Energy that the transaction used. */
  readonly energy: bigint;
  /** Index in the block as JSON. */
  readonly index: string;
  /**
   * Returns the receipt. Called only for values that the other fields do not have, because the call decodes the
   * receipt.
   */
  readonly receipt: ReadReceipt;
}

const ZERO_ADDRESS_JSON = `"${ZERO_ADDRESS}"`;
/** Output buffer that all texts share. Only one text is built at a time. */
const out = new JsonBytes();

/**
 * Renders all transactions of a block as a JSON list. Reads receipts for the energy, and for amounts that only receipts
 * contain.
 */
export function transactionsText(content: BlockWithReceipts, price: bigint, context: PrintContext): string {
  const { figures, transactionCount } = content;
  const blockMembersAt = blockMembersIn(content.block, price);
  return out.build(() => {
    for (let index = 0; index < transactionCount; index++) {
      const transaction = present(content.transaction(index), 'the index is below the count');
      const blockMembers = blockMembersAt(index, figures[index]?.energy ?? 0n, () => content.info(index));
      out.ascii(index === 0 ? '[' : ',');
      writeTransaction(transaction, blockMembers, context);
    }
    out.ascii(transactionCount === 0 ? '[]' : ']');
  });
}

/** Renders the ids of all transactions of a block as a JSON list. */
export function idsText(content: BlockWithReceipts): string {
  const { transactionCount } = content;
  return out.build(() => {
    for (let index = 0; index < transactionCount; index++)
      out.ascii(index === 0 ? '[' : ',').data(content.transactionId(index));
    out.ascii(transactionCount === 0 ? '[]' : ']');
  });
}

/** Renders one transaction. Reference: TransactionResult. */
export function transactionText(
  transaction: ShownTransaction,
  blockMembers: BlockMembers,
  context: PrintContext,
): string {
  return out.build(() => writeTransaction(transaction, blockMembers, context));
}

/**
 * Returns a function that returns the block members of each transaction of a block.
 * @param price energy price in SUN
 */
export function blockMembersIn(
  { id, number }: Pick<DecodedBlock, 'id' | 'number'>,
  price: bigint,
): (index: number, energy: bigint, receipt: ReadReceipt) => BlockMembers {
  const start = `{"blockHash":"${data(id)}","blockNumber":"${quantity(number)}"`;
  const gasPrice = quantity(price);
  const isGenesis = number === 0;
  return (index, energy, receipt) => ({
    start,
    isGenesis,
    gasPrice,
    energy,
    index: `"${quantity(index)}"`,
    receipt,
  });
}

/**
 * Returns the block members of a pending transaction. Hash, number and index are empty; in the form for Ethereum
 * tools, they are null.
 */
export function pendingBlockMembers({ ethereum, view }: PrintContext): BlockMembers {
  const shared = { isGenesis: false, energy: 0n, receipt: () => undefined };
  if (ethereum === undefined)
    return { ...shared, start: '{"blockHash":"0x","blockNumber":"0x"', gasPrice: '0x', index: '"0x"' };
  const gasPrice = quantity(view.state.properties.get('ENERGY_FEE'));
  return { ...shared, start: '{"blockHash":null,"blockNumber":null', gasPrice, index: 'null' };
}

/** Returns the address of the sender, which the member `from` shows. Empty if the transaction has no sender. */
export function senderOf({ parameter }: Pick<ShownTransaction, 'parameter'>): Uint8Array {
  return (parameter as { ownerAddress?: Uint8Array }).ownerAddress ?? EMPTY_BYTES;
}

/** Appends the members of a transaction in java-tron's order. */
function writeTransaction(
  transaction: ShownTransaction,
  { start, isGenesis, gasPrice, energy, index, receipt }: BlockMembers,
  { view, addressPrefix, release, ethereum }: PrintContext,
): void {
  const { parameter, contractType, id } = transaction;
  const isCall = contractType === ContractType.TriggerSmartContract;
  const isEthereum = ethereum !== undefined;
  const amount = contractAmount(transaction, receipt, view.state);
  out.ascii(start).ascii(',"from":');
  if (isGenesis) out.ascii(ZERO_ADDRESS_JSON);
  else writeAddress(senderOf(transaction), addressPrefix, isEthereum ? ZERO_ADDRESS_JSON : 'null');
  out.ascii(',"gas":"').ascii(quantity(energy)).ascii('","gasPrice":"').ascii(gasPrice).ascii('","hash":').data(id);
  out.ascii(',"input":').data(isCall ? (parameter as { data: Uint8Array }).data : EMPTY_BYTES);
  out.ascii(',"nonce":"').ascii(isEthereum ? '0x0' : release.transactionNonce);
  const v = isEthereum ? writeEthereumSignature(transaction) : writeSignature(transaction);
  out.ascii(',"to":');
  writeAddress(contractRecipient(transaction), addressPrefix, 'null');
  out.ascii(',"transactionIndex":').ascii(index).ascii(',"type":"0x0","v":"').ascii(v);
  out.ascii('","value":"').ascii(quantity(amount)).ascii('"}');
}

/** Writes an address without its prefix byte. @param none JSON for an empty address */
function writeAddress(address: Uint8Array, prefix: number, none: string): void {
  if (address.length === 0) out.ascii(none);
  else out.data(withoutPrefix(address, prefix));
}

/** Writes the members `r` and `s` of the first signature. Returns `v`. */
function writeSignature({ signature }: ShownTransaction): string {
  if (signature === undefined) {
    out.ascii(`","r":"${ZERO_HASH}","s":"${ZERO_HASH}"`);
    return '0x00';
  }
  out.ascii('","r":').data(signature.subarray(0, 32)).ascii(',"s":').data(signature.subarray(32, 64));
  return recoveryText(signature);
}

/** Appends the members `r` and `s` of the first signature in the form that Ethereum tools expect. Returns `v`. */
function writeEthereumSignature({ signature: bytes }: ShownTransaction): string {
  const signature =
    bytes === undefined
      ? { r: ZERO_HASH, s: ZERO_HASH, v: '0x00' }
      : { r: data(bytes.subarray(0, 32)), s: data(bytes.subarray(32, 64)), v: recoveryText(bytes) };
  const { r, s, v } = ethereumSignature(signature);
  out.ascii(`","r":"${r}","s":"${s}"`);
  return v;
}

/** Returns the recovery id of a signature. As Ethereum does, adds 27 to an id below 27. */
function recoveryText(signature: Uint8Array): string {
  const recovery = ((signature[64] ?? 0) << 24) >> 24;
  return quantity(recovery < 27 ? ((recovery + 27) << 24) >> 24 : recovery);
}
