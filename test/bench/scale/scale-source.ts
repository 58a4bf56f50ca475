import { createHash } from 'node:crypto';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pino from 'pino';
import {
  Account,
  AccountFreezeV2,
  AccountType,
  AssetIssueContract,
  DelegatedResource,
  SmartContract,
  Vote,
  Votes,
  Witness,
} from '../../../src/codec/generated/messages.js';
import { parseFlags } from '../../../src/config/flags.js';
import { loadConfig } from '../../../src/config/load-config.js';
import { BYTE_ORDER } from '../../../src/java-tron-data/java-store.js';
import { StoreWriter } from '../../../src/java-tron-data/store-writer.js';
import { bootstrap } from '../../../src/node/bootstrap/bootstrap.js';
import { exportJava } from '../../../src/node/bootstrap/export-java.js';
import { chainRules, genesisOf } from '../../../src/node/chain-config.js';
import { type Address, addressBytes } from '../../../src/primitives/address.js';
import { present } from '../../../src/primitives/assert.js';
import { toHex, toInt64 } from '../../../src/primitives/bytes.js';
import type { Ledger } from '../../../src/projections/ledger/ledger.js';
import { openLedger } from '../../../src/projections/ledger/open-ledger.js';
import { type StoreName, storeId } from '../../../src/projections/state/stores.js';
import { storagePrefixOf } from '../../../src/state-transition/state/storage-key.js';

const root = fileURLToPath(new URL('../../..', import.meta.url));
/** Recorded chain to which the generated rows are added. */
export const scaleChain: string = join(root, 'test', 'golden', 'java-data', 'lite-tour');

/** Id of the TRC10 token that the accounts own. */
export const TOKEN = Buffer.from('1000001');
/** Key prefix of delegations of stake 2.0 that are not locked. */
const UNLOCKED = Buffer.from([1]);
/** Address of the contract of all storage rows. The contract has version 0, like the tokens with the most holders. */
export const CONTRACT: Address = `41${'c0de'.repeat(10)}` as Address;
/**
 * Code that adds 1 to two slots, whose numbers are in the call data. A token transfer also reads and writes two slots.
 */
const CODE = '600035805460010190556020358054600101905500';

/** A generated store. It has about as many rows per account as on the main net. */
interface ScaleStore {
  readonly store: StoreName;
  readonly rowsPerAccount: number;
  /** Largest number of rows. Default: no limit. */
  readonly rowsMax?: number;
  /** Length of the generated keys in bytes. The keys ascend, and otherwise look like hashes. */
  readonly keyBytes: number;
  readonly keyOf?: (key: Buffer) => Buffer;
  readonly rowOf: (key: Buffer, accounts: number) => Uint8Array;
}

const ADDRESS_BYTES = 21;
/** Number of additional witnesses. The first accounts of the state are these witnesses. */
const CANDIDATES = 400;
/** Number of issued TRC10 tokens. The number is slightly higher than on the main net. */
const TOKENS = 6_000;
const FIRST_TOKEN = 1_000_001;
/**
 * Number of accounts that have changed their votes since the last maintenance. The number is far higher than on the
 * main net.
 */
const CHANGED_VOTES = 1_000_000;
const accounts: ScaleStore = { store: 'account', rowsPerAccount: 1, keyBytes: ADDRESS_BYTES, rowOf: accountRow() };
const storage: ScaleStore = {
  store: 'storage-row',
  rowsPerAccount: 1.6,
  keyBytes: 16,
  keyOf: (key) => Buffer.concat([Buffer.from(storagePrefixOf(CONTRACT, undefined), 'hex'), key]),
  rowOf: filledRow(32),
};
const proportions: readonly ScaleStore[] = [
  accounts,
  {
    store: 'account-asset',
    rowsPerAccount: 0.5,
    keyBytes: ADDRESS_BYTES,
    keyOf: (key) => Buffer.concat([key, TOKEN]),
    rowOf: filledRow(8),
  },
  storage,
  {
    store: 'DelegatedResource',
    rowsPerAccount: 0.1,
    keyBytes: 2 * ADDRESS_BYTES,
    keyOf: (key) => Buffer.concat([UNLOCKED, key]),
    rowOf: delegationRow(),
  },
  { store: 'votes', rowsPerAccount: 1, rowsMax: CHANGED_VOTES, keyBytes: ADDRESS_BYTES, rowOf: votesRow() },
  { store: 'delegation', rowsPerAccount: 0.5, keyBytes: ADDRESS_BYTES, rowOf: filledRow(8) },
];

/** Returns the address of a generated account. @param of total number of accounts */
export function accountAt(at: number, of: number): Buffer {
  return keyAt(at, rowsOf(accounts, of), accounts.keyBytes);
}

/** Returns the slot of a generated storage row. @param of total number of rows */
export function slotAt(at: number, of: number): Buffer {
  const rows = rowsOf(storage, of);
  return Buffer.concat([Buffer.alloc(16), keyAt(at % rows, rows, storage.keyBytes)]);
}

function rowsOf({ rowsPerAccount, rowsMax = Number.POSITIVE_INFINITY }: ScaleStore, accounts: number): number {
  return Math.min(rowsMax, Math.round(accounts * rowsPerAccount));
}

/** Rows to add to a state, by store. They replace rows with the same key. @param headMs time of the head block */
type AddedRows = (headMs: bigint) => ReadonlyMap<StoreName, readonly StoredRow[]>;

/**
 * Copies the folder of a small chain and generates the rows of its large stores. Returns the folder of the stores.
 * @param added rows to add to those of the chain and to the generated rows
 */
export async function makeScaleSource(folder: string, accounts: number, added?: AddedRows): Promise<string> {
  const { config } = loadConfig({ file: join(scaleChain, 'config.conf'), flags: parseFlags([]).flags });
  const genesis = genesisOf(config, chainRules(config));
  const small = join(folder, 'small');
  await bootstrap({
    source: join(scaleChain, 'output-directory.tgz'),
    dataDir: small,
    genesisId: genesis.id,
    history: 'none',
  });
  const ledger = await openLedger({
    dataDir: small,
    genesis,
    retention: 'all',
    checkpointVersion: 2,
    log: pino({ level: 'fatal' }),
    readOnly: true,
  });
  const target = join(folder, 'java');
  exportJava(ledger, target, genesis);
  const stores = join(target, 'database');
  const more = added?.(headTime(ledger)) ?? new Map<StoreName, readonly StoredRow[]>();
  const others = (store: StoreName): StoredRow[] => merged(rowsWith(ledger, store, accounts), more.get(store) ?? []);
  for (const scaled of proportions) writeStore(stores, scaled, accounts, others(scaled.store));
  const unscaled = new Set<StoreName>(['contract', 'code', 'witness', 'asset-issue-v2', ...more.keys()]);
  for (const { store } of proportions) unscaled.delete(store);
  for (const store of unscaled) writeStore(stores, { ...storage, store }, 0, others(store));
  await ledger.close();
  return stores;
}

/** Returns the height of the head block of a data folder that a source was converted to. */
export async function headOf(dataDir: string): Promise<number> {
  const { config } = loadConfig({ file: join(scaleChain, 'config.conf'), flags: parseFlags([]).flags });
  const genesis = genesisOf(config, chainRules(config));
  const log = pino({ level: 'fatal' });
  const options = { retention: 'unsolidified', checkpointVersion: 2, readOnly: true } as const;
  const ledger = await openLedger({ dataDir, genesis, ...options, log });
  const { headNumber } = ledger.position;
  await ledger.close();
  return headNumber;
}

function headTime(ledger: Ledger): bigint {
  const row = ledger.head.get(storeId('properties'), Buffer.from('latest_block_header_timestamp'));
  return toInt64(present(row, 'a chain has the time of its head'));
}

/** Returns both lists in the order of their keys. A row of the second list replaces a row with the same key. */
function merged(rows: readonly StoredRow[], added: readonly StoredRow[]): StoredRow[] {
  const keys = new Set(added.map(([key]) => toHex(key)));
  const all = [...rows.filter(([key]) => !keys.has(toHex(key))), ...added];
  return all.sort(([a], [b]) => Buffer.compare(a, b));
}

export type StoredRow = readonly [key: Uint8Array, value: Uint8Array];

/** Returns the rows of a store that are not generated. They belong to the chain, the contract and the candidates. */
function rowsWith(ledger: Ledger, store: StoreName, accounts: number): StoredRow[] {
  const rows = [...ledger.head.range(storeId(store))].map(
    ({ key, value }): StoredRow => [Buffer.from(key), Buffer.from(value)],
  );
  const address = addressBytes(CONTRACT);
  if (store === 'code') rows.push([address, Buffer.from(CODE, 'hex')]);
  if (store === 'account') {
    rows.push([address, Account.encode(Object.assign(new Account(), { address, type: AccountType.Contract }))]);
  }
  if (store === 'witness') {
    for (let at = 0; at < CANDIDATES; at++) {
      const candidate = accountAt(at, accounts);
      const fields = { address: candidate, url: `http://${at}`, voteCount: BigInt(at) };
      rows.push([candidate, Witness.encode(Object.assign(new Witness(), fields))]);
    }
  }
  if (store === 'contract') {
    const fields = { originAddress: accountAt(0, 1), contractAddress: address, consumeUserResourcePercent: 100n };
    rows.push([address, SmartContract.encode(Object.assign(new SmartContract(), fields))]);
  }
  if (store === 'asset-issue-v2') {
    for (let at = 0; at < TOKENS; at++) {
      const id = String(FIRST_TOKEN + at);
      const [name, url] = [Buffer.from(`Token${at}`), Buffer.from(`http://token${at}.example`)];
      const texts = { id, name, abbr: name, url, description: Buffer.from('A token as many are.'.repeat(5)) };
      const numbers = { totalSupply: 1_000_000_000n, trxNum: 1, num: 1, startTime: 1n, endTime: 2n, precision: 6 };
      const asset = { ...texts, ...numbers, ownerAddress: accountAt(at, accounts) };
      rows.push([Buffer.from(id), AssetIssueContract.encode(Object.assign(new AssetIssueContract(), asset))]);
    }
  }
  return rows;
}

/** Writes a store with the generated rows and the given rows, in the order of their keys. */
function writeStore(stores: string, scaled: ScaleStore, accounts: number, others: readonly StoredRow[]): void {
  const folder = join(stores, scaled.store);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  const writer = new StoreWriter(folder, BYTE_ORDER.comparator);
  const rows = rowsOf(scaled, accounts);
  let next = 0;
  const addOthers = (before?: Buffer): void => {
    for (; next < others.length && (before === undefined || Buffer.compare(others[next]![0], before) < 0); next++)
      writer.add(...others[next]!);
  };
  for (let at = 0; at < rows; at++) {
    const key = keyAt(at, rows, scaled.keyBytes);
    const full = scaled.keyOf?.(key) ?? key;
    addOthers(full);
    writer.add(full, scaled.rowOf(key, accounts));
  }
  addOthers();
  writer.finish();
}

/** Returns a generated key. The keys ascend, and otherwise look like hashes. */
function keyAt(at: number, rows: number, keyBytes: number): Buffer {
  const key = Buffer.alloc(keyBytes);
  const hash = createHash('md5').update(String(at)).digest();
  for (let from = 0; from < keyBytes; from += hash.length) hash.copy(key, from);
  key[0] = 0x41;
  key.writeUInt32BE(at * Math.floor(2 ** 32 / (rows + 1)), 1);
  return key;
}

/** Returns a function that creates the row of a typical account. The argument of the function is the address. */
function accountRow(): (key: Buffer) => Uint8Array {
  const account = new Account();
  account.balance = 123_456_789n;
  account.createTime = 1_691_107_200_000n;
  account.latestOprationTime = 1_691_207_200_000n;
  account.assetOptimized = true;
  account.frozenV2 = [Object.assign(new AccountFreezeV2(), { amount: 100_000_000n })];
  return (key) => {
    account.address = key;
    return Account.encode(account);
  };
}

function delegationRow(): (key: Buffer) => Uint8Array {
  const delegated = new DelegatedResource();
  delegated.frozenBalanceForEnergy = 5_000_000n;
  return (key) => {
    delegated.from = key.subarray(0, 21);
    delegated.to = key.subarray(21);
    return DelegatedResource.encode(delegated);
  };
}

/**
 * Returns a function that creates the votes row of an account. Since the last maintenance, the account has moved its
 * votes from one candidate to three.
 */
function votesRow(): (key: Buffer, accounts: number) => Uint8Array {
  return (key, accounts) => {
    const vote = (at: number, voteCount: bigint): Vote =>
      Object.assign(new Vote(), { voteAddress: accountAt(at % CANDIDATES, accounts), voteCount });
    const at = key.readUInt16BE(6);
    const newVotes = [vote(at, 5n), vote(at + 1, 3n), vote(at + 2, 1n)];
    return Votes.encode(Object.assign(new Votes(), { address: key, oldVotes: [vote(at + 3, 9n)], newVotes }));
  };
}

function filledRow(bytes: number): (key: Buffer) => Uint8Array {
  return (key) => {
    const value = Buffer.alloc(bytes);
    for (let from = 0; from < bytes; from += 16) key.copy(value, from, 5);
    return value;
  };
}
