import { DEFAULT_LIMITS, NO_LIMITS, type PeerLimits, UNLIMITED } from './peer-limits.js';
import type { PeerRelease } from './peer-release.js';
import { libp2p120, libp2p228 } from './transport-rules.js';

/** Peer rules of java-tron 4.7.2. */
const release472: PeerRelease = {
  name: '4.7.2',
  transport: libp2p120,
  limits: NO_LIMITS,
  codeVersion: undefined,
  checksHelloSizes: false,
  invalidHello: 'UNEXPECTED_IDENTITY',
  solidBelowLowest: 'FORKED',
  peersOfWitness: UNLIMITED,
  notWitness: undefined,
  quitting: undefined,
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
  checksSignatureSizes: false,
  countsThisMessage: false,
  requestsBelowSolidified: true,
  announcementMs: undefined,
  countsAllTraffic: false,
  refusalNames: {},
  notesAnnounced: false,
  checksBlocksFirst: false,
  summaryIdsMax: UNLIMITED,
  blocksFetchedMax: UNLIMITED,
  fetchesAnnouncedOnly: false,
  servesAnnouncedOnce: false,
  syncsBesideItems: false,
  acceptsOfDisconnected: false,
  countsPool: false,
  ignoresUnusedVotes: false,
  followsMembers: false,
  evictsIdlePeers: false,
};

/** Peer rules of java-tron 4.8.2. */
const release482: PeerRelease = {
  name: '4.8.2',
  transport: libp2p228,
  limits: DEFAULT_LIMITS,
  codeVersion: '4.8.2',
  checksHelloSizes: true,
  invalidHello: 'INCOMPATIBLE_PROTOCOL',
  solidBelowLowest: 'LIGHT_NODE_SYNC_FAIL',
  peersOfWitness: 5,
  notWitness: 'NOT_WITNESS',
  quitting: 'PEER_QUITING',
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
  checksSignatureSizes: true,
  countsThisMessage: true,
  requestsBelowSolidified: false,
  announcementMs: 15_000,
  countsAllTraffic: true,
  refusalNames: { BLOCK_SIGN_ERROR: 'BLOCK_SIGN_INVALID', BLOCK_MERKLE_ERROR: 'BLOCK_MERKLE_INVALID' },
  notesAnnounced: true,
  checksBlocksFirst: true,
  summaryIdsMax: 30,
  blocksFetchedMax: 100,
  fetchesAnnouncedOnly: true,
  servesAnnouncedOnce: true,
  syncsBesideItems: true,
  acceptsOfDisconnected: true,
  countsPool: true,
  ignoresUnusedVotes: true,
  followsMembers: true,
  evictsIdlePeers: true,
};

/** Rules of java-tron 4.8.2.2 and 4.8.2.3. These releases change only block rules. */
const newer = ['4.8.2.2', '4.8.2.3'].map((name): PeerRelease => ({ ...release482, name, codeVersion: name }));

const releases = new Map([release472, release482, ...newer].map((release) => [release.name, release]));

/**
 * Returns the peer rules of a release.
 * @param name release name, already checked by the configuration
 * @param limits configured limits; ignored if the release has no such configuration keys
 */
export function peerRelease(name: string, limits: PeerLimits = DEFAULT_LIMITS): PeerRelease {
  const found = releases.get(name);
  if (found === undefined) throw new RangeError(`unknown java-tron release for peer rules: ${name}`);
  return found.limits === NO_LIMITS ? found : { ...found, limits };
}
