import type { Logger } from 'pino';
import { Transaction, Transactions } from '../../codec/generated/messages.js';
import { decodeBlock } from '../../state-transition/block/decoded-block.js';
import type { LocalChain } from '../local-chain.js';
import { P2pError } from '../p2p-error.js';
import type { Proofs } from '../pbft/proofs.js';
import { inPortions, type Steps } from '../peer-slices.js';
import { CHAIN_IDS_MAX, itemKey, type Peer } from '../peers/peer.js';
import type { PeerRelease } from '../releases/peer-release.js';
import { blockIdOfHex } from '../wire/block-id.js';
import { encodeMessage, type ItemKind, type ReadItemList } from '../wire/messages.js';
import type { Advertiser } from './advertiser.js';

/**
 * Size in bytes at which a message with transactions is sent. Transactions are collected until the message exceeds this
 * size. Reference: FetchInvDataMsgHandler.MAX_SIZE.
 */
const TRANSACTIONS_BYTES = 1_000_000;
/**
 * Time window in seconds for the number of transactions that a peer requested. The node logs the number of requested
 * transactions if it exceeds the number that this node announced within ANNOUNCED_SECONDS.
 */
const FETCHED_SECONDS = 10;
/** Time window in seconds in which the transactions announced by this node are counted. */
const ANNOUNCED_SECONDS = 60;

interface ItemServerOptions {
  readonly chain: LocalChain;
  readonly release: PeerRelease;
  /** Storage of PBFT proofs. If undefined, blocks are sent without proofs. */
  readonly proofs: Proofs | undefined;
  readonly advertiser: Advertiser;
  readonly log: Logger;
}

/** Sends requested blocks and transactions to peers. Reference: FetchInvDataMsgHandler. */
export class ItemServer {
  private readonly options: ItemServerOptions;

  constructor(options: ItemServerOptions) {
    this.options = options;
  }

  /**
   * Sends the requested items. Pauses while the peer does not read.
   * @throws {P2pError} BAD_MESSAGE: when the peer may not request an item
   * @throws {P2pError} DB_ITEM_NOT_FOUND: when this node does not have an item
   * @throws {P2pError} RATE_LIMIT_EXCEEDED: when a syncing peer sends too many requests for blocks
   * @throws {P2pError} PARSE_MESSAGE_FAILED: when a syncing peer requests blocks before it has received a chain
   * inventory
   */
  *serve(peer: Peer, { kind, ids }: ReadItemList): Steps {
    if (kind === 'block') {
      let announced = 0;
      yield* inPortions(ids, (portion) => {
        for (const id of portion) if (peer.spread.has(itemKey({ kind, id }))) announced++;
      });
      const isAnnounced = announced === ids.length;
      if (!isAnnounced) yield* this.checkSynced(peer, ids);
      if (isAnnounced) yield* this.deleteAnnounced(peer, kind, ids);
      yield* this.sendBlocks(peer, ids);
    } else {
      yield* this.checkTransactions(peer, ids);
      // This node has no items of an unknown kind, so only transaction keys are deleted.
      yield* this.deleteAnnounced(peer, 'transaction', ids);
      if (kind === undefined && ids[0] !== undefined) throw notFound('UNRECOGNIZED', ids[0]);
      yield* this.sendTransactions(peer, ids);
    }
  }

  private *checkTransactions(peer: Peer, ids: readonly string[]): Steps {
    yield* inPortions(ids, (portion) => {
      for (const id of portion) if (!peer.spread.has(id)) throw new P2pError('BAD_MESSAGE', `not spread inv: ${id}`);
    });
    const fetched = peer.fetchedCount.sum(FETCHED_SECONDS);
    const announced = this.options.advertiser.announcedCount.sum(ANNOUNCED_SECONDS);
    if (fetched <= announced) return;
    this.options.log.debug(
      { peer: peer.channel.key, fetched, announced },
      'peer requests more transactions than this node announced',
    );
  }

  /**
   * Deletes the announcements of requested items, so that a second request for an item is rejected. Does nothing in
   * releases that serve an announced item more than once.
   */
  private *deleteAnnounced(peer: Peer, kind: ItemKind, ids: readonly string[]): Steps {
    if (!this.options.release.servesAnnouncedOnce) return;
    yield* inPortions(ids, (portion) => {
      for (const id of portion) peer.spread.delete(itemKey({ kind, id }));
    });
  }

  private *checkSynced(peer: Peer, ids: readonly string[]): Steps {
    if (!peer.needsSyncFromUs) throw new P2pError('BAD_MESSAGE', 'no need sync');
    const { release } = this.options;
    if (!peer.limits.fetches.tryTake()) throw new P2pError('RATE_LIMIT_EXCEEDED', 'FETCH_INV_DATA');
    if (ids.length > release.blocksFetchedMax)
      throw new P2pError('BAD_MESSAGE', `fetch too many blocks, ${ids.length}`);
    yield* inPortions(ids, (portion) => {
      for (const id of portion) this.checkServed(peer, id);
    });
  }

  private checkServed(peer: Peer, id: string): void {
    const { release } = this.options;
    const { number } = blockIdOfHex(id);
    // java-tron throws an unexpected exception here. Its disconnect reason is the same as for this error.
    if (peer.lastSyncId === undefined)
      throw new P2pError('PARSE_MESSAGE_FAILED', 'the peer requests a block, but this node has sent it no block ids');
    const lowest = peer.lastSyncId.number - 2 * CHAIN_IDS_MAX;
    if (release.fetchesAnnouncedOnly && number > peer.lastSyncId.number)
      throw new P2pError('BAD_MESSAGE', `maxBlockNum: ${peer.lastSyncId.number}, blockNum: ${number}`);
    if (number < lowest) throw new P2pError('BAD_MESSAGE', `minBlockNum: ${lowest}, blockNum: ${number}`);
    if (peer.servedIds.has(id)) throw new P2pError('BAD_MESSAGE', `${id} is exist`);
    peer.servedIds.set(id, true);
  }

  private *sendBlocks(peer: Peer, ids: readonly string[]): Steps {
    const { chain, advertiser, proofs } = this.options;
    for (const hex of ids) {
      if (peer.isClosed) return;
      const id = blockIdOfHex(hex);
      const bytes = advertiser.content({ kind: 'block', id: hex }) ?? chain.block(id);
      if (bytes === undefined) throw notFound('BLOCK', hex);
      if (peer.commonBlock.number < id.number) peer.setCommonBlock(id);
      proofs?.send(peer, id.number, () => decodeBlock(bytes).timeMs);
      peer.send(encodeMessage('BLOCK', bytes));
      yield peer.channel.drained();
    }
  }

  private *sendTransactions(peer: Peer, ids: readonly string[]): Steps {
    const { chain, advertiser } = this.options;
    let message = new Transactions();
    let size = 0;
    for (const id of ids) {
      if (peer.isClosed) return;
      const bytes = advertiser.content({ kind: 'transaction', id }) ?? chain.transaction(id);
      if (bytes === undefined) throw notFound('TRX', id);
      message.transactions.push(Transaction.decode(bytes));
      size += bytes.length;
      yield;
      if (size <= TRANSACTIONS_BYTES) continue;
      peer.send(encodeMessage('TRXS', Transactions.encode(message)));
      yield peer.channel.drained();
      message = new Transactions();
      size = 0;
    }
    if (message.transactions.length > 0) peer.send(encodeMessage('TRXS', Transactions.encode(message)));
  }
}

function notFound(type: string, id: string): P2pError {
  return new P2pError('DB_ITEM_NOT_FOUND', `Fetch item type: ${type}, hash: ${id} failed.`);
}
