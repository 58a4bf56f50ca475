import type { Fault } from '../support/faulty-copy.js';

/** A check or rule that is missing in a copy of the sources. */
export interface Mutation extends Fault {
  /** Seed or scenario that finds it with `npm run simulation -- --mutations`. */
  readonly by: number | string;
}

const chain = 'src/chain/chain.ts';
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
    fault: 'the root of the transactions is not checked',
    file: chain,
    find: 'if (options.isOwn !== true && !hasRightMerkleRoot(block)) {',
    replace: 'if (block.number < 0) {',
    by: 6,
  },
  {
    fault: 'signatures of the payments of a block are not checked',
    file: execute,
    find: 'checkSignatures(state, block, options);',
    replace: '',
    by: 29,
  },
  {
    fault: 'a payment of a block may be in the log already',
    file: execute,
    find: 'hasTransaction: (transaction) => seen.has(transaction.idHex) || executor.chain.hasTransaction(transaction),',
    replace: 'hasTransaction: (transaction) => seen.has(transaction.idHex),',
    by: 41,
  },
  {
    fault: 'a payment may be twice in a block',
    file: execute,
    find: 'hasTransaction: (transaction) => seen.has(transaction.idHex) || executor.chain.hasTransaction(transaction),',
    replace: 'hasTransaction: (transaction) => executor.chain.hasTransaction(transaction),',
    by: 34,
  },
  {
    fault: 'too few witnesses make a block irreversible',
    file: 'src/state-transition/block/maintenance.ts',
    find: 'const SOLIDIFIED_PERCENT = 70;',
    replace: 'const SOLIDIFIED_PERCENT = 40;',
    by: 6,
  },
  {
    fault: 'the newest block of a witness is not noted',
    file: 'src/state-transition/consensus/statistics.ts',
    find: 'producer.latestBlockNum = BigInt(block.number);',
    replace: 'producer.latestBlockNum = BigInt(block.number + 1);',
    by: 6,
  },
  {
    fault: 'a switch keeps the state of the old branch',
    file: chain,
    find: '    this.snapshots.close();\n    this.state.resetBranch();\n',
    replace: '    this.snapshots.close();\n',
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
    fault: 'blocks of branches are remembered without end',
    file: 'src/chain/recent-blocks.ts',
    find: 'if (number >= lowest) continue;',
    replace: 'if (number >= Math.min(lowest, 0)) continue;',
    by: 6,
  },
  {
    fault: 'what is flushed is forgotten with a crash',
    file: 'src/projections/ledger/writer-ledger.ts',
    find: '    this.blocks.commit();\n    this.parts.marker.write(',
    replace: '    this.parts.marker.write(',
    by: 37,
  },
  {
    fault: 'entries whose effect was not on the disk are forgotten with a crash',
    file: 'src/projections/ledger/recover-state.ts',
    find: '  if (cursor?.seq === blocks.lastSeq) return;\n',
    replace: '  if (cursor !== undefined) return;\n',
    by: 2,
  },
  {
    fault: 'the old head is not taken again after a branch that failed',
    file: 'src/chain/reorg.ts',
    find: '      if (error instanceof ChainError && error.checked) restoreBranch(chain, branch, old);\n',
    replace: '',
    by: 'a branch that fails is left',
  },
  {
    fault: 'blocks of a sync are not asked of others when a peer goes',
    file: sync,
    find: '    for (const id of peer.syncRequests.keys()) this.requests.release(id, peer);\n    for',
    replace: '    for',
    by: 'who was asked for blocks of a sync goes',
  },
  {
    fault: 'an announced block is not asked of others when a peer goes',
    file: advertiser,
    find: '      if (announcers.length > 0) this.announcedItems.add([itemOf(key)], announcers, now());\n      else this.seen',
    replace: '      this.seen',
    by: 'who was asked for a block goes',
  },
  {
    fault: 'an unknown parent starts no sync',
    file: receiver,
    find: "if (outcome === 'unlinked') sync.start(peer);\n    else if",
    replace: 'if',
    by: 'a block whose parent is unknown',
  },
  {
    fault: 'a block is not passed on',
    file: receiver,
    find: '    if (ruling.isFirst) announce(block);\n',
    replace: '',
    by: 'a block is passed on',
  },
  {
    fault: 'a late peer is kept',
    file: 'src/p2p/peer-network.ts',
    find: "      peer.disconnect('TIME_OUT');\n",
    replace: '',
    by: 'a peer that does not answer',
  },
  {
    fault: 'how long blocks of a sync take is not looked at',
    file: 'src/p2p/peers/status-check.ts',
    find: "return isOver(peer.syncRequests, waitedMs - SYNC_BLOCK_TIMEOUT_MS) ? 'sync block' : undefined;",
    replace: "return waitedMs < 0 ? 'sync block' : undefined;",
    by: 'a peer that keeps blocks of a sync back',
  },
  {
    fault: 'a block of the future is taken',
    file: blockRules,
    find: 'if (timeMs - nowMs <= AHEAD_SLACK_MS) return undefined;',
    replace: 'if (timeMs - nowMs <= Number.POSITIVE_INFINITY) return undefined;',
    by: 'a block is not taken two seconds before its time, by 4.7.2',
  },
  {
    fault: 'a block of the future is taken by release 4.8.2',
    file: blockRules,
    find: 'if (timeMs - nowMs <= AHEAD_SLACK_MS) return undefined;',
    replace: 'if (timeMs - nowMs <= Number.POSITIVE_INFINITY) return undefined;',
    by: 'a block is not taken two seconds before its time, by 4.8.2',
  },
  {
    fault: 'what is announced twice is asked for twice',
    file: advertiser,
    find: '        this.announcedItems.alsoFrom(key, peer);\n        continue;\n',
    replace: '        this.announcedItems.alsoFrom(key, peer);\n',
    by: 'a block that one peer tells of twice',
  },
  {
    fault: 'nobody else is asked while a block is late',
    file: 'src/p2p/peer-network.ts',
    find: 'fetching: (ids, peer) => this.watch.fetching(ids, peer),',
    replace: 'fetching: () => undefined,',
    by: 'a block comes from two peers',
  },
  {
    fault: 'blocks of a sync that wait are asked for again',
    file: requests,
    find: 'this.requested.has(id.hex) || peer.requestedIds.has(id.hex) ||',
    replace: 'this.requested.has(id.hex) ||',
    by: 'blocks that came and wait',
  },
  {
    fault: 'all who have a block are blamed for one bad signature',
    file: sync,
    find: "if (code === 'BLOCK_SIGN_ERROR' || code === 'BLOCK_MERKLE_ERROR') {",
    replace: "if (code === 'BLOCK_MERKLE_ERROR') {",
    by: 'of two peers of a sync',
  },
  {
    fault: 'what came as news holds a sync up',
    file: requests,
    find: '      turn(peer);\n      if (!',
    replace: '      if (!',
    by: 'a block comes as news',
  },
  {
    fault: 'whose blocks fell below the irreversible one is not asked anew',
    file: sync,
    find:
      '      for (const other of this.waitingFor(block.idHex))\n' +
      "        this.startAgain(other, present(other.toFetch.at(-1), 'this block is in its list'));\n",
    replace: '',
    by: 'a height becomes irreversible',
  },
  {
    fault: 'a block of a sync is not asked for again after it was forgotten',
    file: sync,
    find: '      this.requests.delete(block.idHex);\n    }\n    for',
    replace: '    }\n    for',
    by: 'a branch fails while what follows',
  },
  {
    fault: 'who has a block whose parent was forgotten is blamed',
    file: sync,
    find: '    if (this.dependsOnDeleted(block)) return true;\n',
    replace: '',
    by: 'a branch fails while what follows',
  },
];
