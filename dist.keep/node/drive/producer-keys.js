import secp256k1 from 'secp256k1';
import { toAddress } from '../../log/domain/address.js';
import { fromHex } from '../../log/domain/bytes.js';
import { UsageError } from '../../log/domain/errors.js';
import { keccak256 } from '../../log/domain/hash.js';
/** Keys that may sign blocks, by their own address. */
export class ProducerKeys {
    byAddress = new Map();
    prefix;
    constructor(prefix) {
        this.prefix = prefix;
    }
    /** Adds a key (64 hex digits) and answers its address. @throws {UsageError} a text that is no key; it is not repeated */
    add(hex) {
        const privateKey = /^[0-9a-f]{64}$/i.test(hex) ? fromHex(hex) : undefined;
        if (privateKey === undefined || !secp256k1.privateKeyVerify(privateKey)) {
            throw new UsageError('a private key is 64 hex digits, above zero and below the order of the curve');
        }
        const bytes = keyAddress(privateKey, this.prefix);
        const address = toAddress(bytes);
        this.byAddress.set(address, { privateKey, address: bytes });
        return address;
    }
    get addresses() {
        return [...this.byAddress.values()].map(({ address }) => address);
    }
    get(address) {
        return this.byAddress.get(toAddress(address));
    }
}
/** 21 bytes. */
export function keyAddress(privateKey, prefix) {
    const address = new Uint8Array(21);
    address[0] = prefix;
    address.set(keccak256(secp256k1.publicKeyCreate(privateKey, false).subarray(1)).subarray(12), 1);
    return address;
}
//# sourceMappingURL=producer-keys.js.map