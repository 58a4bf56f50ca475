import { JsonNumber } from './json-text.js';
import { ParameterKindError } from './rpc-error.js';
export const text = (value) => {
    if (value === null || typeof value === 'string')
        return value;
    if (typeof value === 'boolean' || value instanceof JsonNumber)
        return String(value);
    throw new ParameterKindError();
};
export const flag = (value) => {
    if (value === null || typeof value === 'boolean')
        return value;
    if (value instanceof JsonNumber && value.isInteger)
        return BigInt(value.text) !== 0n;
    if (typeof value === 'string')
        return isNullText(value) ? null : flagOfText(javaTrim(value));
    throw new ParameterKindError();
};
/** Texts that Jackson takes for null where it reads another kind. */
function isNullText(text) {
    const trimmed = javaTrim(text);
    return trimmed === '' || trimmed === 'null';
}
/** Reference: String.trim, which takes every control character for a space, and nothing above it. */
function javaTrim(text) {
    return text.replace(OUTER_SPACES, '');
}
const OUTER_SPACES = /^[\0- ]+|[\0- ]+$/g;
function flagOfText(word) {
    if (/^(true|True|TRUE)$/.test(word))
        return true;
    if (/^(false|False|FALSE)$/.test(word))
        return false;
    throw new ParameterKindError();
}
/** A whole number that fits in the given bits; a fraction is cut off. */
function integer(bits) {
    const limit = 1n << BigInt(bits - 1);
    return (value) => {
        if (value === null || (typeof value === 'string' && isNullText(value)))
            return null;
        const number = wholeNumber(value);
        if (number === undefined || number >= limit || number < -limit)
            throw new ParameterKindError();
        return number;
    };
}
function wholeNumber(value) {
    if (typeof value === 'string')
        return /^[\0- ]*[+-]?\d{1,19}[\0- ]*$/.test(value) ? BigInt(javaTrim(value).replace('+', '')) : undefined;
    if (!(value instanceof JsonNumber))
        return undefined;
    if (value.isInteger)
        return BigInt(value.text);
    const number = Math.trunc(Number(value.text));
    return Number.isFinite(number) ? BigInt(number) : undefined;
}
export const int32 = integer(32);
export const int64 = integer(64);
export const anything = (value) => value;
/** A single value counts as a list of one. */
export const list = (value) => {
    if (value === null || Array.isArray(value))
        return value;
    return [value];
};
/** A bean: members of an object by name, each with its value when it is left out; others are not allowed. */
function bean(members) {
    const readers = new Map(Object.entries(members));
    return (value) => {
        if (value === null)
            return null;
        if (!(value instanceof Map))
            throw new ParameterKindError();
        const result = {};
        for (const [name, [, initial]] of readers)
            result[name] = initial;
        for (const [name, member] of value) {
            const reader = readers.get(name);
            if (reader === undefined)
                throw new ParameterKindError();
            result[name] = reader[0](member);
        }
        return result;
    };
}
const callMembers = {
    from: [text, '0x0000000000000000000000000000000000000000'],
    to: [text, null],
    gas: [text, ''],
    gasPrice: [text, ''],
    value: [text, ''],
    data: [text, null],
    nonce: [text, null],
};
const buildMembers = {
    from: [text, null],
    to: [text, null],
    gas: [text, '0x0'],
    gasPrice: [text, ''],
    value: [text, null],
    data: [text, null],
    nonce: [text, ''],
    tokenId: [int64, 0n],
    tokenValue: [int64, 0n],
    abi: [text, ''],
    consumeUserResourcePercent: [int64, 0n],
    originEnergyLimit: [int64, 0n],
    name: [text, ''],
    permissionId: [int32, 0n],
    extraData: [text, ''],
    visible: [flag, false],
};
const INPUT = { input: [text, null] };
export function argumentReaders({ readsInput }) {
    const added = readsInput ? INPUT : undefined;
    return {
        callArguments: bean({ ...callMembers, ...added }),
        buildArguments: bean({ ...buildMembers, ...added }),
    };
}
export const filterRequest = bean({
    fromBlock: [text, null],
    toBlock: [text, null],
    address: [anything, null],
    topics: [list, null],
    blockHash: [text, null],
});
//# sourceMappingURL=parameters.js.map