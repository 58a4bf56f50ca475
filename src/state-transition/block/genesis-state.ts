import {
  AccountType,
  Any,
  Block,
  BlockBalanceTrace,
  BlockBalanceTraceBlockIdentifier,
  BlockHeader,
  BlockHeaderRaw,
  TransactionContractContractType as ContractType,
  Transaction,
  TransactionBalanceTrace,
  TransactionBalanceTraceOperation,
  TransactionContract,
  TransactionRaw,
  TransferContract,
  Witness,
} from '../../codec/generated/messages.js';
import { type Address, addressBytes } from '../../primitives/address.js';
import { itemAt } from '../../primitives/assert.js';
import { fromHex, fromInt64, toHex, utf8 } from '../../primitives/bytes.js';
import type { RowChange, StateReader } from '../../projections/state/state-reader.js';
import { initializeForkVersion } from '../consensus/fork-versions.js';
import { electWitnesses } from '../consensus/schedule.js';
import { allowContractType } from '../governance/parameter-effects.js';
import type { LongProperty } from '../parameters/property-table.js';
import type { ChainRules } from '../state/chain-rules.js';
import { defaultOwnerPermission } from '../state/permissions.js';
import { initialProperties } from '../state/properties.js';
import { newAccount, State } from '../state/state.js';
import { decodeTransaction } from '../transactions/decode-transaction.js';
import { type DecodedBlock, merkleRoot, toDecodedBlock } from './decoded-block.js';
import { applyGenesisParameters, type GenesisParameters, passBlockVersions } from './genesis-parameters.js';
import { accountTrace, accountTraceKey } from './trace-block.js';

/** Genesis block of the configuration. */
interface GenesisDescription {
  readonly timestamp: number;
  /** Parent hash in hex, with an even number of digits. */
  readonly parentHash: string;
  readonly accounts: readonly { readonly name: string; readonly address: string; readonly balance: bigint }[];
  readonly witnesses: readonly { readonly address: string; readonly url: string; readonly voteCount: bigint }[];
}

/** Values of the configuration that replace the initial values of properties. */
export type InitialValues = ReadonlyMap<LongProperty, bigint>;

const WITNESS_TEXT =
  'A new system must allow existing systems to be linked together without requiring any central control or coordination';
const OWNER_TEXT = '0x000000000000000000000';

/** Builds block 0. Reference: BlockUtil.newGenesisBlockCapsule. */
export function genesisBlock(genesis: GenesisDescription): DecodedBlock {
  const block = new Block();
  block.transactions = genesis.accounts.map(({ address, balance }) => genesisTransfer(address, balance));
  const raw = Object.assign(new BlockHeaderRaw(), {
    timestamp: BigInt(genesis.timestamp),
    txTrieRoot: merkleRoot(block.transactions),
    parentHash: fromHex(genesis.parentHash),
    witnessAddress: utf8(WITNESS_TEXT),
  });
  block.blockHeader = Object.assign(new BlockHeader(), { rawData: raw });
  return toDecodedBlock(block);
}

/**
 * Returns all rows of a new chain, including those that java-tron writes at its first start. Reference:
 * Manager.initGenesis, DposService.start.
 * @param parameters chain parameters in force from block 1 on; if empty, the chain starts as in java-tron
 */
export function genesisRows(
  genesis: GenesisDescription,
  rules: ChainRules,
  values: InitialValues,
  parameters: GenesisParameters,
): RowChange[] {
  const state = new State(EMPTY_READER, rules);
  const block = genesisBlock(genesis);
  writeProperties(state, genesis, block, values);
  if (parameters.size > 0) applyGenesisParameters(state, parameters, genesis.timestamp);
  for (const { name, address, balance } of genesis.accounts) addAccount(state, name, address as Address, balance);
  for (const witness of genesis.witnesses) addWitness(state, witness);
  traceGenesis(state, genesis, block);
  electWitnesses(
    state,
    [...state.witnesses.range()].map(([key]) => key as Address),
  );
  if (parameters.size > 0) passBlockVersions(state);
  initializeForkVersion(state);
  resetBlackhole(state);
  // java-tron flushes the accounts of the genesis block at once, so no account remains unflushed.
  for (const [address] of state.unflushedAccounts.range()) state.unflushedAccounts.delete(address);
  return state.commit();
}

const EMPTY_READER: StateReader = { get: () => undefined, range: () => [] };

function genesisTransfer(address: string, amount: bigint): Transaction {
  const transfer = Object.assign(new TransferContract(), {
    ownerAddress: utf8(OWNER_TEXT),
    toAddress: fromHex(address),
    amount,
  });
  const parameter = Object.assign(new Any(), {
    typeUrl: `type.googleapis.com/${TransferContract.$name}`,
    value: TransferContract.encode(transfer),
  });
  const contract = Object.assign(new TransactionContract(), { type: ContractType.TransferContract, parameter });
  const rawData = Object.assign(new TransactionRaw(), { contract: [contract] });
  return Object.assign(new Transaction(), { rawData });
}

function writeProperties(state: State, genesis: GenesisDescription, block: DecodedBlock, values: InitialValues): void {
  const { properties } = state;
  for (const [key, value] of initialProperties()) properties.putRaw(key, value);
  for (const [property, value] of values) properties.set(property, value);
  properties.setBytes('MEMO_FEE_HISTORY', utf8(`0:${properties.get('MEMO_FEE')}`));
  properties.setBytes('latest_block_header_hash', block.id);
  properties.set('latest_block_header_timestamp', BigInt(genesis.timestamp));
  properties.set('NEXT_MAINTENANCE_TIME', BigInt(genesis.timestamp));
  // Marks data migrations as done. java-tron runs these migrations at its first start, but a new chain has no data to
  // migrate.
  for (const mark of state.rules.release.firstStart) properties.set(mark, 1n);
  if (properties.get('ALLOW_TVM_CONSTANTINOPLE') !== 0n) allowContractType(state, 'ClearABIContract');
}

function addAccount(state: State, name: string, address: Address, balance: bigint): void {
  const account = newAccount(address, { accountName: utf8(name), balance });
  state.putAccount(address, account);
  state.accountIndex.put(toHex(utf8(name)), addressBytes(address));
  // java-tron writes an index row for each account, although all account ids are empty. The rows have the same key, so
  // the row of the last account remains.
  state.accountIdIndex.put('', addressBytes(address));
}

function addWitness(state: State, { address: text, url, voteCount }: GenesisDescription['witnesses'][number]): void {
  const address = text as Address;
  if (!state.accounts.has(address)) {
    state.putAccount(address, newAccount(address, { type: AccountType.AssetIssue }));
  }
  state.accounts.existingToWrite(address).isWitness = true;
  const witness = Object.assign(new Witness(), { address: addressBytes(address), voteCount, url, isJobs: true });
  state.witnesses.put(address, witness);
}

/** Writes block 0 to the balance history, even if the configuration disables the balance history. */
function traceGenesis(state: State, genesis: GenesisDescription, block: DecodedBlock): void {
  const row = new BlockBalanceTrace();
  row.blockIdentifier = Object.assign(new BlockBalanceTraceBlockIdentifier(), { hash: block.id });
  row.timestamp = BigInt(genesis.timestamp);
  row.transactionBalanceTrace = block.message.transactions.map((message, at) => {
    const { address, balance } = itemAt(genesis.accounts, at);
    const operation = Object.assign(new TransactionBalanceTraceOperation(), {
      address: fromHex(address),
      amount: balance,
    });
    return Object.assign(new TransactionBalanceTrace(), {
      transactionIdentifier: decodeTransaction(message).id,
      type: 'TransferContract',
      status: 'SUCCESS',
      operation: [operation],
    });
  });
  state.balanceTraces.put(toHex(fromInt64(0n)), BlockBalanceTrace.encode(row));
  for (const { address, balance } of genesis.accounts) {
    state.accountTraces.put(accountTraceKey(address, 0), accountTrace(balance));
  }
}

/**
 * Sets the owner key of the blackhole account to the zero address, so that it cannot sign.
 * Reference: resetBlackholeAccountPermission.
 */
function resetBlackhole(state: State): void {
  const account = state.accounts.toWrite(state.rules.blackhole);
  if (account === undefined) return;
  const emptyAddress = new Uint8Array(21);
  emptyAddress[0] = state.rules.addressPrefix;
  account.ownerPermission = defaultOwnerPermission(emptyAddress);
}
