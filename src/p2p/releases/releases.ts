import type { PeerRelease } from './peer-release.js';

const UNLIMITED = Number.POSITIVE_INFINITY;

/** java-tron 4.7.2. */
const release472: PeerRelease = {
  name: '4.7.2',
  codeVersion: undefined,
  checksHelloSizes: false,
  invalidHello: 'UNEXPECTED_IDENTITY',
  reasons: {
    BAD_TRX: 'BAD_TX',
    BAD_BLOCK: 'BAD_BLOCK',
    NO_SUCH_MESSAGE: 'BAD_PROTOCOL',
    MESSAGE_WITH_WRONG_LENGTH: 'BAD_PROTOCOL',
    BAD_MESSAGE: 'BAD_PROTOCOL',
    SYNC_FAILED: 'SYNC_FAIL',
    DB_ITEM_NOT_FOUND: 'FETCH_FAIL',
  },
  checksLists: false,
  countsThisMessage: false,
  checksBlocksFirst: false,
  blockIdsPerSecond: UNLIMITED,
  summaryIdsMax: UNLIMITED,
  blocksFetchedMax: UNLIMITED,
  summariesPerSecond: UNLIMITED,
  fetchesPerSecond: UNLIMITED,
  goodbyesPerSecond: UNLIMITED,
  fetchesToldOnly: false,
  servesAnnouncedOnce: false,
};

/** java-tron 4.8.2. */
const release482: PeerRelease = {
  name: '4.8.2',
  codeVersion: '4.8.2',
  checksHelloSizes: true,
  invalidHello: 'INCOMPATIBLE_PROTOCOL',
  reasons: {
    BAD_TRX: 'BAD_TX',
    BAD_BLOCK: 'BAD_BLOCK',
    BLOCK_SIGN_ERROR: 'BAD_BLOCK',
    BLOCK_MERKLE_ERROR: 'BAD_BLOCK',
    NO_SUCH_MESSAGE: 'NO_SUCH_MESSAGE',
    BAD_MESSAGE: 'BAD_PROTOCOL',
    RATE_LIMIT_EXCEEDED: 'BAD_PROTOCOL',
    SYNC_FAILED: 'SYNC_FAIL',
    DB_ITEM_NOT_FOUND: 'FETCH_FAIL',
  },
  checksLists: true,
  countsThisMessage: true,
  checksBlocksFirst: true,
  blockIdsPerSecond: 10,
  summaryIdsMax: 30,
  blocksFetchedMax: 100,
  summariesPerSecond: 3,
  fetchesPerSecond: 3,
  goodbyesPerSecond: 1,
  fetchesToldOnly: true,
  servesAnnouncedOnce: true,
};

const releases = new Map([release472, release482].map((release) => [release.name, release]));

/** @param name as the configuration names it, which checks it */
export function peerRelease(name: string): PeerRelease {
  const found = releases.get(name);
  if (found === undefined) throw new RangeError(`there is no release ${name} of the peers' rules`);
  return found;
}
