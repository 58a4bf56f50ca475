import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { apiRelease } from '../../src/api/releases/releases.js';
import type { Chain } from '../../src/chain/chain.js';
import { parseFlags } from '../../src/config/flags.js';
import { loadConfig, type NodeConfig } from '../../src/config/load-config.js';
import { eventSinks } from '../../src/node/sinks/event-sinks.js';
import { toHex } from '../../src/primitives/bytes.js';
import { decodeBlock } from '../../src/state-transition/block/decoded-block.js';
import { ChainError } from '../../src/state-transition/errors.js';
import { TRIGGER_FRAMES, type Trigger } from '../../src/streams/event-kinds.js';
import { logMoves } from '../../src/streams/follow/log-moves.js';
import { solidifiedBlocks } from '../../src/streams/follow/solid-blocks.js';
import { AbiRegistry } from '../../src/streams/records/abi-registry.js';
import { needsAbiRegistry } from '../../src/streams/records/event-options.js';
import { RecordMaker } from '../../src/streams/records/record-maker.js';
import type { SinkOptions } from '../../src/streams/sinks/sink-kinds.js';
import { eachItem } from '../support/log/each-item.js';
import { readLines } from './recording.js';
import { openRecorded, type Report } from './replay-session.js';

interface Message {
  readonly topicFrame?: string;
  readonly payload?: string;
}

type Expected = Message & { readonly event: Record<string, unknown> };
type Differ = (text: string) => void;

const silent = pino({ level: 'silent' });

/**
 * Returns true if the folder has pushed blocks and the messages of java-tron's native queue, recorded for each event
 * configuration.
 */
export function hasEventFiles(folder: string): boolean {
  return existsSync(join(folder, 'events-all.ndjson.gz'));
}

/**
 * Pushes the recorded blocks once. For each event configuration, compares the messages of this node with those of
 * java-tron. Messages that java-tron may lose are not compared, and recordings with a restart are omitted, because they
 * always lose messages.
 */
export async function replayEvents(folder: string, name: string, onDifference: Differ): Promise<Report> {
  const report: Report = { name, operations: 0, mismatched: 0, first: undefined };
  const differ: Differ = (text) => {
    report.mismatched++;
    report.first ??= text;
    onDifference(text);
  };
  const dataDir = mkdtempSync(join(tmpdir(), 'tronicle-'));
  const chain = await openRecorded(folder, dataDir);
  try {
    for await (const { block } of readLines<{ block: string }>(join(folder, 'pushes.ndjson.gz'))) push(chain, block);
    await chain.ledger.flush();
    const names = readdirSync(folder).flatMap((file) => /^events-(.*)\.ndjson\.gz$/.exec(file)?.[1] ?? []);
    for (const configuration of names.filter((one) => !one.startsWith('restart'))) {
      report.operations += await compare({ folder, configuration, chain, dataDir, differ });
      report.operations += await compareQueue({ folder, configuration, chain, dataDir, differ });
    }
  } finally {
    await chain.ledger.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
  return report;
}

function push(chain: Chain, block: string): void {
  try {
    chain.importBlock(decodeBlock(Buffer.from(block, 'hex')));
  } catch (error) {
    if (!(error instanceof ChainError)) throw error;
  }
}

interface Comparison {
  readonly folder: string;
  readonly configuration: string;
  readonly chain: Chain;
  readonly dataDir: string;
  readonly differ: Differ;
}

/** Compares the payloads of solidified blocks. @returns the number of compared payloads */
async function compare({ folder, configuration, chain, dataDir, differ }: Comparison): Promise<number> {
  const { config } = loadConfig({
    file: join(folder, `config-${configuration}.conf`),
    flags: parseFlags(['--es']).flags,
  });
  const subscribe = config.eventSubscribe!;
  const enabled = subscribe.topics.filter(({ enable }) => enable);
  const has = (option: 'ethCompatible' | 'redundancy', trigger?: Trigger): boolean =>
    enabled.some((topic) => topic[option] && (trigger === undefined || topic.triggerName === trigger));
  const ours = new Map<Trigger, string[]>();
  for (const { triggerName } of enabled) {
    const trigger = triggerName as Trigger;
    const sink: Pick<SinkOptions, 'topics' | 'filter' | 'key' | 'ethCompatible' | 'redundancy' | 'asReference'> = {
      topics: [trigger],
      filter: eventSinks(config, 0, silent)[0]?.filter ?? { contractAddress: [], contractTopic: [] },
      key: 'transaction',
      asReference: true,
      ethCompatible: has('ethCompatible'),
      redundancy: has('redundancy', trigger) ? [trigger] : [],
    };
    ours.set(trigger, await payloadsOf(chain, dataDir, sink, config));
  }
  const theirs = new Map<string, Expected[]>();
  for await (const line of readLines<Message>(join(folder, `events-${configuration}.ndjson.gz`))) {
    if (line.payload === undefined) continue;
    const event = JSON.parse(line.payload) as Record<string, unknown>;
    const list = theirs.get(line.topicFrame!) ?? [];
    list.push({ ...line, event });
    theirs.set(line.topicFrame!, list);
  }
  let compared = 0;
  for (const { triggerName, solidified } of enabled) {
    const trigger = triggerName as Trigger;
    const here = ours.get(trigger)!;
    const there = theirs.get(TRIGGER_FRAMES[trigger]) ?? [];
    const where = `${configuration}: ${trigger}`;
    compared += here.length;
    if (trigger === 'solidity' || solidified)
      compareLists(
        where,
        there.map(({ payload }) => payload!),
        here,
        differ,
      );
    else if (trigger === 'block' || trigger === 'transaction') compareLossy(where, there, here, differ);
    else compareContracts(where, chain, there, here, differ);
  }
  return compared;
}

function formOf({ addressPrefix, contractParse: parsesContracts, tronicle }: NodeConfig) {
  const { laterTriggers } = apiRelease(tronicle.release);
  return { addressPrefix, blackhole: '', parsesContracts, laterTriggers };
}

async function payloadsOf(
  chain: Chain,
  dataDir: string,
  sink: Pick<SinkOptions, 'topics' | 'filter' | 'key' | 'ethCompatible' | 'redundancy' | 'asReference'>,
  config: NodeConfig,
): Promise<string[]> {
  const { ledger } = chain;
  const book = needsAbiRegistry(sink) ? new AbiRegistry(ledger, dataDir) : undefined;
  const maker = new RecordMaker({ ledger, sink, book, ...formOf(config) });
  const payloads: string[] = [];
  for await (const block of eachItem(solidifiedBlocks({ ledger, follow: false }))) {
    payloads.push(...maker.recordsOf(block).records.map(({ payload }) => String(payload)));
  }
  await book?.close();
  return payloads;
}

/**
 * Matches messages that are not logs of newly solidified blocks. java-tron sends these logs in a random order relative
 * to other messages.
 */
const AT_ONCE = /^(contract|block|transaction|solidityTrigger)/;

/**
 * Compares the stream of `event.subscribe` that reports reorgs. It must have all messages of java-tron in the same
 * order. Between them it may have only messages that java-tron loses: blocks of a reorg, and events that java-tron
 * cannot decode.
 */
async function compareQueue({ folder, configuration, chain, dataDir, differ }: Comparison): Promise<number> {
  const file = join(folder, `config-${configuration}.conf`);
  const { config } = loadConfig({ file, flags: parseFlags(['--es']).flags });
  const [sink] = eventSinks(config, 0, silent);
  const theirs: string[] = [];
  for await (const { topicFrame, payload } of readLines<Message>(join(folder, `events-${configuration}.ndjson.gz`)))
    if (payload !== undefined && AT_ONCE.test(topicFrame!)) theirs.push(`${topicFrame} ${payload}`);
  const ours = sink === undefined ? [] : await queueOf(chain, dataDir, sink, config);
  let at = 0;
  for (const message of ours) {
    if (message === theirs[at]) at++;
    else if (!/^(block|transaction)Trigger/.test(message) && !failsThere(message.slice(message.indexOf(' '))))
      differ(`${configuration}: queue ${at}\n   expected ${theirs[at]}\n   here     ${message}`);
  }
  if (at < theirs.length) differ(`${configuration}: queue ${at}\n   expected ${theirs[at]}\n   here     nothing`);
  return theirs.length;
}

async function queueOf(chain: Chain, dataDir: string, sink: SinkOptions, config: NodeConfig): Promise<string[]> {
  const { ledger } = chain;
  const book = needsAbiRegistry(sink) ? new AbiRegistry(ledger, dataDir) : undefined;
  const maker = new RecordMaker({ ledger, sink, book, ...formOf(config) });
  const messages: string[] = [];
  for await (const move of eachItem(logMoves({ ledger, follow: false, form: maker.form }))) {
    const records = maker
      .recordsOfMove(move)
      .records.map(({ trigger, payload }) => `${TRIGGER_FRAMES[trigger]} ${payload}`);
    messages.push(...records.filter((message) => AT_ONCE.test(message)));
  }
  await book?.close();
  return messages;
}

function compareLists(where: string, expected: readonly string[], actual: readonly string[], differ: Differ): void {
  for (let at = 0; at < Math.max(expected.length, actual.length); at++) {
    if (expected[at] !== actual[at]) differ(`${where} ${at}\n   expected ${expected[at]}\n   here     ${actual[at]}`);
  }
}

/**
 * Compares the recorded events of java-tron for solidified blocks with those of this node. java-tron may have lost
 * some of its events. The solidified number in an event may differ, because java-tron reads it at another time.
 */
function compareLossy(where: string, expected: readonly Expected[], actual: readonly string[], differ: Differ): void {
  const keyOf = (event: Record<string, unknown>): string => `${event['blockHash']}/${event['transactionId']}`;
  const ours = new Map(actual.map((payload) => [keyOf(JSON.parse(payload) as Record<string, unknown>), payload]));
  const plain = (payload: string | undefined): string | undefined =>
    payload?.replace(/"latestSolidifiedBlockNumber":\d+/, '');
  for (const { payload, event } of expected) {
    const ourPayload = ours.get(keyOf(event));
    if (ourPayload !== undefined && plain(payload) !== plain(ourPayload))
      differ(`${where}\n   expected ${payload}\n   here     ${ourPayload}`);
  }
}

/**
 * Compares the logs of the solidified chain. This node must have sent each log exactly once. java-tron may have sent it
 * more often.
 */
function compareContracts(
  where: string,
  chain: Chain,
  expected: readonly Expected[],
  actual: readonly string[],
  differ: Differ,
): void {
  const { solidifiedNumber } = chain.ledger.position;
  const known = new Map<string, string>();
  for (const { payload, event } of expected) {
    const { blockNumber, blockHash, removed, uniqueId } = event as {
      blockNumber: number;
      blockHash: string;
      removed: boolean;
      uniqueId: string;
    };
    if (removed || blockNumber > solidifiedNumber) continue;
    if (toHex(chain.ledger.blockIdAt(blockNumber) ?? new Uint8Array(0)) !== blockHash) continue;
    // Keeps the first message. java-tron sends the logs of a block again if a reorg applies the block again.
    if (!known.has(uniqueId)) known.set(uniqueId, payload!);
  }
  const found = new Set<string>();
  for (const payload of actual) {
    const { uniqueId } = JSON.parse(payload) as { uniqueId: string };
    if (found.has(uniqueId)) differ(`${where}: ${uniqueId} twice`);
    found.add(uniqueId);
    if (known.get(uniqueId) === undefined && failsThere(payload)) continue;
    if (known.get(uniqueId) !== payload) differ(`${where}\n   expected ${known.get(uniqueId)}\n   here     ${payload}`);
  }
  for (const [uniqueId, payload] of known) {
    if (!found.has(uniqueId)) differ(`${where}\n   expected ${payload}\n   here     nothing`);
  }
}

/**
 * Returns true if java-tron fails on this event. An ABI offset below 0 throws in java-tron, and the event is lost. This
 * node sends the event with undecoded data.
 */
function failsThere(payload: string): boolean {
  const { rawData, dataMap } = JSON.parse(payload) as {
    rawData: { data: string };
    dataMap?: Record<string, string>;
  };
  return rawData.data.startsWith('ffffffff') && (dataMap === undefined || Object.values(dataMap)[0] === rawData.data);
}
