import { sha256 } from '../../../src/crypto/hash.js';
import { secp256k1 } from '../../../src/crypto/secp256k1.js';
import { toAddress } from '../../../src/primitives/address.js';
import { concatBytes } from '../../../src/primitives/bytes.js';
import { randomCall } from '../../support/vm/precompile-input.js';
import { Seeded } from '../../support/vm/random-program.js';
import { type Actor, actorOf, everybody } from './actors.js';
import { wordOf } from './proxy-code.js';
import type { Scene } from './scene.js';

const addressWord = (bytes: Uint8Array): Uint8Array => concatBytes(new Uint8Array(12), bytes.subarray(1));

/** Returns the address of a precompile, and an input that is valid in most cases. */
export function precompileInput(scene: Scene): [bigint, Uint8Array] {
  const { random } = scene;
  const [address, input] = random.pick([usual, usual, signer, batch, multiSign, getter, getter, getter])(scene);
  const kind = random.below(20);
  if (kind === 0) return [address, input.subarray(0, random.below(input.length + 1))];
  if (kind === 1 && input.length > 0) {
    const other = input.slice();
    other[random.below(other.length)] = random.below(256);
    return [address, other];
  }
  if (kind === 2) return [address, concatBytes(input, random.bytes(random.below(40)))];
  return [address, input];
}

function usual({ random }: Scene): [bigint, Uint8Array] {
  const { address, input } = randomCall(new Seeded(random.below(2 ** 31)));
  return [BigInt(address), input];
}

function signed(hash: Uint8Array, { key }: Actor): { rs: Uint8Array; v: number } {
  const { signature, recid } = secp256k1.sign(hash, key);
  return { rs: signature, v: recid };
}

function signer({ random }: Scene): [bigint, Uint8Array] {
  const hash = random.bytes(32);
  const { rs, v } = signed(hash, random.pick(everybody));
  return [1n, concatBytes(hash, wordOf(BigInt(v + random.pick([27, 27, 27, 0, 29]))), rs)];
}

/**
 * Encodes an array of signatures as ABI data: the number of elements, their offsets, then for each element its length
 * and its padded bytes.
 */
function signatureArray(signatures: readonly Uint8Array[]): Uint8Array {
  const offsets = signatures.map((_, at) => wordOf(BigInt(32 * signatures.length + 128 * at)));
  const items = signatures.map((bytes) => {
    const padded = new Uint8Array(96);
    padded.set(bytes.subarray(0, 96));
    return concatBytes(wordOf(BigInt(bytes.length)), padded);
  });
  return concatBytes(wordOf(BigInt(signatures.length)), ...offsets, ...items);
}

function signatureOf(scene: Scene, hash: Uint8Array, who: Actor): Uint8Array {
  const { rs, v } = signed(scene.random.chance(0.95) ? hash : scene.random.bytes(32), who);
  return concatBytes(rs, Uint8Array.of(v + scene.random.pick([0, 27, 27])));
}

function batch(scene: Scene): [bigint, Uint8Array] {
  const { random } = scene;
  const hash = random.bytes(32);
  const count = random.chance(0.95) ? random.between(1, 5) : random.pick([0, 16, 17]);
  const signers = Array.from({ length: count }, () => random.pick(everybody));
  const signatures = signatureArray(signers.map((who) => signatureOf(scene, hash, who)));
  const addresses = concatBytes(wordOf(BigInt(count)), ...signers.map(({ bytes }) => addressWord(bytes)));
  const head = [hash, wordOf(96n), wordOf(BigInt(96 + signatures.length))];
  return [9n, concatBytes(...head, signatures, addresses)];
}

function multiSign(scene: Scene): [bigint, Uint8Array] {
  const { random } = scene;
  const own = random.pick(everybody);
  const account = scene.account(own);
  const permissions = [account?.ownerPermission, ...(account?.activePermission ?? [])].filter(
    (item) => item !== undefined,
  );
  const permission = permissions.length === 0 ? undefined : random.pick(permissions);
  const id = random.chance(0.95) ? (permission?.id ?? 0) : random.below(5);
  const content = random.bytes(32);
  const hash = sha256(concatBytes(own.bytes, wordOf(BigInt(id)).subarray(28), content));
  const keys = (permission?.keys ?? [])
    .map(({ address }) => actorOf(toAddress(address)))
    .filter((who) => who !== undefined);
  const signers = random.chance(0.9) && keys.length > 0 ? keys : [own];
  if (random.chance(0.1)) signers.push(random.pick(signers));
  const signatures = signatureArray(signers.map((who) => signatureOf(scene, hash, who)));
  const head = [addressWord(own.bytes), wordOf(BigInt(id)), content, wordOf(128n)];
  return [10n, concatBytes(...head, signatures)];
}

/** Addresses of precompiles whose only input is the address of an account. */
const OF_ONE_WORD: ReadonlySet<bigint> = new Set([0x1000006n, 0x1000008n, 0x1000009n, 0x100000an, 0x100000cn]);

function getter(scene: Scene): [bigint, Uint8Array] {
  const { random } = scene;
  const number = 0x1000005n + BigInt(random.below(17));
  const target = (): Uint8Array => {
    const proxy = random.chance(0.4) ? scene.proxy() : undefined;
    return addressWord(proxy ?? random.pick(everybody).bytes);
  };
  const small = (): Uint8Array => wordOf(BigInt(random.chance(0.95) ? random.below(3) : random.pick([3, 5, -1])));
  if (OF_ONE_WORD.has(number) && random.chance(0.95)) return [number, target()];
  if (number === 0x100000bn) return [number, wordOf(BigInt(random.below(7)))];
  if (number === 0x100000en)
    return [number, concatBytes(target(), wordOf(scene.headMs / 1000n + BigInt(random.below(200_000) - 100_000)))];
  if (number === 0x1000011n) return [number, concatBytes(target(), wordOf(random.amount(10n ** 9n)), small())];
  if (number === 0x1000010n) return [number, concatBytes(target(), target(), small())];
  if (random.chance(0.5)) return [number, concatBytes(target(), small())];
  return [number, concatBytes(target(), target())];
}
