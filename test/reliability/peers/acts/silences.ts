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

/** Maximum time in ms until every silent peer is disconnected. The nodes close a connection without data after 60 s. */
const ALL_MS = 66_000;
/**
 * Maximum difference in ms between the times at which the two nodes disconnect a peer. Both nodes check their peers
 * every two seconds, but not at the same time.
 */
const TOLERANCE_MS = 4500;

/**
 * Ways in which a peer does not send data that the nodes wait for. Unless the name says otherwise, the peer answers
 * pings.
 */
const silences: Readonly<Record<string, (stage: Stage, name: string) => Promise<void>>> = {
  'sends nothing': async (stage, name) => {
    await stage.dial(name);
  },
  'sends the start of a frame, before HELLO': async (stage, name) => {
    await stage.dial(name);
    await stage.write(
      name,
      'a frame without its end',
      encodeFrame(sayHello(helloOf(stage.nodes.ours))).subarray(0, 30),
    );
  },
  'never sends HELLO': async (stage, name) => {
    await greet(stage, name);
    stage.awake(name);
  },
  'never sends HELLO or a pong': async (stage, name) => {
    await greet(stage, name);
  },
  'answers no ping, in sync': (stage, name) => join(stage, name),
  'answers no ping, behind': (stage, name) => join(stage, name, 'behind'),
  'sends the start of a frame, after HELLO': async (stage, name) => {
    await join(stage, name);
    await stage.write(name, 'a frame without its end', encodeFrame(new Uint8Array(100)).subarray(0, 50));
  },
  'answers pings, in sync': awake('in sync'),
  'answers pings, behind': awake('behind'),
  'sends no ids': awake('ahead'),
  'sends no transaction': async (stage, name) => {
    await awake('in sync')(stage, name);
    const one = transfer(stage.nodes.ours, BigInt(1 + stage.random.below(1_000_000_000)));
    await stage.say(name, 'announces a transaction', [sayItems('INVENTORY', 0, [idOf(one)])]);
  },
  'sends no announced block': async (stage, name) => {
    await awake('in sync')(stage, name);
    const { headNumber } = stage.nodes.ours;
    await stage.say(name, 'announces a block', [sayItems('INVENTORY', 1, [unknownId(headNumber + 1, 0xcd)])]);
  },
  'announces an item of an unknown type': async (stage, name) => {
    await awake('in sync')(stage, name);
    await stage.say(name, 'announces', [sayItems('INVENTORY', 2, [unknownId(1)])]);
  },
  'sends no sync block': async (stage, name) => {
    await awake('ahead')(stage, name);
    const { recent, ledger } = stage.nodes.ours.node.chain;
    const { headId } = ledger.position;
    const block = makeBlock(stage.nodes.ours, {
      parentId: headId,
      timeMs: recent.head.timeMs + 3000 * stage.random.below(999) + 3000,
    });
    await stage.say(name, 'sends its ids', [sayChainIds([saidId(headId), saidId(block.id)])], { quietMs: 1300 });
  },
  'requests no blocks': async (stage, name) => {
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
