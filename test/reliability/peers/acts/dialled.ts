import { type Act, firstHello } from '../act.js';
import { Callee } from '../callee.js';
import { helloOf, sayHello } from '../said.js';
import { firstWords, oddHello } from './handshakes.js';

/** Both nodes dial somebody, who answers as it should be, or otherwise. */
export const dialled: Act = async (stage) => {
  const { dice, nodes } = stage;
  const callee = await Callee.listen(nodes);
  try {
    for (let times = 1 + dice.below(2); times > 0; times--) {
      const name = `a${times}`;
      await stage.answerDials(name, callee);
      const word = dice.chance(0.4) ? 'fine' : dice.pick(Object.keys(firstWords));
      const bytes = word === 'fine' ? firstHello() : (firstWords[word]?.(stage) ?? firstHello());
      await stage.write(name, `answers with ${word}: ${Buffer.from(bytes).toString('hex').slice(0, 300)}`, bytes, {
        quietMs: 150,
      });
      if (stage.hasEnded(name)) continue;
      const hello = dice.chance(0.5) ? oddHello(stage) : helloOf(nodes.ours);
      await stage.say(name, 'says hello', [sayHello(hello)]);
      if (stage.isThere(name)) await stage.leave(name);
    }
  } finally {
    callee.close();
  }
};
