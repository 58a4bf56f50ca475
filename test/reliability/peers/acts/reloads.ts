import { setTimeout as sleep } from 'node:timers/promises';
import type { RandomChoices } from '../../differential/random-choices.js';
import { Endings } from '../../support/endings.js';
import { type Act, firstHello, greet, sayStanding } from '../act.js';
import { Callee } from '../callee.js';

/** Addresses of peers that a reload may add to the active or the passive list. */
const HOSTS: readonly string[] = ['127.203.0.1', '127.203.0.2', '127.203.0.3'];
/** Interval at which a node checks its configuration file, in seconds. The first check is 10 s after the start. */
const CHECK_S = 1;
/** Time in ms after a change of the configuration file until a node has detected and applied the change. */
const CHECKED_MS = 2500;
/** Maximum time in ms until both nodes dial a configured peer. The nodes dial every 3.6 s. */
const ROUND_MS = 5000;

/** Configuration that allows one connection per address. Trusted peers are not limited. */
export const RELOADING = `node.dynamicConfig.enable = true
node.dynamicConfig.checkInterval = ${CHECK_S}
node.maxConnectionsWithSameIp = 1`;

/**
 * The configuration file changes. Checks which peers the nodes then dial, and from which peers they accept any number
 * of connections.
 */
export const reloads: Act = async (stage) => {
  const { random, nodes } = stage;
  const lines = changedLines(random, nodes.callee.port);
  stage.story.push(`the file has ${JSON.stringify(lines)}`);
  nodes.reconfigure(lines);
  await sleep(CHECKED_MS);
  const endings = new Endings();
  try {
    const callees: (readonly [string, Callee])[] = [];
    for (const host of HOSTS) {
      const callee = await Callee.listen(nodes, host, nodes.callee.port);
      endings.teardown(() => callee.close());
      callees.push([host, callee]);
    }
    const dialled = await Promise.all(
      callees.map(([host, callee]) => stage.answerDials(`dialled at ${host}`, callee, ROUND_MS)),
    );
    stage.story.push(`dialled nodes among ${HOSTS}: ${dialled}`);
    for (const [at, host] of HOSTS.entries()) {
      if (dialled[at] !== true) continue;
      await stage.write(`dialled at ${host}`, 'answers', firstHello(), { quietMs: 100 });
      await sayStanding(stage, `dialled at ${host}`, 'in sync');
      stage.awake(`dialled at ${host}`);
    }
    const host = random.pick(HOSTS);
    for (const name of ['a', 'b']) await greet(stage, name, {}, host);
  } finally {
    await endings.run();
  }
};

function changedLines(random: RandomChoices, port: number): string {
  const some = (): string =>
    HOSTS.filter(() => random.chance(0.5))
      .map((host) => `"${host}:${port}"`)
      .join(', ');
  const active = random.chance(0.9) ? `node.active = [${some()}]` : '';
  const passive = random.chance(0.9) ? `node.passive = [${some()}]` : '';
  const lines = `${active}\n${passive}`;
  switch (random.below(10)) {
    case 0:
      return `${lines}\nnode.passive = ["127.203.0.1"]`;
    case 1:
      return `${lines}\nnode.active = ["127.203.0.1", "127.203.0.2:${port}"]`;
    case 2:
      return `${lines}\nnode.active = ["127.203.0.1`;
    case 3:
      return `${lines}\nnode.maxConnections = many`;
    case 4:
      return `${lines}\nvm.supportConstant = many\nblock.needSyncCheck = [1]`;
    case 5:
      return `${lines}\nnode.listen.port = ${port}\nnode.maxConnections = 1`;
    case 6:
      return `${lines}\nnode.passive = "127.203.0.1:1"`;
    default:
      return lines;
  }
}
