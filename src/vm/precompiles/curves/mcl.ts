import { BLS12_381, BN_SNARK1, MCLBN_COMPILED_TIME_VAR } from 'mcl-wasm/dist/constants.js';
import createModule from 'mcl-wasm/dist/mcl_c.js';

/** Where a value lies in the library's memory. */
export type Pointer = number;

/** The functions of mcl's C interface that are used here: results first, then operands; 1 is yes, reads return how many bytes they took. */
interface Functions {
  _mclBn_init(curve: number, compiled: number): number;
  _mclBn_setETHserialization(isOn: number): void;
  _mclBn_verifyOrderG1(isOn: number): void;
  _mclBn_verifyOrderG2(isOn: number): void;
  _mclBnFr_setBigEndianMod(to: Pointer, bytes: Pointer, length: number): number;
  _mclBnFr_setLittleEndianMod(to: Pointer, bytes: Pointer, length: number): number;
  _mclBnFr_getLittleEndian(to: Pointer, room: number, from: Pointer): number;
  _mclBnFr_div(to: Pointer, a: Pointer, b: Pointer): void;
  _mclBnFr_squareRoot(to: Pointer, of: Pointer): number;
  _mclBnFp_setBigEndianMod(to: Pointer, bytes: Pointer, length: number): number;
  _mclBnFp_serialize(to: Pointer, room: number, from: Pointer): number;
  _mclBnFp_neg(to: Pointer, of: Pointer): void;
  _mclBnFp2_mul(to: Pointer, a: Pointer, b: Pointer): void;
  _mclBnG1_deserialize(to: Pointer, bytes: Pointer, length: number): number;
  _mclBnG1_isValid(point: Pointer): number;
  _mclBnG1_isZero(point: Pointer): number;
  _mclBnG1_neg(to: Pointer, of: Pointer): void;
  _mclBnG1_add(to: Pointer, a: Pointer, b: Pointer): void;
  _mclBnG1_mul(to: Pointer, point: Pointer, scalar: Pointer): void;
  _mclBnG1_mulVec(to: Pointer, points: Pointer, scalars: Pointer, count: number): void;
  _mclBnG1_normalize(to: Pointer, point: Pointer): void;
  _mclBnG2_deserialize(to: Pointer, bytes: Pointer, length: number): number;
  _mclBnG2_isValid(point: Pointer): number;
  _mclBnG2_isZero(point: Pointer): number;
  _mclBnG2_isEqual(a: Pointer, b: Pointer): number;
  _mclBnG2_add(to: Pointer, a: Pointer, b: Pointer): void;
  _mclBnG2_dbl(to: Pointer, point: Pointer): void;
  _mclBnG2_neg(to: Pointer, of: Pointer): void;
  _mclBn_precomputeG2(to: Pointer, twistPoint: Pointer): void;
  _mclBn_getUint64NumToPrecompute(): number;
  _mclBn_precomputedMillerLoop(to: Pointer, point: Pointer, lines: Pointer): void;
  _mclBn_precomputedMillerLoop2mixed(
    to: Pointer,
    point: Pointer,
    twistPoint: Pointer,
    second: Pointer,
    lines: Pointer,
  ): void;
  _mclBn_millerLoop(to: Pointer, point: Pointer, twistPoint: Pointer): void;
  _mclBn_millerLoopVec(to: Pointer, points: Pointer, twistPoints: Pointer, count: number): void;
  _mclBn_finalExp(to: Pointer, of: Pointer): void;
  _mclBnGT_mul(to: Pointer, a: Pointer, b: Pointer): void;
  _mclBnGT_isOne(value: Pointer): number;
  _malloc(bytes: number): Pointer;
  readonly HEAP8: Int8Array;
}

/** Bytes that values take in the library's memory, whatever the curve. */
export const FP_BYTES = 48;
export const FR_BYTES = 32;
export const G1_BYTES = 3 * FP_BYTES;
export const G2_BYTES = 6 * FP_BYTES;
export const GT_BYTES = 12 * FP_BYTES;
/** Bytes that go in or out at once. */
const EXCHANGE_BYTES = 256;

type CurveName = 'BN_SNARK1' | 'BLS12_381';
const CURVES: Readonly<Record<CurveName, number>> = { BN_SNARK1, BLS12_381 };

/**
 * A curve with pairings, in WebAssembly: mcl is the library of its kind that is kept, and many times as fast as one in JavaScript, with
 * which a block full of pairings would hold a witness up. Its own wrapper knows one curve in a process, and copies each value into the
 * library's memory and back for each step; here a module is loaded for each curve, and values stay where they are.
 */
export class Mcl {
  readonly call: Functions;
  private readonly exchange: Pointer;

  private constructor(call: Functions) {
    this.call = call;
    this.exchange = call._malloc(EXCHANGE_BYTES);
  }

  static async load(curve: CurveName): Promise<Mcl> {
    const call: Functions = await createModule({});
    const failure = call._mclBn_init(CURVES[curve], MCLBN_COMPILED_TIME_VAR);
    if (failure !== 0) throw new Error(`mcl has no curve ${curve}: ${failure}`);
    return new Mcl(call);
  }

  /** Room for values that stays for ever. */
  room(bytes: number): Pointer {
    return this.call._malloc(bytes);
  }

  /** @param bytes 256 at most; valid until the next call */
  give(bytes: Uint8Array): Pointer {
    if (bytes.length > EXCHANGE_BYTES) throw new RangeError(`${bytes.length} bytes are too many to exchange`);
    this.call.HEAP8.set(bytes, this.exchange);
    return this.exchange;
  }

  /** A scalar of any size, reduced. */
  setScalar(to: Pointer, bigEndian: Uint8Array): void {
    this.call._mclBnFr_setBigEndianMod(to, this.give(bigEndian), bigEndian.length);
  }

  /** The same from 32 bytes, lowest first. */
  setScalarLittleEndian(to: Pointer, bytes: Uint8Array): void {
    this.call._mclBnFr_setLittleEndianMod(to, this.give(bytes), bytes.length);
  }

  /** @returns 32 bytes, lowest first */
  scalarLittleEndian(from: Pointer): Uint8Array {
    this.zero(this.exchange, FR_BYTES);
    this.call._mclBnFr_getLittleEndian(this.exchange, EXCHANGE_BYTES, from);
    return Uint8Array.from(this.call.HEAP8.subarray(this.exchange, this.exchange + FR_BYTES));
  }

  /** An element of the field of coordinates, which is reduced. */
  setField(to: Pointer, bigEndian: Uint8Array): void {
    this.call._mclBnFp_setBigEndianMod(to, this.give(bigEndian), bigEndian.length);
  }

  /** @returns the element, highest byte first */
  field(from: Pointer): Uint8Array {
    const length = this.call._mclBnFp_serialize(this.exchange, EXCHANGE_BYTES, from);
    return Uint8Array.from(this.call.HEAP8.subarray(this.exchange, this.exchange + length)).reverse();
  }

  copy(to: Pointer, from: Pointer, bytes: number): void {
    this.call.HEAP8.copyWithin(to, from, from + bytes);
  }

  zero(at: Pointer, bytes: number): void {
    this.call.HEAP8.fill(0, at, at + bytes);
  }
}

/** Pairs of which one Miller loop takes the product at once: squarings are shared, and no room grows with what a stranger sends. */
const PAIRS_AT_ONCE = 16;

/** Whether a product of pairings is one, of as many pairs as come. */
export class PairingProduct {
  private readonly mcl: Mcl;
  private readonly points: Pointer;
  private readonly twistPoints: Pointer;
  private readonly loop: Pointer;
  private readonly product: Pointer;
  private count = 0;
  private isEmpty = true;

  constructor(mcl: Mcl) {
    this.mcl = mcl;
    this.points = mcl.room(PAIRS_AT_ONCE * G1_BYTES);
    this.twistPoints = mcl.room(PAIRS_AT_ONCE * G2_BYTES);
    this.loop = mcl.room(GT_BYTES);
    this.product = mcl.room(GT_BYTES);
  }

  begin(): void {
    this.count = 0;
    this.isEmpty = true;
  }

  /** Both are copied; a pair with an infinity is one. */
  add(point: Pointer, twistPoint: Pointer): void {
    const { call } = this.mcl;
    if (call._mclBnG1_isZero(point) === 1 || call._mclBnG2_isZero(twistPoint) === 1) return;
    this.mcl.copy(this.points + this.count * G1_BYTES, point, G1_BYTES);
    this.mcl.copy(this.twistPoints + this.count * G2_BYTES, twistPoint, G2_BYTES);
    if (++this.count === PAIRS_AT_ONCE) this.multiply();
  }

  isOne(): boolean {
    const { call } = this.mcl;
    if (this.count > 0) this.multiply();
    if (this.isEmpty) return true;
    call._mclBn_finalExp(this.product, this.product);
    return call._mclBnGT_isOne(this.product) === 1;
  }

  private multiply(): void {
    const { call } = this.mcl;
    const to = this.isEmpty ? this.product : this.loop;
    call._mclBn_millerLoopVec(to, this.points, this.twistPoints, this.count);
    if (!this.isEmpty) call._mclBnGT_mul(this.product, this.product, this.loop);
    this.isEmpty = false;
    this.count = 0;
  }
}
