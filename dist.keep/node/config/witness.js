import { readSync } from 'node:fs';
import { resolve } from 'node:path';
import secp256k1 from 'secp256k1';
import { fromHex, toHex } from '../../log/domain/bytes.js';
import { UsageError } from '../../log/domain/errors.js';
import { keccak256 } from '../../log/domain/hash.js';
import { addressPrefix, decodeAddress } from './genesis.js';
import { asText, asTexts } from './hocon-value.js';
import { readKeystore } from './keystore.js';
import { described } from './row.js';
export const witnessKeys = [
    described('localwitness', 'string[]', 'absent', "the witness's private keys", '64 hex digits, with or without 0x'),
    described('localWitnessAccountAddress', 'string', 'absent', "the witness's account, when the key is of its witness permission"),
    described('localwitnesskeystore', 'string[]', 'absent', 'keystore file (the first entry, relative to the working directory); read with --witness, without -p and localwitness'),
];
const WRONG_ADDRESS = 'The localWitnessAccountAddress format is incorrect, ignored';
const KEY_LENGTH = 64;
/** `-p` wins over `localwitness`, that over the keystore. @throws {UsageError} a wrong key or keystore. Reference: Args.setParam. */
export function readWitness(source, engine) {
    const { flags } = source;
    const enabled = flags.witness === true;
    const prefix = addressPrefix(source);
    const privateKeys = readKeys(source);
    if (enabled && privateKeys.length === 0)
        source.warn('This is a witness node, but localWitnesses is null');
    const configured = isGiven(flags.privateKey)
        ? configuredAddress(source, flags.witnessAddress, prefix)
        : configuredAddress(source, textAt(source, 'localWitnessAccountAddress'), prefix);
    const [first] = privateKeys;
    const accountAddress = configured ?? (first && engine === 'eckey' ? addressOf(first, prefix) : undefined);
    return { enabled, privateKeys, ...(accountAddress && { accountAddress }) };
}
function readKeys(source) {
    const { privateKey } = source.flags;
    if (isGiven(privateKey))
        return [checkKey(privateKey, '--private-key')];
    const keys = source.value('localwitness');
    if (keys !== undefined)
        return asTexts(keys, 'localwitness').map((key) => checkKey(key, 'localwitness'));
    const stores = source.value('localwitnesskeystore');
    if (stores === undefined || source.flags.witness !== true)
        return [];
    const [file] = asTexts(stores, 'localwitnesskeystore');
    return file === undefined ? [] : [readKeystore(resolve(file), source.flags.password || askPassword())];
}
/** Keys are never part of a message. */
function checkKey(text, key) {
    const digits = text.replace(/^0x/i, '');
    if (digits.length !== KEY_LENGTH)
        throw new UsageError(`private key must be ${KEY_LENGTH}-bits hex string, actual: ${digits.length}`);
    if (!/^[0-9a-fA-F]+$/.test(digits) || !secp256k1.privateKeyVerify(fromHex(digits)))
        throw new UsageError(`Check ${key}, a private key is not a number in hex that the curve allows`);
    return digits.toLowerCase();
}
function configuredAddress(source, text, prefix) {
    if (!isGiven(text))
        return undefined;
    const address = decodeAddress(text, prefix);
    if (address === undefined)
        source.warn(WRONG_ADDRESS);
    return address;
}
function addressOf(privateKey, prefix) {
    const point = secp256k1.publicKeyCreate(fromHex(privateKey), false).subarray(1);
    return toHex(Uint8Array.of(prefix)) + toHex(keccak256(point).subarray(-20));
}
function askPassword() {
    process.stdout.write('Please input your password.\n');
    const buffer = Buffer.alloc(1024);
    const length = readSync(0, buffer, 0, buffer.length, null);
    return buffer.toString('utf8', 0, length).split(/\r?\n/)[0] ?? '';
}
function textAt(source, key) {
    const value = source.value(key);
    return value && asText(value, key);
}
function isGiven(text) {
    return text !== undefined && text.trim() !== '';
}
//# sourceMappingURL=witness.js.map