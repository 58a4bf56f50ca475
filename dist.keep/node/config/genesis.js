import { decodeBase58Check } from '../../log/domain/base58-check.js';
import { toHex } from '../../log/domain/bytes.js';
import { UsageError } from '../../log/domain/errors.js';
import { asInt64, asObject, asObjects, asText, originText, toLong, unwrappedText, valueAt, } from './hocon-value.js';
import { described, row } from './row.js';
const KEY = 'genesis.block';
const NO_GENESIS = { timestamp: 0, parentHash: '00', accounts: [], witnesses: [] };
const TYPES = ['Normal', 'AssetIssue', 'Contract'];
/** Section `genesis.block`. @throws {UsageError} with the reference's texts. Reference: GenesisBlock, Account, Witness. */
export const genesisRow = {
    ...row(KEY, 'object', NO_GENESIS, 'block 0 and the state that it makes', readGenesis),
    fallback: 'absent: timestamp 0, parent hash 00, nobody',
    also: members(),
};
function readGenesis(value, _key, source) {
    asObject(value, KEY);
    const { root } = source;
    const list = (name, read) => {
        const found = valueAt(root, `${KEY}.${name}`);
        return found === undefined ? [] : asObjects(found, `${KEY}.${name}`).map(read);
    };
    const prefix = addressPrefix(source);
    return {
        timestamp: readTimestamp(root),
        parentHash: readParentHash(root),
        accounts: list('assets', (object) => readAccount(object, prefix)),
        witnesses: list('witnesses', (object) => readWitness(object, prefix)),
    };
}
/** First byte of every address of the network: 0x41, or 0xa0 when `net.type` is testnet. */
export function addressPrefix({ root }) {
    const type = valueAt(root, 'net.type');
    return type !== undefined && asText(type, 'net.type').toLowerCase() === 'testnet' ? 0xa0 : 0x41;
}
/** The 21 bytes of an address text in hex, undefined when it is none of this network. Reference: Commons.decodeFromBase58Check. */
export function decodeAddress(text, prefix) {
    const bytes = decodeBase58Check(text);
    return bytes?.length === 21 && bytes[0] === prefix ? toHex(bytes) : undefined;
}
function readTimestamp(root) {
    const text = required(root, 'timestamp');
    const ms = toLong(text);
    if (ms === undefined || ms < 0n)
        throw new UsageError(`Timestamp(${text}) must be a Long type.`);
    return Number(ms);
}
function readParentHash(root) {
    const text = required(root, 'parentHash').replace(/^0x/, '');
    if (!/^[0-9a-fA-F]*$/.test(text))
        throw new UsageError(`${KEY}.parentHash(${text}) must be hex digits.`);
    return (text.length % 2 === 0 ? text : `0${text}`).toLowerCase();
}
function required(root, name) {
    const value = valueAt(root, `${KEY}.${name}`);
    if (value === undefined)
        throw new UsageError(`No configuration setting found for key '${KEY}.${name}'`);
    return asText(value, `${KEY}.${name}`);
}
function readAccount(object, prefix) {
    const name = member(object, 'assets', 'accountName');
    if (name.trim() === '')
        throw new UsageError('Account name must be not be empty.');
    const given = member(object, 'assets', 'accountType').toUpperCase();
    const type = TYPES.find((known) => known.toUpperCase() === given);
    if (type === undefined)
        throw new UsageError('Account type error: Not a Normal/AssetIssue/Contract');
    const address = readAddress(object, 'assets', prefix);
    const balance = member(object, 'assets', 'balance');
    const amount = toLong(balance);
    if (amount === undefined)
        throw new UsageError(`Balance(${balance}) must be a Long type.`);
    return { name, type, address, balance: amount };
}
function readWitness(object, prefix) {
    const address = readAddress(object, 'witnesses', prefix);
    const url = member(object, 'witnesses', 'url');
    if (url.trim() === '')
        throw new UsageError(`The url(${url}) format error.`);
    const voteCount = object.fields.get('voteCount');
    if (voteCount === undefined)
        throw missing(object, 'witnesses', 'voteCount');
    return { address, url, voteCount: asInt64(voteCount, `${KEY}.witnesses.voteCount`) };
}
/** The reference knows no bytes of a text that it cannot decode, so its message names none. */
function readAddress(object, list, prefix) {
    const address = decodeAddress(member(object, list, 'address'), prefix);
    if (address !== undefined)
        return address;
    throw new UsageError(`The address() must be 21 bytes. (${originText(object.origin)})`);
}
function member(object, list, name) {
    const value = object.fields.get(name);
    if (value === undefined)
        throw missing(object, list, name);
    return unwrappedText(value, `${KEY}.${list}.${name}`);
}
function missing(object, list, name) {
    return new UsageError(`${originText(object.origin)}: an element of ${KEY}.${list} has no ${name}`);
}
function members() {
    const assets = 'initial accounts { accountName, accountType, address, balance }; Zion, Sun and Blackhole are well known';
    return [
        described(`${KEY}.timestamp`, 'string int64', 'required', 'time of block 0 and first maintenance time (ms)', '>= 0'),
        described(`${KEY}.parentHash`, 'string hex', 'required', 'parent hash of block 0'),
        {
            ...described(`${KEY}.assets`, 'object[]', '[]', assets),
            members: ['accountName', 'accountType', 'address', 'balance'],
        },
        {
            ...described(`${KEY}.witnesses`, 'object[]', '[]', 'initial witnesses { address, url, voteCount }'),
            members: ['address', 'url', 'voteCount'],
        },
    ];
}
//# sourceMappingURL=genesis.js.map