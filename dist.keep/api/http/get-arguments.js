import { addressOfText } from '../java/address-text.js';
import { nullPointer } from '../java/java-error.js';
import { bytesOfHex } from '../java/java-hex.js';
/**
 * An address of a query: Base58Check with `visible`, where a wrong one counts as empty, else hex.
 * Reference: Util.getHexAddress, ByteArray.fromHexString. @throws {JavaError}
 */
export function addressParameter(call, name, visible) {
    return addressOrHex(call, call.parameter(name), visible);
}
/** A number of a query; later releases take 0 where there is none. @throws {JavaError} NumberFormatException */
export function numberOrZero(call, name, read, zero) {
    const text = call.parameter(name);
    return text === null && call.api.settings.release.absentNumbersAreZero ? zero : read(text);
}
/** @throws {JavaError} */
export function addressOrHex(call, text, visible) {
    if (!visible)
        return bytesOfHex(text);
    return addressOfText(text, call.api.settings) ?? new Uint8Array(0);
}
/**
 * A name of a query: text with `visible`, else hex. @throws {JavaError} NullPointerException for none, with `visible`
 */
export function nameOrHex(text, visible) {
    if (!visible)
        return bytesOfHex(text);
    if (text === null)
        throw nullPointer();
    return Buffer.from(text);
}
//# sourceMappingURL=get-arguments.js.map