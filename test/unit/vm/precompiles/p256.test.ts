import { p256 } from '@noble/curves/nist.js';
import t from 'tap';
import { fromHex, toHex } from '../../../../src/primitives/bytes.js';
import { readRuleSet } from '../../../../src/vm/machine/rule-set.js';
import { p256Verify } from '../../../../src/vm/precompiles/p256.js';
import type { PrecompileContext } from '../../../../src/vm/precompiles/precompile.js';
import { Seeded } from '../../../support/vm/random-program.js';
import { worldWith } from '../../../support/vm/vm-world.js';

const { ORDER } = p256.Point.Fn;
const FIELD = p256.Point.Fp.ORDER;
const hex = (value: bigint) => value.toString(16).padStart(64, '0');
// Context of the call. Precompiles of signatures do not read it.
const noContext = undefined as unknown as PrecompileContext;
const run = (input: string) => toHex(p256Verify.run(fromHex(input), noContext).data);
const YES = hex(1n);

interface Signed {
  readonly hash: string;
  readonly r: bigint;
  readonly s: bigint;
  readonly x: string;
  readonly y: string;
}

const input = ({ hash, r, s, x, y }: Signed) => hash + hex(r) + hex(s) + x + y;

function signed(random: Seeded, hash = hexOf(random)): Signed {
  const secret = fromHex(`01${hexOf(random).slice(2)}`);
  const signature = toHex(p256.sign(fromHex(hash), secret, { prehash: false, lowS: false }));
  const key = toHex(p256.getPublicKey(secret, false));
  const half = (at: number) => BigInt(`0x${signature.slice(at, at + 64)}`);
  return { hash, r: half(0), s: half(64), x: key.slice(2, 66), y: key.slice(66) };
}

function hexOf(random: Seeded): string {
  return Array.from({ length: 32 }, () => random.below(256).toString(16).padStart(2, '0')).join('');
}

/** Returns the result of the library, for comparison. For some malformed input, the library throws. */
function opinion({ hash, r, s, x, y }: Signed): string {
  try {
    const isValid = p256.verify(fromHex(hex(r) + hex(s)), fromHex(hash), fromHex(`04${x}${y}`), {
      prehash: false,
      lowS: false,
    });
    return isValid ? YES : '';
  } catch {
    return '';
  }
}

t.test('verifies signatures like @noble/curves, including edge cases', async (t) => {
  const random = new Seeded(7951);
  for (let i = 0; i < 25; i++) {
    const good = signed(random, random.pick([hexOf(random), hex(0n), 'ff'.repeat(32), hex(ORDER), hex(ORDER - 1n)]));
    const flipped = (BigInt(`0x${good.hash}`) ^ (1n << BigInt(random.below(256)))) % (1n << 256n);
    const cases: readonly (readonly [name: string, signed: Signed])[] = [
      ['an unchanged signature', good],
      ['s replaced by the order minus s', { ...good, s: ORDER - good.s }],
      ['r replaced by the order minus r', { ...good, r: ORDER - good.r }],
      ['another hash', { ...good, hash: hex(flipped) }],
      ['the negated key', { ...good, y: hex(FIELD - BigInt(`0x${good.y}`)) }],
      ['r and s swapped', { ...good, r: good.s, s: good.r }],
    ];
    for (const [name, one] of cases) t.equal(run(input(one)), opinion(one), `${name}: ${input(one)}`);
    t.equal(run(input(good)), YES);
  }
});

t.test('returns nothing for numbers out of range and invalid keys', async (t) => {
  const good = signed(new Seeded(3));
  const off = hex((BigInt(`0x${good.y}`) + 1n) % FIELD);
  const bad: readonly (readonly [name: string, changed: Partial<Signed>])[] = [
    ['r of 0', { r: 0n }],
    ['s of 0', { s: 0n }],
    ['r equal to the order', { r: ORDER }],
    ['s equal to the order', { s: ORDER }],
    ['r above the order', { r: good.r + ORDER > 1n << 256n ? ORDER + 1n : good.r + ORDER }],
    ['x equal to the field prime', { x: hex(FIELD) }],
    ['y equal to the field prime', { y: hex(FIELD) }],
    ['infinity', { x: hex(0n), y: hex(0n) }],
    ['a key that is not on the curve', { y: off }],
  ];
  for (const [name, changed] of bad) t.equal(run(input({ ...good, ...changed })), '', name);
});

t.test('accepts a sum of both products that is infinity or a doubled point', async (t) => {
  // With the public key Q = k × G, the verification computes (e / s) × G + (r / s) × Q. If e is −r × k, the sum is
  // infinity. If e is r × k, both points are equal, so the addition is a doubling.
  const random = new Seeded(11);
  const k = BigInt(`0x${hexOf(random)}`) % ORDER;
  const key = p256.Point.BASE.multiply(k).toAffine();
  const r = BigInt(`0x${hexOf(random)}`) % ORDER;
  const from = (e: bigint, s: bigint, at: bigint): Signed => ({ hash: hex(e), r: at, s, x: hex(key.x), y: hex(key.y) });
  const opposite = from((ORDER - ((r * k) % ORDER)) % ORDER, 5n, r);
  t.equal(run(input(opposite)), '', 'infinity has no x coordinate');
  t.equal(opinion(opposite), '');
  // With s = r, the verification computes 2 × k × G. The signature is valid if r is the x coordinate of this point.
  const twice = p256.Point.BASE.multiply((2n * k) % ORDER).toAffine().x % ORDER;
  const doubled = from((twice * k) % ORDER, twice, twice);
  t.equal(run(input(doubled)), YES, 'a point added to itself');
  t.equal(opinion(doubled), YES);
});

t.test('requires 160 bytes of input at a constant cost', async (t) => {
  const good = input(signed(new Seeded(5)));
  t.equal(run(good), YES);
  t.equal(run(`${good}00`), '');
  t.equal(run(good.slice(0, -2)), '');
  t.equal(run(''), '');
  const rules = readRuleSet(worldWith([]));
  t.equal(p256Verify.energy(fromHex(good), rules), 6900);
  t.equal(p256Verify.energy(new Uint8Array(0), rules), 6900);
});
