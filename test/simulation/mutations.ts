/** A check or rule that is taken out of a copy of the sources. */
export interface Mutation {
  readonly what: string;
  readonly file: string;
  /** Stands in the file once. */
  readonly from: string;
  readonly to: string;
  /** The seed, or the scene, that finds it, by `npm run simulation -- --mutations`. */
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
    what: 'the signature of a block is not checked',
    file: received,
    from: "return isRight ? undefined : new P2pError('BLOCK_SIGN_ERROR'",
    to: "return isRight !== undefined ? undefined : new P2pError('BLOCK_SIGN_ERROR'",
    by: 19,
  },
  {
    what: 'the slot of a block is not checked',
    file: execute,
    from: 'if (isOnGrid && isLater && hasSlot && scheduledWitness(state, slot) === witness) return;',
    to: 'if (isOnGrid && isLater && hasSlot) return;',
    by: 28,
  },
  {
    what: 'the root of the transactions is not checked',
    file: chain,
    from: 'if (options.isOwn !== true && !hasRightMerkleRoot(block)) {',
    to: 'if (block.number < 0) {',
    by: 6,
  },
  {
    what: 'signatures of the payments of a block are not checked',
    file: execute,
    from: 'checkSignatures(state, block, options);',
    to: '',
    by: 29,
  },
  {
    what: 'a payment of a block may be in the log already',
    file: execute,
    from: 'hasTransaction: (transaction) => seen.has(transaction.idHex) || executor.chain.hasTransaction(transaction),',
    to: 'hasTransaction: (transaction) => seen.has(transaction.idHex),',
    by: 41,
  },
  {
    what: 'a payment may be twice in a block',
    file: execute,
    from: 'hasTransaction: (transaction) => seen.has(transaction.idHex) || executor.chain.hasTransaction(transaction),',
    to: 'hasTransaction: (transaction) => executor.chain.hasTransaction(transaction),',
    by: 34,
  },
  {
    what: 'too few witnesses make a block irreversible',
    file: 'src/state-transition/block/maintenance.ts',
    from: 'const SOLIDIFIED_PERCENT = 70;',
    to: 'const SOLIDIFIED_PERCENT = 40;',
    by: 6,
  },
  {
    what: 'the newest block of a witness is not noted',
    file: 'src/state-transition/consensus/statistics.ts',
    from: 'producer.latestBlockNum = BigInt(block.number);',
    to: 'producer.latestBlockNum = BigInt(block.number + 1);',
    by: 6,
  },
  {
    what: 'a switch keeps the state of the old branch',
    file: chain,
    from: '    this.snapshots.close();\n    this.state.resetBranch();\n',
    to: '    this.snapshots.close();\n',
    by: 11,
  },
  {
    what: 'a longer branch is not followed',
    file: chain,
    from: '      this.followBranch(newest, options);\n',
    to: '',
    by: 11,
  },
  {
    what: 'blocks of branches are remembered without end',
    file: 'src/chain/recent-blocks.ts',
    from: 'if (number >= lowest) continue;',
    to: 'if (number >= Math.min(lowest, 0)) continue;',
    by: 6,
  },
  {
    what: 'what is flushed is forgotten with a crash',
    file: 'src/projections/ledger/writer-ledger.ts',
    from: '    this.blocks.commit();\n    this.parts.marker.write(',
    to: '    this.parts.marker.write(',
    by: 37,
  },
  {
    what: 'entries whose effect was not on the disk are forgotten with a crash',
    file: 'src/projections/ledger/recover-state.ts',
    from: '  if (cursor?.seq === blocks.lastSeq) return;\n',
    to: '  if (cursor !== undefined) return;\n',
    by: 2,
  },
  {
    what: 'the old head is not taken again after a branch that failed',
    file: 'src/chain/reorg.ts',
    from: '      if (error instanceof ChainError && error.checked) restoreBranch(chain, branch, old);\n',
    to: '',
    by: 'a branch that fails is left',
  },
  {
    what: 'blocks of a sync are not asked of others when a peer goes',
    file: sync,
    from: '    for (const id of peer.syncRequests.keys()) this.requests.release(id, peer);\n    for',
    to: '    for',
    by: 'who was asked for blocks of a sync goes',
  },
  {
    what: 'an announced block is not asked of others when a peer goes',
    file: advertiser,
    from: '      if (announcers.length > 0) this.wanted.add([itemOf(key)], announcers, now());\n      else this.seen',
    to: '      this.seen',
    by: 'who was asked for a block goes',
  },
  {
    what: 'an unknown parent starts no sync',
    file: receiver,
    from: "if (outcome === 'unlinked') sync.start(peer);\n    else if",
    to: 'if',
    by: 'a block whose parent is unknown',
  },
  {
    what: 'a block is not passed on',
    file: receiver,
    from: '    if (ruling.isFirst) announce(block);\n',
    to: '',
    by: 'a block is passed on',
  },
  {
    what: 'a late peer is kept',
    file: 'src/p2p/peer-network.ts',
    from: "      peer.disconnect('TIME_OUT');\n",
    to: '',
    by: 'a peer that does not answer',
  },
  {
    what: 'how long blocks of a sync take is not looked at',
    file: 'src/p2p/peers/status-check.ts',
    from: "return isOver(peer.syncRequests, waitedMs - SYNC_BLOCK_TIMEOUT_MS) ? 'sync block' : undefined;",
    to: "return waitedMs < 0 ? 'sync block' : undefined;",
    by: 'a peer that keeps blocks of a sync back',
  },
  {
    what: 'a block of the future is taken',
    file: blockRules,
    from: 'if (timeMs - nowMs <= AHEAD_SLACK_MS) return undefined;',
    to: 'if (timeMs - nowMs <= Number.POSITIVE_INFINITY) return undefined;',
    by: 'a block is not taken two seconds before its time, by 4.7.2',
  },
  {
    what: 'a block of the future is taken by release 4.8.2',
    file: blockRules,
    from: 'if (timeMs - nowMs <= AHEAD_SLACK_MS) return undefined;',
    to: 'if (timeMs - nowMs <= Number.POSITIVE_INFINITY) return undefined;',
    by: 'a block is not taken two seconds before its time, by 4.8.2',
  },
  {
    what: 'what is announced twice is asked for twice',
    file: advertiser,
    from: '        this.wanted.alsoFrom(key, peer);\n        continue;\n',
    to: '        this.wanted.alsoFrom(key, peer);\n',
    by: 'a block that one peer tells of twice',
  },
  {
    what: 'nobody else is asked while a block is late',
    file: 'src/p2p/peer-network.ts',
    from: 'fetching: (ids, peer) => this.watch.fetching(ids, peer),',
    to: 'fetching: () => undefined,',
    by: 'a block comes from two peers',
  },
  {
    what: 'blocks of a sync that wait are asked for again',
    file: requests,
    from: 'this.requested.has(id.hex) || peer.requestedIds.has(id.hex) ||',
    to: 'this.requested.has(id.hex) ||',
    by: 'blocks that came and wait',
  },
  {
    what: 'all who have a block are blamed for one bad signature',
    file: sync,
    from: "if (code === 'BLOCK_SIGN_ERROR' || code === 'BLOCK_MERKLE_ERROR') {",
    to: "if (code === 'BLOCK_MERKLE_ERROR') {",
    by: 'of two peers of a sync',
  },
  {
    what: 'what came as news holds a sync up',
    file: requests,
    from: '      turn(peer);\n      if (!',
    to: '      if (!',
    by: 'a block comes as news',
  },
  {
    what: 'whose blocks fell below the irreversible one is not asked anew',
    file: sync,
    from:
      '      for (const other of this.waitingFor(block.idHex))\n' +
      "        this.startAgain(other, present(other.toFetch.at(-1), 'this block is in its list'));\n",
    to: '',
    by: 'a height becomes irreversible',
  },
  {
    what: 'a block of a sync is not asked for again after it was forgotten',
    file: sync,
    from: '      this.requests.delete(block.idHex);\n    }\n    for',
    to: '    }\n    for',
    by: 'a branch fails while what follows',
  },
  {
    what: 'who has a block whose parent was forgotten is blamed',
    file: sync,
    from: '    if (this.dependsOnDeleted(block)) return true;\n',
    to: '',
    by: 'a branch fails while what follows',
  },
];
