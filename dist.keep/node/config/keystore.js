import { createDecipheriv, pbkdf2Sync } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { scrypt } from '@noble/hashes/scrypt.js';
import { equalBytes, fromHex, toHex } from '../../log/domain/bytes.js';
import { UsageError } from '../../log/domain/errors.js';
import { keccak256, sha256 } from '../../log/domain/hash.js';
/** Memory that scrypt may take: N = 2^18 and r = 8 need 256 MiB. */
const SCRYPT_BYTES_MAX = 512 * 1024 * 1024;
/**
 * Private key (64 hex digits) of a keystore file. Reference: WalletUtils.loadCredentials.
 * @throws {UsageError} unreadable file or wrong password.
 */
export function readKeystore(file, password) {
    try {
        const { crypto } = JSON.parse(readFileSync(file, 'utf8')); // a missing member fails below
        if (crypto.cipher !== 'aes-128-ctr')
            throw new Error('wallet cipher is not supported');
        const key = deriveKey(crypto, password);
        const ciphertext = fromHex(crypto.ciphertext);
        const maced = Buffer.concat([key.subarray(16, 32), ciphertext]);
        const mac = fromHex(crypto.mac);
        // The reference takes the hash of its crypto engine here, web3 always Keccak.
        if (!equalBytes(keccak256(maced), mac) && !equalBytes(sha256(maced), mac))
            throw new Error('Invalid password provided');
        const decipher = createDecipheriv('aes-128-ctr', key.subarray(0, 16), fromHex(crypto.cipherparams.iv));
        return toHex(Buffer.concat([decipher.update(ciphertext), decipher.final()]));
    }
    catch (cause) {
        throw new UsageError(`Witness node start failed! Cannot read keystore ${file}: ${cause.message}`, {
            cause,
        });
    }
}
function deriveKey({ kdf, kdfparams: given }, password) {
    const salt = fromHex(String(given['salt']));
    const length = Number(given['dklen']);
    if (kdf === 'scrypt') {
        // OpenSSL refuses N = 2^18 with r = 1, which keystores have.
        const cost = { N: Number(given['n']), r: Number(given['r']), p: Number(given['p']) };
        return scrypt(password, salt, { ...cost, dkLen: length, maxmem: SCRYPT_BYTES_MAX });
    }
    if (kdf === 'pbkdf2' && given['prf'] === 'hmac-sha256')
        return pbkdf2Sync(password, salt, Number(given['c']), length, 'sha256');
    throw new Error('KDF type is not supported');
}
//# sourceMappingURL=keystore.js.map