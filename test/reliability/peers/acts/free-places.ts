import { setTimeout as sleep } from 'node:timers/promises';
import { Endings } from '../../support/endings.js';
import { type Act, firstHello, join, type Standing, sayStanding } from '../act.js';
import { makeBlock } from '../made-block.js';
import { saidId, sayBlock, sayItems, saySummary } from '../said.js';
import type { Stage } from '../stage.js';
import { PEER_CHECKS } from '../two-nodes.js';
import { appear, ROUND_MS } from './dialled.js';
import { TRUSTED } from './places.js';

/** Configuration that requires only a few connections. */
export const FEW_WANTED = 'node.minConnections = 2\nnode.minActiveConnections = 1';
/** Configuration that requires many connections compared with the maximum number. */
export const MANY_WANTED = 'node.minActiveConnections = 2';
export const FREE_PLACES = `node.maxConnections = 5
node.inactiveThreshold = 1
node.passive = ["${TRUSTED}:1"]`;

const IDLE_MS = 1100;
/**
 * Time in ms after the start at which java-tron searches for useless peers for the first time.
 * Reference: ResilienceService.init.
 */
const OWN_CHECKS_MS = 240_000;
const STANDINGS: readonly Standing[] = ['in sync', 'in sync', 'in sync', 'behind', 'ahead'];

/** Peers connect or are dialled, and some of them are useful. The nodes then select peers to disconnect. */
export const freePlaces: Act = async (stage) => {
  const { random, nodes } = stage;
  if (nodes.release === '4.7.2') return;
  const endings = new Endings();
  try {
    const names = random.chance(0.5) ? await dialSome(stage, endings) : [];
    for (let count = names.length > 0 ? random.below(4) : random.between(2, 5); count > 0; count--) {
      const name = `came${count}`;
      const from = random.chance(0.2) ? TRUSTED : stage.host();
      await join(stage, name, random.pick(STANDINGS), { from });
      names.push(name);
    }
    for (const name of names) if (stage.isThere(name)) stage.awake(name);
    for (let times = random.below(5); times > 0; times--) await use(stage, random.pick(names));
    for (let times = random.between(1, 3); times > 0; times--) {
      await sleep(random.pick([0, IDLE_MS]));
      const name = random.pick(Object.keys(PEER_CHECKS) as (keyof typeof PEER_CHECKS)[]);
      if (name === 'evictWhenFull' && !isDetermined(stage)) continue;
      stage.story.push(`both check the peers: ${name}`);
      await nodes.checkPeers(name);
      await stage.compare({ quietMs: 150 });
    }
  } finally {
    await endings.run();
  }
  if (nodes.ageMs > OWN_CHECKS_MS) stage.requestRestart();
};

async function dialSome(stage: Stage, endings: Endings): Promise<string[]> {
  const { random } = stage;
  const names: string[] = [];
  for (let count = random.between(1, 3); count > 0; count--) {
    const name = `dialled${count}`;
    const callee = await appear(stage, { host: stage.host() }, endings);
    if (!(await stage.answerDials(name, callee, ROUND_MS))) continue;
    await stage.write(name, 'answers', firstHello(), { quietMs: 100 });
    await sayStanding(stage, name, random.pick(['in sync', 'in sync', 'behind'] as const));
    names.push(name);
  }
  return names;
}

/** Makes a peer useful. It requests ids as a peer that is behind does, or sends a block. */
async function use(stage: Stage, name: string): Promise<void> {
  const { nodes, random } = stage;
  if (!stage.isThere(name)) return;
  const { ledger, recent } = nodes.ours.node.chain;
  if (random.chance(0.4)) {
    await stage.say(name, 'requests ids', [saySummary([saidId(ledger.position.headId)])]);
    return;
  }
  const block = makeBlock(nodes.ours, { parentId: ledger.position.headId, timeMs: recent.head.timeMs + 3000 });
  await stage.say(name, 'announces a block', [sayItems('INVENTORY', 1, [block.id])]);
  if (stage.isThere(name)) await stage.say(name, 'sends the block', [sayBlock(block.bytes)], { quietMs: 200 });
}

/**
 * Returns true if the rules of java-tron determine which peer to disconnect. If several peers qualify, each node
 * selects one at random.
 */
function isDetermined({ nodes }: Stage): boolean {
  const untrusted = nodes.ours.network.peers.active().filter(({ channel }) => !channel.isTrusted);
  const inSync = untrusted.filter(({ isInSync }) => isInSync);
  const times = new Set(inSync.map(({ blockReceivedMs }) => blockReceivedMs));
  if (inSync.length >= 3) return inSync.length === 3 && times.size === 3;
  return untrusted.length - inSync.length <= 1;
}
