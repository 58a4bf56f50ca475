import type { Chain } from '../../../../src/chain/chain.js';
import { toHex } from '../../../../src/primitives/bytes.js';
import type { SinkOptions } from '../../../../src/streams/sinks/sink-kinds.js';
import type { Published } from './java-events.js';
import type { OurMove } from './our-events.js';
import type { Pushed } from './own-chain.js';

interface Comparison {
  readonly release: string;
  readonly sink: SinkOptions | undefined;
  readonly chain: Chain;
  readonly pushes: readonly Pushed[];
  /** Events that java-tron published after each push. */
  readonly theirs: readonly (readonly Published[])[];
  readonly moves: readonly OurMove[];
}

/** A mismatch with its position and both messages. A message is undefined if the node sent no message there. */
export interface EventDifference {
  readonly where: string;
  readonly theirs: string | undefined;
  readonly ours: string | undefined;
}

/** Number of characters that are printed before the first difference of two messages. */
const SHOWN_BEFORE = 300;
const SHOWN_BEHIND = 200;

export function shownDifference({ where, theirs, ours }: EventDifference): string {
  const length = Math.min(theirs?.length ?? 0, ours?.length ?? 0);
  let same = 0;
  while (same < length && theirs?.[same] === ours?.[same]) same++;
  const from = Math.max(0, same - SHOWN_BEFORE);
  const [a, b] = [theirs, ours].map((text) => text?.slice(from, same + SHOWN_BEHIND) ?? 'nothing');
  return `${where}, character ${same}\n reference ${a}\n ours      ${b}`;
}

/**
 * Kinds of messages about solidified logs. java-tron sends them from a separate thread, so their order relative to
 * other messages is random.
 */
const LOGS_OF_SOLID = ['solidityLogTrigger', 'solidityEventTrigger'];
const CONTRACT = /^contract/;

/** Returns the first mismatch of each push. Ignores messages that java-tron loses or repeats depending on timing. */
export function compareEvents({ release, sink, chain, pushes, theirs, moves }: Comparison): EventDifference[] {
  const differences: EventDifference[] = [];
  const isEarlier = release === '4.7.2';
  const silent = silentBlocks(pushes);
  const isAgain = repetitions(sink);
  const compare = (where: string, a: readonly Published[], b: readonly Published[]): void => {
    const known = new Set(a.map(({ payload }) => payload));
    const ours = isEarlier ? b.filter((message) => known.has(message.payload) || !mayFail(message)) : b;
    compareLists(where, a, ours, { differences, isPolled: sink?.polled === true });
  };
  let at = 0;
  for (const [index, { seq, block, answer }] of pushes.entries()) {
    const mine: OurMove[] = [];
    for (let move = moves[at]; move !== undefined && move.seq <= seq; move = moves[++at]) mine.push(move);
    const isSwitch = mine.some(({ change }) => change === 'reverted');
    const where = `push ${index}, block ${block.number} ${block.idHex}${isSwitch ? ', a switch' : ''}`;
    // 4.7.2 executes the transactions of a block and sends their logs before a later transaction makes the block
    // invalid. This node sends no logs of a rejected block.
    const reported = (theirs[index] ?? [])
      .map(silent)
      .filter(({ payload }) => answer === 'taken' || !payload.includes(block.idHex));
    const all = mine.flatMap(({ published }) => published).map(silent);
    const expected = reported.filter((message) => !LOGS_OF_SOLID.includes(message.frame) && !isAgain(message));
    // In a reorg, 4.7.2 sends no block and transaction triggers for the blocks of the new branch, see `isLost`.
    const actual = all.filter(
      ({ frame }) => !LOGS_OF_SOLID.includes(frame) && !(isEarlier && isSwitch && isLost(frame, sink ?? {})),
    );
    if (isEarlier || sink?.polled === true) compare(where, expected, actual);
    else {
      // java-tron sends contract messages from one thread and all other messages from another thread. Therefore, only
      // the order within each of the two groups is compared.
      compare(where, expected.filter(isContract), actual.filter(isContract));
      compare(where, expected.filter(isOther), actual.filter(isOther));
    }
  }
  const reportedSolid = ofSolid(theirs.flat(), chain);
  const all = moves.flatMap(({ published }) => published);
  for (const frame of LOGS_OF_SOLID) {
    const ofFrame = (list: readonly Published[]): Published[] => list.filter((one) => one.frame === frame);
    compare('of irreversible blocks', ofFrame(reportedSolid), ofFrame(all));
  }
  return differences;
}

/**
 * Returns a function that replaces the result in a message by null if the transactions of the block contain no
 * result. Such a block does not show if its contracts ran, so the results are not compared.
 */
function silentBlocks(pushes: readonly Pushed[]): (message: Published) => Published {
  const ids = new Set(
    pushes
      .filter(({ block }) => block.transactions.every(({ message }) => message.ret.length === 0))
      .map(({ block }) => block.idHex),
  );
  return (message) => {
    const { frame, payload } = message;
    if (frame !== 'transactionTrigger' || !ids.has(/"blockHash":"(\w+)"/.exec(payload)?.[1] ?? '')) return message;
    return { frame, payload: payload.replace('"result":"SUCCESS"', '"result":null') };
  };
}

/**
 * Returns a function that detects repeated messages. If a reorg decreases the solidified height, java-tron sends the
 * blocks above the new height again (Manager's lastUsedSolidityNum). This node sends each block once.
 */
function repetitions({ solidified = [] }: Pick<SinkOptions, 'solidified'> = {}): (message: Published) => boolean {
  const late = ['solidityTrigger', ...solidified.map((trigger) => `${trigger}Trigger`)];
  const seen = new Set<string>();
  return ({ frame, payload }) => {
    if (!late.includes(frame)) return false;
    const { blockHash, transactionId, latestSolidifiedBlockNumber } = JSON.parse(payload) as LateEvent;
    const key = [frame, blockHash ?? latestSolidifiedBlockNumber, transactionId].join(' ');
    if (seen.has(key)) return true;
    seen.add(key);
    return false;
  };
}

interface LateEvent {
  readonly blockHash?: string;
  readonly transactionId?: string;
  readonly latestSolidifiedBlockNumber: number;
}

/**
 * Returns the logs of the canonical chain, each once. java-tron also sends logs of reverted blocks, and repeats the
 * logs of blocks that it executes twice.
 */
function ofSolid(published: readonly Published[], { ledger }: Chain): Published[] {
  const seen = new Set<string>();
  const logs = published
    .filter(({ frame }) => LOGS_OF_SOLID.includes(frame))
    .map((message) => ({ message, log: JSON.parse(message.payload) as SolidLog }))
    // The order of several blocks depends on a hash table of the reference.
    .sort((a, b) => a.log.blockNumber - b.log.blockNumber);
  const counting = logs.filter(({ message: { frame }, log: { blockNumber, blockHash, removed, uniqueId } }) => {
    const key = `${frame} ${uniqueId}`;
    const isOnChain = toHex(ledger.blockIdAt(blockNumber) ?? new Uint8Array(0)) === blockHash;
    if (removed || !isOnChain || seen.has(key)) return false;
    seen.add(key);
    return true;
  });
  return counting.map(({ message }) => message);
}

interface SolidLog {
  readonly blockNumber: number;
  readonly blockHash: string;
  readonly removed: boolean;
  readonly uniqueId: string;
}

const isContract = ({ frame }: Published): boolean => CONTRACT.test(frame);
const isOther = ({ frame }: Published): boolean => !CONTRACT.test(frame);

function isLost(frame: string, { solidified = [] }: Pick<SinkOptions, 'solidified'>): boolean {
  if (frame === 'blockTrigger') return !solidified.includes('block');
  return frame === 'transactionTrigger' && !solidified.includes('transaction');
}

function compareLists(
  where: string,
  theirs: readonly Published[],
  ours: readonly Published[],
  { differences, isPolled }: { readonly differences: EventDifference[]; readonly isPolled: boolean },
): void {
  const texts = (list: readonly Published[]): string[] => list.map(({ frame, payload }) => `${frame} ${payload}`);
  const [a, b] = [texts(theirs), texts(ours)];
  for (let at = 0; at < Math.max(a.length, b.length); at++) {
    if (a[at] === b[at] || isWithoutTrace(theirs[at], ours[at])) continue;
    if (isPolled && isReadLate(theirs[at], ours[at])) continue;
    // Only the first mismatch is reported. After it, most messages are equal but have other positions.
    differences.push({ where: `${where}, message ${at} of ${a.length} and ${b.length}`, theirs: a[at], ours: b[at] });
    return;
  }
}

/**
 * Returns true if java-tron sent a transaction without its execution results. If a reorg decreases the solidified
 * height, java-tron may drop a block from memory before it sends the block's transactions. It then reads the block from
 * disk, without results.
 */
function isWithoutTrace(theirs: Published | undefined, ours: Published | undefined): boolean {
  if (theirs?.frame !== 'transactionTrigger' || ours?.frame !== 'transactionTrigger') return false;
  const [a, b] = [theirs, ours].map(({ payload }) => JSON.parse(payload) as Record<string, unknown>);
  if (a?.['internalTransactionList'] !== null || b?.['internalTransactionList'] === null) return false;
  return a['transactionId'] === b?.['transactionId'] && a['blockHash'] === b?.['blockHash'];
}

/**
 * Returns true if java-tron read the creator of a contract too late. Event service 1 reads the creator when it polls
 * for new blocks. If a later block has destroyed the contract in the meantime, the event service sends the owner of
 * the transaction instead. This node sends the creator at the time of the block.
 */
function isReadLate(theirs: Published | undefined, ours: Published | undefined): boolean {
  if (theirs === undefined || ours === undefined || theirs.frame !== ours.frame || !LOG.test(theirs.frame))
    return false;
  const [a, b] = [theirs, ours].map(
    ({ payload }) => JSON.parse(payload) as { creatorAddress: string; originAddress: string },
  );
  if (a === undefined || b === undefined || a.creatorAddress !== a.originAddress) return false;
  const creator = (address: string): string => `"creatorAddress":"${address}"`;
  return theirs.payload.replace(creator(a.creatorAddress), creator(b.creatorAddress)) === ours.payload;
}

const LOG = /^(contract|solidity)(Event|Log)Trigger$/;
/** Matches a word of 32 bytes that is a negative 32-bit integer. */
const NEGATIVE = /^f{56}[89a-f]/;

/**
 * Returns true if 4.7.2 may lose the event and its log, because a negative offset in the data causes an error in
 * 4.7.2.
 */
function mayFail({ frame, payload }: Published): boolean {
  if (!LOG.test(frame)) return false;
  const { rawData } = JSON.parse(payload) as { rawData: { data: string } };
  return (rawData.data.match(/.{64}/g) ?? []).some((word) => NEGATIVE.test(word));
}
