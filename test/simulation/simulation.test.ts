import t from 'tap';
import { planOf } from './plan.js';
import { simulate } from './simulate.js';

/** Seeds of the test. `npm run simulation -- --seeds 1000 --from 1` runs more. */
const SEEDS = Array.from({ length: 20 }, (_, at) => at + 1);
/** A seed with a slow machine. The slowness must not use up the CPU quota of a peer. */
SEEDS.push(30);

t.test('simulated networks keep all invariants under any fault', async (t) => {
  for (const seed of SEEDS) {
    const { failure, story } = await simulate(planOf(seed));
    t.equal(failure?.message, undefined, `seed ${seed}: npm run simulation -- --from ${seed} --seeds 1`);
    if (failure !== undefined) t.comment(story.slice(-100).join('\n'));
  }
});

t.test('reproduces a run byte for byte from its seed', async (t) => {
  for (const seed of [1, 9]) {
    const [one, other] = [await simulate(planOf(seed)), await simulate(planOf(seed))];
    t.ok(one.story.length > 20, `${one.story.length} events`);
    t.equal(one.story.join('\n'), other.story.join('\n'));
    t.equal(one.head, other.head);
  }
});
