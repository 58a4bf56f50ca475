import { max64, min64 } from '../../log/domain/int64.js';
/** Where a row holds no limit: contracts made by contracts, or before the energy limit fork. Reference: CREATOR_DEFAULT_ENERGY_LIMIT */
const DEFAULT_ORIGIN_LIMIT = 10000000n;
/** A contract's row as the reference reads it. Reference: ContractCapsule.getConsumeUserResourcePercent, getOriginEnergyLimit. */
export function energyTerms({ consumeUserResourcePercent, originEnergyLimit }) {
    return {
        callerPercent: max64(0n, min64(consumeUserResourcePercent, 100n)),
        originLimit: originEnergyLimit === 0n ? DEFAULT_ORIGIN_LIMIT : originEnergyLimit,
    };
}
//# sourceMappingURL=energy-terms.js.map