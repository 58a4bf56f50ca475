import {
  TransactionContractContractType as ContractType,
  TransactionInfoCode,
  TransferContract,
} from '../../../codec/generated/messages.js';
import { type ContractTransfer, tokenTransfers } from '../../../encoding/abi/token-events.js';
import { BARE_ADDRESS_BYTES } from '../../../primitives/address.js';
import { toHex } from '../../../primitives/bytes.js';
import type { RowChange, StateReader } from '../../../projections/state/state-reader.js';
import type { BlockContent, StreamedTransaction } from '../../follow/block-content.js';
import { BlockFacts } from './block-facts.js';
import { sourceOf } from './contract-sources.js';
import { feesIn } from './fee-movements.js';
import { type Movement, type OpenMovement, TRX, TransactionMovements } from './movement.js';
import type { OpenBlock } from './open-block.js';
import { OpenOrders } from './open-orders.js';
import { residualMovements } from './residual-movements.js';

/** Inputs from which the movements of a block are computed, in addition to the block itself. */
interface MovementContext {
  /** Rows that the block changed. */
  readonly rows: readonly RowChange[];
  /** State after the block, or a later state. TRC10 assets are read from it. */
  readonly head: StateReader;
  readonly addressPrefix: number;
  /** Address (hex) of the account that receives fees until they are burnt. */
  readonly blackhole: string;
}

/**
 * Returns all movements of a block, by transaction. Each transaction has the movements of its contract, its internal
 * transactions, its fee and its events, in this order. Movements that no receipt contains are at the end of the list.
 *
 * The sum of the movements of an account in TRX or a TRC10 asset is exactly the change of its balance. For block 0,
 * which has no row changes, the movements are the initial balances.
 */
export function movementsOf(
  block: Pick<BlockContent, 'number' | 'transactions'>,
  context: MovementContext,
): Movement[] {
  if (block.number === 0) return genesisMovements(block.transactions);
  const facts = new BlockFacts(context.rows, context.head);
  const opened: OpenBlock = { facts, orders: new OpenOrders(facts) };
  const feesOf = feesIn(block.transactions, facts, context.blackhole);
  const found: Movement[] = [];
  const open: OpenMovement[] = [];
  for (const transaction of block.transactions) {
    const { info } = transaction;
    const movements = new TransactionMovements(transaction);
    const hasFailed = info?.result === TransactionInfoCode.FAILED;
    if (!hasFailed) addExecuted(movements, opened);
    found.push(...movements.found, ...feesOf(transaction));
    if (!hasFailed) found.push(...tokenTransfers(info, context.addressPrefix).map((one) => reported(one, transaction)));
    open.push(...movements.open);
  }
  const programs = block.transactions.filter(runsProgram);
  const residuals = residualMovements(facts.balances, found, { open, programs, blackhole: context.blackhole });
  return [...found, ...residuals];
}

function runsProgram({ contract, info }: StreamedTransaction): boolean {
  const isProgram =
    contract?.type === ContractType.TriggerSmartContract || contract?.type === ContractType.CreateSmartContract;
  return isProgram && info?.result !== TransactionInfoCode.FAILED;
}

function addExecuted(movements: TransactionMovements, opened: OpenBlock): void {
  const { contract, parameter, info } = movements.transaction;
  if (contract === undefined || parameter === undefined || info === undefined) return;
  sourceOf(typeNames.get(contract.type) ?? '')?.(parameter, info, movements, opened);
}

/**
 * Returns the movement that an event reports. Token contracts use the zero address for tokens that are created or
 * burnt.
 */
function reported({ kind, token, from, to, amount, id }: ContractTransfer, transaction: StreamedTransaction): Movement {
  const isUnique = kind === 'TRC721';
  return {
    kind: 'event',
    standard: kind,
    token,
    tokenId: isUnique ? amount : id,
    from: ZERO.test(from) ? undefined : from,
    to: ZERO.test(to) ? undefined : to,
    amount: isUnique ? 1n : BigInt(amount),
    transaction,
  };
}

const ZERO = new RegExp(`^..0{${BARE_ADDRESS_BYTES * 2}}$`);

/**
 * Returns the initial balances. Genesis has a transfer for each account of the configuration. If an account has several
 * transfers, the last one is its balance. The transfer to the black hole account may be negative.
 */
function genesisMovements(transactions: readonly StreamedTransaction[]): Movement[] {
  const byAccount = new Map<string, Movement>();
  for (const transaction of transactions) {
    const { parameter } = transaction;
    if (!(parameter instanceof TransferContract)) continue;
    const account = toHex(parameter.toAddress);
    const isDebt = parameter.amount < 0n;
    byAccount.set(account, {
      kind: 'genesis',
      standard: 'TRX',
      token: TRX,
      from: isDebt ? account : undefined,
      to: isDebt ? undefined : account,
      amount: isDebt ? -parameter.amount : parameter.amount,
      transaction,
    });
  }
  return [...byAccount.values()].filter(({ amount }) => amount > 0n);
}

/** Returns the name of the contract type of a transaction; undefined if the type is unknown. */
export function contractTypeName({ contract }: StreamedTransaction): string | undefined {
  return contract && typeNames.get(contract.type);
}

const typeNames = new Map<number, string>(Object.entries(ContractType).map(([name, value]) => [value, name]));
