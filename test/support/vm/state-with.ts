import { type Account, TransactionResult } from '../../../src/codec/generated/messages.js';
import { type Address, addressBytes } from '../../../src/primitives/address.js';
import { present } from '../../../src/primitives/assert.js';
import { utf8 } from '../../../src/primitives/bytes.js';
import type { StateReader } from '../../../src/projections/state/state-reader.js';
import { ChainError } from '../../../src/state-transition/errors.js';
import type { LongProperty } from '../../../src/state-transition/parameters/property-table.js';
import { release472 } from '../../../src/state-transition/releases/release-4.7.2.js';
import type { ChainRules } from '../../../src/state-transition/state/chain-rules.js';
import { initialProperties } from '../../../src/state-transition/state/properties.js';
import { newAccount, State } from '../../../src/state-transition/state/state.js';
import type { ContractHandler } from '../../../src/state-transition/system-contracts/contract-handler.js';
import { type ContractRow, contractRows } from '../../../src/state-transition/system-contracts/table.js';
import type { TransactionContext } from '../../../src/state-transition/transaction.js';

/** A reader without rows. A state on top of it has only the rows that a test has written. */
const EMPTY: StateReader = { get: () => undefined, range: () => [] };
/** Transaction context for system contracts, which do not read it. */
const NO_CONTEXT = {} as TransactionContext;

export const BLACKHOLE = addressOf(0xff);
const RULES: ChainRules = {
  addressPrefix: 0x41,
  genesisTimeMs: 0,
  slotMs: 3000,
  genesisId: new Uint8Array(32),
  genesisWitnesses: [],
  blackhole: BLACKHOLE,
  zion: undefined,
  checkFrozenTime: true,
  energyLimitBlock: 4_727_890,
  tracesBalances: false,
  reportsRestaked: false,
  allowedContracts: new Set(),
  isSolidityNode: false,
  debug: false,
  configured: new Map(),
  release: release472,
};

/** Returns the address whose 20 bytes are all `fill`. */
export function addressOf(fill: number): Address {
  return `41${fill.toString(16).padStart(2, '0').repeat(20)}` as Address;
}

export function bytesOf(fill: number): Uint8Array {
  return addressBytes(addressOf(fill));
}

/** Returns the state of a new chain with a blackhole account. Some properties and rules may be changed. */
export function stateWith(
  properties: Partial<Record<LongProperty, bigint>> = {},
  release = release472,
  rules: Partial<ChainRules> = {},
): State {
  const state = new State(EMPTY, { ...RULES, release, ...rules });
  for (const [key, value] of initialProperties()) state.properties.putRaw(key, value);
  for (const [name, value] of Object.entries(properties)) state.properties.set(name as LongProperty, value);
  addAccount(state, 0xff);
  return state;
}

/** Adds an account with a balance in SUN and with TRC10 balances by asset id. */
export function addAccount(state: State, fill: number, balance = 0n, tokens: Record<string, bigint> = {}): Account {
  const account = newAccount(addressOf(fill), { balance, assetV2: new Map(Object.entries(tokens)) });
  state.putAccount(addressOf(fill), account);
  return account;
}

/** Returns a message of the contract type that the handler executes, with some fields set. */
export function messageWith<C extends object>(handler: ContractHandler<C>, fields: Partial<C>): C {
  // Cast: a row of the contract table has a handler and the message of the same type. The type of the list does not
  // express this.
  return Object.assign(rowOf(handler).message.decode(utf8('')), fields) as C;
}

function rowOf<C extends object>(handler: ContractHandler<C>): ContractRow {
  const row = [...contractRows.values()].find((candidate) => candidate.handler === handler);
  return present(row, 'every handler has a row');
}

/** Checks the requirements of the contract type, validates and executes. Returns the result with the receipt fields. */
export function run<C extends object>(
  handler: ContractHandler<C>,
  state: State,
  fields: Partial<C>,
): TransactionResult {
  const contract = messageWith(handler, fields);
  rowOf(handler).needs?.(state);
  handler.validate(contract, state, NO_CONTEXT);
  const result = new TransactionResult();
  result.fee = handler.fee(state, contract);
  handler.execute(contract, state, result, NO_CONTEXT);
  return result;
}

/** Returns java-tron's exception and text for a rejected contract; undefined if the contract is accepted. */
export function refusal<C extends object>(
  handler: ContractHandler<C>,
  state: State,
  fields: Partial<C>,
): { exception: string; text: string | null } | undefined {
  try {
    run(handler, state, fields);
  } catch (error) {
    if (error instanceof ChainError) return { exception: error.exception, text: error.text };
    throw error;
  }
  return undefined;
}
