import { jubjub } from '@noble/curves/misc.js';
import { concatBytes, fromHex } from '../../../../src/primitives/bytes.js';
import { littleEndian, littleEndianNumber } from '../../../../src/vm/precompiles/sapling/coordinates.js';
import { multiplyJubjub, RANDOMNESS_BASE, SPENDING_BASE } from '../../../../src/vm/precompiles/sapling/jubjub.js';
import type { KnownCircuit } from './known-secrets.js';
import { signJubjub } from './red-jubjub.js';
import { commitValue, type ShieldedOutput, word } from './shielded-output.js';

/** A note to spend, with the secrets of its owner. */
export interface ShieldedSpend {
  readonly nullifier: Uint8Array;
  readonly anchor: Uint8Array;
  /** Commitment to the value of the note. */
  readonly value: Uint8Array;
  /** Secret spending key. */
  readonly secret: bigint;
  readonly proof: Uint8Array;
}

export interface TransferInput {
  readonly spends: readonly ShieldedSpend[];
  readonly outputs: readonly ShieldedOutput[];
  /** Value that is paid out of the shielded pool. */
  readonly balance: bigint;
  readonly randomness: bigint;
  readonly frontier: readonly Uint8Array[];
  readonly leafCount: bigint;
  /** Key that signs the first spend. If set, it replaces the key of the spend and makes the transfer invalid. */
  readonly signer?: bigint;
}

const SIGN_HASH = fromHex('77'.repeat(32));
/** Byte offset of the lists after the head of the input. */
const HEAD_BYTES = 1312;
const SPEND_BYTES = 320;
const SIGNATURE_BYTES = 64;
/**
 * Number of bits of a nullifier that its first public input contains. The second public input contains the other bits.
 */
const PACK_BITS = 254n;

/** Returns the input of VerifyTransferProof. */
export function transferInput(input: TransferInput): Uint8Array {
  const { spends, outputs, balance, randomness, frontier, leafCount, signer } = input;
  const signaturesAt = HEAD_BYTES + 32 + SPEND_BYTES * spends.length;
  const outputsAt = signaturesAt + 32 + SIGNATURE_BYTES * spends.length;
  const balanceKey = multiplyJubjub(RANDOMNESS_BASE, randomness).toBytes();
  return concatBytes(
    ...[HEAD_BYTES, signaturesAt, outputsAt].map((at) => word(BigInt(at))),
    signJubjub(RANDOMNESS_BASE, randomness, concatBytes(balanceKey, SIGN_HASH), 4712n),
    SIGN_HASH,
    word(balance),
    ...frontier,
    word(leafCount),
    word(BigInt(spends.length)),
    ...spends.map((spend) => concatBytes(spend.nullifier, spend.anchor, spend.value, publicKey(spend), spend.proof)),
    word(BigInt(spends.length)),
    ...spends.map((spend, at) => {
      const secret = at === 0 ? (signer ?? spend.secret) : spend.secret;
      return signJubjub(SPENDING_BASE, secret, concatBytes(publicKey(spend), SIGN_HASH), 4713n);
    }),
    word(BigInt(outputs.length)),
    ...outputs.map(({ commitment, value, ephemeralKey, proof }) => concatBytes(commitment, value, ephemeralKey, proof)),
  );
}

/**
 * Returns the input of VerifyBurnProof. The call spends the whole value of a note.
 * @param valueRandomness randomness of the value commitment
 */
export function burnInput(spend: ShieldedSpend, value: bigint, valueRandomness: bigint): Uint8Array {
  const key = publicKey(spend);
  const balanceKey = multiplyJubjub(RANDOMNESS_BASE, valueRandomness).toBytes();
  return concatBytes(
    ...[spend.nullifier, spend.anchor, spend.value, key, spend.proof],
    signJubjub(SPENDING_BASE, spend.secret, concatBytes(key, SIGN_HASH), 4714n),
    word(value),
    signJubjub(RANDOMNESS_BASE, valueRandomness, concatBytes(balanceKey, SIGN_HASH), 4715n),
    SIGN_HASH,
  );
}

/** Secrets of the owner of a note that the proof of a spend uses. */
interface SpendWitness {
  /** Value of the note in units of the token, 64 bits. */
  readonly value: bigint;
  readonly valueRandomness: bigint;
  readonly secret: bigint;
  readonly nullifier: bigint;
}

/**
 * Creates a spend of a note that does not exist. The circuit has known secrets, so its proof can be forged. Reference:
 * librustzcash_sapling_check_spend.
 */
export function makeSpend(
  { value, valueRandomness, secret, nullifier }: SpendWitness,
  circuit: KnownCircuit,
): ShieldedSpend {
  const commitment = commitValue(value, valueRandomness);
  const anchor = littleEndian(2n);
  const key = multiplyJubjub(SPENDING_BASE, secret).toAffine();
  const point = jubjub.Point.fromBytes(commitment).toAffine();
  const packed = [nullifier & ((1n << PACK_BITS) - 1n), nullifier >> PACK_BITS];
  const proof = circuit.prove([key.x, key.y, point.x, point.y, littleEndianNumber(anchor), ...packed]);
  return { nullifier: littleEndian(nullifier), anchor, value: commitment, secret, proof };
}

function publicKey({ secret }: ShieldedSpend): Uint8Array {
  return multiplyJubjub(SPENDING_BASE, secret).toBytes();
}
