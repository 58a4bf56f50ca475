import type { Random } from '../../fuzz/random.js';

const VARINTS = [
  0n,
  1n,
  2n,
  3n,
  10n,
  99n,
  100n,
  1000n,
  1_000_001n,
  2n ** 31n - 1n,
  2n ** 31n,
  2n ** 32n,
  2n ** 63n - 1n,
  2n ** 63n,
  2n ** 64n - 1n,
];

type Field = { readonly tag: number } & (
  | { readonly kind: 'varint'; value: bigint }
  | { readonly kind: 'bytes'; value: Buffer }
  | { readonly kind: 'fixed'; value: Buffer }
);

/**
 * Changes random fields of an encoded message. Needs no schema.
 * @param known byte values in hex that may replace fields
 */
export function mutateMessage(body: Buffer, known: readonly string[], random: Random): Buffer {
  let bytes = body;
  for (let times = random.pick([0, 1, 1, 1, 2, 3]); times > 0; times--) {
    const fields = fieldsOf(bytes);
    if (fields === undefined || fields.length === 0 || random.chance(0.05)) {
      bytes = mutated(bytes, random);
      continue;
    }
    const at = random.below(fields.length);
    const field = fields[at];
    const share = random.next();
    if (field === undefined) continue;
    if (share < 0.12) fields.splice(at, 1);
    else if (share < 0.2) fields.push(field);
    else if (share < 0.27) fields[at] = { ...field, tag: field.tag + 8 * (random.below(9) - 4) };
    else if (field.kind === 'varint') field.value = random.pick(VARINTS);
    else if (field.kind === 'bytes') field.value = otherBytes(field.value, known, random);
    bytes = bytesOf(fields);
  }
  return bytes;
}

function otherBytes(value: Buffer, known: readonly string[], random: Random): Buffer {
  const share = random.next();
  if (share < 0.35 && fieldsOf(value) !== undefined && value.length > 2) return mutateMessage(value, known, random);
  if (share < 0.7) return Buffer.from(random.pick(known), 'hex');
  return random.pick([
    () => Buffer.alloc(0),
    () => value.subarray(1),
    () => value.subarray(0, value.length - 1),
    () => Buffer.concat([value, Buffer.of(0)]),
    () => Buffer.from(random.pick(['1000001', '1000002', '_', 'TRX', 'é', '0', '-1', ' 1', '9223372036854775808'])),
    () => random.bytes(random.pick([1, 20, 21, 32, 33, 40])),
    () => mutated(value, random),
  ])();
}

function mutated(bytes: Buffer, random: Random): Buffer {
  if (bytes.length === 0) return random.bytes(random.below(8));
  const copy = Buffer.from(bytes);
  copy[random.below(copy.length)] = random.below(256);
  return random.chance(0.3) ? copy.subarray(0, random.below(copy.length)) : copy;
}

/** Returns the fields of an encoded message; undefined if the message is malformed. */
function fieldsOf(bytes: Buffer): Field[] | undefined {
  const fields: Field[] = [];
  let at = 0;
  const varint = (): bigint | undefined => {
    let value = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = bytes[at++];
      if (byte === undefined) return undefined;
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return BigInt.asUintN(64, value);
    }
    return undefined;
  };
  while (at < bytes.length) {
    const tag = Number(varint() ?? 0n);
    const wire = tag % 8;
    if (tag < 8 || tag > 2 ** 20) return undefined;
    if (wire === 0) {
      const value = varint();
      if (value === undefined) return undefined;
      fields.push({ tag, kind: 'varint', value });
    } else {
      const length = wire === 1 ? 8 : wire === 5 ? 4 : wire === 2 ? Number(varint() ?? -1n) : -1;
      if (length < 0 || at + length > bytes.length) return undefined;
      fields.push({ tag, kind: wire === 2 ? 'bytes' : 'fixed', value: bytes.subarray(at, at + length) });
      at += length;
    }
  }
  return fields;
}

function bytesOf(fields: readonly Field[]): Buffer {
  const parts: Uint8Array[] = [];
  for (const field of fields) {
    parts.push(varintOf(BigInt(Math.max(8, field.tag))));
    if (field.kind === 'varint') parts.push(varintOf(field.value));
    else {
      if (field.kind === 'bytes') parts.push(varintOf(BigInt(field.value.length)));
      parts.push(field.value);
    }
  }
  return Buffer.concat(parts);
}

function varintOf(value: bigint): Uint8Array {
  const bytes: number[] = [];
  let rest = value;
  do {
    const low = Number(rest & 0x7fn);
    rest >>= 7n;
    bytes.push(rest > 0n ? low | 0x80 : low);
  } while (rest > 0n);
  return Uint8Array.from(bytes);
}
