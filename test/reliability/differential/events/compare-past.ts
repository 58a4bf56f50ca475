import type { Chain } from '../../../../src/chain/chain.js';
import { toHex } from '../../../../src/primitives/bytes.js';
import type { EventDifference } from './compare-events.js';
import type { Published } from './java-events.js';
import type { OurMove } from './our-events.js';

interface Past {
  readonly chain: Chain;
  /** Height from which both nodes send their events again after a restart. */
  readonly from: number;
  readonly theirs: readonly Published[];
  readonly ours: readonly OurMove[];
}

const FRAMES = ['blockTrigger', 'transactionTrigger', 'solidityTrigger'];

/**
 * Compares the events that both nodes send again after a restart. Each kind is compared separately, because java-tron
 * sends them from three threads.
 */
export function comparePast({ chain, from, theirs, ours }: Past): EventDifference[] {
  const mine = ours.flatMap(({ published }) => published).filter(isOnChain(chain));
  const compared = FRAMES.map(
    (frame) => [frame, (list: readonly Published[]) => ofFrame(list, frame).map(shown(chain))] as const,
  );
  return [
    ...compared.flatMap(([frame, of]) => firstDifference(`again from ${from}, ${frame}`, of(theirs), of(mine))),
    ...['contract', 'solidity'].flatMap((kind) =>
      firstDifference(`again from ${from}, logs of ${kind}`, logsOf(theirs, kind), logsOf(mine, kind)),
    ),
  ];
}

const ofFrame = (list: readonly Published[], frame: string): Published[] => list.filter((one) => one.frame === frame);

/**
 * Returns a function that formats a message without two values that may differ between the nodes. The first value is
 * the result of a contract: java-tron sends the result that the producer wrote into the block, and this node the
 * result of its own execution. The second value is the solidified height in messages about blocks at or above this
 * height, because this node sends the height at the time of the block.
 */
function shown({ ledger }: Chain): (message: Published) => string {
  return ({ payload }) => {
    const text = payload.replace(/"result":("\w+"|null)/, '"result":0');
    const { blockNumber } = JSON.parse(payload) as { blockNumber?: number };
    if (blockNumber === undefined || blockNumber < ledger.position.solidifiedNumber) return text;
    return text.replace(/"latestSolidifiedBlockNumber":\d+/, '"latestSolidifiedBlockNumber":0');
  };
}

function isOnChain({ ledger }: Chain): (message: Published) => boolean {
  return ({ payload }) => {
    const { blockNumber, blockHash, removed } = JSON.parse(payload) as Placed;
    if (removed === true) return false;
    return blockHash === undefined || toHex(ledger.blockIdAt(blockNumber) ?? new Uint8Array(0)) === blockHash;
  };
}

interface Placed {
  readonly blockNumber: number;
  readonly blockHash?: string;
  readonly removed?: boolean;
}

/**
 * Returns the ids of events and logs of one kind. java-tron decodes a log with the current ABI of the contract, and
 * this node with the ABI at the time of the block. Therefore, one node may send an event where the other node sends a
 * raw log.
 */
function logsOf(list: readonly Published[], kind: string): string[] {
  const both = ['Event', 'Log'].map((form) => ofFrame(list, `${kind}${form}Trigger`));
  if (both.some(({ length }) => length === 0)) return [];
  const ids = both.flat().map(({ payload }) => (JSON.parse(payload) as { uniqueId: string }).uniqueId);
  return [...new Set(ids)].sort();
}

function firstDifference(where: string, theirs: readonly string[], ours: readonly string[]): EventDifference[] {
  for (let at = 0; at < Math.max(theirs.length, ours.length); at++) {
    if (theirs[at] === ours[at]) continue;
    return [
      { where: `${where}, message ${at} of ${theirs.length} and ${ours.length}`, theirs: theirs[at], ours: ours[at] },
    ];
  }
  return [];
}
