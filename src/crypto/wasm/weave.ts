import {
  assemble,
  brIf,
  type Code,
  get,
  I32,
  i32,
  load,
  loadVector,
  loop,
  op,
  set,
  storeVector,
  tee,
  type WasmFunction,
  when,
} from './assembler.js';
import { compileModule, createMemory, instantiate, PAGE_BYTES, PAGES_MAX, VECTOR_BYTES } from './web-assembly.js';

export const WOVEN_ID_BYTES = 32;
/**
 * Size in bytes of an encoded gap, an unsigned big-endian number. A gap is the number of text bytes between two ids,
 * see `weaveInto`.
 */
export const GAP_BYTES = 2;

const [COUNT, GAPS, TEXT, END, THREADS, TO, GAP, AT] = [0, 1, 2, 3, 4, 5, 6, 7] as const;

const advance = (local: number, by: Code): Code => set(local, op('add', get(local), by));

/**
 * WebAssembly function `weave(count, gaps, text, end, ids, to)`. Writes a text and `count` ids to the address `to`,
 * with an id after each gap. Returns the address after the last id, or 0 if a gap is longer than the remaining text.
 */
const weaveFunction: WasmFunction = {
  name: 'weave',
  params: [I32, I32, I32, I32, I32, I32],
  results: [I32],
  locals: [I32, I32],
  body: [
    when(
      get(COUNT),
      loop(
        set(GAP, op('or', op('shl', load('u8', get(GAPS)), i32(8)), load('u8', get(GAPS), 1))),
        when(
          op('gt', op('add', get(TEXT), get(GAP)), get(END)),
          [set(COUNT, i32(0)), set(TO, i32(0))],
          [
            set(AT, i32(0)),
            // Copies 16 bytes at a time. Bytes after the end of the gap are copied too, but are overwritten later.
            loop(
              storeVector(op('add', get(TO), get(AT)), loadVector(op('add', get(TEXT), get(AT)))),
              brIf(0, op('lt', tee(AT, op('add', get(AT), i32(VECTOR_BYTES))), get(GAP))),
            ),
            advance(TEXT, get(GAP)),
            advance(TO, get(GAP)),
            storeVector(get(TO), loadVector(get(THREADS))),
            storeVector(get(TO), loadVector(get(THREADS), VECTOR_BYTES), VECTOR_BYTES),
            advance(TO, i32(WOVEN_ID_BYTES)),
            advance(THREADS, i32(WOVEN_ID_BYTES)),
            advance(GAPS, i32(GAP_BYTES)),
            set(COUNT, op('sub', get(COUNT), i32(1))),
          ],
        ),
        brIf(0, get(COUNT)),
      ),
    ),
    get(TO),
  ],
};

interface Functions {
  weave(count: number, gaps: number, text: number, end: number, ids: number, to: number): number;
}

const memory = createMemory(1, PAGES_MAX);
const { weave } = instantiate<Functions>(compileModule(assemble([], [weaveFunction])), { env: { memory } }).exports;
let bytes = new Uint8Array(memory.buffer);

/**
 * Inserts transaction ids into a text. Gap i is the number of text bytes between id i and the id before it. The text
 * after the last gap follows the last id. A JavaScript copy per id would take five times as long.
 * @param gapped the gaps, 2 bytes per id, followed by the text
 * @param ids 32 bytes per id
 * @param target array that receives all ids and text bytes from offset `at`
 * @returns false if the gaps are longer than the text, otherwise true
 */
export function weaveInto(target: Uint8Array, at: number, gapped: Uint8Array, ids: Uint8Array): boolean {
  const count = ids.length / WOVEN_ID_BYTES;
  const textLength = gapped.length - count * GAP_BYTES;
  if (textLength < 0) return false;
  const [gaps, to] = [ids.length, ids.length + gapped.length + VECTOR_BYTES];
  const end = to + textLength + ids.length;
  reserve(end + VECTOR_BYTES);
  bytes.set(ids, 0);
  bytes.set(gapped, gaps);
  const textEnd = gaps + gapped.length;
  const woven = weave(count, gaps, textEnd - textLength, textEnd, 0, to);
  if (woven === 0) return false;
  bytes.copyWithin(woven, textEnd - (end - woven), textEnd);
  target.set(bytes.subarray(to, end), at);
  return true;
}

function reserve(length: number): void {
  if (length <= bytes.length) return;
  memory.grow(Math.ceil((length - bytes.length) / PAGE_BYTES));
  bytes = new Uint8Array(memory.buffer);
}
