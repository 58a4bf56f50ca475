import { EMPTY_BYTES, toHex, utf8 } from '../../log/domain/bytes.js';
import type { Ledger } from '../../projections/ledger.js';
import { storeId } from '../../projections/stores.js';
import { decodeParameter } from '../../vm/transactions/decode-transaction.js';
import { type BlockContent, readBlockContent, type TransactionContent } from './block-content.js';
import type { ContractBook } from './contract-book.js';
import { CONTRACT_TRIGGERS, type SinkOptions, type Trigger } from './sink-options.js';
import type { SolidBlock } from './solid-blocks.js';
import { addressText } from './triggers/address-text.js';
import { blockTrigger, solidityTrigger } from './triggers/block-trigger.js';
import { type ContractLog, contractAddressOf, eventPayload, isEvent, logPayload } from './triggers/contract-trigger.js';
import { createEventFilter, type EventFilter } from './triggers/event-filter.js';
import { transactionTrigger } from './triggers/transaction-trigger.js';

/** One record of a sink, before it has a place in a topic. */
export interface EventRecord {
  readonly trigger: Trigger;
  readonly key: string;
  /** JSON text. */
  readonly payload: string;
}

/** All records that a sink gets of one block, in order; there may be none. */
export interface BlockRecords {
  readonly seq: number;
  readonly number: number;
  readonly id: string;
  readonly parentId: string;
  /** ms since 1970 at which the reading thread came to the block. */
  readonly readAt: number;
  readonly records: readonly EventRecord[];
}

export interface RecordsOptions {
  readonly ledger: Ledger;
  readonly sink: Pick<SinkOptions, 'topics' | 'filter' | 'key' | 'ethCompatible' | 'redundancy'>;
  /** Needed for contract events and logs only. */
  readonly book: ContractBook | undefined;
  readonly addressPrefix: number;
  /** Whether ABIs are looked at: `event.subscribe.contractParse`. */
  readonly parsesContracts: boolean;
}

/** Makes a sink's records of irreversible blocks. The same block gives the same records, whenever it is read. */
export class RecordMaker {
  private readonly options: RecordsOptions;
  private readonly topics: ReadonlySet<Trigger>;
  private readonly passes: EventFilter;

  constructor(options: RecordsOptions) {
    this.options = options;
    this.topics = new Set(options.sink.topics);
    this.passes = createEventFilter(options.sink.filter);
  }

  /** Whether a sink needs the {@link ContractBook}. */
  static needsBook({ topics }: Pick<SinkOptions, 'topics'>): boolean {
    return topics.some((topic) => CONTRACT_TRIGGERS.has(topic));
  }

  /** In the reference's order: what waited for solidification, contract events and logs, block, transactions, solidity. */
  recordsOf(solid: SolidBlock): BlockRecords {
    const block = readBlockContent(this.options.ledger, solid);
    const logs = RecordMaker.needsBook(this.options.sink) ? this.logsOf(block) : [];
    const records = [
      ...this.solidityRecords(logs),
      ...this.contractRecords(logs),
      ...(this.topics.has('block') ? [{ trigger: 'block' as const, key: block.id, payload: blockTrigger(block) }] : []),
      ...(this.topics.has('transaction') ? this.transactionRecords(block) : []),
      ...(this.topics.has('solidity')
        ? [{ trigger: 'solidity' as const, key: block.id, payload: solidityTrigger(block) }]
        : []),
    ];
    const { seq, number, id, parentId } = block;
    return { seq, number, id, parentId, readAt: Date.now(), records };
  }

  private logsOf(block: BlockContent): ContractLog[] {
    const { book, addressPrefix, parsesContracts: parses } = this.options;
    book?.fold(block);
    const logs: ContractLog[] = [];
    for (const [index, transaction] of block.transactions.entries()) {
      const entries = transaction.info?.log ?? [];
      if (entries.length === 0) continue;
      const origin = ownerOf(transaction);
      for (const [at, log] of entries.entries()) {
        const address = Buffer.concat([Uint8Array.of(addressPrefix), log.address]);
        const facts = book?.factsAt(address, { number: block.number, index }) ?? NOTHING_KNOWN;
        const made = { block, transactionId: transaction.id, place: at + 1, origin, log, facts, addressPrefix, parses };
        const topics = log.topics.map(toHex);
        if (this.passes({ blockNumber: block.number, contractAddress: contractAddressOf(made), topics }))
          logs.push(made);
      }
    }
    return logs;
  }

  /** Reference: Manager.postSolidityTrigger: all logs, then all events. */
  private solidityRecords(logs: readonly ContractLog[]): EventRecord[] {
    const records: EventRecord[] = [];
    for (const log of this.topics.has('soliditylog') ? logs : []) {
      if (!isEvent(log) || this.options.sink.redundancy === true)
        records.push(this.contractRecord('soliditylog', log, logPayload('soliditylog', log)));
    }
    for (const log of this.topics.has('solidityevent') ? logs : []) {
      if (isEvent(log)) records.push(this.contractRecord('solidityevent', log, eventPayload('solidityevent', log)));
    }
    return records;
  }

  private contractRecords(logs: readonly ContractLog[]): EventRecord[] {
    const records: EventRecord[] = [];
    for (const log of logs) {
      const matches = isEvent(log);
      if (matches && this.topics.has('contractevent'))
        records.push(this.contractRecord('contractevent', log, eventPayload('contractevent', log)));
      if ((!matches || this.options.sink.redundancy === true) && this.topics.has('contractlog'))
        records.push(this.contractRecord('contractlog', log, logPayload('contractlog', log)));
    }
    return records;
  }

  private contractRecord(trigger: Trigger, log: ContractLog, payload: string): EventRecord {
    const { key } = this.options.sink;
    const text =
      key === 'contract' ? contractAddressOf(log) : key === 'account' ? addressText(log.origin) : log.transactionId;
    return { trigger, key: text, payload };
  }

  private transactionRecords(block: BlockContent): EventRecord[] {
    const { sink } = this.options;
    // The reference falls back to the plain form where it holds no receipts: for genesis.
    const isEth = sink.ethCompatible === true && block.number !== 0;
    const energyUnitPrice = isEth ? this.energyPriceAt(block.timeMs) : 0n;
    let energyUsedBefore = 0n;
    let logsBefore = 0;
    return block.transactions.map((transaction, index) => {
      const place = isEth ? { index, energyUsedBefore, logsBefore, energyUnitPrice } : undefined;
      const { payload, contractAddress, fromAddress } = transactionTrigger(block, transaction, place);
      energyUsedBefore += transaction.info?.receipt?.energyUsageTotal ?? 0n;
      logsBefore += transaction.info?.log.length ?? 0;
      const account = sink.key === 'account' ? (fromAddress ?? addressText(ownerOf(transaction))) : undefined;
      const key = (sink.key === 'contract' ? contractAddress : account) ?? transaction.id;
      return { trigger: 'transaction' as const, key, payload };
    });
  }

  /** The price that held at a time: SUN for one unit of energy, from the history that the state keeps (`time:price,…`). */
  private energyPriceAt(timeMs: bigint): bigint {
    const row = this.options.ledger.head.get(storeId('properties'), utf8('ENERGY_PRICE_HISTORY'));
    const prices = Buffer.from(row ?? utf8('0:100'))
      .toString()
      .split(',');
    const held = prices.findLast((price) => BigInt(price.split(':')[0] ?? 0) < timeMs) ?? prices[0] ?? '0:100';
    return BigInt(held.split(':')[1] ?? 0);
  }
}

const NOTHING_KNOWN = { creator: EMPTY_BYTES, events: new Map() };

/** Address bytes of the account that a transaction names as its owner. */
function ownerOf({ message }: TransactionContent): Uint8Array {
  const contract = message.rawData?.contract[0];
  const parameter = contract === undefined ? undefined : decodeParameter(contract);
  return (parameter as { ownerAddress?: Uint8Array } | undefined)?.ownerAddress ?? EMPTY_BYTES;
}
