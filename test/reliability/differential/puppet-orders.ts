import type { DelegatedResource } from '../../../src/codec/generated/messages.js';
import { addressBytes, toAddress } from '../../../src/primitives/address.js';
import { concatBytes, equalBytes, toInt64 } from '../../../src/primitives/bytes.js';
import { everybody, rich } from './actors.js';
import type { Dice } from './dice.js';
import { precompileInput } from './precompile-inputs.js';
import {
  deploying,
  PAYLOAD_AT,
  type PuppetStepName,
  puppetCall,
  puppetCode,
  puppetRuntime,
  wordOf,
} from './puppet-code.js';
import { randomProgramOf } from './random-code.js';
import type { Scene } from './scene.js';

/** Memory offset of the payload of an order. */
export const PAYLOAD = BigInt(PAYLOAD_AT);
const TRX_SUN = 1_000_000n;

export const bare = (address: Uint8Array): bigint => BigInt(`0x00${Buffer.from(address.subarray(1)).toString('hex')}`);

/**
 * Orders of a puppet: stake, vote, delegate, call, create, self-destruct. `depth` limits the nesting of orders to other
 * puppets.
 */
export function puppetOrder(scene: Scene, self: Uint8Array, depth: number): Uint8Array {
  const { dice } = scene;
  const kind = dice.pick(KINDS);
  const reverts = dice.chance(0.08);
  if (kind === 'calls') return callOrder(scene, depth, reverts);
  if (kind === 'creates') return createOrder(scene, reverts);
  if (kind === 'votes') return voteOrder(scene, reverts);
  const [name, operands] = plainOrder(scene, self);
  if (operands.length > 0 && dice.chance(0.05)) operands[dice.below(operands.length)] = dice.pick(EXTREMES);
  return puppetCall(name, operands, new Uint8Array(0), reverts);
}

/** Bounds of integer types that are shorter than a word. */
const EXTREMES = [
  0n,
  1n,
  ...[31, 32, 63, 64, 160, 255, 256].flatMap((bits) => [2n ** BigInt(bits) - 1n, 2n ** BigInt(bits)]),
];

const KINDS = ['plain', 'plain', 'plain', 'plain', 'votes', 'calls', 'calls', 'calls', 'creates'] as const;

function plainOrder(scene: Scene, self: Uint8Array): [PuppetStepName, bigint[]] {
  return scene.dice.chance(0.6) ? stakeOrder(scene, self) : readOrder(scene, self);
}

/** Returns mostly a known account, sometimes the puppet itself or any address. */
export function otherThan({ dice, contracts }: Scene, self: Uint8Array): bigint {
  const kind = dice.below(10);
  if (kind < 2) return bare(self);
  const contract = kind === 2 ? contracts.at(-1) : undefined;
  if (contract !== undefined) return bare(addressBytes(contract));
  return kind === 3 ? bare(Uint8Array.of(0x41, ...dice.bytes(20))) : bare(dice.pick(kind < 8 ? rich : everybody).bytes);
}

/** Returns an order with a stake operation. */
export function stakeOrder(scene: Scene, self: Uint8Array): [PuppetStepName, bigint[]] {
  const { dice } = scene;
  const other = otherThan(scene, self);
  const account = scene.state.account(toAddress(self));
  const [{ type, amount: frozen } = { type: dice.below(2), amount: TRX_SUN }] = account?.frozenV2 ?? [];
  const amount = dice.chance(0.8) ? dice.upTo(50n) * TRX_SUN + TRX_SUN : dice.amount(account?.balance ?? 1n);
  const resource = BigInt(dice.chance(0.97) ? dice.below(2) : dice.pick([2, 3]));
  const given = [...scene.state.delegatedResources.range('')].map(([, row]) => row);
  const mine = given.filter(({ from }) => equalBytes(from, self));
  const receiver = mine.length > 0 && dice.chance(0.8) ? bare(dice.pick(mine).to) : other;
  const sensible = dice.chance(0.4) ? endingOrders(scene, self, mine) : [];
  if (sensible.length > 0) return dice.pick(sensible);
  const byOldRules: [PuppetStepName, bigint[]][] = [
    ['freeze', [resource, amount, other]],
    ['freeze', [resource, amount, bare(self)]],
    ['unfreeze', [resource, dice.chance(0.5) ? bare(self) : receiver]],
    ['freezeExpireTime', [resource, dice.chance(0.6) ? bare(self) : receiver]],
  ];
  if (stakesByOldRules(scene) && dice.chance(0.7)) return dice.pick(byOldRules);
  return dice.pick<[PuppetStepName, bigint[]]>([
    ...byOldRules,
    ['withdrawReward', []],
    ['freezeV2', [dice.chance(0.2) ? 2n : resource, amount]],
    ['freezeV2', [resource, amount]],
    ['unfreezeV2', [BigInt(type), dice.amount(frozen / 4n)]],
    ['unfreezeV2', [resource, dice.amount(frozen)]],
    ['cancelUnfreezing', []],
    ['withdrawUnfrozen', []],
    ['delegate', [BigInt(type), dice.amount(frozen / 2n), other]],
    ['delegate', [resource, amount, other]],
    ['undelegate', [resource, dice.amount(amount), receiver]],
    ['undelegate', [resource, dice.amount(frozen / 4n), receiver]],
  ]);
}

/** Returns true if contracts stake by the rules before Stake 2.0. */
export function stakesByOldRules({ state: { properties } }: Scene): boolean {
  return properties.isOn('ALLOW_TVM_FREEZE') && !properties.supportsUnfreezeDelay();
}

/**
 * Returns an order that reduces what a contract has staked, delegated, or unfrozen.
 * @param `lent` amount that the contract has delegated
 */
function endingOrders(
  { dice, state }: Scene,
  self: Uint8Array,
  lent: readonly DelegatedResource[],
): [PuppetStepName, bigint[]][] {
  const orders: [PuppetStepName, bigint[]][] = [];
  const account = state.account(toAddress(self));
  if (account === undefined) return orders;
  const part = (amount: bigint): bigint => (dice.chance(0.4) ? amount : dice.upTo(amount / TRX_SUN) * TRX_SUN);
  for (const { type, amount } of account.frozenV2)
    if (amount > 0n) orders.push(['unfreezeV2', [BigInt(type), part(amount)]]);
  if (account.unfrozenV2.length > 0) orders.push(['cancelUnfreezing', []], ['withdrawUnfrozen', []]);
  if (account.votes.length > 0 || account.allowance > 0n) orders.push(['withdrawReward', []]);
  if (account.frozen.length > 0) orders.push(['unfreeze', [0n, bare(self)]]);
  if (account.accountResource?.frozenBalanceForEnergy !== undefined) orders.push(['unfreeze', [1n, bare(self)]]);
  for (const { to, frozenBalanceForBandwidth, frozenBalanceForEnergy } of lent.slice(0, 4)) {
    for (const [resource, amount] of [frozenBalanceForBandwidth, frozenBalanceForEnergy].entries()) {
      if (amount === 0n) continue;
      const whose = bare(to);
      orders.push(['undelegate', [BigInt(resource), part(amount), whose]], ['unfreeze', [BigInt(resource), whose]]);
    }
  }
  return orders;
}

/** Sizes around the memory limit, and numbers at which integer types overflow. */
const EDGES = [31, 32, 63, 64, 255, 256].map((bits) => 2n ** BigInt(bits) - 1n);
const MEMORY_MAX = 3n * 2n ** 20n;

function edge(dice: Dice): bigint {
  return dice.chance(0.5) ? MEMORY_MAX + BigInt(dice.between(-40, 2)) : dice.pick(EDGES) + BigInt(dice.between(-1, 1));
}

const place = (dice: Dice): bigint => (dice.chance(0.9) ? BigInt(dice.below(100)) : edge(dice));
/** Returns a size. If it is 0, the offset may be invalid, because nothing is read or written. */
const size = (dice: Dice): bigint => (dice.chance(0.93) ? BigInt(dice.chance(0.2) ? 0 : dice.below(300)) : edge(dice));
/**
 * Returns an offset far beyond the memory. A precompile answers a call without input if java-tron can allocate memory
 * for it. The offset is not so close to 2^31 that the sum with the missing size overflows.
 */
const FAR = [
  ...[2n ** 24n - 20n, 2n ** 24n, 50n * 2n ** 20n],
  ...[2n ** 31n + 2n ** 27n, 2n ** 32n - 1000n, 2n ** 32n - 1n, 2n ** 63n, 2n ** 64n - 1n, 2n ** 255n, 2n ** 256n - 1n],
];
const area = (dice: Dice): [bigint, bigint] => (dice.chance(0.5) ? [dice.pick(FAR), 0n] : [place(dice), size(dice)]);

function readOrder(scene: Scene, self: Uint8Array): [PuppetStepName, bigint[]] {
  const { dice } = scene;
  const other = otherThan(scene, self);
  const slot = dice.chance(0.9) ? BigInt(dice.below(5)) : 2n ** 255n;
  const token = dice.chance(0.9) ? 1_000_001n + BigInt(dice.below(4)) : dice.pick([0n, 1n, 1_000_000n, 2n ** 64n]);
  return dice.pick<[PuppetStepName, bigint[]]>([
    ['balance', [other]],
    ['codeSize', [other]],
    ['codeHash', [other]],
    ['tokenBalance', [token, other]],
    ['isContract', [other]],
    ['store', [slot, dice.chance(0.3) ? 0n : BigInt(dice.below(1000))]],
    ['load', [slot]],
    ['storeTransient', [slot, 5n]],
    ['loadTransient', [slot]],
    ['blockHash', [scene.state.blockNumber - BigInt(dice.below(300))]],
    ['log', [place(dice), size(dice), 7n, 8n]],
    ['hash', [place(dice), size(dice)]],
    ['copyInput', [place(dice), place(dice), size(dice)]],
    ['copyCode', [place(dice), place(dice), size(dice)]],
    ['copyOtherCode', [other, place(dice), place(dice), size(dice)]],
    ['copyReturned', [place(dice), place(dice), size(dice)]],
    ['copyMemory', [place(dice), place(dice), size(dice)]],
    ['selfDestruct', [other]],
  ]);
}

export function voteOrder(scene: Scene, reverts: boolean): Uint8Array {
  const { dice } = scene;
  const candidates = [...scene.state.witnesses.range('')].map(([, { address }]) => address);
  const count = dice.chance(0.95) ? dice.between(1, 3) : dice.pick([0, 30, 31]);
  const voted = Array.from({ length: count }, () =>
    bare(dice.chance(0.95) ? dice.pick(candidates) : (everybody[0]?.bytes ?? candidates[0] ?? new Uint8Array(21))),
  );
  const counts = voted.map(() => (dice.chance(0.95) ? dice.upTo(20n) + 1n : dice.amount(2n ** 62n)));
  const length = BigInt(dice.chance(0.97) ? count : count + 1);
  const payload = concatBytes(...[length, ...voted, length, ...counts].map(wordOf));
  const second = PAYLOAD + 32n + 32n * BigInt(count);
  return puppetCall('vote', [length, second, length, PAYLOAD], payload, reverts);
}

/** Maximum depth of nested calls. Reference: Program.MAX_DEPTH. */
const DEPTH_MAX = 64;

/** Returns calls of puppets by puppets, up to about the maximum depth. The innermost puppet receives an order. */
function deepOrder(scene: Scene, puppet: Uint8Array): Uint8Array {
  const { dice } = scene;
  let order = puppetOrder(scene, puppet, 0);
  for (let left = DEPTH_MAX - dice.below(4); left > 0; left--) {
    const area = [PAYLOAD, BigInt(order.length), PAYLOAD, 64n] as const;
    const to = bare(puppet);
    order = dice.chance(0.8)
      ? puppetCall('call', [GAS, to, 0n, ...area], order)
      : puppetCall('delegateCall', [GAS, to, ...area], order);
  }
  return order;
}

const GAS = 100_000_000n;

function callOrder(scene: Scene, depth: number, reverts: boolean): Uint8Array {
  const { dice } = scene;
  const isPrecompile = dice.chance(0.45);
  const puppet = scene.puppet();
  if (puppet !== undefined && depth > 1 && dice.chance(0.03)) return deepOrder(scene, puppet);
  let to: bigint;
  let input: Uint8Array;
  if (isPrecompile) {
    [to, input] = precompileInput(scene);
  } else if (puppet !== undefined && depth > 0 && dice.chance(0.7)) {
    to = bare(puppet);
    input = puppetOrder(scene, puppet, depth - 1);
  } else {
    to = bare(scene.contract() ?? everybody[0]?.bytes ?? new Uint8Array(21));
    if (dice.chance(0.5)) to = bare(dice.pick(everybody).bytes);
    input = dice.bytes(dice.below(70));
  }
  const gas = dice.chance(0.9) ? GAS : dice.pick([0n, 2300n, 20_000n]);
  const value = dice.chance(0.6) ? 0n : dice.chance(0.9) ? dice.upTo(2_000_000n) : dice.amount(10n ** 12n);
  const given = dice.chance(0.97) ? ([PAYLOAD, BigInt(input.length)] as const) : area(dice);
  const taken = dice.chance(0.92) ? ([PAYLOAD, BigInt(dice.below(80))] as const) : area(dice);
  const areas = [...given, ...taken] as const;
  const kind = dice.below(10);
  if (kind < 5) return puppetCall('call', [gas, to, value, ...areas], input, reverts);
  if (kind === 5) return puppetCall('callCode', [gas, to, value, ...areas], input, reverts);
  if (kind === 6) return puppetCall('delegateCall', [gas, to, ...areas], input, reverts);
  if (kind === 7) return puppetCall('staticCall', [gas, to, ...areas], input, reverts);
  const token = dice.chance(0.9)
    ? toToken(dice.pick([...scene.tokens(), new Uint8Array(0)]))
    : dice.pick([0n, 1n, 1_000_000n, 1_000_001n, 2n ** 63n - 1n, 2n ** 63n, 2n ** 64n, 2n ** 255n]);
  return puppetCall('callToken', [gas, to, value, token, ...areas], input, reverts);
}

function toToken(token: Uint8Array): bigint {
  const text = Buffer.from(token).toString();
  return /^\d+$/.test(text) ? BigInt(text) : toInt64(new Uint8Array(8));
}

function createOrder(scene: Scene, reverts: boolean): Uint8Array {
  const { dice } = scene;
  const kind = dice.below(4);
  const code =
    kind === 0
      ? puppetCode
      : kind === 1
        ? deploying(puppetRuntime.subarray(0, dice.below(500)))
        : kind === 2
          ? randomProgramOf(scene)
          : dice.bytes(dice.below(40));
  const area = [PAYLOAD, BigInt(code.length)] as const;
  const value = dice.chance(0.7) ? 0n : dice.upTo(1_000_000n);
  if (dice.chance(0.5)) return puppetCall('create', [value, ...area], code, reverts);
  return puppetCall('create2', [value, ...area, BigInt(dice.below(3))], code, reverts);
}
