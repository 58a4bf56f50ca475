import t from 'tap';
import { play, scenarios } from './scenarios.js';

for (const scenario of scenarios) {
  t.test(scenario.name, async (t) => {
    const { failure, story } = await play(scenario);
    t.equal(failure?.message, undefined);
    if (failure !== undefined) t.comment(story.slice(-60).join('\n'));
  });
}
