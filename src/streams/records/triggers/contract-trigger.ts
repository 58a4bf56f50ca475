import type { TransactionInfoLog } from '../../../codec/generated/messages.js';
import { decodeData, decodeTopics } from '../../../encoding/abi/decode-event.js';
import { addressText, wordAddressText } from '../../../encoding/address-text.js';
import { present } from '../../../primitives/assert.js';
import { EMPTY_BYTES, toHex } from '../../../primitives/bytes.js';
import { TRIGGER_FRAMES, type Trigger } from '../../event-kinds.js';
import type { BlockContent } from '../../follow/block-content.js';
import type { ContractFacts } from '../abi-registry.js';
import type { EventObject } from '../event-value.js';

/** A log of a smart contract with all that its payloads say. */
export interface ContractLog {
  readonly block: BlockContent;
  readonly transactionId: string;
  /** From 1 in its transaction. */
  readonly place: number;
  /** Address bytes of the transaction's sender. */
  readonly origin: Uint8Array;
  readonly log: TransactionInfoLog;
  readonly facts: ContractFacts;
  readonly addressPrefix: number;
  /** Whether ABIs are looked at: `event.subscribe.contractParse`. */
  readonly parses: boolean;
  /** As {@link decodeData}. */
  readonly isStrict: boolean;
  /** Its block was taken back. */
  readonly removed: boolean;
}

type ContractTriggerName = Extract<Trigger, 'contractevent' | 'contractlog' | 'solidityevent' | 'soliditylog'>;

/** Base58Check address of the contract that wrote the log. */
export function contractAddressOf({ log, addressPrefix }: ContractLog): string {
  return wordAddressText(log.address, addressPrefix);
}

/** Whether an ABI event matches: the others are logs. */
export function isEvent({ log, facts, parses }: ContractLog): boolean {
  return parses && log.topics[0] !== undefined && facts.events.has(toHex(log.topics[0]));
}

/** An event. Reference: ContractEventTrigger. */
export function eventTrigger(trigger: 'contractevent' | 'solidityevent', log: ContractLog): EventObject {
  const { addressPrefix, facts, isStrict } = log;
  const { topics, data } = log.log;
  const event = present(facts.events.get(toHex(topics[0] ?? EMPTY_BYTES)), 'isEvent has found it');
  return {
    ...head(trigger, log),
    eventSignature: event.signature,
    eventSignatureFull: event.signatureFull,
    eventName: event.name,
    topicMap: new Map(decodeTopics(event, { topics, data }, addressPrefix)),
    dataMap: new Map(decodeData(event, { topics, data }, addressPrefix, isStrict)),
  };
}

/** A log. Reference: ContractLogTrigger. */
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
