import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import pino from 'pino';
import type { Chain } from '../../src/chain/chain.js';
import { Transaction, TransactionRet } from '../../src/codec/generated/messages.js';
import { parseFlags } from '../../src/config/flags.js';
import { loadConfig, type NodeConfig } from '../../src/config/load-config.js';
import { openChain } from '../../src/node/open-chain.js';
import { allRows } from '../../src/node/test-driver/changed-rows.js';
import { toHex } from '../../src/primitives/bytes.js';
import type { RowChange } from '../../src/projections/state/state-reader.js';
import { findStoreId, isJavaStore, javaStoreIds, storeName } from '../../src/projections/state/stores.js';
import { decodeBlock } from '../../src/state-transition/block/decoded-block.js';
import { ChainError } from '../../src/state-transition/errors.js';
import { decodeTransaction } from '../../src/state-transition/transactions/decode-transaction.js';
import type { RowDifference, Rows } from './compare-rows.js';
import { flagsOf, readLines } from './recording.js';
import { compareStep, ShadowState } from './shadow-state.js';

export interface BlockLine {
  readonly num: number;
  readonly id: string;
  readonly block?: string;
  readonly infos?: string;
  readonly solid?: number;
  readonly diff?: Rows;
}

interface SessionLine {
  readonly op: 'tx' | 'block';
  readonly hex?: string;
  readonly ok?: boolean;
  readonly error?: string;
  readonly message?: string;
  readonly num?: number;
}

interface FinalState {
  readonly headId: string;
  readonly stores: Rows;
}

interface FinalDigests {
  readonly stores: Record<string, { readonly rows: number; readonly sha256: string }>;
}

export interface Report {
  readonly name: string;
  operations: number;
  mismatched: number;
  first: string | undefined;
}

/** Key (hex) of a row that 4.8.2 writes at the start and 4.7.2 does not. */
const BOOKKEEPING = Buffer.from('TURKISH_KEY_MIGRATION_DONE').toString('hex');

/**
 * Replays a recorded chain without forks. Submits the rejected and the pending transactions at the recorded points.
 * With `asRelease`, replays only the blocks, because other releases have other error texts. It then ignores the row
 * TURKISH_KEY_MIGRATION_DONE.
 */
export async function replaySession(
  folder: string,
  name: string,
  onDifference: (text: string) => void,
  asRelease?: string,
): Promise<Report> {
  const report: Report = { name, operations: 0, mismatched: 0, first: undefined };
  const differ = (text: string): void => {
    report.mismatched++;
    report.first ??= text;
    onDifference(text);
  };
  const dataDir = mkdtempSync(join(tmpdir(), 'tronicle-'));
  try {
    const chain = await openRecorded(folder, dataDir, asRelease);
    const replay = new Replay(chain, differ, asRelease === undefined ? [] : [BOOKKEEPING]);
    const blocks = existsSync(join(folder, 'blocks.ndjson.gz'))
      ? readLines<BlockLine>(join(folder, 'blocks.ndjson.gz'))
      : noLines<BlockLine>();
    const genesis = (await blocks.next()).value as BlockLine | undefined;
    if (genesis !== undefined) replay.genesis(genesis);
    report.operations++;
    const session = join(folder, 'session.ndjson.gz');
    if (asRelease === undefined && existsSync(session)) {
      for await (const line of readLines<SessionLine>(session)) {
        report.operations++;
        if (line.op === 'tx') replay.transaction(line);
        else if (!replay.block((await blocks.next()).value as BlockLine)) break;
      }
    } else {
      for await (const line of blocks) {
        report.operations++;
        if (!replay.block(line)) break;
      }
    }
    replay.final(folder);
    await chain.ledger.close();
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
  return report;
}

interface RecordedOptions {
  /** Configuration file. Default: the file of the recording. */
  readonly file?: string;
  /** Release to emulate. Default: the release of the recording. */
  readonly asRelease?: string | undefined;
}

/** Returns the configuration with which the chain of a recording is replayed. */
export function recordedConfig(folder: string, { file, asRelease }: RecordedOptions = {}): NodeConfig {
  const flags = [...flagsOf(folder), ...(asRelease === undefined ? [] : ['--release', asRelease])];
  return loadConfig({
    file: file ?? join(folder, 'config.conf'),
    flags: parseFlags(flags.filter((flag) => flag !== '--no-repush')).flags,
    defaults: { 'tronicle.history.retention': 'all' },
  }).config;
}

export async function openRecorded(folder: string, dataDir: string, asRelease?: string): Promise<Chain> {
  const config = recordedConfig(folder, { asRelease });
  return openChain({ config, dataDir, log: pino({ level: 'fatal' }) });
}

async function* noLines<T>(): AsyncGenerator<T> {}

/** Replays blocks and transactions of a recording on one chain, and compares the result of each step. */
export class Replay {
  private readonly chain: Chain;
  /** Keys (hex) of rows that the emulated release writes and the recorded release did not. */
  private readonly extraProperties: readonly string[];
  private readonly differ: (text: string) => void;
  private readonly expected = new ShadowState();
  private readonly actual = new ShadowState();

  constructor(chain: Chain, differ: (text: string) => void, extraProperties: readonly string[] = []) {
    this.chain = chain;
    this.extraProperties = extraProperties;
    this.differ = differ;
  }

  genesis(line: BlockLine): void {
    const id = toHex(this.chain.ledger.position.headId);
    if (id !== line.id) this.differ(`genesis id: expected ${line.id}, here ${id}`);
    const rows: Rows = {};
    for (const store of javaStoreIds) {
      for (const { key, value } of this.chain.ledger.head.range(store)) {
        rows[storeName(store)] ??= {};
        rows[storeName(store)]![toHex(key)] = toHex(value);
      }
    }
    for (const key of this.extraProperties) delete rows['properties']?.[key];
    if (line.diff !== undefined) this.compareRows('genesis', line.diff, rows);
  }

  /** Starts in the middle of a recording. The current rows are used as the expected rows. */
  begin(): void {
    const rows = allRows(this.chain.ledger);
    for (const state of [this.expected, this.actual]) {
      for (const key of Object.keys(rows['account-asset'] ?? {})) state.noteAssetKey(key);
      state.apply(rows);
    }
  }

  transaction({ hex, ok, error, message }: SessionLine): void {
    let verdict: { error: string; text: string | null } | undefined;
    try {
      this.chain.mempool.add(decodeTransaction(Transaction.decode(Buffer.from(hex!, 'hex'))));
    } catch (thrown) {
      if (!(thrown instanceof ChainError)) throw thrown;
      verdict = { error: thrown.exception, text: thrown.text };
    }
    const head = this.chain.ledger.position.headNumber;
    if (ok === true && verdict !== undefined)
      this.differ(`tx after block ${head} refused here: ${verdict.error} ${verdict.text}\n   ${hex!.slice(0, 200)}`);
    if (ok === true) return;
    if (verdict === undefined)
      this.differ(`tx after block ${head} accepted here, expected ${error} ${message}\n   ${hex!.slice(0, 200)}`);
    else if (verdict.error !== simpleName(error!) || !sameText(verdict.text, message)) {
      this.differ(`tx after block ${head}: expected ${error} ${message}\n   here ${verdict.error} ${verdict.text}`);
    }
  }

  /**
   * Imports a recorded block and compares the result. Returns false if the block was rejected, because later blocks
   * cannot be compared then.
   */
  block(line: BlockLine): boolean {
    const block = decodeBlock(Buffer.from(line.block!, 'hex'));
    const before = this.chain.ledger.position.headNumber;
    try {
      this.chain.importBlock(block);
    } catch (thrown) {
      this.differ(`block ${line.num} refused: ${(thrown as Error).stack}`);
      return false;
    }
    if (this.chain.ledger.position.headNumber !== before + 1) this.differ(`block ${line.num} did not become the head`);
    if (block.idHex !== line.id) this.differ(`block ${line.num}: id ${line.id} expected, here ${block.idHex}`);
    const entry = this.chain.ledger.block(line.num)!;
    if (line.infos !== undefined && toHex(entry.results) !== line.infos)
      this.differ(`block ${line.num}: receipts\n${explainInfos(line.infos, toHex(entry.results))}`);
    if (line.solid !== undefined && this.chain.solidifiedNumber !== line.solid) {
      this.differ(`block ${line.num}: solidified ${line.solid} expected, here ${this.chain.solidifiedNumber}`);
    }
    if (line.diff !== undefined) {
      const changes = this.chain.ledger.changes(entry.seq)!.rows;
      this.compareRows(`block ${line.num}`, line.diff, toRows(changes));
    }
    // The recorded node produced this block itself. It then removed all pending transactions from its mempool, also
    // those that are not in the block.
    this.chain.mempool.clear();
    return true;
  }

  /** Compares the whole state at the end with the rows or the digests in the recording. */
  final(folder: string): void {
    const dump = join(folder, 'state-final.json.gz');
    const digests = join(folder, 'final.json');
    // If the API calls were recorded after the chain, the rows in the dump include the effects of their broadcasts.
    if (existsSync(dump) && !existsSync(join(folder, 'http.ndjson.gz')))
      this.compareDump(JSON.parse(gunzipSync(readFileSync(dump)).toString()) as FinalState);
    if (existsSync(digests)) this.compareDigests(JSON.parse(readFileSync(digests, 'utf8')) as FinalDigests);
  }

  private compareDump({ headId, stores }: FinalState): void {
    const head = toHex(this.chain.ledger.position.headId);
    if (head !== headId) {
      this.differ(`final head: expected ${headId}, here ${head}`);
      return;
    }
    const expected = new ShadowState();
    const actual = new ShadowState();
    // Includes the effects of pending transactions, as the rows of the recording do.
    const all = allRows(this.chain.ledger);
    for (const key of this.extraProperties) delete all['properties']?.[key];
    for (const key of Object.keys(all['account-asset'] ?? {})) actual.noteAssetKey(key);
    actual.apply(all);
    const differences = compareStep(expected, actual, stores, toRows(this.chain.state.commit()));
    if (differences.length > 0)
      this.differ(`final state: ${differences.length} rows\n${differences.slice(0, 6).map(explain).join('\n')}`);
  }

  private compareDigests({ stores }: FinalDigests): void {
    for (const [name, { rows, sha256 }] of Object.entries(stores)) {
      const hash = createHash('sha256');
      let count = 0;
      const id = findStoreId(name);
      for (const { key, value } of id === undefined ? [] : this.chain.ledger.head.range(id)) {
        if (name === 'properties' && this.extraProperties.includes(toHex(key))) continue;
        hash.update(`${toHex(key)}:${toHex(value)}\n`);
        count++;
      }
      if (count !== rows) this.differ(`final ${name}: ${rows} rows expected, here ${count}`);
      else if (hash.digest('hex') !== sha256) this.differ(`final ${name}: other rows than expected`);
    }
  }

  private compareRows(where: string, expected: Rows, actual: Rows): void {
    const differences = compareStep(this.expected, this.actual, expected, actual);
    if (differences.length === 0) return;
    this.differ(`${where}: ${differences.length} rows\n${differences.slice(0, 6).map(explain).join('\n')}`);
  }
}

export function toRows(changes: readonly RowChange[]): Rows {
  const rows: Rows = {};
  for (const { store, key, after } of changes) {
    if (!isJavaStore(store)) continue;
    const name = storeName(store);
    rows[name] ??= {};
    rows[name][toHex(key)] = after === undefined ? null : toHex(after);
  }
  return rows;
}

function simpleName(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1);
}

/** Returns true if two error texts are equal, except for the identity hash of a Java object (`@` and hex digits). */
export function sameText(actual: string | null, expected: string | null | undefined): boolean {
  const plain = (text: string | null | undefined): string => (text ?? '\0').replace(/@[0-9a-f]+/g, '@');
  return plain(actual) === plain(expected);
}

export function explain({ store, key, expected, actual }: RowDifference): string {
  const text = Buffer.from(key, 'hex').toString('latin1');
  const name = /^[ -~]+$/.test(text) ? `${text}` : key;
  return `   ${store} ${name}\n      expected ${describe(store, expected)}\n      here     ${describe(store, actual)}`;
}

function describe(store: string, value: string | null | undefined): string {
  if (value === undefined || value === null) return String(value);
  const type = rowTypes[store];
  if (type === undefined) return value.length > 600 ? `${value.slice(0, 600)}…` : value;
  return `${json(type.decode(Buffer.from(value, 'hex')))}`;
}

import * as messages from '../../src/codec/generated/messages.js';

const rowTypes: Record<string, { decode(bytes: Uint8Array): object }> = {
  account: messages.Account,
  witness: messages.Witness,
  'asset-issue': messages.AssetIssueContract,
  'asset-issue-v2': messages.AssetIssueContract,
  votes: messages.Votes,
  proposal: messages.Proposal,
  exchange: messages.Exchange,
  'exchange-v2': messages.Exchange,
  market_account: messages.MarketAccountOrder,
  market_order: messages.MarketOrder,
  market_pair_price_to_order: messages.MarketOrderIdList,
  DelegatedResource: messages.DelegatedResource,
  DelegatedResourceAccountIndex: messages.DelegatedResourceAccountIndex,
  contract: messages.SmartContract,
  'contract-state': messages.ContractState,
  'balance-trace': messages.BlockBalanceTrace,
};

function json(value: unknown): string {
  return JSON.stringify(value, (_key, item) => {
    if (item instanceof Uint8Array) return item.length === 0 ? undefined : toHex(item);
    if (item instanceof Map)
      return item.size === 0 ? undefined : Object.fromEntries([...item].map(([k, v]) => [String(k), String(v)]));
    if (typeof item === 'bigint') return item === 0n ? undefined : item.toString();
    if (item === 0 || item === false || item === '' || (Array.isArray(item) && item.length === 0)) return undefined;
    if (item?.type === 'Buffer') return Buffer.from(item.data).toString('hex') || undefined;
    return item;
  });
}

export function explainInfos(expected: string, actual: string): string {
  const left = TransactionRet.decode(Buffer.from(expected, 'hex')).transactioninfo;
  const right = TransactionRet.decode(Buffer.from(actual, 'hex')).transactioninfo;
  for (let at = 0; at < Math.max(left.length, right.length); at++) {
    const a = json(left[at]);
    const b = json(right[at]);
    if (a !== b) return `   transaction ${at}\n   expected ${a}\n   here     ${b}`;
  }
  return `   ${expected.slice(0, 200)}\n   ${actual.slice(0, 200)}`;
}
