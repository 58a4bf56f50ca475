import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import Long from 'long';
import protobuf from 'protobufjs';
import t from 'tap';
import { messageOf } from '../../../src/codec/descriptor.js';
import '../../../src/codec/generated/messages.js';
import { toHex } from '../../../src/primitives/bytes.js';

// The package protobufjs reads the same schemas. The node's codec must decode messages of protobufjs, and encode the
// result to the same bytes.
const folder = fileURLToPath(new URL('../../../proto', import.meta.url));
const root = new protobuf.Root();
root.resolvePath = (_from, to) => (to.startsWith('google/') ? to : join(folder, to));
root.loadSync(
  [
    'core/Tron.proto',
    'core/Discover.proto',
    'core/Connect.proto',
    'core/TronInventoryItems.proto',
    'api/api.proto',
    'api/zksnark.proto',
  ],
  { keepCase: true },
);
root.resolveAll();

const ROUNDS = 20;

/** Returns a random number generator with a fixed seed. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

function allTypes(namespace: protobuf.NamespaceBase): protobuf.Type[] {
  return namespace.nestedArray.flatMap((item) => [
    ...(item instanceof protobuf.Type ? [item] : []),
    ...(item instanceof protobuf.Namespace ? allTypes(item) : []),
  ]);
}

/** Returns a message with some fields set. No field has its default value, because proto3 omits default values. */
function randomMessage(type: protobuf.Type, below: (limit: number) => number, depth = 0): Record<string, unknown> {
  const message: Record<string, unknown> = {};
  const chosen = new Set<protobuf.OneOf>();
  for (const field of type.fieldsArray) {
    if (below(3) === 0 || (field.partOf && chosen.has(field.partOf))) continue;
    if (field.resolvedType instanceof protobuf.Type && depth > 3) continue;
    if (field.partOf) chosen.add(field.partOf);
    if (field instanceof protobuf.MapField) message[field.name] = { [`key${below(9)}`]: scalar(field, below) };
    else if (field.repeated)
      message[field.name] = Array.from({ length: 1 + below(3) }, () => value(field, below, depth));
    else message[field.name] = value(field, below, depth);
  }
  return message;
}

function value(field: protobuf.Field, below: (limit: number) => number, depth: number): unknown {
  if (field.resolvedType instanceof protobuf.Type) return randomMessage(field.resolvedType, below, depth + 1);
  return scalar(field, below);
}

function scalar(field: protobuf.Field, below: (limit: number) => number): unknown {
  if (field.resolvedType instanceof protobuf.Enum) {
    const values = Object.values(field.resolvedType.values).filter((number) => number !== 0);
    return values[below(values.length)] ?? 0;
  }
  if (field.type === 'string') return 'α text'.slice(0, 1 + below(6));
  if (field.type === 'bytes') return Uint8Array.from({ length: 1 + below(40) }, () => below(256));
  if (field.type === 'bool') return true;
  if (field.type === 'double') return below(1000) / 7 + 1;
  if (field.type === 'int32') return below(2) === 0 ? -1 - below(1000) : 1 + below(2 ** 31 - 2);
  return Long.fromBits(below(2 ** 32) | 1, below(2 ** 32), false);
}

t.test('decodes every message of the schemas as protobufjs encodes it', async (t) => {
  const types = allTypes(root).filter(({ fullName }) => fullName.startsWith('.protocol.'));
  t.ok(types.length >= 230, `${types.length} messages`);
  const below = numbers(20_261_121);
  for (const type of types) {
    if (type.options?.['map_entry']) continue;
    const ours = messageOf(type.fullName.slice(1));
    if (ours === undefined) {
      t.fail(`no class for ${type.fullName}`);
      continue;
    }
    let mismatched: string | undefined;
    for (let round = 0; round < ROUNDS && mismatched === undefined; round++) {
      const bytes = type.encode(type.fromObject(randomMessage(type, below))).finish();
      const again = ours.encode(ours.decode(bytes));
      if (toHex(again) !== toHex(bytes)) mismatched = `${toHex(bytes)} became ${toHex(again)}`;
    }
    t.equal(mismatched, undefined, type.fullName);
  }
});

t.test('keeps unknown fields after the known ones', async (t) => {
  const transaction = messageOf('protocol.Transaction')!;
  const unknown = '9a0603616263';
  const bytes = Buffer.from(`0a020803${unknown}`, 'hex');
  t.equal(toHex(transaction.encode(transaction.decode(bytes))), toHex(bytes));
  const first = Buffer.from(`${unknown}0a020803`, 'hex');
  t.equal(toHex(transaction.encode(transaction.decode(first))), toHex(bytes), 'encoded like java-tron');
});

t.test('rejects malformed bytes', async (t) => {
  const account = messageOf('protocol.Account')!;
  for (const hex of ['0a', '0a05', '0aff', '07', '0c', '08ffffffffffffffffffff01', '0affffffff0f']) {
    t.throws(() => account.decode(Buffer.from(hex, 'hex')), { code: 'PROTOBUF_ERROR' }, hex);
  }
});
