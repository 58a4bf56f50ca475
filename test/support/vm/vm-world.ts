import {
  AccountType,
  ResourceReceipt,
  SmartContract,
  Transaction,
  TransactionContract,
  TransactionContractContractType,
  TransactionRaw,
  TransactionResult,
  TriggerSmartContract,
} from '../../../src/codec/generated/messages.js';
import { type Address, addressBytes } from '../../../src/primitives/address.js';
import { fromHex, toHex } from '../../../src/primitives/bytes.js';
import { storeName } from '../../../src/projections/state/stores.js';
import type { BlockVersion } from '../../../src/state-transition/parameters/block-versions.js';
import { parameterRows } from '../../../src/state-transition/parameters/parameter-table.js';
import type { LongProperty } from '../../../src/state-transition/parameters/property-table.js';
import { release4823 } from '../../../src/state-transition/releases/release-4.8.2.3.js';
import { release482 } from '../../../src/state-transition/releases/release-4.8.2.js';
import type { ChainRules } from '../../../src/state-transition/state/chain-rules.js';
import { initialProperties, propertyCodec } from '../../../src/state-transition/state/properties.js';
import { newAccount, State } from '../../../src/state-transition/state/state.js';
import type { BlockContext, TransactionContext } from '../../../src/state-transition/transaction.js';
import { referenceInterpreter } from '../../../src/vm/interpreter/reference-interpreter.js';
import type { VmHooks } from '../../../src/vm/machine/hooks.js';
import { type Interpreter, Machine } from '../../../src/vm/machine/machine.js';
import { readRuleSet } from '../../../src/vm/machine/rule-set.js';
import { executeSmartContract, noteEnergy, type VmRun } from '../../../src/vm/smart-contract/execute.js';
import { settleEnergy } from '../../../src/vm/smart-contract/settle.js';

/**
 * Properties of the parameters that releases after 4.7.2 added and that change the rules of programs. The list comes
 * from the table of parameters, so random programs cover new parameters automatically.
 */
export const NEW_SWITCHES: readonly LongProperty[] = parameterRows.flatMap(({ since, rule, property }) =>
  since === undefined || rule === undefined ? [] : [property],
);

/** Properties of all parameters that change the rules of programs. */
export const ALL_SWITCHES: readonly LongProperty[] = [
  'ALLOW_CREATION_OF_CONTRACTS',
  'ALLOW_MULTI_SIGN',
  'ALLOW_SAME_TOKEN_NAME',
  'ALLOW_DELEGATE_RESOURCE',
  'ALLOW_TVM_TRANSFER_TRC10',
  'ALLOW_TVM_CONSTANTINOPLE',
  'ALLOW_TVM_SOLIDITY_059',
  'ALLOW_TVM_ISTANBUL',
  'ALLOW_TVM_FREEZE',
  'ALLOW_TVM_VOTE',
  'ALLOW_TVM_LONDON',
  'ALLOW_TVM_COMPATIBLE_EVM',
  'ALLOW_HIGHER_LIMIT_FOR_MAX_CPU_TIME_OF_ONE_TX',
  'ALLOW_OPTIMIZED_RETURN_VALUE_OF_CHAIN_ID',
  'ALLOW_TVM_SHANGHAI',
  'ALLOW_BLACKHOLE_OPTIMIZATION',
  'CHANGE_DELEGATION',
  ...NEW_SWITCHES,
];

export const OWNER = `41${'aa'.repeat(20)}` as Address;
const BLACKHOLE = `41${'bb'.repeat(20)}` as Address;

const rules: ChainRules = {
  addressPrefix: 0x41,
  genesisTimeMs: 0,
  slotMs: 3000,
  genesisId: fromHex(`${'00'.repeat(28)}c0ffee11`),
  genesisWitnesses: [],
  blackhole: BLACKHOLE,
  zion: undefined,
  checkFrozenTime: true,
  energyLimitBlock: 0,
  tracesBalances: false,
  reportsRestaked: false,
  allowedContracts: new Set(),
  isSolidityNode: false,
  debug: true,
  configured: new Map(),
  release: release482,
};

export interface WorldOptions {
  readonly switches?: readonly LongProperty[];
  /** Version of the contracts. Default: 1 if all switches are on, otherwise 0. */
  readonly version?: number;
  /** Values of additional properties. */
  readonly properties?: Partial<Record<LongProperty, bigint>>;
  /** True to run without time limits, as with `--debug`. Default: true. */
  readonly debug?: boolean;
  /**
   * Newest block version on which the witnesses have agreed; the rules are then those of the newest release. Default:
   * the witnesses have agreed on no version, and the rules are those of 4.8.2.
   */
  readonly passed?: BlockVersion;
  /** Value of `vm.saveCancelAllUnfreezeV2Details`. Default: false. */
  readonly reportsRestaked?: boolean;
  /** Value of `tronicle.devnet.chainId`. Default: the chain id that follows from the genesis id. */
  readonly chainId?: number;
}

/** Returns a state in memory with one funded account and with one contract for each code. */
export function worldWith(codes: readonly Uint8Array[], options: WorldOptions = {}): State {
  const initial = new Map(initialProperties().map(([key, value]) => [key, propertyCodec.encode(value, key)] as const));
  const reader = {
    get: (store: number, key: Uint8Array) => (storeName(store) === 'properties' ? initial.get(toHex(key)) : undefined),
    range: () => [],
  };
  const state = new State(reader, {
    ...rules,
    debug: options.debug ?? true,
    reportsRestaked: options.reportsRestaked ?? false,
    chainId: options.chainId,
    release: options.passed === undefined ? release482 : release4823,
  });
  if (options.passed !== undefined) state.properties.setForkStats(options.passed, new Uint8Array(27).fill(1));
  for (const name of options.switches ?? ALL_SWITCHES) state.properties.set(name, 1n);
  state.properties.set('latest_block_header_timestamp', 1_700_000_000_000n);
  state.properties.set('latest_block_header_number', 100n);
  state.properties.set('CURRENT_CYCLE_NUMBER', 7n);
  for (const [name, value] of Object.entries(options.properties ?? {})) {
    state.properties.set(name as LongProperty, value);
  }
  state.putAccount(OWNER, newAccount(OWNER, { balance: 10n ** 15n }));
  state.putAccount(BLACKHOLE, newAccount(BLACKHOLE));
  for (const [i, code] of codes.entries()) {
    const address = contractAt(i);
    state.putAccount(address, newAccount(address, { type: AccountType.Contract, balance: 5_000_000_000n }));
    state.code.put(address, code);
    const version = options.version ?? (options.switches === undefined ? 1 : 0);
    const row = { originAddress: addressBytes(OWNER), contractAddress: addressBytes(address), version };
    state.contracts.put(
      address,
      Object.assign(new SmartContract(), { ...row, consumeUserResourcePercent: 100n, originEnergyLimit: 1_000_000n }),
    );
  }
  return state;
}

/** Returns a machine for code that needs no call frame, such as precompiles. */
export function machineOn(state: State): Machine {
  return new Machine({
    state,
    rules: readRuleSet(state),
    block: { number: 1, timestamp: 1, coinbase: new Uint8Array(0), blockId: () => undefined },
    origin: 0n,
    transaction: { id: new Uint8Array(32) },
    isConstant: false,
    interpreter: referenceInterpreter,
  });
}

export function contractAt(index: number): Address {
  return `41${'c0'.repeat(19)}${index.toString(16).padStart(2, '0')}` as Address;
}

interface Call {
  readonly data: Uint8Array;
  readonly energy: number;
  readonly value?: bigint;
}

/**
 * Returns the context of a call of contract 0 in a block. By default, the block is not signed.
 * @param mark result code that the block contains for the transaction
 */
export function callContext(
  state: State,
  { data, energy, value = 0n, block = {}, mark }: Call & { block?: Partial<BlockContext>; mark?: number },
): TransactionContext {
  const parameter = Object.assign(new TriggerSmartContract(), {
    ownerAddress: addressBytes(OWNER),
    contractAddress: addressBytes(contractAt(0)),
    callValue: value,
    data,
  });
  const contract = Object.assign(new TransactionContract(), {
    type: TransactionContractContractType.TriggerSmartContract,
  });
  const feeLimit = BigInt(energy) * state.properties.get('ENERGY_FEE');
  const raw = Object.assign(new TransactionRaw(), { contract: [contract], feeLimit });
  const ret = mark === undefined ? [] : [Object.assign(new TransactionResult(), { contractRet: mark })];
  return {
    transaction: {
      message: Object.assign(new Transaction(), { rawData: raw, ret }),
      raw,
      contract,
      contractType: TransactionContractContractType.TriggerSmartContract,
      parameter,
      owner: OWNER,
      id: fromHex('77'.repeat(32)),
      idHex: '77'.repeat(32),
      bytes: new Uint8Array(0),
      size: 0,
      sizeWithoutResult: 0,
      hash: new Uint8Array(32),
      resultSize: 0,
    },
    block: {
      number: 101,
      timeMs: 1_700_000_003_000,
      witness: addressBytes(BLACKHOLE),
      parentId: fromHex('00'.repeat(32)),
      isSigned: false,
      ...block,
    },
  };
}

/** Calls contract 0. Charges the fee. */
export function callWorld(
  state: State,
  interpreter: Interpreter,
  { hooks, ...call }: Call & { hooks?: VmHooks },
): { run: VmRun; receipt: ResourceReceipt } {
  return runContext(state, interpreter, callContext(state, call), hooks);
}

/** Returns the id of a block in this state: 32 bytes with the block number. */
function idOfNumber(number: number): Uint8Array {
  return fromHex(number.toString(16).padStart(64, '0'));
}

/** Executes a call of {@link callContext}. Charges the fee. */
export function runContext(
  state: State,
  interpreter: Interpreter,
  context: TransactionContext,
  hooks?: VmHooks,
): { run: VmRun; receipt: ResourceReceipt } {
  const receipt = new ResourceReceipt();
  const run = executeSmartContract(state, context, {
    interpreter,
    blockId: idOfNumber,
    ...(hooks === undefined ? {} : { hooks }),
  });
  noteEnergy(run, receipt);
  settleEnergy(state, context, run, receipt);
  return { run, receipt };
}

/** Returns the changed rows of a state as text. */
export function changesOf(state: State): string[] {
  return state
    .commit()
    .map(({ store, key, after }) => `${storeName(store)} ${toHex(key)} ${after === undefined ? '-' : toHex(after)}`)
    .sort();
}
