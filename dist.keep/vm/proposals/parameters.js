import { hasPassed, VERSION } from '../consensus/fork-versions.js';
import { refuse } from '../errors.js';
import { adaptiveEnergy, adaptiveRatio, energyLimit, energyLimitAndCurrent, newReward, once, onceWithContracts, withContracts, withHistory, } from './parameter-effects.js';
const ONE = [1n, 1n];
const WIDE = [0n, 100000000000000000n];
const WIDE_ERROR = 'Bad chain parameter value, valid range is [0,100000000000000000]';
/** Reference: ProposalUtil.ProposalType and its validator, ProposalService. */
// biome-ignore format: one row a line
export const chainParameters = [
    { id: 0, property: 'MAINTENANCE_TIME_INTERVAL', range: [81000n, 86400000n], rangeError: 'Bad chain parameter value, valid range is [3 * 27 * 1000,24 * 3600 * 1000]' },
    { id: 1, property: 'ACCOUNT_UPGRADE_COST', range: WIDE, rangeError: WIDE_ERROR },
    { id: 2, property: 'CREATE_ACCOUNT_FEE', range: WIDE, rangeError: WIDE_ERROR },
    { id: 3, property: 'TRANSACTION_FEE', range: WIDE, rangeError: WIDE_ERROR, apply: withHistory('BANDWIDTH_PRICE_HISTORY') },
    { id: 4, property: 'ASSET_ISSUE_FEE', range: WIDE, rangeError: WIDE_ERROR },
    { id: 5, property: 'WITNESS_PAY_PER_BLOCK', range: WIDE, rangeError: WIDE_ERROR },
    { id: 6, property: 'WITNESS_STANDBY_ALLOWANCE', range: WIDE, rangeError: WIDE_ERROR },
    { id: 7, property: 'CREATE_NEW_ACCOUNT_FEE_IN_SYSTEM_CONTRACT', range: WIDE, rangeError: WIDE_ERROR },
    { id: 8, property: 'CREATE_NEW_ACCOUNT_BANDWIDTH_RATE', range: WIDE, rangeError: WIDE_ERROR },
    { id: 9, property: 'ALLOW_CREATION_OF_CONTRACTS', range: ONE, rangeError: 'This value[ALLOW_CREATION_OF_CONTRACTS] is only allowed to be 1' },
    { id: 10, property: 'REMOVE_THE_POWER_OF_THE_GR', range: ONE, rangeError: 'This value[REMOVE_THE_POWER_OF_THE_GR] is only allowed to be 1', before: powerNotRemoved, apply: once },
    { id: 11, property: 'ENERGY_FEE', apply: withHistory('ENERGY_PRICE_HISTORY') },
    { id: 12, property: 'EXCHANGE_CREATE_FEE' },
    { id: 13, property: 'MAX_CPU_TIME_OF_ONE_TX', check: cpuTime },
    { id: 14, property: 'ALLOW_UPDATE_ACCOUNT_NAME', range: ONE, rangeError: 'This value[ALLOW_UPDATE_ACCOUNT_NAME] is only allowed to be 1' },
    { id: 15, property: 'ALLOW_SAME_TOKEN_NAME', range: ONE, rangeError: 'This value[ALLOW_SAME_TOKEN_NAME] is only allowed to be 1' },
    { id: 16, property: 'ALLOW_DELEGATE_RESOURCE', range: ONE, rangeError: 'This value[ALLOW_DELEGATE_RESOURCE] is only allowed to be 1' },
    { id: 17, property: 'TOTAL_ENERGY_LIMIT', fork: VERSION.ENERGY_LIMIT, forkError: 'Bad chain parameter id', before: beforeNewerEnergyLimit, range: WIDE, rangeError: WIDE_ERROR, apply: energyLimit },
    { id: 18, property: 'ALLOW_TVM_TRANSFER_TRC10', range: ONE, rangeError: 'This value[ALLOW_TVM_TRANSFER_TRC10] is only allowed to be 1', requires: ['ALLOW_SAME_TOKEN_NAME'] },
    { id: 19, property: 'TOTAL_ENERGY_LIMIT', fork: VERSION.V3_2_2, forkError: 'Bad chain parameter id', range: WIDE, rangeError: WIDE_ERROR, apply: energyLimitAndCurrent },
    { id: 20, property: 'ALLOW_MULTI_SIGN', fork: VERSION.V3_5, forkError: 'Bad chain parameter id: ALLOW_MULTI_SIGN', range: ONE, rangeError: 'This value[ALLOW_MULTI_SIGN] is only allowed to be 1', apply: once },
    { id: 21, property: 'ALLOW_ADAPTIVE_ENERGY', fork: VERSION.V3_5, forkError: 'Bad chain parameter id: ALLOW_ADAPTIVE_ENERGY', range: ONE, rangeError: 'This value[ALLOW_ADAPTIVE_ENERGY] is only allowed to be 1', apply: adaptiveEnergy },
    { id: 22, property: 'UPDATE_ACCOUNT_PERMISSION_FEE', fork: VERSION.V3_5, forkError: 'Bad chain parameter id: UPDATE_ACCOUNT_PERMISSION_FEE', range: [0n, 100000000000n], rangeError: 'Bad chain parameter value, valid range is [0, 100_000_000_000L]' },
    { id: 23, property: 'MULTI_SIGN_FEE', fork: VERSION.V3_5, forkError: 'Bad chain parameter id: MULTI_SIGN_FEE', range: [0n, 100000000000n], rangeError: 'Bad chain parameter value, valid range is [0, 100_000_000_000L]' },
    { id: 24, property: 'ALLOW_PROTO_FILTER_NUM', fork: VERSION.V3_6, forkError: 'Bad chain parameter id', range: [0n, 1n], rangeError: 'This value[ALLOW_PROTO_FILTER_NUM] is only allowed to be 1 or 0' },
    { id: 25, property: 'ALLOW_ACCOUNT_STATE_ROOT', fork: VERSION.V3_6, forkError: 'Bad chain parameter id', range: [0n, 1n], rangeError: 'This value[ALLOW_ACCOUNT_STATE_ROOT] is only allowed to be 1 or 0' },
    { id: 26, property: 'ALLOW_TVM_CONSTANTINOPLE', fork: VERSION.V3_6, forkError: 'Bad chain parameter id', range: ONE, rangeError: 'This value[ALLOW_TVM_CONSTANTINOPLE] is only allowed to be 1', requires: ['ALLOW_TVM_TRANSFER_TRC10'], apply: withContracts(48) },
    { id: 29, property: 'ADAPTIVE_RESOURCE_LIMIT_MULTIPLIER', fork: VERSION.V3_6_5, forkError: 'Bad chain parameter id', range: [1n, 10000n], rangeError: 'Bad chain parameter value, valid range is [1,10_000]' },
    { id: 30, property: 'CHANGE_DELEGATION', fork: VERSION.V3_6_5, forkError: 'Bad chain parameter id', range: [0n, 1n], rangeError: 'This value[ALLOW_CHANGE_DELEGATION] is only allowed to be 1 or 0', apply: withContracts(49) },
    { id: 31, property: 'WITNESS_127_PAY_PER_BLOCK', fork: VERSION.V3_6_5, forkError: 'Bad chain parameter id', range: WIDE, rangeError: WIDE_ERROR },
    { id: 32, property: 'ALLOW_TVM_SOLIDITY_059', fork: VERSION.V3_6_5, forkError: 'Bad chain parameter id', range: ONE, rangeError: 'This value[ALLOW_TVM_SOLIDITY_059] is only allowed to be 1', requires: ['ALLOW_CREATION_OF_CONTRACTS'] },
    { id: 33, property: 'ADAPTIVE_RESOURCE_LIMIT_TARGET_RATIO', fork: VERSION.V3_6_5, forkError: 'Bad chain parameter id', range: [1n, 1000n], rangeError: 'Bad chain parameter value, valid range is [1,1_000]', apply: adaptiveRatio },
    { id: 35, property: 'FORBID_TRANSFER_TO_CONTRACT', fork: VERSION.V3_6_6, forkError: 'Bad chain parameter id', range: ONE, rangeError: 'This value[FORBID_TRANSFER_TO_CONTRACT] is only allowed to be 1', requires: ['ALLOW_CREATION_OF_CONTRACTS'] },
    { id: 39, property: 'ALLOW_SHIELDED_TRC20_TRANSACTION', fork: VERSION.V4_0_1, forkError: 'Bad chain parameter id [ALLOW_SHIELDED_TRC20_TRANSACTION]', range: [0n, 1n], rangeError: 'This value[ALLOW_SHIELDED_TRC20_TRANSACTION] is only allowed to be 1 or 0' },
    { id: 40, property: 'ALLOW_PBFT', fork: VERSION.V4_1, forkError: 'Bad chain parameter id [ALLOW_PBFT]', range: ONE, rangeError: 'This value[ALLOW_PBFT] is only allowed to be 1' },
    { id: 41, property: 'ALLOW_TVM_ISTANBUL', fork: VERSION.V4_1, forkError: 'Bad chain parameter id [ALLOW_TVM_ISTANBUL]', range: ONE, rangeError: 'This value[ALLOW_TVM_ISTANBUL] is only allowed to be 1' },
    { id: 44, property: 'ALLOW_MARKET_TRANSACTION', fork: VERSION.V4_1, closedBy: VERSION.V4_8_1, forkError: 'Bad chain parameter id [ALLOW_MARKET_TRANSACTION]', range: ONE, rangeError: 'This value[ALLOW_MARKET_TRANSACTION] is only allowed to be 1', apply: onceWithContracts(52, 53) },
    { id: 45, property: 'MARKET_SELL_FEE', fork: VERSION.V4_1, forkError: 'Bad chain parameter id [MARKET_SELL_FEE]', range: [0n, 10000000000n], rangeError: 'Bad MARKET_SELL_FEE parameter value, valid range is [0,10_000_000_000L]', before: marketIsOn('Sell') },
    { id: 46, property: 'MARKET_CANCEL_FEE', fork: VERSION.V4_1, forkError: 'Bad chain parameter id [MARKET_CANCEL_FEE]', range: [0n, 10000000000n], rangeError: 'Bad MARKET_CANCEL_FEE parameter value, valid range is [0,10_000_000_000L]', before: marketIsOn('Cancel') },
    { id: 47, property: 'MAX_FEE_LIMIT', fork: VERSION.V4_1_2, forkError: 'Bad chain parameter id [MAX_FEE_LIMIT]', check: maxFeeLimit },
    { id: 48, property: 'ALLOW_TRANSACTION_FEE_POOL', fork: VERSION.V4_1_2, forkError: 'Bad chain parameter id [ALLOW_TRANSACTION_FEE_POOL]', range: [0n, 1n], rangeError: 'This value[ALLOW_TRANSACTION_FEE_POOL] is only allowed to be 1 or 0' },
    { id: 49, property: 'ALLOW_BLACKHOLE_OPTIMIZATION', fork: VERSION.V4_1_2, forkError: 'Bad chain parameter id [ALLOW_REMOVE_BLACKHOLE]', range: [0n, 1n], rangeError: 'This value[ALLOW_REMOVE_BLACKHOLE] is only allowed to be 1 or 0' },
    { id: 51, property: 'ALLOW_NEW_RESOURCE_MODEL', fork: VERSION.V4_2, forkError: 'Bad chain parameter id [ALLOW_NEW_RESOURCE_MODEL]', range: ONE, rangeError: 'This value[ALLOW_NEW_RESOURCE_MODEL] is only allowed to be 1' },
    { id: 52, property: 'ALLOW_TVM_FREEZE', fork: VERSION.V4_2, forkError: 'Bad chain parameter id [ALLOW_TVM_FREEZE]', range: ONE, rangeError: 'This value[ALLOW_TVM_FREEZE] is only allowed to be 1', requires: ['ALLOW_DELEGATE_RESOURCE', 'ALLOW_MULTI_SIGN', 'ALLOW_TVM_CONSTANTINOPLE', 'ALLOW_TVM_SOLIDITY_059'] },
    { id: 53, property: 'ALLOW_ACCOUNT_ASSET_OPTIMIZATION', fork: VERSION.V4_3, forkError: 'Bad chain parameter id [ALLOW_ACCOUNT_ASSET_OPTIMIZATION]', range: ONE, rangeError: 'This value[ALLOW_ACCOUNT_ASSET_OPTIMIZATION] is only allowed to be 1' },
    { id: 59, property: 'ALLOW_TVM_VOTE', fork: VERSION.V4_3, forkError: 'Bad chain parameter id [ALLOW_TVM_VOTE]', range: ONE, rangeError: 'This value[ALLOW_TVM_VOTE] is only allowed to be 1', requires: ['CHANGE_DELEGATION'], apply: newReward },
    { id: 60, property: 'ALLOW_TVM_COMPATIBLE_EVM', fork: VERSION.V4_4, forkError: 'Bad chain parameter id [ALLOW_TVM_COMPATIBLE_EVM]', range: ONE, rangeError: 'This value[ALLOW_TVM_COMPATIBLE_EVM] is only allowed to be 1' },
    { id: 61, property: 'FREE_NET_LIMIT', fork: VERSION.V4_3, forkError: 'Bad chain parameter id [FREE_NET_LIMIT]', range: [0n, 100000n], rangeError: 'Bad chain parameter value, valid range is [0,100_000]' },
    { id: 62, property: 'TOTAL_NET_LIMIT', fork: VERSION.V4_3, forkError: 'Bad chain parameter id [TOTAL_NET_LIMIT]', range: [0n, 1000000000000n], rangeError: 'Bad chain parameter value, valid range is [0, 1_000_000_000_000L]' },
    { id: 63, property: 'ALLOW_TVM_LONDON', fork: VERSION.V4_4, forkError: 'Bad chain parameter id [ALLOW_TVM_LONDON]', range: ONE, rangeError: 'This value[ALLOW_TVM_LONDON] is only allowed to be 1' },
    { id: 65, property: 'ALLOW_HIGHER_LIMIT_FOR_MAX_CPU_TIME_OF_ONE_TX', fork: VERSION.V4_5, forkError: 'Bad chain parameter id [ALLOW_HIGHER_LIMIT_FOR_MAX_CPU_TIME_OF_ONE_TX]', range: ONE, rangeError: 'This value[ALLOW_HIGHER_LIMIT_FOR_MAX_CPU_TIME_OF_ONE_TX] is only allowed to be 1' },
    { id: 66, property: 'ALLOW_ASSET_OPTIMIZATION', fork: VERSION.V4_5, forkError: 'Bad chain parameter id [ALLOW_ASSET_OPTIMIZATION]', range: ONE, rangeError: 'This value[ALLOW_ASSET_OPTIMIZATION] is only allowed to be 1' },
    { id: 67, property: 'ALLOW_NEW_REWARD', fork: VERSION.V4_6, forkError: 'Bad chain parameter id [ALLOW_NEW_REWARD]', before: newRewardIsOff, range: ONE, rangeError: 'This value[ALLOW_NEW_REWARD] is only allowed to be 1', apply: newReward },
    { id: 68, property: 'MEMO_FEE', fork: VERSION.V4_6, forkError: 'Bad chain parameter id [MEMO_FEE]', range: [0n, 1000000000n], rangeError: 'This value[MEMO_FEE] is only allowed to be in the range 0-1000_000_000', apply: withHistory('MEMO_FEE_HISTORY') },
    { id: 69, property: 'ALLOW_DELEGATE_OPTIMIZATION', fork: VERSION.V4_6, forkError: 'Bad chain parameter id [ALLOW_DELEGATE_OPTIMIZATION]', range: ONE, rangeError: 'This value[ALLOW_DELEGATE_OPTIMIZATION] is only allowed to be 1' },
    { id: 70, property: 'UNFREEZE_DELAY_DAYS', fork: VERSION.V4_7, forkError: 'Bad chain parameter id [UNFREEZE_DELAY_DAYS]', range: [1n, 365n], rangeError: 'This value[UNFREEZE_DELAY_DAYS] is only allowed to be in the range 1-365', apply: withContracts(54, 55, 56, 57, 58) },
    { id: 71, property: 'ALLOW_OPTIMIZED_RETURN_VALUE_OF_CHAIN_ID', fork: VERSION.V4_7, forkError: 'Bad chain parameter id [ALLOW_OPTIMIZED_RETURN_VALUE_OF_CHAIN_ID]', range: ONE, rangeError: 'This value[ALLOW_OPTIMIZED_RETURN_VALUE_OF_CHAIN_ID] is only allowed to be 1' },
    { id: 72, property: 'ALLOW_DYNAMIC_ENERGY', fork: VERSION.V4_7, forkError: 'Bad chain parameter id [ALLOW_DYNAMIC_ENERGY]', range: [0n, 1n], rangeError: 'This value[ALLOW_DYNAMIC_ENERGY] is only allowed to be in the range 0-1', check: dynamicEnergyNeedsDelegation },
    { id: 73, property: 'DYNAMIC_ENERGY_THRESHOLD', fork: VERSION.V4_7, forkError: 'Bad chain parameter id [DYNAMIC_ENERGY_THRESHOLD]', range: WIDE, rangeError: WIDE_ERROR },
    { id: 74, property: 'DYNAMIC_ENERGY_INCREASE_FACTOR', fork: VERSION.V4_7, forkError: 'Bad chain parameter id [DYNAMIC_ENERGY_INCREASE_FACTOR]', range: [0n, 10000n], rangeError: 'This value[DYNAMIC_ENERGY_INCREASE_FACTOR] is only allowed to be in the range 0-10000' },
    { id: 75, property: 'DYNAMIC_ENERGY_MAX_FACTOR', fork: VERSION.V4_7, forkError: 'Bad chain parameter id [DYNAMIC_ENERGY_MAX_FACTOR]', range: [0n, 100000n], rangeError: 'This value[DYNAMIC_ENERGY_MAX_FACTOR] is only allowed to be in the range 0-100000' },
    { id: 76, property: 'ALLOW_TVM_SHANGHAI', fork: VERSION.V4_7_2, forkError: 'Bad chain parameter id [ALLOW_TVM_SHANGHAI]', range: ONE, rangeError: 'This value[ALLOW_TVM_SHANGHAI] is only allowed to be 1' },
    { id: 77, property: 'ALLOW_CANCEL_ALL_UNFREEZE_V2', fork: VERSION.V4_7_2, forkError: 'Bad chain parameter id [ALLOW_CANCEL_ALL_UNFREEZE_V2]', range: ONE, rangeError: 'This value[ALLOW_CANCEL_ALL_UNFREEZE_V2] is only allowed to be 1', requires: ['UNFREEZE_DELAY_DAYS'], apply: onceWithContracts(59) },
    { id: 78, property: 'MAX_DELEGATE_LOCK_PERIOD', fork: VERSION.V4_7_2, forkError: 'Bad chain parameter id [MAX_DELEGATE_LOCK_PERIOD]', check: delegateLockPeriod },
];
/** @throws {ContractValidateError} Reference: ProposalUtil.validator */
export function validateParameter(state, id, value) {
    const parameter = state.rules.release.parameters.get(id) ?? refuse(`Does not support code : ${id}`);
    if (parameter.fork !== undefined && !hasPassed(state, parameter.fork))
        refuse(parameter.forkError);
    if (parameter.closedBy !== undefined && hasPassed(state, parameter.closedBy))
        refuse(parameter.forkError);
    parameter.before?.(state);
    if (parameter.range !== undefined && (value < parameter.range[0] || value > parameter.range[1])) {
        refuse(parameter.rangeError);
    }
    parameter.check?.(state, value);
    for (const property of parameter.requires ?? []) {
        if (state.properties.get(property) !== 0n)
            continue;
        refuse(`[${proposalName(property)}] proposal must be approved before [${proposalName(parameter.property)}] can be proposed`);
    }
}
/** Texts name the proposal, which in one case is not called like its property. */
function proposalName(property) {
    return property === 'CHANGE_DELEGATION' ? 'ALLOW_CHANGE_DELEGATION' : property;
}
function powerNotRemoved(state) {
    if (state.properties.get('REMOVE_THE_POWER_OF_THE_GR') !== -1n)
        return;
    refuse('This proposal has been executed before and is only allowed to be executed once');
}
function beforeNewerEnergyLimit(state) {
    if (hasPassed(state, VERSION.V3_2_2))
        refuse('Bad chain parameter id');
}
function newRewardIsOff(state) {
    if (state.properties.isOn('ALLOW_NEW_REWARD'))
        refuse('New reward has been valid.');
}
function marketIsOn(name) {
    return (state) => {
        if (state.properties.isOn('ALLOW_MARKET_TRANSACTION'))
            return;
        refuse(`Market Transaction is not activated, can not set Market ${name} Fee`);
    };
}
function cpuTime(state, value) {
    const max = state.properties.isOn('ALLOW_HIGHER_LIMIT_FOR_MAX_CPU_TIME_OF_ONE_TX') ? 400n : 100n;
    if (value < 10n || value > max)
        refuse(`Bad chain parameter value, valid range is [10,${max}]`);
}
function maxFeeLimit(state, value) {
    if (value < 0n)
        refuse('Bad MAX_FEE_LIMIT parameter value, value must not be negative');
    if (value <= 10000000000n)
        return;
    if (state.properties.get('ALLOW_TVM_LONDON') === 0n) {
        refuse('Bad MAX_FEE_LIMIT parameter value, valid range is [0,10_000_000_000L]');
    }
    if (value > WIDE[1])
        refuse(WIDE_ERROR);
}
function dynamicEnergyNeedsDelegation(state, value) {
    if (value !== 1n || state.properties.get('CHANGE_DELEGATION') !== 0n)
        return;
    refuse('[ALLOW_CHANGE_DELEGATION] proposal must be approved before [ALLOW_DYNAMIC_ENERGY] can be opened');
}
function delegateLockPeriod(state, value) {
    const current = state.properties.get('MAX_DELEGATE_LOCK_PERIOD');
    if (value <= current || value > 10512000n) {
        const allowed = `greater than ${current} and less than or equal to 10512000 !`;
        refuse(`This value[MAX_DELEGATE_LOCK_PERIOD] is only allowed to be ${allowed}`);
    }
    if (state.properties.get('UNFREEZE_DELAY_DAYS') !== 0n)
        return;
    refuse('[UNFREEZE_DELAY_DAYS] proposal must be approved before [MAX_DELEGATE_LOCK_PERIOD] can be proposed');
}
//# sourceMappingURL=parameters.js.map