import type { TransactionInfoLog } from '../../../codec/generated/messages.js';
import { decodeData, decodeTopics } from '../../../encoding/abi/decode-event.js';
import { addressText, wordAddressText } from '../../../encoding/address-text.js';
import { present } from '../../../primitives/assert.js';
import { EMPTY_BYTES, toHex } from '../../../primitives/bytes.js';
import { TRIGGER_FRAMES, type Trigger } from '../../event-kinds.js';
import type { BlockContent } from '../../follow/block-content.js';
import type { ContractFacts } from '../abi-registry.js';
import type { EventObject } from '../event-value.js';

/** A contract log with the data that its payloads need. */
export interface ContractLog {
  readonly block: BlockContent;
  readonly transactionId: string;
  /** Number in its transaction, from 1. */
  readonly place: number;
  /** Address bytes of the transaction's sender. */
  readonly origin: Uint8Array;
  readonly log: TransactionInfoLog;
  readonly facts: ContractFacts;
  readonly addressPrefix: number;
  /** True if ABIs are used: `event.subscribe.contractParse`. */
  readonly parses: boolean;
  /** See {@link decodeData}. */
  readonly isStrict: boolean;
  /** True if its block was reverted. */
  readonly removed: boolean;
}

type ContractTriggerName = Extract<Trigger, 'contractevent' | 'contractlog' | 'solidityevent' | 'soliditylog'>;

/** Returns the Base58Check address of the contract that emitted the log. */
export function contractAddressOf({ log, addressPrefix }: ContractLog): string {
  return wordAddressText(log.address, addressPrefix);
}

/** Returns true if an event of the ABI matches. Other logs are sent undecoded. */
export function isEvent({ log, facts, parses }: ContractLog): boolean {
  return parses && log.topics[0] !== undefined && facts.events.has(toHex(log.topics[0]));
}

/** Creates an event trigger. Reference: ContractEventTrigger. */
export function eventTrigger(trigger: 'contractevent' | 'solidityevent', log: ContractLog): EventObject {
  const { addressPrefix, facts, isStrict } = log;
  const { topics, data } = log.log;
  const event = present(facts.events.get(toHex(topics[0] ?? EMPTY_BYTES)), 'isEvent is true');
  return {
    ...head(trigger, log),
    eventSignature: event.signature,
    eventSignatureFull: event.signatureFull,
    eventName: event.name,
    topicMap: new Map(decodeTopics(event, { topics, data }, addressPrefix)),
    dataMap: new Map(decodeData(event, { topics, data }, addressPrefix, isStrict)),
  };
}

/** Creates a log trigger. Reference: ContractLogTrigger. */
export function logTrigger(trigger: 'contractlog' | 'soliditylog', log: ContractLog): EventObject {
  const { topics, data } = log.log;
  return { ...head(trigger, log), topicList: topics, data };
}

function head(trigger: ContractTriggerName, contractLog: ContractLog): EventObject {
  const { block, transactionId, place, origin, log, facts, removed } = contractLog;
  const { address, topics, data } = log;
  return {
    timeStamp: block.timeMs,
    triggerName: TRIGGER_FRAMES[trigger],
    uniqueId: `${transactionId}_${place}`,
    transactionId,
    contractAddress: contractAddressOf(contractLog),
    callerAddress: '',
    originAddress: addressText(origin),
    creatorAddress: addressText(facts.creator.length === 0 ? origin : facts.creator),
    blockNumber: block.number,
    blockHash: block.id,
    removed,
    latestSolidifiedBlockNumber: block.solidifiedBefore,
    logInfo: null,
    rawData: { address, topics, data },
    abi: null,
  };
}
