import { concatBytes } from '../domain/bytes.js';

/** A field met while reading: its tag and its bytes behind the tag. */
interface UnknownField {
  readonly id: number;
  readonly bytes: Uint8Array;
}

/** Order inside one field number in which the reference writes unknown values: varint, fixed32, fixed64, length, group. */
const WIRE_ORDER = [0, 2, 3, 4, 5, 1] as const;

/**
 * Unknown fields as they are written again: ascending field number, inside one number by wire type, varints minimal.
 * Reference: UnknownFieldSet.writeTo of the Java library.
 */
export function collectUnknown(before: Uint8Array | undefined, fields: readonly UnknownField[]): Uint8Array {
  const all = [...(before === undefined ? [] : splitFields(before)), ...fields];
  const order = (field: UnknownField): number => (field.id >>> 3) * 8 + WIRE_ORDER[(field.id & 7) as 0]!;
  const sorted = all.map((field, at) => ({ field, at })).sort((a, b) => order(a.field) - order(b.field) || a.at - b.at);
  return concatBytes(...sorted.flatMap(({ field }) => [varint(BigInt(field.id >>> 0)), rewrite(field)]));
}

function rewrite({ id, bytes }: UnknownField): Uint8Array {
  switch (id & 7) {
    case 0:
      return varint(readVarint(bytes, 0).value);
    case 2: {
      const { value, next } = readVarint(bytes, 0);
      return concatBytes(varint(value), bytes.subarray(next));
    }
    case 3: {
      const inner = splitFields(bytes, id);
      const close = varint(BigInt(((id >>> 3) << 3) | 4));
      return inner.length === 0 ? close : concatBytes(collectUnknown(undefined, inner), close);
    }
    default:
      return bytes;
  }
}

/** Cuts bytes that are known to be well formed into fields; with `group`, up to its end tag. */
function splitFields(bytes: Uint8Array, group?: number): UnknownField[] {
  const fields: UnknownField[] = [];
  let at = 0;
  while (at < bytes.length) {
    const { value, next } = readVarint(bytes, at);
    const id = Number(value);
    if (group !== undefined && (id & 7) === 4) break;
    const end = endOfField(bytes, id, next);
    fields.push({ id, bytes: bytes.subarray(next, end) });
    at = end;
  }
  return fields;
}

function endOfField(bytes: Uint8Array, id: number, start: number): number {
  switch (id & 7) {
    case 0:
      return readVarint(bytes, start).next;
    case 1:
      return start + 8;
    case 2: {
      const { value, next } = readVarint(bytes, start);
      return next + Number(value);
    }
    case 3: {
      let at = start;
      for (;;) {
        const { value, next } = readVarint(bytes, at);
        if ((Number(value) & 7) === 4) return next;
        at = endOfField(bytes, Number(value), next);
      }
    }
    default:
      return start + 4;
  }
}

function readVarint(bytes: Uint8Array, start: number): { value: bigint; next: number } {
  let value = 0n;
  let at = start;
  for (let shift = 0n; ; shift += 7n) {
    const byte = bytes[at++]!;
    value |= BigInt(byte & 0x7f) << shift;
    if (byte < 0x80) return { value: BigInt.asUintN(64, value), next: at };
  }
}

function varint(value: bigint): Uint8Array {
  const out: number[] = [];
  let rest = value;
  while (rest > 0x7fn) {
    out.push(Number(rest & 0x7fn) | 0x80);
    rest >>= 7n;
  }
  out.push(Number(rest));
  return Uint8Array.from(out);
}
