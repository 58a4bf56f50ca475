import { Curve } from './bn128-curve.js';
import { booleanWord, FAILED, success, WORD_BYTES } from './precompile.js';
const PAIR_BYTES = 192;
/** Bytes of a point. */
const POINT_BYTES = 2 * WORD_BYTES;
/** Reference: PrecompiledContracts.BN128Addition. */
export const bnAdd = {
    energy: (_, { istanbul }) => (istanbul ? 150 : 500),
    run(data) {
        const a = pointAt(data, 0);
        const b = a === undefined ? undefined : pointAt(data, POINT_BYTES);
        return a === undefined || b === undefined ? FAILED : success(Curve.bytesOf(Curve.add(a, b)));
    },
};
/** Reference: BN128Multiplication. */
export const bnMultiply = {
    energyPerMs: 5000,
    energy: (_, { istanbul }) => (istanbul ? 6000 : 40_000),
    run(data) {
        const point = pointAt(data, 0);
        return point === undefined
            ? FAILED
            : success(Curve.bytesOf(Curve.multiply(point, bytesAt(data, POINT_BYTES, WORD_BYTES))));
    },
};
/** Reference: BN128Pairing. */
export const bnPairing = {
    energyPerMs: 2000,
    energy(data, { istanbul }) {
        const pairs = Math.floor(data.length / PAIR_BYTES);
        return istanbul ? 34_000 * pairs + 45_000 : 80_000 * pairs + 100_000;
    },
    run(data) {
        if (data.length % PAIR_BYTES > 0)
            return FAILED;
        const pairs = [];
        for (let at = 0; at < data.length; at += PAIR_BYTES) {
            const a = pointAt(data, at);
            const b = a === undefined ? undefined : Curve.twistPoint(bytesAt(data, at + POINT_BYTES, 2 * POINT_BYTES));
            if (a === undefined || b === undefined)
                return FAILED;
            pairs.push([a, b]);
        }
        return success(booleanWord(Curve.isOne(pairs)));
    },
};
/** A point of the curve; undefined for coordinates outside of the field or off the curve. (0, 0) is infinity. */
function pointAt(data, at) {
    return Curve.point(bytesAt(data, at, POINT_BYTES));
}
/** Bytes that are not there are 0. */
function bytesAt(data, at, length) {
    const found = data.subarray(at, at + length);
    if (found.length === length)
        return found;
    const bytes = new Uint8Array(length);
    bytes.set(found);
    return bytes;
}
//# sourceMappingURL=bn128.js.map