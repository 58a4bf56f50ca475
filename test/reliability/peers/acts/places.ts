import { encodeFrame } from '../../../../src/p2p/transport/frames.js';
import { type Act, greet, join } from '../act.js';
import { helloOf, sayHello } from '../said.js';

/** Address of trusted peers. The number of their connections is not limited. */
export const TRUSTED = '127.201.0.1';
/** Maximum number of connected peers. */
export const PLACES = 3;
/** Maximum number of connections from one address. */
export const PLACES_OF_ONE = 2;

/** More peers connect than allowed. Some of them disconnect, and their address is then rejected for a while. */
export const places: Act = async (stage) => {
  const { random } = stage;
  const names: string[] = [];
  const hosts: string[] = [];
  for (let times = 3 + random.below(6); times > 0; times--) {
    const way = random.below(10);
    const there = names.filter((name) => stage.isThere(name));
    if (way < 2 && there.length > 0) {
      await stage.leave(random.pick(there));
      continue;
    }
    const name = `p${names.length}`;
    names.push(name);
    const host = way < 4 && hosts.length > 0 ? random.pick(hosts) : way < 6 ? TRUSTED : stage.host();
    hosts.push(host);
    if (random.chance(0.2)) {
      await stage.dial(name, host);
      await stage.write(
        name,
        'starts without the HELLO of the connection layer',
        encodeFrame(sayHello(helloOf(stage.nodes.ours))),
        {
          quietMs: 100,
        },
      );
    } else await greet(stage, name, {}, host);
    if (!stage.hasEnded(name) && random.chance(0.3))
      await stage.say(name, 'sends HELLO', [sayHello(helloOf(stage.nodes.ours))]);
  }
};

/** The maximum number of peers is connected. The nodes then disconnect a peer that is behind and not trusted. */
export const eliminations: Act = async (stage) => {
  await join(stage, 'a', 'in sync', { from: TRUSTED });
  await join(stage, 'b', 'in sync', { from: TRUSTED });
  await join(stage, 'c', 'behind');
  for (const name of ['a', 'b', 'c']) stage.awake(name);
  await stage.until('c', stage.nodes.release === '4.7.2' ? 65_000 : 335_000);
  await greet(stage, 'd');
};
