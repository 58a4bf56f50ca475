import { BytesMessage, ShieldedTRC20Parameters as ParametersMessage, PrivateShieldedTRC20Parameters, } from '../../log/codec/generated/messages.js';
import { concatBytes, fromHex, toHex } from '../../log/domain/bytes.js';
import { refuse } from '../../vm/errors.js';
import { illegalArgument, JavaError, javaError } from '../java/java-error.js';
import { bytesOfHex } from '../java/java-hex.js';
import { parseBigInteger } from '../java/java-number.js';
import { decodePaymentAddress } from '../shielded/payment-address.js';
import { callView, checkShieldedAllowed, contractFailed, zksnark } from './shielded.js';
/**
 * Checks what a shielded transfer would need. This node holds no proving keys, so that a request which passes is
 * refused at the
 * end. Reference: Wallet.createShieldedContractParameters. @throws {JavaError | ChainError}
 */
export function shieldedParameters(api, view, request, amountText) {
    checkShieldedAllowed(api);
    const contract = request.shieldedTRC20ContractAddress;
    if (contract.length !== 21)
        refuse('No valid shielded TRC-20 contract address');
    const [from, to] = readAmounts(request, amountText);
    const scaled = scaledAmounts(api, view, contract, from, to);
    for (const { note } of request.shieldedSpends) {
        if ((note?.value ?? 0n) < 0n)
            refuse('The value in SpendNoteTRC20 must >= 0');
    }
    for (const { note } of request.shieldedReceives) {
        if ((note?.value ?? 0n) < 0n)
            refuse('The value in ReceiveNote must >= 0');
    }
    const kind = kindOf(request, scaled);
    if (kind === undefined)
        refuse('invalid shielded TRC-20 parameters');
    checkNotes(request, kind);
    return zksnark('this node holds no proving keys');
}
/** Minting, a transfer between notes, or burning. */
function kindOf({ shieldedSpends, shieldedReceives }, [from, to]) {
    const spends = shieldedSpends.length;
    const receives = shieldedReceives.length;
    const received = shieldedReceives[0]?.note?.value ?? 0n;
    const burnt = to + received;
    if (to > 0n && BigInt.asIntN(64, burnt) !== burnt)
        zksnark('Unbalanced burn!');
    if (from > 0n && spends === 0 && receives === 1 && from === received && to === 0n)
        return 'mint';
    if (from === 0n && spends > 0 && spends < 3 && receives > 0 && receives < 3 && to === 0n)
        return 'transfer';
    const isBurn = from === 0n && spends === 1 && receives <= 1 && to > 0n;
    return isBurn && burnt === (shieldedSpends[0].note?.value ?? 0n) ? 'burn' : undefined;
}
/** What is looked at before anything is proven. @throws {JavaError | ChainError} */
function checkNotes(request, kind) {
    const hasAsk = request instanceof PrivateShieldedTRC20Parameters;
    const key = hasAsk ? request.ask : request.ak;
    const isWithoutKey = [key, request.nsk, request.ovk].some(({ length }) => length === 0);
    if (kind !== 'mint' && isWithoutKey)
        refuse(`No shielded TRC-20 ${hasAsk ? 'ask' : 'ak'}, nsk or ovk`);
    if (kind === 'burn' && request.transparentToAddress.length !== 21) {
        refuse(`No ${hasAsk ? 'valid ' : ''}transparent TRC-20 output address`);
    }
    for (const { note } of [...request.shieldedSpends, ...request.shieldedReceives]) {
        if (decodePaymentAddress(note?.paymentAddress ?? '') === undefined)
            zksnark('paymentAddress format is wrong');
    }
}
function readAmounts({ fromAmount, toAmount }, text) {
    try {
        return [readAmount(fromAmount), readAmount(toAmount)];
    }
    catch (error) {
        if (javaError(error) === undefined)
            throw error;
        return refuse(text);
    }
}
/** Reference: Wallet.checkPublicAmount. */
function scaledAmounts(api, view, contract, from, to) {
    checkAmount(from);
    checkAmount(to);
    const answer = callView(api, view, contract, 'scalingFactor()');
    if (answer === undefined)
        contractFailed('Get shielded contract scalingFactor failed');
    const factor = BigInt(`0x0${toHex(answer)}`);
    if (factor === 0n)
        throw new JavaError('java.lang.ArithmeticException', 'BigInteger: modulus not positive');
    const isWhole = from % factor === 0n && to % factor === 0n;
    const scaled = [from / factor, to / factor];
    if (!isWhole || scaled.some((value) => BigInt.asIntN(64, value) !== value))
        refuse('fromAmount or toAmount invalid');
    return scaled;
}
/** @throws {JavaError} NumberFormatException */
function readAmount(text) {
    const trimmed = text.trim();
    return trimmed === '' ? 0n : parseBigInteger(trimmed, 10);
}
function checkAmount(value) {
    if (value < 0n)
        refuse('public amount must be non-negative');
    if (value >> 256n !== 0n)
        refuse('public amount must be no more than 256 bits');
}
const BURN_CIPHER_BYTES = 80;
/**
 * Input of a call from parameters that were proven elsewhere. Reference:
 * Wallet.getTriggerInputForShieldedTRC20Contract.
 */
export function shieldedTriggerInput(api, request) {
    checkShieldedAllowed(api);
    const parameters = request.shieldedTRC20Parameters ?? new ParametersMessage();
    const signatures = request.spendAuthoritySignature.map(({ value }) => value);
    const value = readAmount(request.amount);
    checkAmount(value);
    const payTo = request.transparentToAddress;
    if (payTo.length !== 0 && payTo.length !== 21)
        zksnark('invalid transparent to address');
    if (parameters.spendDescription.length !== signatures.length) {
        zksnark('the number of spendDescription and spendAuthoritySignature is not equal');
    }
    const make = inputs[parameters.parameterType];
    if (make === undefined)
        zksnark('invalid shielded TRC-20 parameters type');
    const input = make({ api, parameters, signatures, value, payTo });
    return Object.assign(new BytesMessage(), { value: input });
}
const inputs = {
    mint: mintInput,
    transfer: transferInput,
    burn: burnInput,
};
function mintInput({ parameters, value }) {
    if (value <= 0n)
        throw illegalArgument('require the value be positive');
    const receive = first(parameters.receiveDescription);
    const { noteCommitment, valueCommitment, epk, zkproof, cEnc, cOut } = receive;
    const { bindingSignature } = parameters;
    return concatBytes(word(value), noteCommitment, valueCommitment, epk, zkproof, bindingSignature, cEnc, cOut, new Uint8Array(12));
}
function transferInput({ parameters, signatures }) {
    const { spendDescription: spends, receiveDescription: receives, bindingSignature } = parameters;
    if (spends.length < 1 || spends.length > 2)
        throw illegalArgument('invalid transfer input number');
    const spent = spends.map(({ nullifier, anchor, valueCommitment, rk, zkproof }) => concatBytes(nullifier, anchor, valueCommitment, rk, zkproof));
    const signed = 192 + 32 + 320 * spends.length;
    const output = signed + 32 + 64 * spends.length;
    const ciphers = output + 32 + 288 * receives.length;
    return concatBytes(word(192n), word(BigInt(signed)), word(BigInt(output)), bindingSignature, word(BigInt(ciphers)), word(BigInt(spends.length)), ...spent, word(BigInt(spends.length)), ...signatures, word(BigInt(receives.length)), ...receives.map(proofOf), word(BigInt(receives.length)), ...receives.map(cipherOf));
}
function burnInput({ api, parameters, signatures, value, payTo }) {
    const cipher = bytesOfHex(parameters.triggerContractInput);
    if (cipher.length !== BURN_CIPHER_BYTES) {
        zksnark('invalid shielded TRC-20 contract parameters for burn trigger input');
    }
    if (value <= 0n)
        throw illegalArgument('the value must be positive');
    const receiver = new Uint8Array(32);
    receiver[11] = api.settings.addressPrefix;
    receiver.set(payTo.subarray(1), 12);
    const { nullifier, anchor, valueCommitment, rk, zkproof } = first(parameters.spendDescription);
    const head = concatBytes(nullifier, anchor, valueCommitment, rk, zkproof, first(signatures), word(value), parameters.bindingSignature, receiver, cipher, new Uint8Array(16));
    const [receive] = parameters.receiveDescription;
    const offset = word(BigInt(head.length + 64));
    if (receive === undefined)
        return concatBytes(head, offset, word(BigInt(head.length + 96)), word(0n), word(0n));
    const ciphers = word(BigInt(head.length + 96 + 288));
    return concatBytes(head, offset, ciphers, word(1n), proofOf(receive), word(1n), cipherOf(receive));
}
function proofOf({ noteCommitment, valueCommitment, epk, zkproof }) {
    return concatBytes(noteCommitment, valueCommitment, epk, zkproof);
}
function cipherOf({ cEnc, cOut }) {
    return concatBytes(cEnc, cOut, new Uint8Array(12));
}
function word(value) {
    return fromHex(value.toString(16).padStart(64, '0'));
}
/** @throws {JavaError} IndexOutOfBoundsException */
function first(items) {
    const [item] = items;
    if (item === undefined)
        throw new JavaError('java.lang.IndexOutOfBoundsException', 'Index: 0');
    return item;
}
//# sourceMappingURL=shielded-contracts.js.map