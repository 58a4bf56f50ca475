import { planOf } from './plan.js';
import { simulate } from './simulate.js';

const option = (name: string, fallback: number): number => {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? fallback : Number(process.argv[at + 1]);
};

const from = option('from', 1);
const seeds = option('seeds', 20);
let failed = 0;
for (let seed = from; seed < from + seeds; seed++) {
  const began = performance.now();
  const outcome = await simulate(planOf(seed));
  const { failure, agreedMs, blocks, switches, plan } = outcome;
  const took = `${Math.round(performance.now() - began)} ms`;
  console.log(
    `seed ${seed}: ${plan.nodes} nodes, ${plan.faults.map(({ kind }) => kind).join(' ')}; ${blocks} blocks, ${switches} switches, agreed ${agreedMs}, ${took} ${failure ?? ''}`,
  );
  if (failure !== undefined) {
    failed++;
    if (process.argv.includes('--story')) console.log(outcome.story.join('\n'));
  }
}
console.log(`${seeds} seeds, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
