import { DecryptNotesTRC20, DecryptNotesTRC20NoteTx, Note as NoteMessage, } from '../../log/codec/generated/messages.js';
import { equalBytes, toHex, toInt64, utf8 } from '../../log/domain/bytes.js';
import { keccak256 } from '../../log/domain/hash.js';
import { badItem } from '../java/java-error.js';
import { encodePaymentAddress } from '../shielded/payment-address.js';
import { agreedKey, decrypt, diversifiedBase, namedHash, noteCommitment, transmissionKeyOf, } from '../shielded/shielded-keys.js';
import { transactionInfosByNumber } from './blocks.js';
import { checkLength, checkShieldedAllowed, isSpentInContract, zksnark } from './shielded.js';
const BLOCKS_MAX = 1000n;
/** @throws {JavaError} BadItemException */
export function checkRange({ startBlockIndex: start, endBlockIndex: end }) {
    if (start >= 0n && end > start && BigInt.asIntN(64, end - start) <= BLOCKS_MAX)
        return;
    badItem('request requires start_block_index >= 0 && end_block_index > start_block_index && end_block_index - start_block_index <= 1000');
}
/** Notes that a viewing key can read. Reference: Wallet.scanShieldedTRC20NotesByIvk. @throws {JavaError} */
export function scanByViewingKey(api, view, request) {
    const { ivk, ak, nk, shieldedTRC20ContractAddress: contract } = request;
    return scanLogs(api, view, request, (log, kind, found) => {
        if (kind === 'token')
            return false;
        const parts = partsOf(log.data);
        const note = receivedNote(parts, ivk);
        if (note === undefined)
            return false;
        found.note = note;
        found.position = parts.position;
        if (ak.length > 0 && nk.length > 0) {
            found.isSpent = isSpentInContract(api, view, { note, ak, nk, position: parts.position, contract });
        }
        return true;
    });
}
/**
 * Notes that an outgoing key can read, and what was burnt. Reference: Wallet.scanShieldedTRC20NotesByOvk. @throws
 * {JavaError}
 */
export function scanByOutgoingKey(api, view, request) {
    const { ovk } = request;
    return scanLogs(api, view, request, (log, kind, found) => {
        checkLength(ovk, 32);
        if (kind === 'token')
            return readBurn(log.data, ovk, found);
        const note = sentNote(partsOf(log.data), ovk);
        if (note !== undefined)
            found.note = note;
        return note !== undefined;
    });
}
function scanLogs(api, view, request, read) {
    checkShieldedAllowed(api);
    checkRange(request);
    const noteTxs = [];
    const end = request.endBlockIndex;
    for (let number = request.startBlockIndex; number < end && number <= BigInt(view.headNumber); number++) {
        for (const info of transactionInfosByNumber(view, number).transactionInfo) {
            noteTxs.push(...notesOf(info, request, read));
        }
    }
    return Object.assign(new DecryptNotesTRC20(), { noteTxs });
}
function notesOf(info, request, read) {
    const notes = [];
    let index = 0;
    for (const log of info.log) {
        const kind = kindOf(log, request);
        if (kind === undefined)
            continue;
        const found = Object.assign(new DecryptNotesTRC20NoteTx(), { txid: info.id, index: index++ });
        if (log.data.length > 0 && read(log, kind, found))
            notes.push(found);
    }
    return notes;
}
const KINDS = new Map([
    [topicOf('MintNewLeaf(uint256,bytes32,bytes32,bytes32,bytes32[21])'), 'mint'],
    [topicOf('TransferNewLeaf(uint256,bytes32,bytes32,bytes32,bytes32[21])'), 'transfer'],
    [topicOf('BurnNewLeaf(uint256,bytes32,bytes32,bytes32,bytes32[21])'), 'leaf'],
    [topicOf('TokenBurn(address,uint256,bytes32[3])'), 'token'],
]);
/** Reference: Wallet.getShieldedTRC20LogType. @throws {JavaError} */
function kindOf(log, { shieldedTRC20ContractAddress, events }) {
    if (shieldedTRC20ContractAddress.length !== 21)
        zksnark('invalid contract address');
    if (!equalBytes(log.address, shieldedTRC20ContractAddress.subarray(1)))
        return undefined;
    const topics = log.topics.map(toHex).join('');
    if (events.length === 0)
        return KINDS.get(topics);
    const name = events.find((event) => topicOf(event) === topics)?.toLowerCase();
    if (name === undefined)
        return undefined;
    if (name.includes('mint'))
        return 'mint';
    if (name.includes('transfer'))
        return 'transfer';
    if (!name.includes('burn'))
        return undefined;
    return name.includes('leaf') ? 'leaf' : name.includes('token') ? 'token' : undefined;
}
function topicOf(event) {
    return toHex(keccak256(utf8(event)));
}
function partsOf(data) {
    return {
        position: toInt64(data.subarray(24, 32)),
        cm: data.subarray(32, 64),
        cv: data.subarray(64, 96),
        epk: data.subarray(96, 128),
        cEnc: data.subarray(128, 708),
        cOut: data.subarray(708, 788),
    };
}
function receivedNote({ cm, epk, cEnc }, ivk) {
    checkLength(ivk, 32);
    const shared = agreedKey(epk, ivk);
    return shared && openNote({ shared, epk, cEnc, cm }, (base) => transmissionKeyOf(base, ivk));
}
function sentNote({ cm, cv, epk, cEnc, cOut }, ovk) {
    const plain = decrypt(namedHash('Ztron_Derive_ock', ovk, cv, cm, epk), cOut);
    if (plain === undefined)
        return undefined;
    const key = plain.subarray(0, 32);
    const shared = agreedKey(key, plain.subarray(32, 64));
    return shared && openNote({ shared, epk, cEnc, cm }, () => key);
}
/** Decrypts a note and checks that it is the one of the commitment. Reference: Note.decrypt. */
function openNote({ shared, epk, cEnc, cm }, keyFor) {
    const plain = decrypt(namedHash('Ztron_SaplingKDF', shared, epk), cEnc);
    if (plain === undefined)
        return undefined;
    const diversifier = plain.subarray(1, 12);
    const base = diversifiedBase(diversifier);
    if (base === undefined)
        return undefined;
    const transmissionKey = keyFor(base);
    const value = Buffer.from(plain).readBigInt64LE(12);
    const rcm = plain.subarray(20, 52);
    const commitment = noteCommitment({ diversifier, transmissionKey, value, rcm });
    if (commitment === undefined || !equalBytes(commitment, cm))
        return undefined;
    const paymentAddress = encodePaymentAddress({ diversifier, transmissionKey });
    return Object.assign(new NoteMessage(), { value, paymentAddress, rcm, memo: withoutZeros(plain.subarray(52)) });
}
function withoutZeros(memo) {
    let end = memo.length;
    while (end > 0 && memo[end - 1] === 0)
        end--;
    return memo.subarray(0, end);
}
/** What was taken out of the shielded pool, where the outgoing key opens the message beside it. */
function readBurn(data, ovk, found) {
    const plain = decrypt(ovk, data.subarray(64, 144));
    if (plain === undefined)
        return false;
    const isSame = equalBytes(plain.subarray(0, 32), data.subarray(32, 64));
    if (!isSame || !equalBytes(plain.subarray(33, 53), data.subarray(12, 32)))
        return false;
    found.toAmount = BigInt(`0x0${toHex(data.subarray(32, 64))}`).toString();
    found.transparentToAddress = plain.subarray(32, 53);
    return true;
}
//# sourceMappingURL=scan-notes.js.map