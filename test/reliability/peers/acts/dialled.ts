import { freePort } from '../../../support/free-port.js';
import { NETWORK } from '../../../support/peers/peer-node.js';
import type { RandomChoices } from '../../differential/random-choices.js';
import { Endings } from '../../support/endings.js';
import { type Act, firstHello, join, sayStanding } from '../act.js';
import { Callee } from '../callee.js';
import { FoundNode, type FoundNodeOptions } from '../found-node.js';
import { helloOf, sayHello } from '../said.js';
import type { Stage } from '../stage.js';
import { firstWords, oddHello } from './handshakes.js';

/** Maximum time in ms until a discovered node is dialled. The nodes dial every 3.6 s. */
export const ROUND_MS = 6000;
/** Time in ms after the start at which a node first checks if a peer is ahead. */
const FIRST_MS = 60_000;
const ONE_MORE_MS = 12_000;

/** Both nodes dial a peer, and it answers correctly or not. */
export const dialled: Act = async (stage) => {
  const { random, nodes } = stage;
  const callee = await Callee.listen(nodes, nodes.callee.host, nodes.callee.port);
  try {
    for (let times = random.between(1, 2); times > 0; times--) {
      const name = `a${times}`;
      if (!(await stage.answerDials(name, callee, ROUND_MS))) stage.differs('neither node dials');
      await answer(stage, name);
      if (stage.isThere(name)) await stage.leave(name);
    }
  } finally {
    callee.close();
  }
};

/** Both nodes discover a node by UDP. Checks that both nodes dial it once, or that neither node dials it. */
export const found: Act = async (stage) => {
  await meet(stage, foundAs(stage.random, stage.host()), ROUND_MS, async (callee) => {
    await answer(stage, 'f');
    if (stage.isThere('f')) await stage.leave('f');
    await stage.answerDials('again', callee, ROUND_MS);
  });
};

/**
 * Some peers are connected, and both nodes discover other peers. Checks that both nodes dial as many peers as the
 * configuration requires.
 */
export const dialTargets: Act = async (stage) => {
  const { random } = stage;
  for (const name of ['a', 'b', 'c'].slice(random.below(4))) {
    await join(stage, name);
    stage.awake(name);
  }
  const endings = new Endings();
  try {
    for (const name of ['f', 'g', 'h'].slice(random.below(2))) {
      const callee = await appear(stage, { host: stage.host() }, endings);
      if (!(await stage.answerDials(name, callee, ROUND_MS))) continue;
      await stage.write(name, 'answers', firstHello(), { quietMs: 150 });
      await sayStanding(stage, name, 'in sync');
      stage.awake(name);
      if (random.chance(0.3)) await stage.leave(name);
    }
  } finally {
    await endings.run();
  }
};

/** No connected peer is ahead, so the nodes dial another peer. They disconnect it if it is not ahead either. */
export const lonely: Act = async (stage) => {
  const { random } = stage;
  for (const name of ['a', 'b'].slice(random.below(3)))
    await join(stage, name, random.chance(0.8) ? 'behind' : 'in sync');
  for (const name of ['a', 'b']) if (stage.isThere(name)) stage.awake(name);
  const timeoutMs = Math.max(0, FIRST_MS - stage.nodes.ageMs) + ONE_MORE_MS;
  await meet(stage, { host: stage.host() }, timeoutMs, async () => {
    await stage.write('f', 'answers', firstHello(), { quietMs: 150 });
    await sayStanding(stage, 'f', random.pick(['behind', 'in sync', 'ahead'] as const));
  });
};

function foundAs(random: RandomChoices, host: string): FoundNodeOptions {
  const way = random.below(8);
  if (way === 0) return { host, networkId: random.pick([1, NETWORK + 1]) };
  return way === 1 ? { host, saidPort: 4242 } : { host };
}

async function meet(
  stage: Stage,
  options: FoundNodeOptions,
  timeoutMs: number,
  met: (callee: Callee) => Promise<void>,
): Promise<void> {
  const endings = new Endings();
  try {
    const callee = await appear(stage, options, endings);
    if (await stage.answerDials('f', callee, timeoutMs)) await met(callee);
  } finally {
    await endings.run();
  }
}

/** Starts a node that both nodes can discover and dial. */
export async function appear(stage: Stage, options: FoundNodeOptions, endings: Endings): Promise<Callee> {
  const port = await freePort();
  const callee = await Callee.listen(stage.nodes, options.host, port);
  endings.teardown(() => callee.close());
  const node = await FoundNode.open(stage.nodes, port, options);
  endings.teardown(() => node.close());
  stage.story.push(`both nodes can discover a node, ${JSON.stringify(options)}`);
  return callee;
}

async function answer(stage: Stage, name: string): Promise<void> {
  const { random, nodes } = stage;
  const word = random.chance(0.4) ? 'fine' : random.pick(Object.keys(firstWords));
  const bytes = word === 'fine' ? firstHello() : (firstWords[word]?.(stage) ?? firstHello());
  const shown = Buffer.from(bytes).toString('hex').slice(0, 300);
  await stage.write(name, `answers with ${word}: ${shown}`, bytes, { quietMs: 150 });
  if (stage.hasEnded(name)) return;
  const hello = random.chance(0.5) ? oddHello(stage) : helloOf(nodes.ours);
  await stage.say(name, 'sends HELLO', [sayHello(hello)]);
}
