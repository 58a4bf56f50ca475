import { mutate } from './mutate.js';
import { planOf } from './plan.js';
import { play, scenarios } from './scenarios.js';
import { shrink } from './shrink.js';
import { type Outcome, simulate } from './simulate.js';

/**
 * Runs `npm run simulation -- --from 1 --seeds 20`, `-- --scenario words`, or `-- --mutations [--search 40] [--only
 * words]`. The exit code is 1 if a simulation failed.
 */
const has = (name: string): boolean => process.argv.includes(`--${name}`);
const option = (name: string): string | undefined =>
  has(name) ? process.argv[process.argv.indexOf(`--${name}`) + 1] : undefined;

const run = has('mutations') ? mutations : has('scenario') ? scenes : seeds;
process.exit((await run()) === 0 ? 0 : 1);

async function scenes(): Promise<number> {
  let failed = 0;
  for (const scenario of scenarios) {
    if (!scenario.name.includes(option('scenario') ?? '')) continue;
    const { failure, story } = await play(scenario);
    console.log(`${scenario.name}: ${failure === undefined ? 'passed' : ` FAILED ${failure.message}`}`);
    if (failure === undefined) continue;
    failed++;
    if (!has('until-failure')) console.log(story.join('\n'));
  }
  return failed;
}

async function mutations(): Promise<number> {
  const search = option('search');
  const missed = await mutate({ seeds: search === undefined ? undefined : Number(search), only: option('only') });
  console.log(`${missed} not found`);
  return missed;
}

async function seeds(): Promise<number> {
  const from = Number(option('from') ?? 1);
  const count = Number(option('seeds') ?? 20);
  let [failed, slowestMs, blocks, reorgs] = [0, 0, 0, 0];
  for (let seed = from; seed < from + count; seed++) {
    const outcome = await simulate(planOf(seed));
    blocks += outcome.blocks;
    reorgs += outcome.reorgs;
    if (outcome.failure === undefined) {
      slowestMs = Math.max(slowestMs, outcome.agreedMs);
      if (has('each')) console.log(summary(outcome));
      continue;
    }
    failed++;
    console.log(`seed ${seed} FAILED ${outcome.failure.message.slice(0, 300)}`);
    if (has('until-failure')) break;
    report(await shrink(outcome));
  }
  const sums = `${blocks} blocks executed, ${reorgs} reorgs, heads agreed within ${slowestMs} ms`;
  console.log(`${count} seeds from ${from} on, ${failed} failed; ${sums}`);
  return failed;
}

function summary({ plan, blocks, reorgs, agreedMs }: Outcome): string {
  const faults = plan.faults.map((fault) => (fault.kind === 'forgery' ? fault.what : fault.kind)).join(', ');
  return `seed ${plan.seed}: ${plan.nodes} nodes, ${faults}; ${blocks} blocks, ${reorgs} reorgs, agreed after ${agreedMs} ms`;
}

function report({ plan, story, failure }: Outcome): void {
  console.log(`the smallest plan with this failure: ${plan.nodes} nodes, ${JSON.stringify(plan.faults)}`);
  console.log(story.join('\n'));
  console.log(failure?.message);
}
