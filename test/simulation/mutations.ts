/** A check or rule that is taken out of a copy of the sources. */
export interface Mutation {
  readonly what: string;
  readonly file: string;
  /** Stands in the file once. */
  readonly from: string;
  readonly to: string;
  /** A seed that finds it, by `npm run simulation -- --mutations`. */
  readonly seed: number;
}

const chain = 'src/node/chain/chain.ts';
const messages = 'src/node/chain/peer-messages.ts';
const execute = 'src/vm/block/execute-block.ts';

export const mutations: readonly Mutation[] = [
  {
    what: 'the signature of a block is not checked',
    file: messages,
    from: "if (!isRight) throw new PeerMessageError('BLOCK_SIGN_ERROR'",
    to: "if (Number.isNaN(isRight)) throw new PeerMessageError('BLOCK_SIGN_ERROR'",
    seed: 19,
  },
  {
    what: 'the slot of a block is not checked',
    file: execute,
    from: 'if (isOnGrid && isLater && hasSlot && scheduledWitness(state, slot) === witness) return;',
    to: 'if (isOnGrid && isLater && hasSlot) return;',
    seed: 28,
  },
  {
    what: 'the root of the transactions is not checked',
    file: chain,
    from: 'if (options.isOwn !== true && !hasRightMerkleRoot(block)) {',
    to: 'if (block.number < 0) {',
    seed: 6,
  },
  {
    what: 'signatures of the payments of a block are not checked',
    file: execute,
    from: 'checkSignatures(state, block, options);',
    to: '',
    seed: 29,
  },
  {
    what: 'a payment of a block may be in the log already',
    file: execute,
    from: 'hasTransaction: (id) => seen.has(toHex(id)) || executor.chain.hasTransaction(id),',
    to: 'hasTransaction: (id) => seen.has(toHex(id)),',
    seed: 41,
  },
  {
    what: 'a payment may be twice in a block',
    file: execute,
    from: 'hasTransaction: (id) => seen.has(toHex(id)) || executor.chain.hasTransaction(id),',
    to: 'hasTransaction: (id) => executor.chain.hasTransaction(id),',
    seed: 34,
  },
  {
    what: 'too few witnesses make a block irreversible',
    file: 'src/vm/consensus/maintenance.ts',
    from: 'const SOLIDIFIED_PERCENT = 70;',
    to: 'const SOLIDIFIED_PERCENT = 40;',
    seed: 6,
  },
  {
    what: 'the newest block of a witness is not noted',
    file: 'src/vm/consensus/statistics.ts',
    from: 'producer.latestBlockNum = BigInt(block.number);',
    to: 'producer.latestBlockNum = BigInt(block.number + 1);',
    seed: 6,
  },
  {
    what: 'a switch keeps the state of the old branch',
    file: chain,
    from: '    this.ledger.revert();\n    this.state.leaveBranch();',
    to: '    this.ledger.revert();',
    seed: 11,
  },
  {
    what: 'a longer branch is not followed',
    file: chain,
    from: '      this.switchTo(newest, options);\n',
    to: '',
    seed: 11,
  },
  {
    what: 'blocks of branches are remembered without end',
    file: 'src/node/chain/recent-blocks.ts',
    from: 'if (number >= lowest) continue;',
    to: 'if (number >= Math.min(lowest, 0)) continue;',
    seed: 6,
  },
  {
    what: 'what is flushed is forgotten with a crash',
    file: 'src/projections/ledger.ts',
    from: '    this.blocks.commit();\n    this.marker.write(',
    to: '    this.marker.write(',
    seed: 37,
  },
];
