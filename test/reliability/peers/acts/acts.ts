import { keys } from '../../../support/peers/peer-node.js';
import type { Act } from '../act.js';
import type { Setting } from '../two-nodes.js';
import { CALLEE } from '../two-nodes.js';
import { blocks, newItems, transactions } from './announcements.js';
import { floods } from './bursts.js';
import { climbs } from './climbs.js';
import { datagrams } from './datagrams.js';
import { DETECTING, detections } from './detections.js';
import { dialled, dialTargets, found, lonely } from './dialled.js';
import { FEW_WANTED, FREE_PLACES, freePlaces, MANY_WANTED } from './free-places.js';
import { again, doubles, farewells, firstContact, hellos } from './handshakes.js';
import { eliminations, PLACES, PLACES_OF_ONE, places, TRUSTED } from './places.js';
import { questions } from './questions.js';
import { fromRelays, producers, RELAYS } from './relays.js';
import { RELOADING, reloads } from './reloads.js';
import { sharedSyncs } from './shared-syncs.js';
import { quiet } from './silences.js';
import { strangeWords } from './strange.js';
import { syncs } from './syncs.js';
import { votes } from './votes.js';

/** A configuration of both nodes, and the acts (tests of peer behaviour) that run with it. */
export interface Scene extends Setting {
  readonly acts: Readonly<Record<string, Act>>;
  /** Share of all acts that run with this configuration, from 0 to 1. */
  readonly share: number;
  /** Number of blocks of both nodes before the first act. Default: 30. */
  readonly blocks?: number;
}

const quoted = (hosts: readonly string[]): string => hosts.map((host) => `"${host}:1"`).join(', ');

/** All scenes (configurations of both nodes with their acts), by name. */
export const scenes: Readonly<Record<string, Scene>> = {
  usual: {
    share: 0.7,
    acts: {
      firstContact,
      doubles,
      again,
      hellos,
      datagrams,
      questions,
      strangeWords,
      transactions,
      blocks,
      news: newItems,
      syncs,
      sharedSyncs,
    },
  },
  'few connections': {
    share: 0.08,
    more: () => `node.maxConnections = ${PLACES}
node.maxConnectionsWithSameIp = ${PLACES_OF_ONE}
node.passive = [${quoted([TRUSTED])}]`,
    acts: { places },
  },
  'low limits': { share: 0.08, more: () => 'node.maxTps = 4', acts: { floods } },
  // The chain has more block ids than fit into one answer to a sync request.
  'a long chain': { share: 0.03, blocks: 2100, acts: { climbs } },
  relay: { share: 0.04, flag: 'fast-forward', acts: { producers } },
  'with relays': { share: 0.04, more: () => `node.fastForward = [${quoted(RELAYS)}]`, acts: { fromRelays } },
  voting: {
    share: 0.03,
    more: () => 'committee.allowPBFT = 1\nnode.agreeNodeCount = 4',
    acts: { votes },
  },
  'voting and producing': {
    share: 0.03,
    flag: 'witness',
    more: () => `committee.allowPBFT = 1
node.agreeNodeCount = 4
node.fastForward = [${quoted(RELAYS)}]
block.needSyncCheck = true
localwitness = ["${Object.values(keys)[0]}"]`,
    acts: { votes, fromRelays },
  },
  dialling: { share: 0.02, more: (port) => `node.active = ["${CALLEE}:${port}"]`, acts: { dialled } },
  'over IPv6': {
    share: 0.03,
    host: '::1',
    more: (port) => `node.enableIpv6 = true
node.active = ["[0:0:0:0:0:0:0:1]:${port}"]`,
    acts: { firstContact, again, datagrams, dialled, news: newItems, syncs },
  },
  discovering: {
    share: 0.02,
    more: () => 'node.minConnections = 2\nnode.minActiveConnections = 1',
    acts: { found, wanted: dialTargets },
  },
  reloading: { share: 0.02, more: () => RELOADING, acts: { reloads } },
  detecting: { share: 0.02, more: () => DETECTING, acts: { detections } },
  'without a peer ahead': {
    share: 0.01,
    more: () => 'node.effectiveCheckEnable = true\nnode.minConnections = 0\nnode.minActiveConnections = 0',
    acts: { lonely },
  },
  stopping: { share: 0.01, acts: { farewells } },
  'free connections, few required': { share: 0.02, more: () => `${FREE_PLACES}\n${FEW_WANTED}`, acts: { freePlaces } },
  'free connections, many required': {
    share: 0.02,
    more: () => `${FREE_PLACES}\n${MANY_WANTED}`,
    acts: { freePlaces },
  },
  timeouts: { share: 0.005, acts: { quiet } },
  'disconnects when full': {
    share: 0.005,
    more: () => `node.isOpenFullTcpDisconnect = true
node.maxConnections = ${PLACES}
node.passive = [${quoted([TRUSTED])}]`,
    acts: { eliminations },
  },
};
