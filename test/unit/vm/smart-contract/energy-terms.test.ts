import t from 'tap';
import { SmartContract } from '../../../../src/codec/generated/messages.js';
import { energyTerms } from '../../../../src/vm/smart-contract/energy-terms.js';

// Reference: ContractCapsule.getConsumeUserResourcePercent, getOriginEnergyLimit.
for (const [percent, limit, callerPercent, originLimit] of [
  [0n, 0n, 0n, 10_000_000n],
  [100n, 1n, 100n, 1n],
  [-5n, -1n, 0n, -1n],
  [250n, 30_000_000n, 100n, 30_000_000n],
] as const) {
  t.test(`reads the energy terms of a contract with ${percent} % and limit ${limit}`, async (t) => {
    const row = Object.assign(new SmartContract(), { consumeUserResourcePercent: percent, originEnergyLimit: limit });
    t.same(energyTerms(row), { callerPercent, originLimit });
  });
}
