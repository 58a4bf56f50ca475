import { type Code, get, I32, I64, i64, op, type WasmFunction } from '../assembler.js';
import { inMemory, LIMBS, type Limbs, locals, reduce, setLimbs, storeLimbs } from './field.js';

/** What a function computes: every product of two factors, and every addend, of size 1 or as the sum of sizes in `field.ts` allows. */
interface Terms {
  readonly products?: readonly (readonly [Limbs, Limbs])[];
  readonly squareOf?: Limbs;
  readonly addends?: readonly Limbs[];
}

/**
 * A function over addresses: the first takes the result, which may lie where an operand does.
 * @param make the terms, of operands by their number from 1 on
 */
export function sumOfProducts(
  name: string,
  operands: number,
  make: (operand: (at: number) => Limbs) => Terms,
): WasmFunction {
  const { products = [], squareOf, addends = [] } = make((at) => inMemory(get(at)));
  let next = 1 + operands;
  const before: Code[] = [];
  const load = (value: Limbs): Limbs => {
    const first = next;
    next += LIMBS;
    before.push(setLimbs(first, value));
    return locals(first);
  };
  const pairs = products.map(([a, b]) => [load(a), load(b)] as const);
  const root = squareOf && load(squareOf);
  const doubled = root && load((at) => op('shl64', root(at), i64(1n)));
  const columns = (column: number): Code[] => [
    ...pairs.flatMap(([a, b]) => product(a, b, column)),
    ...(root === undefined || doubled === undefined ? [] : square(root, doubled, column)),
    ...(column < LIMBS ? addends.map((addend) => addend(column)) : []),
  ];
  const digits = next;
  const result = digits + LIMBS;
  const carry = result + LIMBS;
  const body = [before, reduce(columns, { digits, result, carry }), storeLimbs(get(0), locals(result))];
  return {
    name,
    params: new Array<number>(1 + operands).fill(I32),
    results: [],
    locals: new Array<number>(carry - operands).fill(I64),
    body,
  };
}

/** Terms of weight 2^(29 column) of a product, 0 to 16. */
export function product(a: Limbs, b: Limbs, column: number): Code[] {
  return lowerOf(column).map((at) => op('mul64', a(at), b(column - at)));
}

/** The same of a square. @param doubled twice the limbs of `a` */
export function square(a: Limbs, doubled: Limbs, column: number): Code[] {
  return lowerOf(column)
    .filter((at) => at * 2 <= column)
    .map((at) => op('mul64', at * 2 === column ? a(at) : doubled(at), a(column - at)));
}

/** Lower limbs of the pairs of limbs that meet in a column. */
function lowerOf(column: number): number[] {
  const from = Math.max(0, column - LIMBS + 1);
  return Array.from({ length: Math.min(column, LIMBS - 1) - from + 1 }, (_, at) => from + at);
}
