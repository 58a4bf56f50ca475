import type { LocalChain } from '../local-chain.js';
import { P2pError } from '../p2p-error.js';
import { CHAIN_IDS_MAX, type Peer } from '../peers/peer.js';
import type { ChainIds } from '../wire/messages.js';

/**
 * Clock tolerance in ms for the maximum block height that is possible at the current time. Reference:
 * ChainConstant.CLOCK_MAX_DELAY.
 */
const CLOCK_DELAY_MAX_MS = 3_600_000;

/**
 * Checks that a chain inventory answers the open request. Reference: ChainInventoryMsgHandler.check.
 * @throws {P2pError} BAD_MESSAGE: when the inventory does not answer the request, or has an invalid number of ids
 */
export function checkChainIds(chain: LocalChain, peer: Peer, { ids, remaining }: ChainIds, nowMs: number): void {
  const { chainRequest } = peer;
  if (chainRequest === undefined) refuse('not send syncBlockChainMsg');
  const [first] = ids;
  const last = ids.at(-1);
  if (first === undefined || last === undefined) refuse('blockIds is empty');
  if (ids.length > CHAIN_IDS_MAX + 1) refuse(`big blockIds size: ${ids.length}`);
  if (remaining !== 0 && ids.length < CHAIN_IDS_MAX) refuse(`remain: ${remaining}, blockIds size: ${ids.length}`);
  if (ids.some(({ number }, at) => number !== first.number + at)) refuse('not continuous block');
  if (!chainRequest.ids.has(first.hex)) refuse(`unlinked block, my head: ${chainRequest.last.hex}, peer: ${first.hex}`);
  if (chain.head.number === 0) return;
  const { solidified, solidifiedTimeMs, slotMs } = chain;
  const highest = Math.trunc((CLOCK_DELAY_MAX_MS + nowMs - solidifiedTimeMs) / slotMs) + solidified.number;
  if (last.number + remaining > highest)
    refuse(`lastNum: ${last.number} + remainNum: ${remaining} > futureMaxNum: ${highest}`);
}

function refuse(text: string): never {
  throw new P2pError('BAD_MESSAGE', text);
}
