import { type GivenAbis, withGiven } from '../../content/abi/given-abis.js';
import { addressText } from '../../content/address-text.js';
import { present } from '../../domain/assert.js';
import { EMPTY_BYTES, toHex, toInt64, utf8 } from '../../domain/bytes.js';
import type { Ledger } from '../../projections/ledger/ledger.js';
import { storeId } from '../../projections/rows/stores.js';
import { energyPriceAt } from '../../vm/resources/energy-price.js';
import { CHANGE_TRIGGERS, CONTRACT_TRIGGERS, type EventTrigger, type Trigger } from '../event-kinds.js';
import { type BlockContent, readBlockContent, readEntry, type TransactionContent } from '../follow/block-content.js';
import type { LogMove } from '../follow/log-moves.js';
import type { ChangesReader } from '../follow/past-changes.js';
import type { SolidBlock } from '../follow/solid-blocks.js';
import { SinkRefusal } from '../sink-refusal.js';
import { BranchBook } from './branch-book.js';
import type { ContractBook } from './contract-book.js';
import { jsonOf } from './event-json.js';
import type { EventOptions } from './event-options.js';
import type { BlockRecords, EventRecord } from './event-record.js';
import type { EventObject } from './event-value.js';
import { toEventMessage } from './protobuf/event-messages.js';
import { blockTrigger, solidityTrigger } from './triggers/block-trigger.js';
import { stateChanges } from './triggers/change-trigger.js';
import { type ContractLog, contractAddressOf, eventTrigger, isEvent, logTrigger } from './triggers/contract-trigger.js';
import { createEventFilter, type EventFilter } from './triggers/event-filter.js';
import { transactionTrigger } from './triggers/transaction-trigger.js';

export interface RecordsOptions {
  readonly ledger: Ledger;
  readonly sink: Omit<EventOptions, 'payload'> & Partial<Pick<EventOptions, 'payload'>>;
  /** What blocks changed, below the kept height too; the ledger's own without it. */
  readonly changes?: ChangesReader;
  /** Needed for contract events and logs only. */
  readonly book: ContractBook | undefined;
  readonly addressPrefix: number;
  /** ABIs beside those of the chain: what was given last counts, whenever a block is read. */
  readonly abis?: GivenAbis | undefined;
  /** Whether ABIs are looked at: `event.subscribe.contractParse`. */
  readonly parsesContracts: boolean;
  /** As the release's `laterTriggers`. */
  readonly laterTriggers: boolean;
}

/** A record whose event has no form yet. */
interface MadeEvent extends Pick<EventRecord, 'key' | 'block'> {
  readonly trigger: EventTrigger;
  readonly event: EventObject;
}

/** Makes a sink's records of blocks. The same block gives the same records, whenever it is read, while no other ABI is given. */
export class RecordMaker {
  private readonly options: RecordsOptions;
  private readonly topics: ReadonlySet<Trigger>;
  private readonly hasChanges: boolean;
  private readonly passes: EventFilter;
  private readonly branch: BranchBook | undefined;

  constructor(options: RecordsOptions) {
    const { sink, book, ledger } = options;
    this.options = options;
    this.topics = new Set(sink.topics);
    this.hasChanges = CHANGE_TRIGGERS.some((trigger) => this.topics.has(trigger));
    this.passes = createEventFilter(sink.filter);
    this.branch = book && new BranchBook(book, ledger);
  }

  /** Whether a sink needs the {@link ContractBook}. */
  static needsBook({ topics }: Pick<EventOptions, 'topics'>): boolean {
    return topics.some((topic) => CONTRACT_TRIGGERS.has(topic));
  }

  /** Whether a sink's records tell what only the changes of a block say: rows, or internal transactions. */
  static needsChanges(sink: Pick<EventOptions, 'topics' | 'only'>): boolean {
    const { topics, only = topics } = sink;
    if (RecordMaker.needsBook(sink) || only.includes('transaction')) return true;
    return CHANGE_TRIGGERS.some((trigger) => topics.includes(trigger));
  }

  /** Before {@link recordsOf}: what it needs of changes that are no longer kept is executed again. */
  async prepare({ entry }: SolidBlock, signal: AbortSignal): Promise<void> {
    const { ledger, changes, book, sink } = this.options;
    if (changes === undefined || !RecordMaker.needsChanges(sink)) return;
    while (book !== undefined && RecordMaker.needsBook(sink) && book.height + 1 < entry.number) {
      const missing = present(ledger.block(book.height + 1), 'the log has every block below');
      await changes.prepare(missing, signal);
      if (missing.number === book.height + 1) book.fold(readEntry(changes, missing));
    }
    await changes.prepare(entry, signal);
  }

  /** Of an irreversible block, in the reference's order of one push (Manager.postSolidityTrigger first): what waited for solidification, contract events and logs, block, transactions, solidity. */
  recordsOf(solid: SolidBlock): BlockRecords {
    const { ledger, changes = ledger } = this.options;
    const block = readBlockContent(changes, solid);
    this.branch?.solidified(block);
    const logs = this.logsOf(block);
    const records = [
      ...this.solidityLogs(logs),
      ...this.solidityEvents(logs),
      ...this.contractRecords(logs),
      ...this.blockRecords(block),
      ...this.transactionRecords(block),
      ...this.changeRecords(block, false),
      ...this.solidityRecords(block),
    ];
    const { seq, number, id, parentId } = block;
    return { seq, number, id, parentId, readAt: Date.now(), ...this.written(records) };
  }

  /** Of an entry of the log: a block that joins, one that is taken back, blocks that become irreversible. */
  recordsOfMove(move: LogMove): BlockRecords {
    const records = this.options.sink.polled === true ? this.polledRecords(move) : this.pushedRecords(move);
    const { change, seq, number, id, block } = move;
    return { seq, number, id, parentId: block?.parentId ?? '', readAt: Date.now(), change, ...this.written(records) };
  }

  /** In the order in which the reference's execution of a block comes to them (event service 0). */
  private pushedRecords({ change, number, block, solid }: LogMove): MadeEvent[] {
    const records: MadeEvent[] = [];
    const isLate = (trigger: Trigger): boolean => this.isLate(trigger);
    if (block !== undefined) {
      if (change === 'applied') this.branch?.applied(block);
      records.push(...this.contractRecords(this.logsOf(block, change === 'reverted')));
      if (change === 'reverted') this.branch?.reverted(number);
      const isTold = change === 'applied' || (change === 'reverted' && this.options.laterTriggers);
      if (isTold && !isLate('block')) records.push(...this.blockRecords(block, change === 'reverted'));
      if (isTold && !isLate('transaction')) records.push(...this.transactionRecords(block, change === 'reverted'));
      records.push(...this.changeRecords(block, change === 'reverted'));
    }
    for (const one of solid) this.branch?.solidified(one);
    const logs = solid.map((one) => [one, this.logsOf(one)] as const);
    const late: MadeEvent[] = [];
    if (isLate('block')) for (const one of solid) late.push(...of(one, this.blockRecords(one)));
    if (isLate('transaction')) for (const one of solid) late.push(...of(one, this.transactionRecords(one)));
    // Reference: Manager.postSolidityTrigger, which began with them in a later release.
    if (this.options.laterTriggers) records.push(...late);
    for (const [one, list] of logs) records.push(...of(one, this.solidityLogs(list)));
    for (const [one, list] of logs) records.push(...of(one, this.solidityEvents(list)));
    if (!this.options.laterTriggers) records.push(...late);
    for (const one of solid) records.push(...of(one, this.solidityRecords(one)));
    return records;
  }

  /** Kind by kind, block by block. Reference: RealtimeEventService.flush, SolidEventService.flush. */
  private polledRecords({ change, number, block, solid }: LogMove): MadeEvent[] {
    const records: MadeEvent[] = [];
    if (block !== undefined) {
      const removed = change === 'reverted';
      if (change === 'applied') this.branch?.applied(block);
      const seen = asPolled(block);
      const logs = this.logsOf(seen, removed);
      if (removed) this.branch?.reverted(number);
      if (!this.isLate('block')) records.push(...this.blockRecords(seen, removed));
      if (!this.isLate('transaction')) records.push(...this.transactionRecords(seen, removed));
      records.push(...this.logsByKind(logs, 'contractevent', 'contractlog'), ...this.changeRecords(block, removed));
    }
    for (const one of solid) {
      this.branch?.solidified(one);
      const seen = asPolled(one);
      const logs = this.logsOf(seen);
      if (this.isLate('block')) records.push(...of(one, this.blockRecords(seen)));
      if (this.isLate('transaction')) records.push(...of(one, this.transactionRecords(seen)));
      records.push(...of(one, this.logsByKind(logs, 'solidityevent', 'soliditylog')));
      records.push(...of(one, this.solidityRecords(one)));
    }
    return records;
  }

  /** Whether a kind waits until its block is irreversible. */
  private isLate(trigger: Trigger): boolean {
    return this.options.sink.solidified?.includes(trigger) === true;
  }

  /** Events, what no ABI knows, and events as logs where they are asked for as such too. */
  private logsByKind(
    logs: readonly ContractLog[],
    event: 'contractevent' | 'solidityevent',
    log: 'contractlog' | 'soliditylog',
  ): MadeEvent[] {
    const events = logs.filter(isEvent);
    const others = logs.filter((one) => !isEvent(one));
    const asLogs = [...others, ...(this.isRedundant(log) ? events : [])];
    return [
      ...(this.topics.has(event) ? events.map((one) => this.contractRecord(event, one, eventTrigger(event, one))) : []),
      ...(this.topics.has(log) ? asLogs.map((one) => this.contractRecord(log, one, logTrigger(log, one))) : []),
    ];
  }

  private written(made: readonly MadeEvent[]): Pick<BlockRecords, 'records' | 'count'> {
    const { only } = this.options.sink;
    if (only === undefined) return { records: made.map((one) => this.inForm(one)) };
    const records = made.flatMap((one, index) => (only.includes(one.trigger) ? [{ ...this.inForm(one), index }] : []));
    return { records, count: made.length };
  }

  private inForm({ event, ...record }: MadeEvent): EventRecord {
    if (this.options.sink.payload !== 'protobuf') return { ...record, payload: jsonOf(event) };
    const { schema, bytes } = toEventMessage(record.trigger, event);
    return { ...record, schema, payload: bytes };
  }

  private logsOf(block: BlockContent, removed = false): ContractLog[] {
    if (!RecordMaker.needsBook(this.options.sink)) return [];
    const { addressPrefix, parsesContracts: parses } = this.options;
    const logs: ContractLog[] = [];
    for (const [index, transaction] of block.transactions.entries()) {
      const entries = transaction.info?.log ?? [];
      if (entries.length === 0) continue;
      const origin = ownerOf(transaction);
      for (const [at, log] of entries.entries()) {
        const address = Buffer.concat([Uint8Array.of(addressPrefix), log.address]);
        const known = this.branch?.factsAt(address, { number: block.number, index }) ?? NOTHING_KNOWN;
        const facts = { ...known, events: withGiven(known.events, this.options.abis?.of(toHex(address))?.events) };
        const transactionId = transaction.idHex;
        const made = { block, transactionId, place: at + 1, origin, log, facts, addressPrefix, parses, removed };
        const topics = log.topics.map(toHex);
        if (this.passes({ blockNumber: block.number, contractAddress: contractAddressOf(made), topics }))
          logs.push(made);
      }
    }
    return logs;
  }

  private solidityLogs(logs: readonly ContractLog[]): MadeEvent[] {
    if (!this.topics.has('soliditylog')) return [];
    return logs
      .filter((log) => !isEvent(log) || this.isRedundant('soliditylog'))
      .map((log) => this.contractRecord('soliditylog', log, logTrigger('soliditylog', log)));
  }

  private solidityEvents(logs: readonly ContractLog[]): MadeEvent[] {
    if (!this.topics.has('solidityevent')) return [];
    return logs
      .filter(isEvent)
      .map((log) => this.contractRecord('solidityevent', log, eventTrigger('solidityevent', log)));
  }

  private contractRecords(logs: readonly ContractLog[]): MadeEvent[] {
    const records: MadeEvent[] = [];
    for (const log of logs) {
      const matches = isEvent(log);
      if (matches && this.topics.has('contractevent'))
        records.push(this.contractRecord('contractevent', log, eventTrigger('contractevent', log)));
      if ((!matches || this.isRedundant('contractlog')) && this.topics.has('contractlog'))
        records.push(this.contractRecord('contractlog', log, logTrigger('contractlog', log)));
    }
    return records;
  }

  private isRedundant(trigger: Trigger): boolean {
    return this.options.sink.redundancy?.includes(trigger) === true;
  }

  private blockRecords(block: BlockContent, isRemoved = false): MadeEvent[] {
    if (!this.topics.has('block')) return [];
    const event = blockTrigger(block, this.options.laterTriggers ? isRemoved : undefined);
    return [{ trigger: 'block', key: block.id, event }];
  }

  /** @throws {SinkRefusal} the block's changes are gone */
  private changeRecords(block: BlockContent, removed: boolean): MadeEvent[] {
    if (!this.hasChanges) return [];
    const { ledger, changes: reader = ledger } = this.options;
    const changes = reader.changes(block.seq);
    if (changes === undefined)
      throw new SinkRefusal(
        `what block ${block.number} changed is no longer kept, so its stake, votes and balances cannot be told: ` +
          'tronicle.history.retention says how many blocks are',
      );
    const { key } = this.options.sink;
    return stateChanges(block, changes.rows, removed)
      .filter(({ trigger }) => this.topics.has(trigger))
      .map(({ trigger, address, event }) => ({ trigger, key: key === 'transaction' ? block.id : address, event }));
  }

  private solidityRecords(block: BlockContent): MadeEvent[] {
    return this.topics.has('solidity') ? [{ trigger: 'solidity', key: block.id, event: solidityTrigger(block) }] : [];
  }

  private contractRecord(trigger: EventTrigger, log: ContractLog, event: EventObject): MadeEvent {
    const { key } = this.options.sink;
    const text =
      key === 'contract' ? contractAddressOf(log) : key === 'account' ? addressText(log.origin) : log.transactionId;
    return { trigger, key: text, event };
  }

  private transactionRecords(block: BlockContent, isRemoved = false): MadeEvent[] {
    if (!this.topics.has('transaction')) return [];
    const { sink, laterTriggers } = this.options;
    // The reference falls back to the plain form where it holds no receipts: for genesis.
    const isEth = sink.ethCompatible === true && block.number !== 0;
    const energyUnitPrice = isEth ? this.energyPriceAt(block.timeMs) : 0n;
    let energyUsedBefore = 0n;
    let logsBefore = 0;
    return block.transactions.map((transaction, index) => {
      const place = isEth ? { index, energyUsedBefore, logsBefore, energyUnitPrice } : undefined;
      const { event, contractAddress, fromAddress } = transactionTrigger(block, transaction, {
        ...(place === undefined ? {} : { place }),
        asReference: sink.asReference === true,
        hidesInternal: sink.polled === true,
        ...(laterTriggers && { removed: isRemoved }),
      });
      energyUsedBefore += transaction.info?.receipt?.energyUsageTotal ?? 0n;
      logsBefore += transaction.info?.log.length ?? 0;
      const account = sink.key === 'account' ? (fromAddress ?? addressText(ownerOf(transaction))) : undefined;
      const key = (sink.key === 'contract' ? contractAddress : account) ?? transaction.idHex;
      return { trigger: 'transaction' as const, key, event };
    });
  }

  private energyPriceAt(timeMs: bigint): bigint {
    const property = (name: string): Uint8Array =>
      this.options.ledger.head.get(storeId('properties'), utf8(name)) ?? EMPTY_BYTES;
    const newest = toInt64(property('ENERGY_FEE'));
    return energyPriceAt({ history: property('ENERGY_PRICE_HISTORY'), newest }, timeMs);
  }
}

/** The newest irreversible block as somebody sees it who comes behind the block: below it. Reference: BlockEventGet.getBlockEvent. */
function asPolled(block: BlockContent): BlockContent {
  const solidified = Math.max(0, Math.min(block.solidifiedNumber, block.number - 1));
  return { ...block, solidifiedNumber: solidified, solidifiedBefore: solidified };
}

function of({ number, id, parentId }: BlockContent, records: readonly MadeEvent[]): MadeEvent[] {
  return records.map((record) => ({ ...record, block: { number, id, parentId } }));
}

const NOTHING_KNOWN = { creator: EMPTY_BYTES, events: new Map() };

/** Address bytes of the account that a transaction names as its owner. */
function ownerOf({ parameter }: TransactionContent): Uint8Array {
  return (parameter as { ownerAddress?: Uint8Array } | undefined)?.ownerAddress ?? EMPTY_BYTES;
}
