import {
  ClearABIContract,
  CreateSmartContract,
  SmartContract,
  SmartContractABI,
  SmartContractABIEntry,
  TriggerSmartContract,
  UpdateEnergyLimitContract,
  UpdateSettingContract,
} from '../../../../src/codec/generated/messages.js';
import { keccak256 } from '../../../../src/crypto/hash.js';
import { addressBytes, toAddress } from '../../../../src/primitives/address.js';
import { concatBytes, utf8 } from '../../../../src/primitives/bytes.js';
import type { State } from '../../../../src/state-transition/state/state.js';
import { actorOf, poor, rich } from '../actors.js';
import { oddText } from '../odd-text.js';
import { deploying, proxyCode } from '../proxy-code.js';
import { proxyOrder } from '../proxy-orders.js';
import { randomProgramOf } from '../random-code.js';
import type { Family, Scene } from '../scene.js';
import { type Draft, draft } from '../sealed-transaction.js';

const FEE_LIMIT = 1_000_000_000n;

const feeLimit = ({ random }: Scene): bigint =>
  random.chance(0.85)
    ? FEE_LIMIT
    : random.chance(0.8)
      ? random.upTo(FEE_LIMIT / 10n)
      : random.pick([0n, -1n, FEE_LIMIT * 20n]);

/** Creates a contract of a random account. @param abi ABI of the contract; nearly empty by default */
export function deploy(scene: Scene, bytecode: Uint8Array, abi = smallAbi(scene)): Draft {
  const { random } = scene;
  const owner = random.chance(0.9) ? random.pick(rich) : random.pick(poor);
  const newContract = Object.assign(new SmartContract(), {
    originAddress: random.chance(0.98) ? owner.bytes : scene.target(),
    abi,
    bytecode,
    callValue: random.chance(0.5) ? 0n : random.amount(5_000_000_000n),
    consumeUserResourcePercent: random.chance(0.95)
      ? BigInt(random.pick([100, 0, 50, random.below(101)]))
      : random.pick([-1n, 101n]),
    name: random.chance(0.98) ? random.pick(['contract', oddText(random, 32)]) : 'n'.repeat(33),
    originEnergyLimit: random.chance(0.95) ? BigInt(random.pick([10_000_000, 1000, 1])) : random.pick([0n, -1n]),
  });
  const token = random.chance(0.1) ? { callTokenValue: random.amount(100n), tokenId: tokenId(scene) } : {};
  return draft(
    'CreateSmartContract',
    CreateSmartContract,
    { ownerAddress: owner.bytes, newContract, ...token },
    owner,
    {
      feeLimit: feeLimit(scene),
    },
  );
}

/** Selector of `f()`, the function in the ABIs that `smallAbi` returns. */
const SELECTOR = keccak256(utf8('f()')).subarray(0, 4);

function smallAbi({ random }: Scene): SmartContractABI {
  const abi = new SmartContractABI();
  if (random.chance(0.3))
    abi.entrys = [
      Object.assign(new SmartContractABIEntry(), {
        name: random.chance(0.8) ? 'f' : oddText(random, 40),
        type: 2,
        constant: random.chance(0.3),
      }),
    ];
  return abi;
}

function tokenId({ random }: Scene): bigint {
  return random.chance(0.95) ? 1_000_001n + BigInt(random.below(4)) : random.pick([0n, 1_000_000n, -1n, 5n]);
}

export const deployProxy: Family = (scene) => deploy(scene, proxyCode);

export const deployRandom: Family = (scene) => {
  const program = randomProgramOf(scene);
  return deploy(scene, scene.random.chance(0.7) ? deploying(program) : program);
};

export function trigger(scene: Scene, contractAddress: Uint8Array, data: Uint8Array): Draft {
  const { random } = scene;
  const owner = random.chance(0.85) ? random.pick(rich) : scene.owner();
  const callValue = random.chance(0.6) ? 0n : random.amount(10_000_000_000n);
  const token = random.chance(0.1) ? { callTokenValue: random.amount(1000n), tokenId: tokenId(scene) } : {};
  const fields = { ownerAddress: owner.bytes, contractAddress, callValue, data, ...token };
  return draft('TriggerSmartContract', TriggerSmartContract, fields, owner, { feeLimit: feeLimit(scene) });
}

export const callProxy: Family = (scene) => {
  const proxy = scene.proxy();
  return proxy === undefined ? deployProxy(scene) : trigger(scene, proxy, proxyOrder(scene, proxy, 3));
};

export const callRandom: Family = (scene) => {
  const contract = scene.random.chance(0.98) ? scene.contract() : scene.target();
  if (contract === undefined) return undefined;
  const { random } = scene;
  const prefix = random.chance(0.2) ? SELECTOR : random.bytes(random.below(5));
  return trigger(scene, contract, concatBytes(prefix, random.bytes(random.below(70))));
};

/** Repeats an earlier call. Its energy limit is exactly the used energy, or slightly lower or higher. */
export const runAgain: Family = (scene) => {
  const { random, runs, state } = scene;
  const run = runs.length === 0 ? undefined : random.pick(runs);
  const owner = run === undefined ? undefined : actorOf(run.owner);
  if (run === undefined || owner === undefined) return undefined;
  const energy = random.chance(0.6) ? run.energy + BigInt(random.between(-4, 1)) : random.upTo(run.energy);
  const feeLimit = energy * (state.properties.get('ENERGY_FEE') || 100n);
  return { type: run.type, value: run.value, signers: [owner], feeLimit };
};

/** Returns a contract and, in most cases, its creator (origin). Undefined if no contract exists. */
function ofOrigin(scene: Scene): { address: Uint8Array; origin: Uint8Array } | undefined {
  const { random, contracts, state } = scene;
  if (contracts.length === 0) return undefined;
  const address = random.pick(contracts);
  const origin = random.chance(0.95) ? state.contracts.get(address)?.originAddress : undefined;
  return {
    address: random.chance(0.98) ? addressBytes(address) : scene.target(),
    origin: origin ?? scene.owner().bytes,
  };
}

export const setPercent: Family = (scene) => {
  const found = ofOrigin(scene);
  if (found === undefined) return undefined;
  const { address, origin } = found;
  const percent = BigInt(scene.random.chance(0.9) ? scene.random.below(101) : scene.random.pick([-1, 101]));
  const fields = { ownerAddress: origin, contractAddress: address, consumeUserResourcePercent: percent };
  return draft('UpdateSettingContract', UpdateSettingContract, fields, scene.keyOf(origin));
};

export const setEnergyLimit: Family = (scene) => {
  const found = ofOrigin(scene);
  if (found === undefined) return undefined;
  const { address, origin } = found;
  const fields = {
    ownerAddress: origin,
    contractAddress: address,
    originEnergyLimit: scene.random.amount(20_000_000n),
  };
  return draft('UpdateEnergyLimitContract', UpdateEnergyLimitContract, fields, scene.keyOf(origin));
};

export const clearAbi: Family = (scene) => {
  const found = ofOrigin(scene);
  if (found === undefined) return undefined;
  const { address, origin } = found;
  return draft(
    'ClearABIContract',
    ClearABIContract,
    { ownerAddress: origin, contractAddress: address },
    scene.keyOf(origin),
  );
};

/** Returns true if the code of the contract is that of a proxy, which executes the operation in its call data. */
export function isProxy(state: State, address: Uint8Array): boolean {
  return state.code.get(toAddress(address))?.length === proxyCode.length - 12;
}
