import t from 'tap';
import {
  PBFTMessageDataType as DataType,
  PBFTMessageMsgType as MsgType,
  PBFTMessage,
  PBFTMessageRaw,
} from '../../../../src/codec/generated/messages.js';
import { type CountedVote, type Proposal, VoteCounter, type VotingKey } from '../../../../src/p2p/pbft/vote-counter.js';

const QUORUM = 3;
const BLOCK = Uint8Array.of(1, 2, 3);

function proposal(viewN: bigint, data = BLOCK): Proposal {
  return { dataType: DataType.BLOCK, viewN, epoch: 9n, data };
}

function vote(signer: string, msgType: number, { viewN, dataType, epoch, data }: Proposal): CountedVote {
  const raw = Object.assign(new PBFTMessageRaw(), { msgType, dataType, viewN, epoch, data });
  return { raw, signer, signature: new TextEncoder().encode(signer) };
}

function keyOf(address: string): VotingKey {
  return { address, sign: () => new TextEncoder().encode(address) };
}

/** Returns a counter that votes with its own keys, and the list of votes that it has sent. */
function counterOf(own: readonly string[] = []) {
  const sent: [number, bigint][] = [];
  const agreed: { readonly viewN: bigint; readonly data: Uint8Array; readonly signatures: number }[] = [];
  const world = { nowMs: 0, isSyncing: false };
  const counter = new VoteCounter({
    quorum: QUORUM,
    isSyncing: () => world.isSyncing,
    keysOf: () => own.map(keyOf),
    send: (body) => {
      const { rawData } = PBFTMessage.decode(body);
      sent.push([rawData!.msgType, rawData!.viewN]);
    },
    agreed: ({ viewN, data }, { length }) => agreed.push({ viewN, data, signatures: length }),
    now: () => world.nowMs,
  });
  const say = (msgType: number, signers: string, about: Proposal): void => {
    for (const signer of signers) counter.take(vote(signer, msgType, about));
  };
  return { counter, sent, agreed, world, say };
}

t.test('counts commits up to the quorum, each after its prepare, on a node without keys', async (t) => {
  const { counter, sent, agreed, say } = counterOf();
  counter.propose(proposal(7n));
  say(MsgType.PREPARE, 'abc', proposal(7n));
  say(MsgType.COMMIT, 'ab', proposal(7n));
  t.same(agreed, []);
  say(MsgType.COMMIT, 'aabb', proposal(7n));
  t.same(agreed, [], 'a repeated vote counts once');
  say(MsgType.COMMIT, 'd', proposal(7n));
  t.same(agreed, [], 'a commit without a prepare does not count');
  say(MsgType.PREPARE, 'd', proposal(7n));
  t.same(agreed, [{ viewN: 7n, data: BLOCK, signatures: 3 }], 'the commit counts after its prepare');
  t.same(sent, [], 'the node signs no vote');
  t.equal(counter.open, 0);
});

t.test('counts votes in any order, including before the block', async (t) => {
  const { counter, agreed, say } = counterOf();
  say(MsgType.COMMIT, 'cab', proposal(8n));
  say(MsgType.PREPARE, 'bca', proposal(8n));
  t.same(agreed, []);
  counter.propose(proposal(8n));
  t.equal(agreed.length, 1);
});

t.test('expires early votes after two minutes, and does not evict votes of other witnesses', async (t) => {
  const { counter, agreed, say, world } = counterOf();
  say(MsgType.PREPARE, 'abc', proposal(8n));
  say(MsgType.COMMIT, 'abc', proposal(8n));
  for (let viewN = 1000n; viewN < 3000n; viewN++) say(MsgType.PREPARE, 'd', proposal(viewN));
  world.nowMs = 119_999;
  counter.propose(proposal(8n));
  t.equal(agreed.length, 1);
  say(MsgType.PREPARE, 'abc', proposal(9n));
  say(MsgType.COMMIT, 'abc', proposal(9n));
  world.nowMs += 120_001;
  counter.propose(proposal(9n));
  t.equal(agreed.length, 1);
});

t.test('does not add votes for two blocks of one height', async (t) => {
  const { counter, agreed, say } = counterOf();
  const other = proposal(7n, Uint8Array.of(9));
  counter.propose(proposal(7n));
  say(MsgType.PREPARE, 'abcd', proposal(7n));
  say(MsgType.COMMIT, 'ab', proposal(7n));
  say(MsgType.COMMIT, 'cde', other);
  say(MsgType.COMMIT, 'c', proposal(7n));
  t.same(agreed, [], 'a witness commits to one of two blocks');
});

t.test('prepares with each own key at once and commits once after the quorum has prepared', async (t) => {
  const { counter, sent, agreed, say } = counterOf(['x', 'y']);
  counter.propose(proposal(7n));
  counter.propose(proposal(7n));
  t.same(sent, [
    [MsgType.PREPARE, 7n],
    [MsgType.PREPARE, 7n],
  ]);
  say(MsgType.PREPARE, 'a', proposal(7n));
  t.same(sent.slice(2), [
    [MsgType.COMMIT, 7n],
    [MsgType.COMMIT, 7n],
  ]);
  say(MsgType.PREPARE, 'b', proposal(7n));
  t.equal(sent.length, 4);
  t.same(agreed, []);
  say(MsgType.COMMIT, 'a', proposal(7n));
  t.equal(agreed.length, 1);
});

// Reference: PbftMessageHandle.onPrepare. It counts early commits before it counts the prepare for which they waited.
t.test('does not commit if early commits complete the vote on the last prepare', async (t) => {
  const { counter, sent, agreed, say } = counterOf(['w']);
  counter.propose(proposal(7n));
  say(MsgType.COMMIT, 'wab', proposal(7n));
  say(MsgType.PREPARE, 'ab', proposal(7n));
  t.equal(agreed.length, 1);
  t.same(sent, [[MsgType.PREPARE, 7n]]);
  say(MsgType.COMMIT, 'abc', proposal(8n, Uint8Array.of(9)));
  say(MsgType.PREPARE, 'abc', proposal(8n, Uint8Array.of(9)));
  counter.propose(proposal(8n));
  t.equal(agreed.length, 2);
  t.same(sent.slice(1), [[MsgType.PREPARE, 8n]]);
});

t.test('reaches agreement alone with enough own keys', async (t) => {
  const { counter, sent, agreed } = counterOf(['x', 'y', 'z']);
  counter.propose(proposal(7n));
  t.equal(sent.length, 6);
  t.equal(agreed.length, 1);
});

t.test('proposes and signs nothing, and reaches no agreement, during sync', async (t) => {
  const { counter, sent, agreed, say, world } = counterOf(['x']);
  world.isSyncing = true;
  counter.propose(proposal(6n));
  t.equal(counter.open, 0);
  world.isSyncing = false;
  counter.propose(proposal(7n));
  world.isSyncing = true;
  say(MsgType.PREPARE, 'abc', proposal(7n));
  say(MsgType.COMMIT, 'abc', proposal(7n));
  t.same(sent, [[MsgType.PREPARE, 7n]]);
  t.same(agreed, []);
  t.equal(counter.open, 0);
});

t.test('ends a vote after a minute or a reorg', async (t) => {
  const { counter, agreed, say, world } = counterOf();
  counter.propose(proposal(7n));
  counter.propose(proposal(8n));
  say(MsgType.PREPARE, 'abc', proposal(7n));
  counter.withdraw(proposal(8n));
  t.equal(counter.open, 1);
  world.nowMs = 60_000;
  counter.expire();
  t.equal(counter.open, 1);
  world.nowMs = 60_001;
  counter.expire();
  t.equal(counter.open, 0);
  say(MsgType.COMMIT, 'abc', proposal(7n));
  t.same(agreed, []);
});

t.test('proposes the witness list twice, unless an agreement happens in between', async (t) => {
  const list: Proposal = { dataType: DataType.SRL, viewN: 50n, epoch: 50n, data: BLOCK };
  for (const [agreesBetween, count] of [
    [false, 2],
    [true, 1],
  ] as const) {
    const { counter, sent, agreed, say, world } = counterOf(['x']);
    counter.propose(list);
    if (agreesBetween) {
      counter.propose(proposal(7n));
      say(MsgType.PREPARE, 'ab', proposal(7n));
      say(MsgType.COMMIT, 'ab', proposal(7n));
      t.equal(agreed.length, 1);
    }
    for (const nowMs of [60_001, 120_002, 180_003]) {
      world.nowMs = nowMs;
      counter.expire();
    }
    t.equal(sent.filter(([, viewN]) => viewN === 50n).length, count);
    t.equal(counter.open, 0);
  }
});
