import { createCipheriv, createDecipheriv, pbkdf2Sync, randomBytes, randomUUID, scryptSync } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { scrypt } from '@noble/hashes/scrypt.js';
import { equalBytes, fromHex, toHex } from '../../primitives/bytes.js';
import { UsageError } from '../../primitives/errors.js';
import { encodeBase58Check } from '../base58-check.js';
import { keccak256 } from '../hash.js';
import { keyAddress } from '../key-address.js';

/** A private key in the format Web3 Secret Storage, version 3. The wallet of java-tron writes this format. */
export interface KeyFile {
  /** Address of the key in Base58Check. */
  readonly address?: string;
  readonly crypto: {
    readonly cipher: string;
    readonly ciphertext: string;
    readonly cipherparams: { readonly iv: string };
    readonly kdf: string;
    readonly kdfparams: Readonly<Record<string, string | number>>;
    readonly mac: string;
  };
  readonly id?: string;
  readonly version: number;
}

const CIPHER = 'aes-128-ctr';
const VERSION = 3;
/** Maximum memory for scrypt, in bytes. N = 2^18 and r = 8 need 256 MiB. */
const SCRYPT_BYTES_MAX = 512 * 1024 * 1024;
/**
 * Maximum work of a key derivation: N · r · p of scrypt, and iterations of PBKDF2. scrypt then takes about ten seconds.
 * Files of wallets have at most an eighth of this work.
 */
const SCRYPT_WORK_MAX = 2 ** 24;
const PBKDF2_ROUNDS_MAX = 10_000_000;
/** Maximum length of a derived key, in bytes. Decryption uses 32 bytes. */
const KEY_BYTES_MAX = 64;
/** scrypt parameters of new files; `dklen` is the key length in bytes. Reference: Wallet.createStandard. */
const STANDARD = { dklen: 32, n: 1 << 18, p: 1, r: 8 };

/**
 * Reads and decrypts the private key (64 hex digits) of a keystore file. Reference: WalletUtils.loadCredentials.
 * @throws {UsageError} the file is unreadable, or the password is wrong
 */
export function readKeystore(file: string, password: string): string {
  try {
    // `decryptKey` throws an error if a field is missing.
    return decryptKey(toKeyFile(JSON.parse(readFileSync(file, 'utf8'))) as KeyFile, password);
  } catch (cause) {
    throw new UsageError(`Witness node start failed! Cannot read keystore ${file}: ${(cause as Error).message}`, {
      cause,
    });
  }
}

/**
 * Returns the content of a file in the form of a key file. Ethers and the first versions of geth name the member
 * `Crypto`. Other values are returned unchanged. Reference: WalletFile.setCryptoV1.
 */
export function toKeyFile(content: unknown): unknown {
  if (typeof content !== 'object' || content === null || !('Crypto' in content)) return content;
  const { Crypto: crypto, ...rest } = content;
  return { crypto, ...rest };
}

/**
 * Decrypts the private key (64 hex digits).
 * @throws {UsageError} version, cipher or key derivation function are not supported, the key derivation would take too
 * long, or the password is wrong
 * @throws {TypeError} a field is missing
 */
export function decryptKey({ crypto, version }: KeyFile, password: string): string {
  if (version !== VERSION) throw new UsageError('wallet version is not supported');
  if (crypto.cipher !== CIPHER) throw new UsageError('wallet cipher is not supported');
  const key = deriveKey(crypto, password);
  const ciphertext = bytesOf(crypto.ciphertext);
  const mac = keccak256(Buffer.concat([key.subarray(16, 32), ciphertext]));
  if (!equalBytes(mac, bytesOf(crypto.mac))) throw new UsageError('Invalid password provided');
  const decipher = createDecipheriv(CIPHER, key.subarray(0, 16), bytesOf(crypto.cipherparams.iv));
  return toHex(Buffer.concat([decipher.update(ciphertext), decipher.final()]));
}

/** Encrypts a private key (32 bytes). Reference: Wallet.createStandard. */
export function encryptKey(privateKey: Uint8Array, password: string, addressPrefix: number): KeyFile {
  const kdfparams = { ...STANDARD, salt: toHex(randomBytes(32)) };
  const iv = randomBytes(16);
  const key = deriveKey({ kdf: 'scrypt', kdfparams }, password);
  const cipher = createCipheriv(CIPHER, key.subarray(0, 16), iv);
  const ciphertext = Buffer.concat([cipher.update(privateKey), cipher.final()]);
  return {
    address: encodeBase58Check(keyAddress(privateKey, addressPrefix)),
    crypto: {
      cipher: CIPHER,
      ciphertext: toHex(ciphertext),
      cipherparams: { iv: toHex(iv) },
      kdf: 'scrypt',
      kdfparams,
      mac: toHex(keccak256(Buffer.concat([key.subarray(16, 32), ciphertext]))),
    },
    id: randomUUID(),
    version: VERSION,
  };
}

/**
 * Returns true if a value is a key file of a supported version and cipher, with an address. Reference:
 * Wallet.isValidKeystoreFile.
 */
export function isKeyFile(value: unknown): value is KeyFile & { readonly address: string } {
  const { address, crypto, version } = (value ?? {}) as Partial<KeyFile>;
  if (typeof address !== 'string' || version !== VERSION || crypto?.cipher !== CIPHER) return false;
  return crypto.kdf === 'scrypt' || crypto.kdf === 'pbkdf2';
}

function deriveKey(
  { kdf, kdfparams: parameters }: Pick<KeyFile['crypto'], 'kdf' | 'kdfparams'>,
  password: string,
): Uint8Array {
  const salt = bytesOf(String(parameters['salt']));
  const length = Number(parameters['dklen']);
  requireAtMost('dklen', length, KEY_BYTES_MAX);
  if (kdf === 'scrypt') {
    const cost = { N: Number(parameters['n']), r: Number(parameters['r']), p: Number(parameters['p']) };
    requireAtMost('n * r * p', cost.N * cost.r * cost.p, SCRYPT_WORK_MAX);
    // OpenSSL is faster, but rejects N = 2^18 with r = 1. Some keystores use these parameters.
    if (cost.N < 2 ** (16 * cost.r)) return scryptSync(password, salt, length, { ...cost, maxmem: SCRYPT_BYTES_MAX });
    return scrypt(password, salt, { ...cost, dkLen: length, maxmem: SCRYPT_BYTES_MAX });
  }
  if (kdf === 'pbkdf2' && parameters['prf'] === 'hmac-sha256') {
    const rounds = Number(parameters['c']);
    requireAtMost('c', rounds, PBKDF2_ROUNDS_MAX);
    return pbkdf2Sync(password, salt, rounds, length, 'sha256');
  }
  throw new UsageError('KDF type is not supported');
}

function requireAtMost(name: string, value: number, max: number): void {
  if (value > max)
    throw new UsageError(`the key derivation of the file takes too long: ${name} is ${value}, maximum ${max}`);
}

/** Decodes hex with or without the prefix `0x`. Reference: ByteArray.fromHexString. */
function bytesOf(hex: string): Uint8Array {
  return fromHex(hex.replace(/^0x/, ''));
}
