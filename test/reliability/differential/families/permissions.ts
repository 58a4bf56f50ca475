import { AccountPermissionUpdateContract, Key, Permission } from '../../../../src/codec/generated/messages.js';
import { toAddress } from '../../../../src/primitives/address.js';
import { utf8 } from '../../../../src/primitives/bytes.js';
import { type Actor, actorOf, everybody, poor, rich, witnesses } from '../actors.js';
import { oddText } from '../odd-text.js';
import type { Family, Scene } from '../scene.js';
import { type Draft, draft } from '../sealed-transaction.js';

const ALL_OPERATIONS = Uint8Array.from(
  Buffer.from('7fff1fc0033e0300000000000000000000000000000000000000000000000000', 'hex'),
);
/**
 * Operations of active permissions: usual contract types, only transfers, two sets with contract types that are not
 * available, and a value with a wrong length.
 */
const OPERATIONS = [
  ALL_OPERATIONS,
  Uint8Array.from(Buffer.from('0200000000000000000000000000000000000000000000000000000000000000', 'hex')),
  Uint8Array.from(Buffer.from('7fff1fc0037e0700000000000000000000000000000000000000000000000000', 'hex')),
  Uint8Array.from(Buffer.from('7fff1fc0033effffff0000000000000000000000000000000000000000000000', 'hex')),
  new Uint8Array(31),
];

function permission({ random, state }: Scene, type: number, own: Uint8Array): Permission {
  const known = random.pick([
    state.properties.bytes('ACTIVE_DEFAULT_OPERATIONS'),
    state.properties.bytes('AVAILABLE_CONTRACT_TYPE'),
  ]);
  const count =
    type === 1 && random.chance(0.9) ? 1 : random.chance(0.97) ? random.between(1, 4) : random.pick([0, 5, 6]);
  const keys = Array.from({ length: count }, (_, at) =>
    Object.assign(new Key(), {
      address: at === 0 && random.chance(0.7) ? own : random.pick(everybody).bytes,
      weight: random.chance(0.97) ? BigInt(random.between(1, 3)) : random.amount(5n),
    }),
  );
  const sum = keys.reduce((total, { weight }) => total + weight, 0n);
  return Object.assign(new Permission(), {
    type: random.chance(0.99) ? type : random.below(3),
    permissionName: random.chance(0.95)
      ? random.pick(['name', oddText(random, 32)])
      : random.pick(['', 'n'.repeat(33), '\u00e9'.repeat(16), '\u00e9'.repeat(32)]),
    threshold: random.chance(0.95) ? (sum > 1n && random.chance(0.6) ? sum - 1n : 1n) : random.amount(sum),
    parentId: random.chance(0.99) ? 0 : 1,
    operations:
      type === 2
        ? random.chance(0.9)
          ? known
          : random.pick(OPERATIONS)
        : random.chance(0.98)
          ? utf8('')
          : ALL_OPERATIONS,
    keys,
  });
}

export const updatePermissions: Family = (scene) => {
  const { random } = scene;
  const owner = random.pick([
    ...rich.slice(6),
    ...poor,
    ...witnesses.slice(3),
    ...(random.chance(0.05) ? everybody : []),
  ]);
  const isWitness = scene.account(owner)?.isWitness === true;
  const fields = {
    ownerAddress: owner.bytes,
    owner: permission(scene, 0, owner.bytes),
    ...(isWitness !== random.chance(0.03) ? { witness: permission(scene, 1, owner.bytes) } : {}),
    actives: Array.from({ length: random.chance(0.95) ? random.between(1, 3) : random.pick([0, 8, 9]) }, () =>
      permission(scene, 2, owner.bytes),
    ),
  };
  return draft('AccountPermissionUpdateContract', AccountPermissionUpdateContract, fields, owner);
};

/**
 * Returns the draft with the signers and the id of a random permission of the owner. Changes every draft of an
 * account whose permissions have other keys than the owner's, and one in ten drafts of other accounts.
 */
export function underPermission(scene: Scene, owner: Actor, made: Draft): Draft {
  const { random } = scene;
  const account = scene.account(owner);
  if (account?.ownerPermission === undefined) return made;
  const all = [account.ownerPermission, ...account.activePermission];
  const named = all.flatMap(({ keys }) => keys).some(({ address }) => toAddress(address) !== owner.address);
  if (!named && random.chance(0.9)) return made;
  const chosen = random.pick(all);
  const signers: Actor[] = [];
  let weight = 0n;
  for (const key of chosen.keys) {
    const signer = actorOf(toAddress(key.address));
    if (signer === undefined || (weight >= chosen.threshold && random.chance(0.8))) continue;
    signers.push(signer);
    weight += key.weight;
  }
  if (random.chance(0.03)) signers.push(random.pick(everybody));
  const permissionId = random.chance(0.97) ? chosen.id : random.pick([1, 2, 3, 9, -1]);
  return { ...made, signers: signers.length === 0 ? made.signers : signers, permissionId };
}
