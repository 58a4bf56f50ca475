import type { Chain } from '../../../../src/chain/chain.js';
import { toHex } from '../../../../src/primitives/bytes.js';
import type { EventDifference } from './compare-events.js';
import type { Published } from './java-events.js';
import type { OurMove } from './our-events.js';

interface Past {
  readonly chain: Chain;
  /** Height from which both nodes emit again. */
  readonly from: number;
  readonly theirs: readonly Published[];
  readonly ours: readonly OurMove[];
}

const FRAMES = ['blockTrigger', 'transactionTrigger', 'solidityTrigger'];

/** Compares the events that a start emits again, by kind, because the reference sends them from three threads. */
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
 * Formats a message for the comparison. For blocks above the solidified height, this node sends the solidified height
 * as of the block. The reference reads results of old blocks from the block itself, where the producer may have written
 * other results. This node sends the results of its own execution.
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
 * Formats logs for the comparison. The reference uses the current names and creators of contracts, this node those
 * after the block. So a contract event of one node may be a raw log of the other.
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
