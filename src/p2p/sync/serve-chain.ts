import type { LocalChain } from '../local-chain.js';
import { P2pError } from '../p2p-error.js';
import { CHAIN_IDS_MAX, type Peer } from '../peers/peer.js';
import type { BlockId } from '../wire/block-id.js';
import { encodeChainIds } from '../wire/messages.js';

/**
 * Answers a chain summary of a peer with the ids that follow the newest common block. Disconnects the peer if the first
 * id of the summary is not canonical. Reference: SyncBlockChainMsgHandler.
 * @throws {P2pError} BAD_MESSAGE: the summary is empty, starts above the head, or ends below the last id that was sent
 * to the peer
 * @throws {P2pError} SYNC_FAILED or DB_ITEM_NOT_FOUND: this node does not have the ids to send
 */
export function serveChainIds(chain: LocalChain, peer: Peer, summary: readonly BlockId[]): void {
  if (!isAnswerable(chain, peer, summary)) {
    peer.disconnect('BAD_PROTOCOL');
    return;
  }
  const ids = idsAfter(chain, summary);
  const last = ids.at(-1);
  if (last === undefined) {
    peer.disconnect('INCOMPATIBLE_CHAIN');
    return;
  }
  peer.needsSyncFromUs = ids.length > 1;
  peer.lastSyncId = last;
  const remaining = peer.needsSyncFromUs ? chain.head.number - last.number : 0;
  peer.remaining = remaining;
  peer.send(encodeChainIds({ ids, remaining }));
}

function isAnswerable(chain: LocalChain, { lastSyncId }: Peer, summary: readonly BlockId[]): boolean {
  const [first] = summary;
  const last = summary.at(-1);
  if (first === undefined || last === undefined) refuse('SyncBlockChain blockIds is empty');
  if (!chain.isCanonical(first)) return false;
  const { number } = chain.head;
  if (first.number > number) refuse(`First blockNum:${first.number} gt my head BlockNum:${number}`);
  if (lastSyncId !== undefined && lastSyncId.number > last.number)
    refuse(`lastSyncNum:${lastSyncId.number} gt lastNum:${last.number}`);
  return true;
}

function idsAfter(chain: LocalChain, summary: readonly BlockId[]): BlockId[] {
  const common = summary.findLast((id) => chain.isCanonical(id));
  // The text is java-tron's: no id of the summary is canonical.
  if (common === undefined) throw new P2pError('SYNC_FAILED', 'unForkId is null');
  const ids: BlockId[] = [];
  const highest = Math.min(chain.head.number, common.number + CHAIN_IDS_MAX);
  for (let number = common.number; number <= highest; number++) {
    const id = chain.idAt(number);
    if (id === undefined) throw new P2pError('DB_ITEM_NOT_FOUND', `num: ${number}`);
    ids.push(id);
  }
  return ids;
}

function refuse(text: string): never {
  throw new P2pError('BAD_MESSAGE', text);
}
