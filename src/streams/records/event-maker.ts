import type { TransactionInfoLog } from '../../codec/generated/messages.js';
import type { NamedLog } from '../../encoding/abi/event-decoder.js';
import { type OperatorAbi, type OperatorAbis, withOperatorAbis } from '../../encoding/abi/operator-abis.js';
import { addressText, wordAddressText } from '../../encoding/address-text.js';
import { EMPTY_BYTES, fromHex, toHex, toInt64, utf8 } from '../../primitives/bytes.js';
import { onFirstUse } from '../../primitives/on-first-use.js';
import type { Ledger } from '../../projections/ledger/ledger.js';
import type { RowChange } from '../../projections/state/state-reader.js';
import { storeId } from '../../projections/state/stores.js';
import { energyPriceAt } from '../../state-transition/resources/energy-price.js';
import { CHANGE_TRIGGERS, type EventTrigger, type Trigger } from '../event-kinds.js';
import type { BlockContent, StreamedTransaction } from '../follow/block-content.js';
import type { ChangesReader } from '../follow/past-changes.js';
import { SinkError } from '../sink-error.js';
import type { ContractFacts } from './abi-registry.js';
import type { BranchAbiRegistry } from './branch-abi-registry.js';
import { type EventOptions, needsAbiRegistry } from './event-options.js';
import type { EventRecord } from './event-record.js';
import type { EventObject } from './event-value.js';
import { blockTrigger, solidityTrigger } from './triggers/block-trigger.js';
import { stateChanges } from './triggers/change-trigger.js';
import { type ContractLog, contractAddressOf, eventTrigger, isEvent, logTrigger } from './triggers/contract-trigger.js';
import { createEventFilter, type TriggerFilter } from './triggers/event-filter.js';
import { transactionTrigger, writesResults } from './triggers/transaction-trigger.js';

export interface EventsOptions {
  readonly ledger: Ledger;
  readonly sink: Omit<EventOptions, 'payload'>;
  /** What blocks changed, below the kept height too; the ledger's own without it. */
  readonly changes?: ChangesReader;
  readonly addressPrefix: number;
  /** ABIs beside those of the chain: what was given last counts, whenever a block is read. */
  readonly abis?: OperatorAbis | undefined;
  /** Whether ABIs are looked at: `event.subscribe.contractParse`. */
  readonly parsesContracts: boolean;
  /** As the release's `laterTriggers`. */
  readonly laterTriggers: boolean;
}

/** A record whose event has no form yet. */
export interface MadeEvent extends Pick<EventRecord, 'key' | 'block'> {
  readonly trigger: EventTrigger;
  readonly event: EventObject;
}

/** Makes the events of a block, kind by kind; none of a kind that the sink has not asked for. */
export class EventMaker {
  private readonly options: EventsOptions;
  private readonly topics: ReadonlySet<Trigger>;
  private readonly hasChanges: boolean;
  private readonly passes: TriggerFilter;
  private readonly branch: BranchAbiRegistry | undefined;

  /** @param branch what contract logs are decoded by */
  constructor(options: EventsOptions, branch: BranchAbiRegistry | undefined) {
    const { sink } = options;
    this.options = options;
    this.topics = new Set(sink.topics);
    this.hasChanges = CHANGE_TRIGGERS.some((trigger) => this.topics.has(trigger));
    this.passes = createEventFilter(sink.filter);
    this.branch = branch;
  }

  /** Events, what no ABI knows, and events as logs where they are asked for as such too. */
  logsByKind(
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

  /**
   * The logs of a block that the sink's filter lets through, with what its contracts' ABIs say; none where no kind
   * tells of them.
   */
  logsOf(block: BlockContent, removed = false): ContractLog[] {
    if (!needsAbiRegistry(this.options.sink)) return [];
    const { addressPrefix, parsesContracts: parses, laterTriggers: isStrict } = this.options;
    const logs: ContractLog[] = [];
    const factsOf = this.factsIn(block);
    for (const [index, transaction] of block.transactions.entries()) {
      const entries = transaction.info?.log ?? [];
      if (entries.length === 0) continue;
      const origin = ownerOf(transaction);
      for (const [at, log] of entries.entries()) {
        const address = Buffer.concat([Uint8Array.of(addressPrefix), log.address]);
        const known = factsOf(address, index);
        const given = this.options.abis?.of(toHex(address));
        const facts = { ...known, events: withOperatorAbis(known.events, given?.events) };
        const named = parses && given !== undefined ? this.namedBy(given, log, known) : undefined;
        const transactionId = transaction.idHex;
        const own = { block, transactionId, place: at + 1, origin, log, facts, named, removed };
        const made = { ...own, addressPrefix, parses, isStrict };
        const topics = log.topics.map(toHex);
        if (this.passes({ blockNumber: block.number, contractAddress: contractAddressOf(made), topics }))
          logs.push(made);
      }
    }
    return logs;
  }

  /** A log by the operator's ABI. What the chain knows of its first topic is more certain than an anonymous form. */
  private namedBy({ decoder }: OperatorAbi, log: TransactionInfoLog, { events }: ContractFacts): NamedLog | undefined {
    const addressOf = (hex: string): string => wordAddressText(fromHex(hex), this.options.addressPrefix);
    const named = decoder.decode(log, addressOf);
    const [topic] = log.topics;
    if (named !== undefined || (topic !== undefined && events.has(toHex(topic)))) return named;
    return decoder.decodeAnonymous(log, addressOf);
  }

  /**
   * As a transaction left the contract, or the whole block where it is looked at from behind.
   * Reference: BlockEventGet.parseLogs.
   */
  private factsIn(block: BlockContent): (address: Uint8Array, index: number) => ContractFacts {
    const { sink, ledger, changes = ledger } = this.options;
    const { branch } = this;
    const { number, seq } = block;
    if (sink.polled !== true) return (address, index) => branch?.factsAt(address, { number, index }) ?? NOTHING_KNOWN;
    const ended = onFirstUse(() => contractsEndedBy(changes.changes(seq)?.rows ?? []));
    return (address) => {
      if (ended().has(toHex(address))) return NOTHING_KNOWN;
      return branch?.factsAt(address, { number, index: Number.MAX_SAFE_INTEGER }) ?? NOTHING_KNOWN;
    };
  }

  solidityLogs(logs: readonly ContractLog[]): MadeEvent[] {
    if (!this.topics.has('soliditylog')) return [];
    return logs
      .filter((log) => !isEvent(log) || this.isRedundant('soliditylog'))
      .map((log) => this.contractRecord('soliditylog', log, logTrigger('soliditylog', log)));
  }

  solidityEvents(logs: readonly ContractLog[]): MadeEvent[] {
    if (!this.topics.has('solidityevent')) return [];
    return logs
      .filter(isEvent)
      .map((log) => this.contractRecord('solidityevent', log, eventTrigger('solidityevent', log)));
  }

  contractRecords(logs: readonly ContractLog[]): MadeEvent[] {
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

  blockRecords(block: BlockContent, isRemoved = false): MadeEvent[] {
    if (!this.topics.has('block')) return [];
    const event = blockTrigger(block, this.options.laterTriggers ? isRemoved : undefined);
    return [{ trigger: 'block', key: block.id, event }];
  }

  /** @throws {SinkError} the block's changes are gone */
  changeRecords(block: BlockContent, removed: boolean): MadeEvent[] {
    if (!this.hasChanges) return [];
    const { ledger, changes: reader = ledger } = this.options;
    const changes = reader.changes(block.seq);
    if (changes === undefined)
      throw new SinkError(
        `what block ${block.number} changed is no longer kept, so its stake, votes and balances cannot be told: ` +
          'tronicle.history.retention says how many blocks are',
      );
    const { key } = this.options.sink;
    return stateChanges(block, changes.rows, removed)
      .filter(({ trigger }) => this.topics.has(trigger))
      .map(({ trigger, address, event }) => ({ trigger, key: key === 'transaction' ? block.id : address, event }));
  }

  solidityRecords(block: BlockContent): MadeEvent[] {
    return this.topics.has('solidity') ? [{ trigger: 'solidity', key: block.id, event: solidityTrigger(block) }] : [];
  }

  private contractRecord(trigger: EventTrigger, log: ContractLog, event: EventObject): MadeEvent {
    const { key } = this.options.sink;
    const text =
      key === 'contract' ? contractAddressOf(log) : key === 'account' ? addressText(log.origin) : log.transactionId;
    return { trigger, key: text, event };
  }

  transactionRecords(block: BlockContent, isRemoved = false): MadeEvent[] {
    if (!this.topics.has('transaction')) return [];
    const { sink, laterTriggers } = this.options;
    // The reference falls back to the plain form where it holds no receipts: for genesis.
    const isEth = sink.ethCompatible === true && block.number !== 0;
    const energyUnitPrice = isEth ? this.energyPriceAt(block.timeMs) : 0n;
    const hasOwnResults = writesResults(block, () => toInt64(this.property('ALLOW_CREATION_OF_CONTRACTS')) === 1n);
    let energyUsedBefore = 0n;
    let logsBefore = 0;
    return block.transactions.map((transaction, index) => {
      const place = isEth ? { index, energyUsedBefore, logsBefore, energyUnitPrice } : undefined;
      const { event, contractAddress, fromAddress } = transactionTrigger(block, transaction, {
        ...(place === undefined ? {} : { place }),
        asReference: sink.asReference === true,
        polled: sink.polled === true,
        hasOwnResults,
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
    const newest = toInt64(this.property('ENERGY_FEE'));
    return energyPriceAt({ history: this.property('ENERGY_PRICE_HISTORY'), newest }, timeMs);
  }

  private property(name: string): Uint8Array {
    return this.options.ledger.head.get(storeId('properties'), utf8(name)) ?? EMPTY_BYTES;
  }
}

const CONTRACT = storeId('contract');
const NOTHING_KNOWN: ContractFacts = { creator: EMPTY_BYTES, events: new Map() };

/** Addresses, hex, of contracts that are gone behind a block. */
function contractsEndedBy(rows: readonly RowChange[]): ReadonlySet<string> {
  const ended = rows.filter(({ store, after }) => store === CONTRACT && after === undefined);
  return new Set(ended.map(({ key }) => toHex(key)));
}

/** Address bytes of the account that a transaction names as its owner. */
function ownerOf({ parameter }: StreamedTransaction): Uint8Array {
  return (parameter as { ownerAddress?: Uint8Array } | undefined)?.ownerAddress ?? EMPTY_BYTES;
}
