import mcl from 'mcl-wasm';
import { concatBytes, fromHex, toHex } from '../../log/domain/bytes.js';
await mcl.init(mcl.BN_SNARK1);
const WORD = 32;
const HEX = 16;
/** Prime of the field. */
const PRIME = fromHex('30644e72e131a029b85045b68181585d97816a916871ca8d3c208c16d87cfd47');
const ONE = new mcl.Fp();
ONE.setInt(1);
/**
 * The curve BN-254 of EIP-196 and EIP-197, in WebAssembly: mcl is the library of its kind that is kept, and about 5 times as
 * fast as one in JavaScript, which a block full of pairings would hold a witness up with. Numbers are words of 32 bytes.
 */
export const Curve = {
    /** @param words x and y. @returns undefined for coordinates outside of the field or off the curve; zeros are infinity */
    point(words) {
        const point = new mcl.G1();
        if (isZero(words))
            return point;
        const [x, y] = [field(words, 0), field(words, WORD)];
        if (x === undefined || y === undefined)
            return undefined;
        point.setX(x);
        point.setY(y);
        point.setZ(ONE);
        return point.isValid() ? point : undefined;
    },
    /** @param words imaginary and real part of x, then of y. @returns undefined as above, and outside of the group */
    twistPoint(words) {
        const point = new mcl.G2();
        if (isZero(words))
            return point;
        const parts = [0, 1, 2, 3].map((at) => words.subarray(at * WORD, (at + 1) * WORD));
        if (parts.some((part) => !isOfField(part)))
            return undefined;
        const [b, a, d, c] = parts.map(toHex);
        try {
            point.setStr(`1 ${a} ${b} ${c} ${d}`, HEX);
            return point;
        }
        catch {
            // The library's only way to say "no such point".
            return undefined;
        }
    },
    add(a, b) {
        return mcl.add(a, b);
    },
    /** @param word of any size */
    multiply(point, word) {
        const scalar = new mcl.Fr();
        scalar.setBigEndianMod(word);
        return mcl.mul(point, scalar);
    },
    /** Whether the product of the pairings is one. */
    isOne(pairs) {
        let product;
        for (const [a, b] of pairs) {
            if (a.isZero() || b.isZero())
                continue;
            const next = mcl.millerLoop(a, b);
            product = product === undefined ? next : mcl.mul(product, next);
        }
        return product === undefined || mcl.finalExp(product).isOne();
    },
    /** x and y. */
    bytesOf(point) {
        if (point.isZero())
            return new Uint8Array(2 * WORD);
        point.normalize();
        return concatBytes(wordOf(point.getX()), wordOf(point.getY()));
    },
};
function field(words, at) {
    const word = words.subarray(at, at + WORD);
    if (!isOfField(word))
        return undefined;
    const value = new mcl.Fp();
    value.setBigEndianMod(word);
    return value;
}
function isOfField(word) {
    return Buffer.compare(word, PRIME) < 0;
}
function isZero(words) {
    return words.every((byte) => byte === 0);
}
function wordOf(value) {
    return value.serialize().reverse();
}
//# sourceMappingURL=bn128-curve.js.map