import type { Fault, Plan } from './plan.js';
import { type Outcome, simulate } from './simulate.js';

/** Maximum number of simulations with which a plan is shrunk. */
const TRIES = 60;

/**
 * Returns a smaller plan that fails in the same way. The plan has fewer and shorter faults, fewer nodes, fewer payments
 * and shorter delays in the network.
 */
export async function shrink(failed: Outcome): Promise<Outcome> {
  let best = failed;
  let tries = 0;
  const attempt = async (plan: Plan): Promise<boolean> => {
    if (tries++ >= TRIES) return false;
    const outcome = await simulate(plan);
    if (outcome.failure?.kind !== failed.failure?.kind) return false;
    best = outcome;
    return true;
  };
  for (let isSmaller = true; isSmaller && tries < TRIES; ) {
    isSmaller = false;
    for (let at = best.plan.faults.length - 1; at >= 0; at--) {
      const faults = best.plan.faults.filter((_, place) => place !== at);
      if (await attempt({ ...best.plan, faults })) isSmaller = true;
    }
    for (const nodes of [5, Math.ceil(best.plan.nodes / 2), best.plan.nodes - 1]) {
      if (nodes < 5 || nodes >= best.plan.nodes) continue;
      if (await attempt({ ...best.plan, nodes, faults: best.plan.faults.flatMap((fault) => among(fault, nodes)) }))
        isSmaller = true;
    }
    for (const calmer of calmerThan(best.plan)) if (await attempt(calmer)) isSmaller = true;
  }
  return best;
}

function calmerThan(plan: Plan): readonly Plan[] {
  const made: Plan[] = [];
  if (plan.slownessMs > 0) made.push({ ...plan, slownessMs: 0 });
  if (plan.paymentMs < NO_PAYMENTS_MS) made.push({ ...plan, paymentMs: NO_PAYMENTS_MS });
  const [least, most] = plan.calm.delayMs;
  if (most > least + 1) made.push({ ...plan, calm: { ...plan.calm, delayMs: [least, least + 1] } });
  plan.faults.forEach((fault, at) => {
    if (fault.forMs < 6_000) return;
    const shorter = { ...fault, forMs: Math.ceil(fault.forMs / 2) };
    made.push({ ...plan, faults: plan.faults.map((other, place) => (place === at ? shorter : other)) });
  });
  return made;
}

const NO_PAYMENTS_MS = 3_600_000;

/** Returns the fault in a network with fewer nodes. Returns an empty list if its nodes no longer exist. */
function among(fault: Fault, nodes: number): readonly Fault[] {
  switch (fault.kind) {
    case 'crash':
    case 'skew':
      return fault.node < nodes ? [fault] : [];
    case 'duplicate':
      return fault.of < nodes ? [fault] : [];
    case 'cut': {
      const side = fault.side.filter((at) => at < nodes);
      return side.length > 0 && side.length < nodes ? [{ ...fault, side }] : [];
    }
    default:
      return [fault];
  }
}
