import type { DelegatedResource } from '../../../src/codec/generated/messages.js';
import { addressBytes, toAddress } from '../../../src/primitives/address.js';
import { concatBytes, equalBytes, toInt64 } from '../../../src/primitives/bytes.js';
import { everybody, rich } from './actors.js';
import { precompileInput } from './precompile-inputs.js';
import { deploying, PAYLOAD_AT, type ProxyStepName, proxyCall, proxyCode, proxyRuntime, wordOf } from './proxy-code.js';
import type { RandomChoices } from './random-choices.js';
import { randomProgramOf } from './random-code.js';
import type { Scene } from './scene.js';

/** Memory offset of the payload of a proxy's call data, in bytes. */
export const PAYLOAD = BigInt(PAYLOAD_AT);
const TRX_SUN = 1_000_000n;

export const bare = (address: Uint8Array): bigint => BigInt(`0x00${Buffer.from(address.subarray(1)).toString('hex')}`);

/**
 * Returns call data (an order) that makes a proxy stake, vote, delegate, call, create or destroy itself.
 * @param depth maximum number of nested calls to other proxies
 */
export function proxyOrder(scene: Scene, self: Uint8Array, depth: number): Uint8Array {
  const { random } = scene;
  const kind = random.pick(KINDS);
  const reverts = random.chance(0.08);
  if (kind === 'calls') return callOrder(scene, depth, reverts);
  if (kind === 'creates') return createOrder(scene, reverts);
  if (kind === 'votes') return voteOrder(scene, reverts);
  const [name, operands] = plainOrder(scene, self);
  if (operands.length > 0 && random.chance(0.05)) operands[random.below(operands.length)] = random.pick(EXTREMES);
  return proxyCall(name, operands, new Uint8Array(0), reverts);
}

/** Minimum and maximum values of integer types that are shorter than a word. */
const EXTREMES = [
  0n,
  1n,
  ...[31, 32, 63, 64, 160, 255, 256].flatMap((bits) => [2n ** BigInt(bits) - 1n, 2n ** BigInt(bits)]),
];

const KINDS = ['plain', 'plain', 'plain', 'plain', 'votes', 'calls', 'calls', 'calls', 'creates'] as const;

function plainOrder(scene: Scene, self: Uint8Array): [ProxyStepName, bigint[]] {
  return scene.random.chance(0.6) ? stakeOrder(scene, self) : readOrder(scene, self);
}

/**
 * Returns the address of an account as a word: in most cases that of a known account, otherwise that of the proxy
 * itself or any address.
 */
export function otherThan({ random, contracts }: Scene, self: Uint8Array): bigint {
  const kind = random.below(10);
  if (kind < 2) return bare(self);
  const contract = kind === 2 ? contracts.at(-1) : undefined;
  if (contract !== undefined) return bare(addressBytes(contract));
  return kind === 3
    ? bare(Uint8Array.of(0x41, ...random.bytes(20)))
    : bare(random.pick(kind < 8 ? rich : everybody).bytes);
}

/** Returns a random staking operation that the proxy contract executes: its name and its operands. */
export function stakeOrder(scene: Scene, self: Uint8Array): [ProxyStepName, bigint[]] {
  const { random } = scene;
  const other = otherThan(scene, self);
  const account = scene.state.account(toAddress(self));
  const [{ type, amount: frozen } = { type: random.below(2), amount: TRX_SUN }] = account?.frozenV2 ?? [];
  const amount = random.chance(0.8) ? random.upTo(50n) * TRX_SUN + TRX_SUN : random.amount(account?.balance ?? 1n);
  const resource = BigInt(random.chance(0.97) ? random.below(2) : random.pick([2, 3]));
  const delegations = [...scene.state.delegatedResources.range('')].map(([, row]) => row);
  const mine = delegations.filter(({ from }) => equalBytes(from, self));
  const receiver = mine.length > 0 && random.chance(0.8) ? bare(random.pick(mine).to) : other;
  const sensible = random.chance(0.4) ? endingOrders(scene, self, mine) : [];
  if (sensible.length > 0) return random.pick(sensible);
  const byOldRules: [ProxyStepName, bigint[]][] = [
    ['freeze', [resource, amount, other]],
    ['freeze', [resource, amount, bare(self)]],
    ['unfreeze', [resource, random.chance(0.5) ? bare(self) : receiver]],
    ['freezeExpireTime', [resource, random.chance(0.6) ? bare(self) : receiver]],
  ];
  if (stakesByOldRules(scene) && random.chance(0.7)) return random.pick(byOldRules);
  return random.pick<[ProxyStepName, bigint[]]>([
    ...byOldRules,
    ['withdrawReward', []],
    ['freezeV2', [random.chance(0.2) ? 2n : resource, amount]],
    ['freezeV2', [resource, amount]],
    ['unfreezeV2', [BigInt(type), random.amount(frozen / 4n)]],
    ['unfreezeV2', [resource, random.amount(frozen)]],
    ['cancelUnfreezing', []],
    ['withdrawUnfrozen', []],
    ['delegate', [BigInt(type), random.amount(frozen / 2n), other]],
    ['delegate', [resource, amount, other]],
    ['undelegate', [resource, random.amount(amount), receiver]],
    ['undelegate', [resource, random.amount(frozen / 4n), receiver]],
  ]);
}

/** Returns true if contracts stake by the rules before Stake 2.0. */
export function stakesByOldRules({ state: { properties } }: Scene): boolean {
  return properties.isOn('ALLOW_TVM_FREEZE') && !properties.supportsUnfreezeDelay();
}

/**
 * Returns operations that reduce the stake, the delegations or the unfrozen amounts of a contract.
 * @param delegated delegations of the contract
 */
function endingOrders(
  { random, state }: Scene,
  self: Uint8Array,
  delegated: readonly DelegatedResource[],
): [ProxyStepName, bigint[]][] {
  const orders: [ProxyStepName, bigint[]][] = [];
  const account = state.account(toAddress(self));
  if (account === undefined) return orders;
  const part = (amount: bigint): bigint => (random.chance(0.4) ? amount : random.upTo(amount / TRX_SUN) * TRX_SUN);
  for (const { type, amount } of account.frozenV2)
    if (amount > 0n) orders.push(['unfreezeV2', [BigInt(type), part(amount)]]);
  if (account.unfrozenV2.length > 0) orders.push(['cancelUnfreezing', []], ['withdrawUnfrozen', []]);
  if (account.votes.length > 0 || account.allowance > 0n) orders.push(['withdrawReward', []]);
  if (account.frozen.length > 0) orders.push(['unfreeze', [0n, bare(self)]]);
  if (account.accountResource?.frozenBalanceForEnergy !== undefined) orders.push(['unfreeze', [1n, bare(self)]]);
  for (const { to, frozenBalanceForBandwidth, frozenBalanceForEnergy } of delegated.slice(0, 4)) {
    for (const [resource, amount] of [frozenBalanceForBandwidth, frozenBalanceForEnergy].entries()) {
      if (amount === 0n) continue;
      const whose = bare(to);
      orders.push(['undelegate', [BigInt(resource), part(amount), whose]], ['unfreeze', [BigInt(resource), whose]]);
    }
  }
  return orders;
}

/** Numbers 2^n − 1 at which integer types of n bits overflow. */
const EDGES = [31, 32, 63, 64, 255, 256].map((bits) => 2n ** BigInt(bits) - 1n);
const MEMORY_MAX = 3n * 2n ** 20n;

function edge(random: RandomChoices): bigint {
  return random.chance(0.5)
    ? MEMORY_MAX + BigInt(random.between(-40, 2))
    : random.pick(EDGES) + BigInt(random.between(-1, 1));
}

const place = (random: RandomChoices): bigint => (random.chance(0.9) ? BigInt(random.below(100)) : edge(random));
/** Returns a size in bytes. For size 0, the offset may be invalid, because nothing is read or written. */
const size = (random: RandomChoices): bigint =>
  random.chance(0.93) ? BigInt(random.chance(0.2) ? 0 : random.below(300)) : edge(random);
/**
 * Offsets far above the memory limit, for calls of precompiles without input. java-tron executes such a call if it
 * can allocate the memory. Offsets near 2^31 are excluded, because the sum that java-tron computes from the offset
 * and the missing size would overflow.
 */
const FAR = [
  ...[2n ** 24n - 20n, 2n ** 24n, 50n * 2n ** 20n],
  ...[2n ** 31n + 2n ** 27n, 2n ** 32n - 1000n, 2n ** 32n - 1n, 2n ** 63n, 2n ** 64n - 1n, 2n ** 255n, 2n ** 256n - 1n],
];
const area = (random: RandomChoices): [bigint, bigint] =>
  random.chance(0.5) ? [random.pick(FAR), 0n] : [place(random), size(random)];

function readOrder(scene: Scene, self: Uint8Array): [ProxyStepName, bigint[]] {
  const { random } = scene;
  const other = otherThan(scene, self);
  const slot = random.chance(0.9) ? BigInt(random.below(5)) : 2n ** 255n;
  const token = random.chance(0.9)
    ? 1_000_001n + BigInt(random.below(4))
    : random.pick([0n, 1n, 1_000_000n, 2n ** 64n]);
  return random.pick<[ProxyStepName, bigint[]]>([
    ['balance', [other]],
    ['codeSize', [other]],
    ['codeHash', [other]],
    ['tokenBalance', [token, other]],
    ['isContract', [other]],
    ['store', [slot, random.chance(0.3) ? 0n : BigInt(random.below(1000))]],
    ['load', [slot]],
    ['storeTransient', [slot, 5n]],
    ['loadTransient', [slot]],
    ['blockHash', [scene.state.blockNumber - BigInt(random.below(300))]],
    ['log', [place(random), size(random), 7n, 8n]],
    ['hash', [place(random), size(random)]],
    ['copyInput', [place(random), place(random), size(random)]],
    ['copyCode', [place(random), place(random), size(random)]],
    ['copyOtherCode', [other, place(random), place(random), size(random)]],
    ['copyReturned', [place(random), place(random), size(random)]],
    ['copyMemory', [place(random), place(random), size(random)]],
    ['selfDestruct', [other]],
  ]);
}

export function voteOrder(scene: Scene, reverts: boolean): Uint8Array {
  const { random } = scene;
  const candidates = [...scene.state.witnesses.range('')].map(([, { address }]) => address);
  const count = random.chance(0.95) ? random.between(1, 3) : random.pick([0, 30, 31]);
  const voted = Array.from({ length: count }, () =>
    bare(random.chance(0.95) ? random.pick(candidates) : (everybody[0]?.bytes ?? candidates[0] ?? new Uint8Array(21))),
  );
  const counts = voted.map(() => (random.chance(0.95) ? random.upTo(20n) + 1n : random.amount(2n ** 62n)));
  const length = BigInt(random.chance(0.97) ? count : count + 1);
  const payload = concatBytes(...[length, ...voted, length, ...counts].map(wordOf));
  const second = PAYLOAD + 32n + 32n * BigInt(count);
  return proxyCall('vote', [length, second, length, PAYLOAD], payload, reverts);
}

/** Maximum depth of nested calls. Reference: Program.MAX_DEPTH. */
const DEPTH_MAX = 64;

/**
 * Returns call data for nested calls of a proxy up to about the maximum depth. The innermost call executes a random
 * operation.
 */
function deepOrder(scene: Scene, proxy: Uint8Array): Uint8Array {
  const { random } = scene;
  let order = proxyOrder(scene, proxy, 0);
  for (let left = DEPTH_MAX - random.below(4); left > 0; left--) {
    const area = [PAYLOAD, BigInt(order.length), PAYLOAD, 64n] as const;
    const to = bare(proxy);
    order = random.chance(0.8)
      ? proxyCall('call', [GAS, to, 0n, ...area], order)
      : proxyCall('delegateCall', [GAS, to, ...area], order);
  }
  return order;
}

const GAS = 100_000_000n;

function callOrder(scene: Scene, depth: number, reverts: boolean): Uint8Array {
  const { random } = scene;
  const isPrecompile = random.chance(0.45);
  const proxy = scene.proxy();
  if (proxy !== undefined && depth > 1 && random.chance(0.03)) return deepOrder(scene, proxy);
  let to: bigint;
  let input: Uint8Array;
  if (isPrecompile) {
    [to, input] = precompileInput(scene);
  } else if (proxy !== undefined && depth > 0 && random.chance(0.7)) {
    to = bare(proxy);
    input = proxyOrder(scene, proxy, depth - 1);
  } else {
    to = bare(scene.contract() ?? everybody[0]?.bytes ?? new Uint8Array(21));
    if (random.chance(0.5)) to = bare(random.pick(everybody).bytes);
    input = random.bytes(random.below(70));
  }
  const gas = random.chance(0.9) ? GAS : random.pick([0n, 2300n, 20_000n]);
  const value = random.chance(0.6) ? 0n : random.chance(0.9) ? random.upTo(2_000_000n) : random.amount(10n ** 12n);
  const dataArea = random.chance(0.97) ? ([PAYLOAD, BigInt(input.length)] as const) : area(random);
  const payload = random.chance(0.92) ? ([PAYLOAD, BigInt(random.below(80))] as const) : area(random);
  const areas = [...dataArea, ...payload] as const;
  const kind = random.below(10);
  if (kind < 5) return proxyCall('call', [gas, to, value, ...areas], input, reverts);
  if (kind === 5) return proxyCall('callCode', [gas, to, value, ...areas], input, reverts);
  if (kind === 6) return proxyCall('delegateCall', [gas, to, ...areas], input, reverts);
  if (kind === 7) return proxyCall('staticCall', [gas, to, ...areas], input, reverts);
  const token = random.chance(0.9)
    ? toToken(random.pick([...scene.tokens(), new Uint8Array(0)]))
    : random.pick([0n, 1n, 1_000_000n, 1_000_001n, 2n ** 63n - 1n, 2n ** 63n, 2n ** 64n, 2n ** 255n]);
  return proxyCall('callToken', [gas, to, value, token, ...areas], input, reverts);
}

function toToken(token: Uint8Array): bigint {
  const text = Buffer.from(token).toString();
  return /^\d+$/.test(text) ? BigInt(text) : toInt64(new Uint8Array(8));
}

function createOrder(scene: Scene, reverts: boolean): Uint8Array {
  const { random } = scene;
  const kind = random.below(4);
  const code =
    kind === 0
      ? proxyCode
      : kind === 1
        ? deploying(proxyRuntime.subarray(0, random.below(500)))
        : kind === 2
          ? randomProgramOf(scene)
          : random.bytes(random.below(40));
  const area = [PAYLOAD, BigInt(code.length)] as const;
  const value = random.chance(0.7) ? 0n : random.upTo(1_000_000n);
  if (random.chance(0.5)) return proxyCall('create', [value, ...area], code, reverts);
  return proxyCall('create2', [value, ...area, BigInt(random.below(3))], code, reverts);
}
