import assert from 'node:assert/strict';
import t from 'tap';
import { addressBytes } from '../../../../src/primitives/address.js';
import { fromHex } from '../../../../src/primitives/bytes.js';
import { Deadline } from '../../../../src/primitives/deadline.js';
import { type ConstantLimits, estimateEnergy } from '../../../../src/vm/smart-contract/constant.js';
import { callContext, contractAt, OWNER, worldWith } from '../../../support/vm/vm-world.js';

/** Code that writes a word to memory. */
const CODE = '5f5f5200';
const RETRIES = 3;

/**
 * @param isLate returns true if the run with an index exceeds its time limit
 * @param price energy price in SUN
 */
function estimate(isLate: (run: number) => boolean, price = 100n): { runs: number; energy: bigint | undefined } {
  const state = worldWith([fromHex(CODE)], { properties: { MAX_FEE_LIMIT: 10n ** 9n, ENERGY_FEE: price } });
  const { block } = callContext(state, { data: new Uint8Array(0), energy: 0 });
  assert.ok(block !== undefined);
  let runs = 0;
  const limits = (): ConstantLimits => ({
    energy: 10n ** 8n,
    ...(isLate(runs++) && { deadline: new Deadline(0) }),
  });
  const call = {
    owner: addressBytes(OWNER),
    contractAddress: addressBytes(contractAt(0)),
    data: new Uint8Array(0),
    callValue: 0n,
    tokenValue: 0n,
    tokenId: 0n,
    feeLimit: 0n,
    transactionId: () => new Uint8Array(32),
  };
  const { energyRequired } = estimateEnergy(state, call, { block, blockId: () => undefined }, limits, RETRIES);
  return { runs, energy: energyRequired };
}

t.test('repeats a run that exceeds its time limit, but not the last run', async (t) => {
  const { runs, energy } = estimate(() => false);
  t.ok(energy !== undefined && energy > 0n);
  t.same(
    estimate((run) => run < RETRIES),
    { runs: runs + RETRIES, energy },
  );
  t.throws(() => estimate((run) => run <= RETRIES), { code: 'OUT_OF_TIME' });
  t.throws(() => estimate((run) => run === runs - 1), { code: 'OUT_OF_TIME' });
});

// java-tron divides the fee limit 0 by the price 0 as doubles. The result, NaN, is 0 as a long. Reference:
// Wallet.estimateEnergy.
t.test('estimates no energy if energy is free', async (t) => {
  t.equal(estimate(() => false, 0n).energy, 0n);
});
