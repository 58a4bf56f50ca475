import {
  TransactionContractContractType as ContractType,
  type Transaction,
  TransactionRaw,
} from '../../../../src/codec/generated/messages.js';
import { sha256 } from '../../../../src/crypto/hash.js';
import { transfer } from '../../../support/peers/transfer.js';
import { type Act, join } from '../act.js';
import { FLAWS, makeBlock, unknownId } from '../made-block.js';
import { sayBlock, sayItems, sayTransactions } from '../said.js';
import type { Stage } from '../stage.js';

export function idOf(transaction: Transaction): Uint8Array {
  return sha256(TransactionRaw.encode(transaction.rawData ?? new TransactionRaw()));
}

const CONTRACT_TYPES: ReadonlySet<number> = new Set(Object.values(ContractType));

let amount = 0n;

/** Returns a new valid transfer. */
function fineTransaction({ nodes }: Stage): Transaction {
  return transfer(nodes.ours, ++amount);
}

/** Returns an invalid or unusual transaction. */
function oddTransaction({ random, nodes }: Stage): Transaction {
  const made = transfer(nodes.ours, ++amount);
  const raw = made.rawData ?? new TransactionRaw();
  switch (random.below(7)) {
    case 0:
      raw.expiration = random.pick([0n, 1n, raw.timestamp]);
      break;
    case 1:
      raw.expiration += 86_400_000n * 2n;
      break;
    case 2:
      made.signature = random.pick([
        [],
        [random.bytes(65)],
        [random.bytes(64)],
        [random.bytes(3)],
        [...made.signature, ...made.signature],
      ]);
      break;
    case 3:
      raw.refBlockHash = random.bytes(8);
      break;
    case 4:
      raw.contract = [];
      break;
    case 5:
      raw.contract = [...raw.contract, ...raw.contract];
      break;
    case 6:
      for (const contract of raw.contract) contract.type = random.pick([0, 2, 15, 31, 99]);
      break;
    default:
      break;
  }
  return made;
}

/**
 * Returns true if the nodes cannot decode the transaction, so that they disconnect the sender immediately. Timing
 * then decides if java-tron has processed the earlier transactions of the message.
 */
function isUnreadable({ rawData }: Transaction): boolean {
  const [contract] = rawData?.contract ?? [];
  return contract === undefined || !CONTRACT_TYPES.has(contract.type);
}

/** A peer announces transactions, and sends them when the nodes request them. Some steps are wrong. */
export const transactions: Act = async (stage) => {
  const { random, nodes } = stage;
  await join(stage, 'a', random.chance(0.9) ? 'in sync' : 'behind');
  if (random.chance(0.6)) await join(stage, 'b');
  const list = Array.from({ length: 1 + random.below(3) }, () => fineTransaction(stage));
  if (random.chance(0.5)) {
    const odd = oddTransaction(stage);
    list.splice(isUnreadable(odd) ? 0 : random.below(list.length + 1), 0, odd);
  }
  const ids = list.map(idOf);
  if (random.chance(0.9)) {
    const more = random.chance(0.15)
      ? [random.pick([random.bytes(32), ids[0] ?? random.bytes(32), random.bytes(31)])]
      : [];
    await stage.say('a', 'announces transactions', [
      sayItems('INVENTORY', random.chance(0.95) ? 0 : random.pick([1, 2]), [...ids, ...more]),
    ]);
  }
  if (stage.hasEnded('a')) return;
  if (random.chance(0.1)) await stage.leave('a');
  const parts = random.chance(0.5) ? [list] : list.map((one) => [one]);
  for (const part of parts) {
    if (stage.hasEnded('a')) break;
    const transactions = random.chance(0.1) ? [...part, fineTransaction(stage)] : part;
    await stage.say('a', 'sends transactions', [sayTransactions(transactions)], { quietMs: 250 });
    if (random.chance(0.1)) await stage.say('a', 'sends them again', [sayTransactions(transactions)], { quietMs: 250 });
  }
  if (random.chance(0.5)) await nodes.make();
  await stage.compare({ quietMs: 250 });
  for (const name of ['a', 'b']) {
    if (!stage.isThere(name) || random.chance(0.4)) continue;
    await stage.say(name, 'requests transactions', [
      sayItems('FETCH_INV_DATA', 0, random.chance(0.5) ? ids : ids.slice(0, 1)),
    ]);
    if (random.chance(0.3) && stage.isThere(name))
      await stage.say(name, 'requests again', [sayItems('FETCH_INV_DATA', 0, ids)]);
  }
};

/** A peer announces a block, and sends it when the nodes request it. Some steps are wrong. */
export const blocks: Act = async (stage) => {
  const { random, nodes } = stage;
  await join(stage, 'a', random.chance(0.9) ? 'in sync' : 'behind');
  if (random.chance(0.6)) await join(stage, 'b');
  const { ledger, recent } = nodes.ours.node.chain;
  const { headNumber, headId } = ledger.position;
  const isSide = random.chance(0.15);
  const parentId = isSide
    ? (ledger.blockIdAt(headNumber - 1 - random.below(3)) ?? headId)
    : random.chance(0.07)
      ? unknownId(headNumber + random.below(4))
      : headId;
  const timeMs = recent.head.timeMs + 3000 * (1 + random.below(4));
  const transactions = random.chance(0.4) ? [random.chance(0.6) ? fineTransaction(stage) : oddTransaction(stage)] : [];
  const flaw = random.chance(0.45) ? random.pick(FLAWS) : undefined;
  const block = makeBlock(nodes.ours, { parentId, timeMs, transactions, flaw });
  const extra = random.chance(0.15)
    ? [random.pick([headId, unknownId(headNumber + 1), unknownId(headNumber + 500), block.id])]
    : [];
  if (random.chance(0.93)) {
    await stage.say('a', `announces a block, fault: ${flaw ?? 'none'}`, [
      sayItems('INVENTORY', 1, [block.id, ...extra]),
    ]);
    if (random.chance(0.3) && stage.isThere('b'))
      await stage.say('b', 'announces the block too', [sayItems('INVENTORY', 1, [block.id])]);
  }
  if (!stage.isThere('a')) return;
  if (random.chance(0.1)) {
    await stage.leave('a');
    await stage.compare({ quietMs: 300 });
    return;
  }
  await stage.say(
    'a',
    `sends a block ${isSide ? 'of another branch' : ''} with ${transactions.length}`,
    [sayBlock(block.bytes)],
    { quietMs: 300 },
  );
  for (const name of ['a', 'b']) {
    if (!stage.isThere(name) || random.chance(0.5)) continue;
    await stage.say(name, 'requests the block', [sayItems('FETCH_INV_DATA', 1, [block.id])]);
    if (random.chance(0.3) && stage.isThere(name))
      await stage.say(name, 'requests again', [sayItems('FETCH_INV_DATA', 1, [block.id])]);
    if (random.chance(0.3) && stage.isThere(name)) await stage.say(name, 'sends the block', [sayBlock(block.bytes)]);
  }
};

/** The nodes produce blocks, and clients submit transactions. Compares how the two nodes announce both. */
export const newItems: Act = async (stage) => {
  const { random, nodes } = stage;
  await join(stage, 'a');
  await join(stage, 'b', random.pick(['in sync', 'behind', 'ahead'] as const));
  for (let times = 1 + random.below(4); times > 0; times--) {
    if (random.chance(0.5)) {
      const one = transfer(nodes.ours, ++amount);
      stage.story.push('a client submits a transaction');
      if (random.chance(0.3))
        await stage.say('a', 'announces the transaction before', [sayItems('INVENTORY', 0, [idOf(one)])]);
      await nodes.submit(one);
      await stage.compare({ quietMs: 150 });
      if (random.chance(0.5))
        await stage.say('a', 'requests the transaction', [sayItems('FETCH_INV_DATA', 0, [idOf(one)])]);
    } else {
      stage.story.push('the node produces a block');
      const block = await (random.chance(0.7) ? nodes.make() : nodes.grow());
      await stage.compare({ quietMs: 150 });
      const name = random.pick(['a', 'b']);
      if (random.chance(0.5) && stage.isThere(name))
        await stage.say(name, 'requests the block', [sayItems('FETCH_INV_DATA', 1, [block.id])]);
    }
    if (!stage.isThere('a')) return;
  }
};
