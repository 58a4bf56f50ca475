import { type Code, get, I32, I64, i64, op, type WasmFunction } from '../assembler.js';
import { inMemory, LIMBS, type Limbs, locals, product, setLimbs, square, storeLimbs } from '../limbs.js';
import { reduce } from './field.js';

/**
 * Terms of a sum: products of two factors, a square, and addends. A factor may have a larger size than 1 within the
 * limit that `field.ts` explains.
 */
interface Terms {
  readonly products?: readonly (readonly [Limbs, Limbs])[];
  readonly squareOf?: Limbs;
  readonly addends?: readonly Limbs[];
}

/**
 * Returns a WebAssembly function whose parameters are addresses. The first parameter is the address of the result.
 * The result may overwrite an operand.
 * @param make returns the terms; operands are numbered from 1
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
