import { join } from 'node:path';
import {
  type ClearABIContract,
  TransactionResultContractResult as ContractResult,
  TransactionContractContractType as ContractType,
  type CreateSmartContract,
  SmartContract,
  SmartContractABI,
} from '../../codec/generated/messages.js';
import { type AbiEvent, eventsOfAbi } from '../../encoding/abi/decode-event.js';
import { seqKey } from '../../log/block-key.js';
import { type BytesTable, type Environment, openEnvironment } from '../../log/lmdb/environment.js';
import { present } from '../../primitives/assert.js';
import { EMPTY_BYTES, equalBytes, fromHex, toHex, toUtf8 } from '../../primitives/bytes.js';
import type { Ledger } from '../../projections/ledger/ledger.js';
import { type StoreId, storeId } from '../../projections/state/stores.js';
import { type BlockContent, readBlockEntry, type StreamedTransaction } from '../follow/block-content.js';

/**
 * Creator and events of a contract. The payload of a log contains the creator. The events decode the values of the log.
 */
export interface ContractFacts {
  /** Address bytes of the creator; empty if unknown. */
  readonly creator: Uint8Array;
  /** Events by signature hash; empty without an ABI. */
  readonly events: ReadonlyMap<string, AbiEvent>;
}

/** Position of a transaction in the chain. */
export interface ChainPosition {
  readonly number: number;
  readonly index: number;
}

interface Version extends ChainPosition, ContractFacts {}

const CONTRACT = storeId('contract');
const ABI = storeId('abi');
const NO_EVENTS: ReadonlyMap<string, AbiEvent> = new Map();
const CACHE_MAX = 2000;
const COMMIT_BLOCKS = 1000;
const CURSOR = 'cursor';

/**
 * Creator and ABI of every contract at any position of the solidified chain, stored in `<data>/streams/contracts`. The
 * folder may be deleted at any time, because it is rebuilt from the log.
 *
 * Payloads must not depend on the time of sending. The current state does not suffice, because later blocks can clear
 * an ABI or destroy a contract.
 *
 * If the log does not start at genesis, older contracts are read from the state. Before a block changes their rows, the
 * old values are stored here.
 */
export class AbiRegistry {
  private readonly ledger: Ledger;
  private readonly environment: Environment;
  private readonly versions: BytesTable;
  private readonly meta: BytesTable;
  private readonly cache = new Map<string, Version[]>();
  private uncommitted: { readonly key: Buffer; readonly value: Buffer }[] = [];
  private folded: number;
  private committed: number;

  constructor(ledger: Ledger, dataDir: string) {
    this.ledger = ledger;
    this.environment = openEnvironment(join(dataDir, 'streams', 'contracts'), { readOnly: false });
    this.versions = this.environment.table('versions');
    this.meta = this.environment.table('meta');
    const row = this.meta.getBinary(Buffer.from(CURSOR));
    this.committed = row === undefined ? -1 : Number(Buffer.from(row).readBigInt64BE());
    // A log from genesis is read from its start. Any other log has no earlier blocks to add.
    if (ledger.startNumber > 0) this.committed = Math.max(this.committed, ledger.startNumber);
    this.folded = this.committed;
  }

  /** Height of the newest block in the registry. */
  get height(): number {
    return this.folded;
  }

  /** Adds a solidified block. First adds the blocks between the newest block of the registry and this block. */
  fold(block: Pick<BlockContent, 'number' | 'transactions'>): void {
    for (let number = this.folded + 1; number < block.number; number++) {
      this.foldBlock(
        readBlockEntry(this.ledger, present(this.ledger.block(number), 'the log contains every block below')),
      );
    }
    if (block.number > this.folded) this.foldBlock(block);
  }

  /**
   * Returns the creator and events of a contract at the end of the transaction at `position`. The logs of a constructor
   * are therefore decoded with the ABI of the new contract. Reference: LogInfoTriggerParser.parseLogInfos, called after
   * the commit in VMActuator.execute.
   */
  factsAt(address: Uint8Array, position: ChainPosition): ContractFacts {
    const versions = this.versionsOf(address);
    const known = versions.findLast((version) => compare(version, position) <= 0);
    const isOlder = versions.length === 0 && this.ledger.startNumber > 0;
    const events = known?.events ?? (isOlder ? eventsOf(this.rowInState(ABI, address)) : NO_EVENTS);
    return { creator: known?.creator ?? creatorOf(this.rowInState(CONTRACT, address)), events };
  }

  /** Commits the changes since the last call. */
  flush(): void {
    if (this.committed === this.folded && this.uncommitted.length === 0) return;
    const cursor = Buffer.alloc(8);
    cursor.writeBigInt64BE(BigInt(this.folded));
    const rows = this.uncommitted;
    this.environment.commit(() => {
      for (const { key, value } of rows) this.versions.putSync(key, value);
      this.meta.putSync(Buffer.from(CURSOR), cursor);
    });
    this.uncommitted = [];
    this.committed = this.folded;
  }

  async close(): Promise<void> {
    this.flush();
    await this.environment.close();
  }

  private foldBlock(block: Pick<BlockContent, 'number' | 'transactions'>): void {
    if (this.ledger.startNumber > 0) this.keepOlder(block.number);
    for (const change of changesOf(block)) {
      const address = fromHex(change.address);
      this.put(address, change, change.creator ?? this.factsAt(address, change).creator, change.abi);
    }
    this.folded = block.number;
    if (this.folded - this.committed >= COMMIT_BLOCKS) this.flush();
  }

  /**
   * Stores creator and ABI of those contracts that are older than the log and that the block at height `number` changes
   * or deletes. Must be called before the block is added.
   */
  private keepOlder(number: number): void {
    const entry = this.ledger.block(number);
    const rows = entry === undefined ? [] : (this.ledger.changes(entry.seq)?.rows ?? []);
    const older = rows.filter(({ store, before }) => (store === ABI || store === CONTRACT) && before !== undefined);
    for (const { key } of older) {
      if (this.versionsOf(key).length > 0) continue;
      const rowBefore = (store: StoreId): Uint8Array =>
        older.find((row) => row.store === store && equalBytes(row.key, key))?.before ?? this.rowInState(store, key);
      const position = { number: this.ledger.startNumber, index: 0 };
      this.put(key, position, creatorOf(rowBefore(CONTRACT)), rowBefore(ABI));
    }
  }

  private put(address: Uint8Array, position: ChainPosition, creator: Uint8Array, abi: Uint8Array): void {
    const { number, index } = position;
    this.versionsOf(address).push({ number, index, creator: Uint8Array.from(creator), events: eventsOf(abi) });
    const indexKey = Buffer.alloc(4);
    indexKey.writeUInt32BE(index);
    const key = Buffer.concat([address, seqKey(number), indexKey]);
    this.uncommitted.push({ key, value: Buffer.concat([Uint8Array.of(creator.length), creator, abi]) });
  }

  private versionsOf(address: Uint8Array): Version[] {
    const name = toHex(address);
    const known = this.cache.get(name);
    if (known !== undefined) return known;
    if (this.cache.size >= CACHE_MAX) {
      // Commits before the cache is cleared, because only the cache has the uncommitted versions.
      this.flush();
      this.cache.clear();
    }
    const list: Version[] = [];
    for (const { key, value } of this.versions.getRange({ start: Buffer.from(address) })) {
      const row = Buffer.from(key);
      if (row.length !== address.length + 12 || !row.subarray(0, address.length).equals(address)) break;
      const [length = 0] = value;
      list.push({
        number: Number(row.readBigUInt64BE(address.length)),
        index: row.readUInt32BE(address.length + 8),
        creator: Uint8Array.from(value.subarray(1, 1 + length)),
        events: eventsOf(Uint8Array.from(value.subarray(1 + length))),
      });
    }
    this.cache.set(name, list);
    return list;
  }

  /**
   * Returns a row from the state at the head. Also used for a contract that another contract created, if the internal
   * transactions of that block are pruned.
   */
  private rowInState(store: StoreId, address: Uint8Array): Uint8Array {
    return this.ledger.head.get(store, address) ?? EMPTY_BYTES;
  }
}

/** Returns the creator of a contract. @param row row of the contract store, or empty bytes */
function creatorOf(row: Uint8Array): Uint8Array {
  return row.length === 0 ? EMPTY_BYTES : SmartContract.decode(row).originAddress;
}

/** Change of the creator or the ABI of a contract, with the position of the transaction that caused it. */
export interface ContractChange extends ChainPosition {
  /** Contract address in hex. */
  readonly address: string;
  /** New creator of the contract; undefined if unchanged. */
  readonly creator: Uint8Array | undefined;
  readonly abi: Uint8Array;
}

/** Returns the contracts that a block created and the ABIs that it cleared, in transaction order. */
export function changesOf({ number, transactions }: Pick<BlockContent, 'number' | 'transactions'>): ContractChange[] {
  return transactions.flatMap((transaction, index) => {
    const created = madeBy(transaction).map(({ address, ...facts }) => ({
      address: toHex(address),
      number,
      index,
      ...facts,
    }));
    const cleared = clearedBy(transaction);
    if (cleared === undefined) return created;
    return [...created, { address: toHex(cleared), number, index, creator: undefined, abi: EMPTY_BYTES }];
  });
}

/**
 * Returns the facts of `AbiRegistry.factsAt`, updated with the changes of blocks that are not in the registry yet.
 * @param changes changes of this contract, ascending
 */
export function factsOf(
  book: AbiRegistry,
  address: Uint8Array,
  changes: readonly ContractChange[],
  position: ChainPosition,
): ContractFacts {
  const known = book.factsAt(address, position);
  const done = changes.filter((change) => compare(change, position) <= 0);
  const creator = done.findLast((change) => change.creator !== undefined)?.creator;
  const newest = done.at(-1);
  return { creator: creator ?? known.creator, events: newest === undefined ? known.events : eventsOf(newest.abi) };
}

interface CreatedContract {
  readonly address: Uint8Array;
  readonly creator: Uint8Array;
  readonly abi: Uint8Array;
}

function madeBy(transaction: StreamedTransaction): CreatedContract[] {
  const { message, info, contract } = transaction;
  if (contract === undefined || info === undefined || !isSuccess(message.ret[0]?.contractRet)) return [];
  const created: CreatedContract[] = [];
  if (contract.type === ContractType.CreateSmartContract) {
    const { ownerAddress, newContract } = transaction.parameter as CreateSmartContract;
    const abi = newContract?.abi === undefined ? EMPTY_BYTES : SmartContractABI.encode(newContract.abi);
    created.push({ address: info.contractAddress, creator: ownerAddress, abi });
  }
  for (const { note, rejected, transferToAddress, callerAddress } of transaction.internal) {
    if (rejected || toUtf8(note) !== 'create') continue;
    created.push({ address: transferToAddress, creator: callerAddress, abi: EMPTY_BYTES });
  }
  return created;
}

function clearedBy(transaction: StreamedTransaction): Uint8Array | undefined {
  const { message, contract } = transaction;
  if (contract?.type !== ContractType.ClearABIContract || !isSuccess(message.ret[0]?.contractRet)) return undefined;
  return (transaction.parameter as ClearABIContract | undefined)?.contractAddress;
}

/**
 * Returns true if the transaction succeeded. If it ran no smart contract, it can have no result code, or the code
 * DEFAULT.
 */
function isSuccess(result: number | undefined): boolean {
  return result === undefined || result === ContractResult.SUCCESS || result === ContractResult.DEFAULT;
}

function eventsOf(abi: Uint8Array): ReadonlyMap<string, AbiEvent> {
  return abi.length === 0 ? NO_EVENTS : eventsOfAbi(SmartContractABI.decode(abi));
}

function compare(a: ChainPosition, b: ChainPosition): number {
  return a.number - b.number || a.index - b.index;
}
