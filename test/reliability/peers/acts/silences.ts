import { setTimeout as sleep } from 'node:timers/promises';
import { encodeFrame } from '../../../../src/p2p/transport/frames.js';
import { itemAt } from '../../../../src/primitives/assert.js';
import { transfer } from '../../../support/peers/transfer.js';
import { type Act, greet, join } from '../act.js';
import { Difference } from '../difference.js';
import { makeBlock, unknownId } from '../made-block.js';
import { helloOf, saidId, sayChainIds, sayHello, sayItems, saySummary } from '../said.js';
import type { Stage } from '../stage.js';
import { idOf } from './announcements.js';

/** Maximum time in ms until every silent peer is disconnected. A connection without data ends after 60 s. */
const ALL_MS = 66_000;
/**
 * Maximum difference of the two times of a disconnect, in ms. Both nodes check their peers every two seconds, but not
 * at the same time.
 */
const TOLERANCE_MS = 4500;

/**
 * Ways in which a peer does not send data that the nodes wait for. Unless the name says otherwise, the peer answers
 * pings.
 */
const silences: Readonly<Record<string, (stage: Stage, name: string) => Promise<void>>> = {
  'says nothing': async (stage, name) => {
    await stage.dial(name);
  },
  'begins a frame': async (stage, name) => {
    await stage.dial(name);
    await stage.write(
      name,
      'a frame without its end',
      encodeFrame(sayHello(helloOf(stage.nodes.ours))).subarray(0, 30),
    );
  },
  'never says hello': async (stage, name) => {
    await greet(stage, name);
    stage.awake(name);
  },
  'never says hello nor pong': async (stage, name) => {
    await greet(stage, name);
  },
  'answers no ping': (stage, name) => join(stage, name),
  'answers no ping, behind': (stage, name) => join(stage, name, 'behind'),
  'begins a frame and no more': async (stage, name) => {
    await join(stage, name);
    await stage.write(name, 'a frame without its end', encodeFrame(new Uint8Array(100)).subarray(0, 50));
  },
  'is in sync': awake('in sync'),
  'is behind': awake('behind'),
  'tells no ids': awake('ahead'),
  'gives no transaction': async (stage, name) => {
    await awake('in sync')(stage, name);
    const one = transfer(stage.nodes.ours, BigInt(1 + stage.random.below(1_000_000_000)));
    await stage.say(name, 'announces a transaction', [sayItems('INVENTORY', 0, [idOf(one)])]);
  },
  'gives no block': async (stage, name) => {
    await awake('in sync')(stage, name);
    const { headNumber } = stage.nodes.ours;
    await stage.say(name, 'announces a block', [sayItems('INVENTORY', 1, [unknownId(headNumber + 1, 0xcd)])]);
  },
  'announces what is none': async (stage, name) => {
    await awake('in sync')(stage, name);
    await stage.say(name, 'announces', [sayItems('INVENTORY', 2, [unknownId(1)])]);
  },
  'gives no blocks of its chain': async (stage, name) => {
    await awake('ahead')(stage, name);
    const { recent, ledger } = stage.nodes.ours.node.chain;
    const { headId } = ledger.position;
    const block = makeBlock(stage.nodes.ours, {
      parentId: headId,
      timeMs: recent.head.timeMs + 3000 * stage.random.below(999) + 3000,
    });
    await stage.say(name, 'tells its ids', [sayChainIds([saidId(headId), saidId(block.id)])], { quietMs: 1300 });
  },
  'fetches nothing': async (stage, name) => {
    await awake('behind')(stage, name);
    const { ledger } = stage.nodes.ours.node.chain;
    await stage.say(name, 'sends a summary', [saySummary([saidId(ledger.blockIdAt(0) ?? new Uint8Array(0))])]);
  },
};

/**
 * Several peers are silent at the same time, each in another way. Compares which peers the nodes disconnect, with which
 * message, and after which time.
 */
export const quiet: Act = async (stage) => {
  const names = Object.keys(silences);
  const startTimes = new Map<string, number>();
  for (const name of names) {
    await silences[name]?.(stage, name);
    startTimes.set(name, Date.now());
  }
  await sleep(ALL_MS);
  await stage.compare();
  for (const name of names) {
    const { theirs, ours } = stage.lastMs(name);
    if (Math.abs(theirs - ours) <= TOLERANCE_MS) continue;
    const since = startTimes.get(name) ?? 0;
    const description = `who ${name} heard last after\n reference ${theirs - since} ms\n ours      ${ours - since} ms`;
    throw new Difference(`${itemAt(stage.story, 0)}\n${description}`);
  }
};

function awake(standing: 'in sync' | 'behind' | 'ahead'): (stage: Stage, name: string) => Promise<void> {
  return async (stage, name) => {
    await join(stage, name, standing);
    stage.awake(name);
  };
}
