import { hasPassed, VERSION } from '../consensus/fork-versions.js';
export function readRuleSet(state) {
    const { properties } = state;
    return {
        energyLimitFork: hasPassed(state, VERSION.ENERGY_LIMIT),
        multiSign: properties.isOn('ALLOW_MULTI_SIGN'),
        transferTrc10: properties.isOn('ALLOW_TVM_TRANSFER_TRC10'),
        constantinople: properties.isOn('ALLOW_TVM_CONSTANTINOPLE'),
        solidity059: properties.isOn('ALLOW_TVM_SOLIDITY_059'),
        shieldedTrc20: properties.isOn('ALLOW_SHIELDED_TRC20_TRANSACTION'),
        istanbul: properties.isOn('ALLOW_TVM_ISTANBUL'),
        freeze: properties.isOn('ALLOW_TVM_FREEZE'),
        vote: properties.isOn('ALLOW_TVM_VOTE'),
        london: properties.isOn('ALLOW_TVM_LONDON'),
        compatibleEvm: properties.isOn('ALLOW_TVM_COMPATIBLE_EVM'),
        higherCpuLimit: properties.isOn('ALLOW_HIGHER_LIMIT_FOR_MAX_CPU_TIME_OF_ONE_TX'),
        freezeV2: properties.supportsUnfreezeDelay(),
        optimizedChainId: properties.isOn('ALLOW_OPTIMIZED_RETURN_VALUE_OF_CHAIN_ID'),
        dynamicEnergy: properties.isOn('ALLOW_DYNAMIC_ENERGY'),
        shanghai: properties.isOn('ALLOW_TVM_SHANGHAI'),
        energyAdjustment: properties.isOn('ALLOW_ENERGY_ADJUSTMENT'),
        cancun: properties.isOn('ALLOW_TVM_CANCUN'),
        blob: properties.isOn('ALLOW_TVM_BLOB'),
        selfDestructRestriction: properties.isOn('ALLOW_TVM_SELFDESTRUCT_RESTRICTION'),
        osaka: properties.isOn('ALLOW_TVM_OSAKA'),
    };
}
//# sourceMappingURL=rule-set.js.map