import type { Fault } from '../support/faulty-copy.js';

/** A check or a rule that is removed in a copy of the sources. */
export interface Mutation extends Fault {
  /** A seed, or the name of a scenario, that detects the mutation. Used by `npm run simulation -- --mutations`. */
  readonly by: number | string;
}

const chain = 'src/chain/chain.ts';
const contents = 'src/state-transition/block/check-contents.ts';
const sync = 'src/p2p/sync/sync-client.ts';
const requests = 'src/p2p/sync/block-requests.ts';
const advertiser = 'src/p2p/inventory/advertiser.ts';
const received = 'src/node/peers/ledger-chain.ts';
const receiver = 'src/p2p/receive/block-receiver.ts';
const blockRules = 'src/p2p/receive/block-rules.ts';
const execute = 'src/state-transition/block/execute-block.ts';

export const mutations: readonly Mutation[] = [
  {
    fault: 'the signature of a block is not checked',
    file: received,
    find: "return isRight ? undefined : new P2pError('BLOCK_SIGN_ERROR'",
    replace: "return isRight !== undefined ? undefined : new P2pError('BLOCK_SIGN_ERROR'",
    by: 19,
  },
  {
    fault: 'the slot of a block is not checked',
    file: execute,
    find: 'if (isOnGrid && isLater && hasSlot && scheduledWitness(state, slot) === witness) return;',
    replace: 'if (isOnGrid && isLater && hasSlot) return;',
    by: 28,
  },
  {
    fault: 'the merkle root of the transactions is not checked',
    file: contents,
    find: 'if (!hasRightMerkleRoot(block)) {',
    replace: 'if (number < 0) {',
    by: 6,
  },
  {
    fault: 'signatures of transactions in a block are not checked',
    file: execute,
    find: 'checkSignatures(state, block, options);',
    replace: '',
    by: 29,
  },
  {
    fault: 'a transaction of the log is accepted again',
    file: execute,
    find: 'hasTransaction: (transaction) => seen.has(transaction.idHex) || executor.chain.hasTransaction(transaction),',
    replace: 'hasTransaction: (transaction) => seen.has(transaction.idHex),',
    by: 41,
  },
  {
    fault: 'a transaction is accepted twice in a block',
    file: execute,
    find: 'hasTransaction: (transaction) => seen.has(transaction.idHex) || executor.chain.hasTransaction(transaction),',
    replace: 'hasTransaction: (transaction) => executor.chain.hasTransaction(transaction),',
    by: 34,
  },
  {
    fault: 'too few witnesses solidify a block',
    file: 'src/state-transition/block/maintenance.ts',
    find: 'const SOLIDIFIED_PERCENT = 70;',
    replace: 'const SOLIDIFIED_PERCENT = 40;',
    by: 6,
  },
  {
    fault: 'the newest block of a witness is not recorded',
    file: 'src/state-transition/consensus/statistics.ts',
    find: 'producer.latestBlockNum = BigInt(block.number);',
    replace: 'producer.latestBlockNum = BigInt(block.number + 1);',
    by: 6,
  },
  {
    fault: 'a reorg keeps the state of the old branch',
    file: chain,
    find: '    this.ledger.revert();\n    this.snapshots.close();\n    this.rereadState();\n',
    replace: '    this.ledger.revert();\n    this.snapshots.close();\n',
    by: 11,
  },
  {
    fault: 'a longer branch is not followed',
    file: chain,
    find: '      this.followBranch(newest, options);\n',
    replace: '',
    by: 11,
  },
  {
    fault: 'blocks of branches are cached without a limit',
    file: 'src/chain/recent-blocks.ts',
    find: 'if (number >= lowest) continue;',
    replace: 'if (number >= Math.min(lowest, 0)) continue;',
    by: 6,
  },
  {
    fault: 'a crash loses flushed blocks',
    file: 'src/projections/ledger/writer-ledger.ts',
    find: '    this.blocks.commit();\n    this.parts.marker.write(',
    replace: '    this.parts.marker.write(',
    by: 37,
  },
  {
    fault: 'a crash loses entries whose state was not flushed',
    file: 'src/projections/ledger/recover-state.ts',
    find: '  if (cursor?.seq === blocks.lastSeq) return;\n',
    replace: '  if (cursor !== undefined) return;\n',
    by: 2,
  },
  {
    fault: 'a failed branch does not restore the old head',
    file: 'src/chain/reorg.ts',
    find: '      if (error instanceof ChainError && error.checked) restoreBranch(chain, branch, old);\n',
    replace: '',
    by: 'returns to the old head after a failed branch',
  },
  {
    fault: 'sync blocks are not requested from other peers after a disconnect',
    file: sync,
    find: '    for (const id of peer.syncRequests.keys()) this.requests.release(id, peer);\n    for',
    replace: '    for',
    by: 'recovers when a peer disconnects before it sends requested sync blocks',
  },
  {
    fault: 'an announced block is not requested from other peers after a disconnect',
    file: advertiser,
    find: '      if (announcers.length > 0) this.announcedItems.add([itemOf(key)], announcers, now());\n      else this.seen',
    replace: '      this.seen',
    by: 'requests a block from another announcer after a disconnect',
  },
  {
    fault: 'an unknown parent starts no sync',
    file: receiver,
    find: "if (outcome === 'unlinked') sync.start(peer);\n    else if",
    replace: 'if',
    by: 'starts a sync for a block with an unknown parent',
  },
  {
    fault: 'a block is not forwarded',
    file: receiver,
    find: '    if (ruling.isFirst) announce(block);\n',
    replace: '',
    by: 'forwards a block from one node to the next',
  },
  {
    fault: 'an unresponsive peer stays connected',
    file: 'src/p2p/peer-network.ts',
    find: "      peer.disconnect('TIME_OUT');\n",
    replace: '',
    by: 'disconnects an unresponsive peer by time and requests again',
  },
  {
    fault: 'the time limit of sync blocks is not checked',
    file: 'src/p2p/peers/status-check.ts',
    find: "return isOver(peer.syncRequests, waitedMs - SYNC_BLOCK_TIMEOUT_MS) ? 'sync block' : undefined;",
    replace: "return waitedMs < 0 ? 'sync block' : undefined;",
    by: 'disconnects a peer that withholds sync blocks by time',
  },
  {
    fault: 'a block from the future is accepted',
    file: blockRules,
    find: 'if (timeMs - nowMs <= AHEAD_SLACK_MS) return undefined;',
    replace: 'if (timeMs - nowMs <= Number.POSITIVE_INFINITY) return undefined;',
    by: 'rejects a block two seconds before its time, by 4.7.2',
  },
  {
    fault: 'a block from the future is accepted by release 4.8.2',
    file: blockRules,
    find: 'if (timeMs - nowMs <= AHEAD_SLACK_MS) return undefined;',
    replace: 'if (timeMs - nowMs <= Number.POSITIVE_INFINITY) return undefined;',
    by: 'rejects a block two seconds before its time, by 4.8.2',
  },
  {
    fault: 'an item that is announced twice is requested twice',
    file: advertiser,
    find: '        this.announcedItems.alsoFrom(key, peer);\n        continue;\n',
    replace: '        this.announcedItems.alsoFrom(key, peer);\n',
    by: 'requests a block once that one peer announces twice',
  },
  {
    fault: 'no other peer is queried while a block is late',
    file: 'src/p2p/peer-network.ts',
    find: 'fetching: (ids, peer) => this.watch.fetching(ids, peer),',
    replace: 'fetching: () => undefined,',
    by: 'accepts one block from two peers at the same moment',
  },
  {
    fault: 'queued sync blocks are requested again',
    file: requests,
    find: 'this.requested.has(id.hex) || peer.requestedIds.has(id.hex) ||',
    replace: 'this.requested.has(id.hex) ||',
    by: 'does not request queued blocks again after any time',
  },
  {
    fault: 'one bad signature disconnects all peers that announced the block',
    file: sync,
    find: "if (code === 'BLOCK_SIGN_ERROR' || code === 'BLOCK_MERKLE_ERROR') {",
    replace: "if (code === 'BLOCK_MERKLE_ERROR') {",
    by: 'disconnects only the sync peer that sends blocks with wrong signatures',
  },
  {
    fault: 'an announced block stalls a sync',
    file: requests,
    find: '      turn(peer);\n      if (!',
    replace: '      if (!',
    by: 'accepts an announced block that a sync has requested',
  },
  {
    fault: 'a sync does not restart after its blocks fall below the solidified block',
    file: sync,
    find:
      '      for (const other of this.peersNeeding(block.idHex))\n' +
      "        this.startAgain(other, present(other.toFetch.at(-1), 'this block is in its list'));\n",
    replace: '',
    by: 'solidifies a height while its block on another branch is queued',
  },
  {
    fault: 'an evicted sync block is not requested again',
    file: sync,
    find: '      this.requests.delete(block.idHex);\n    }\n    for',
    replace: '    }\n    for',
    by: 'fails a branch during a sync of the blocks after its valid block',
  },
  {
    fault: 'a peer is disconnected for a block with an evicted parent',
    file: 'src/p2p/sync/queue-execution.ts',
    find: '    if (isUnlinked(next.block)) return true;\n',
    replace: '',
    by: 'fails a branch during a sync of the blocks after its valid block',
  },
];
