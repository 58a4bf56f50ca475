import { enumValuesOf, type FieldDescriptor, type MessageType, messageTypeOf } from '../../../src/codec/descriptor.js';
import { TransactionContractContractType as ContractType } from '../../../src/codec/generated/messages.js';
import { toAddress } from '../../../src/primitives/address.js';
import { EMPTY_BYTES } from '../../../src/primitives/bytes.js';
import { contractRows } from '../../../src/state-transition/system-contracts/table.js';
import { actorOf, everybody } from './actors.js';
import type { Scene } from './scene.js';
import type { Draft } from './sealed-transaction.js';

const LONG_MAX = 2n ** 63n - 1n;
const INT_MAX = 2 ** 31 - 1;

/**
 * Returns the draft with an invalid value in one field of its contract. If the changed field is the owner, the new
 * owner signs, otherwise the old one.
 */
export function withOddField(scene: Scene, made: Draft): Draft {
  const row = contractRows.get(ContractType[made.type]);
  if (row === undefined) return made;
  const contract = row.message.decode(made.value);
  mutateMessage(scene, row.message, contract);
  const owner = row.ownerOf(contract);
  const signer = owner.length === 21 && scene.random.chance(0.9) ? actorOf(toAddress(owner)) : undefined;
  return { ...made, value: row.message.encode(contract), signers: signer === undefined ? made.signers : [signer] };
}

/** Changes one field of a message, or of a message that is nested in it. */
function mutateMessage(scene: Scene, { $fields }: MessageType<object>, message: object): void {
  const field = scene.random.pick($fields);
  // Cast: a message object has a property for each of its field descriptors.
  const fields = message as Record<string, unknown>;
  const value = fields[field.prop];
  fields[field.prop] = Array.isArray(value)
    ? oddList(scene, field, value).filter((item) => item !== undefined)
    : oddValue(scene, field, value);
}

function oddList(scene: Scene, field: FieldDescriptor, list: readonly unknown[]): unknown[] {
  const { random } = scene;
  const at = random.below(Math.max(1, list.length));
  const one = list[at];
  switch (random.below(5)) {
    case 0:
      return [];
    case 1:
      return one === undefined ? [] : [...list, one];
    case 2:
      return [...list].reverse();
    default:
      return list.length === 0 ? [oddValue(scene, field, undefined)] : list.with(at, oddValue(scene, field, one));
  }
}

function oddValue(scene: Scene, field: FieldDescriptor, value: unknown): unknown {
  const { random } = scene;
  if (value instanceof Map) return new Map();
  switch (field.kind) {
    case 'bytes':
      return oddBytes(scene);
    case 'int64':
      return oddLong(scene, typeof value === 'bigint' ? value : 0n);
    case 'int32':
      return random.pick([0, 1, 2, -1, INT_MAX, -INT_MAX - 1]);
    case 'enum':
      return random.pick([...Object.values(enumValuesOf(field)), 99, -1]);
    case 'bool':
      return value !== true;
    case 'string':
      return random.pick(['', 'text', '\u00e9', 'x'.repeat(300)]);
    case 'double':
      return random.pick([0, -1, 0.5]);
    case 'message':
      return oddMessage(scene, messageTypeOf(field), value);
  }
}

function oddMessage(scene: Scene, type: MessageType<object>, value: unknown): object | undefined {
  if (scene.random.chance(0.1)) return undefined;
  const message = typeof value === 'object' && value !== null ? value : new type();
  if (type.$fields.length > 0) mutateMessage(scene, type, message);
  return message;
}

function oddBytes(scene: Scene): Uint8Array {
  const { random } = scene;
  const anybody = random.pick(everybody).bytes;
  return random.pick([
    () => EMPTY_BYTES,
    () => anybody,
    () => anybody,
    () => anybody.subarray(0, 20),
    () => Uint8Array.of(0xa0, ...anybody.subarray(1)),
    () => scene.target(),
    () => scene.token(),
    () => random.bytes(random.pick([1, 21, 32, 33])),
  ])();
}

function oddLong({ random }: Scene, value: bigint): bigint {
  const odd = [0n, 1n, -1n, LONG_MAX, -LONG_MAX - 1n, value + 1n, value - 1n, -value, value * 1000n];
  return BigInt.asIntN(64, random.chance(0.8) ? random.pick(odd) : random.amount(LONG_MAX));
}
