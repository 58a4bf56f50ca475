import { toAddress } from '../../../primitives/address.js';
import { fromHex, toHex } from '../../../primitives/bytes.js';
import { WORD_BYTES } from '../../../primitives/units.js';
import { lowestBlock } from '../../../projections/ledger/lowest-block.js';
import { storedWord } from '../../../state-transition/state/storage-key.js';
import { pendingTransaction, type ReadBlock, type ReadTransaction } from '../../context/read-block.js';
import { assetById } from '../../operations/assets.js';
import { findLogs, type GraphqlLogFilter } from '../find-logs.js';
import { graphqlError } from '../graphql-errors.js';
import type { GraphqlSource } from '../graphql-source.js';
import { decodeListCursor, encodeListCursor, type GraphqlPage, type PageArguments, pageSize } from '../page.js';
import { readStatus } from '../status.js';
import { SortedTables } from './sorted-tables.js';
import { accountAt, contractAt } from './state-resolvers.js';

interface HeightArgument {
  readonly at?: bigint | null;
}

/** Returns the resolvers of `Query`. */
export function queryResolvers(source: GraphqlSource) {
  const { ledger, blocks, api } = source;
  const tables = new SortedTables();
  return {
    status: () => readStatus(source),
    block: (_: unknown, { number, id }: { number?: bigint | null; id?: Uint8Array | null }) => {
      if (id && number !== undefined && number !== null) throw graphqlError('BAD_VALUE', 'use number or id, not both');
      if (id) return ledger.numberOf(id) === undefined ? null : blocks.byId(id);
      return blocks.byNumber(Number(number ?? ledger.position.headNumber)) ?? null;
    },
    blocks: (_: unknown, args: PageArguments & { order: string }) => blockPage(source, args),
    transaction: (_: unknown, { id }: { id: Uint8Array }) => findTransaction(source, id),
    pending: (_: unknown, { first }: { first: number }) =>
      api.pending.all().slice(0, pageSize(first)).map(pendingTransaction),
    account: (_: unknown, { address, at }: { address: Uint8Array } & HeightArgument) => accountAt(source, address, at),
    witnesses: (_: unknown, { at, ...page }: PageArguments & HeightArgument) =>
      tables.page('witnesses', source.at(at), page),
    proposals: (_: unknown, { at, ...page }: PageArguments & HeightArgument) =>
      tables.page('proposals', source.at(at), page),
    assets: (_: unknown, { at, ...page }: PageArguments & HeightArgument) => tables.page('assets', source.at(at), page),
    asset: (_: unknown, { id, at }: { id: string } & HeightArgument) => assetById(source.at(at), id) ?? null,
    contract: (_: unknown, { address, at }: { address: Uint8Array } & HeightArgument) =>
      contractAt(source, address, at),
    storage: (_: unknown, args: { address: Uint8Array; slot: Uint8Array } & HeightArgument) =>
      storageWord(source, args),
    logs: (_: unknown, { filter, ...page }: PageArguments & { filter?: GraphqlLogFilter | null }) =>
      findLogs(source, filter ?? {}, page),
  };
}

function blockPage({ ledger, blocks }: GraphqlSource, args: PageArguments & { order: string }): GraphqlPage<ReadBlock> {
  const count = pageSize(args.first);
  const { headNumber } = ledger.position;
  const isDown = args.order !== 'OLDEST_FIRST';
  const step = isDown ? -1 : 1;
  const list = isDown ? 'blocks-down' : 'blocks-up';
  const start = args.after ? decodeListCursor(list, 1, args.after)[0] + step : isDown ? headNumber : 0;
  const lowest = lowestBlock(ledger);
  const nodes: ReadBlock[] = [];
  for (let number = start; number >= 0 && number <= headNumber && nodes.length < count; number += step) {
    // Below the lowest stored block, only the genesis block is stored. Skips the missing heights, because there can be
    // millions of them.
    if (number > 0 && number < lowest) number = isDown ? 0 : lowest;
    const block = blocks.byNumber(number);
    if (block !== undefined) nodes.push(block);
  }
  const last = nodes.at(-1)?.number;
  const hasNextPage = last === undefined ? false : isDown ? last > 0 : last < headNumber;
  return { nodes, pageInfo: { hasNextPage, endCursor: last === undefined ? null : encodeListCursor(list, last) } };
}

/** Returns a transaction from a block, or a pending transaction; null if neither exists. */
function findTransaction({ ledger, blocks, api }: GraphqlSource, id: Uint8Array): ReadTransaction | null {
  const position = id.length === WORD_BYTES ? ledger.transactionAt(id) : undefined;
  if (position !== undefined) return blocks.byNumber(position.number)?.transactionAt(position.index) ?? null;
  const pending = api.pending.find(toHex(id));
  return pending === undefined ? null : pendingTransaction(pending);
}

/**
 * Returns the value of a storage slot. The key of a slot in the state depends on the contract. Reference:
 * Storage.getValue
 * @throws {GraphQLError} BAD_VALUE: the slot is longer than 32 bytes
 * @throws {TronError} HISTORY_NOT_KEPT: the state is pruned; HEIGHT_UNKNOWN: the block does not exist
 */
function storageWord(
  source: GraphqlSource,
  { address, slot, at }: { address: Uint8Array; slot: Uint8Array } & HeightArgument,
) {
  if (slot.length > WORD_BYTES) throw graphqlError('BAD_VALUE', `slot has ${slot.length} bytes, maximum ${WORD_BYTES}`);
  const { state } = source.at(at);
  const contract = toAddress(address);
  const word = fromHex(toHex(slot).padStart(2 * WORD_BYTES, '0'));
  return storedWord(state, contract, state.contracts.get(contract), word) ?? new Uint8Array(WORD_BYTES);
}
