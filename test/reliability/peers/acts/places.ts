import { encodeFrame } from '../../../../src/p2p/transport/frames.js';
import { type Act, greet, join } from '../act.js';
import { helloOf, sayHello } from '../said.js';

/** Peers whose number of connections is not limited when few places are free. */
export const TRUSTED = '127.201.0.1';
/** Peers that may be connected at once, and of one address. */
export const PLACES = 3;
export const PLACES_OF_ONE = 2;

/** More want to come than may; some go again, and an address that went is not taken for a while. */
export const places: Act = async (stage) => {
  const { dice } = stage;
  const names: string[] = [];
  const hosts: string[] = [];
  for (let times = 3 + dice.below(6); times > 0; times--) {
    const way = dice.below(10);
    const there = names.filter((name) => stage.isThere(name));
    if (way < 2 && there.length > 0) {
      await stage.leave(dice.pick(there));
      continue;
    }
    const name = `p${names.length}`;
    names.push(name);
    const host = way < 4 && hosts.length > 0 ? dice.pick(hosts) : way < 6 ? TRUSTED : stage.host();
    hosts.push(host);
    if (dice.chance(0.2)) {
      await stage.dial(name, host);
      await stage.write(name, 'begins without the first hello', encodeFrame(sayHello(helloOf(stage.nodes.ours))), {
        quietMs: 100,
      });
    } else await greet(stage, name, {}, host);
    if (!stage.hasEnded(name) && dice.chance(0.3))
      await stage.say(name, 'says hello', [sayHello(helloOf(stage.nodes.ours))]);
  }
};

/** All places are taken: who came, is no trusted one and is behind goes by and by. */
export const eliminations: Act = async (stage) => {
  await join(stage, 'a', 'in sync', { from: TRUSTED });
  await join(stage, 'b', 'in sync', { from: TRUSTED });
  await join(stage, 'c', 'behind');
  for (const name of ['a', 'b', 'c']) stage.awake(name);
  await stage.until('c', stage.nodes.release === '4.7.2' ? 65_000 : 335_000);
  await greet(stage, 'd');
};
