import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { apiRelease } from '../../../src/api/releases/releases.js';
import type { Chain } from '../../../src/chain/chain.js';
import { Transaction, TransferContract } from '../../../src/codec/generated/messages.js';
import { decodeBase58Check, encodeBase58Check } from '../../../src/crypto/base58-check.js';
import { type Address, addressBytes } from '../../../src/primitives/address.js';
import { itemAt, present } from '../../../src/primitives/assert.js';
import { toHex } from '../../../src/primitives/bytes.js';
import { crc32c } from '../../../src/primitives/crc32c.js';
import { decodeBlock } from '../../../src/state-transition/block/decoded-block.js';
import { readLines } from '../../conformance/recording.js';
import { type Actor, everybody } from '../differential/actors.js';
import { CLOSED_SERVERS } from '../differential/config-text.js';
import { openOurs } from '../differential/our-node.js';
import { runChain } from '../differential/random-chain.js';
import { RandomChoices } from '../differential/random-choices.js';
import { draft, seal } from '../differential/sealed-transaction.js';
import { ChainQuestions } from './chain-questions.js';
import type { Question } from './question.js';

export interface ChainRecording {
  readonly seed: number;
  /** Target folder, which must be empty. */
  readonly folder: string;
  /** Folder of a compiled java-tron. */
  readonly reference: string;
  /** Release of the java-tron in `reference`. */
  readonly release: string;
  /**
   * Recording whose requests are reused. Accounts, contracts, blocks and transactions in the requests are replaced by
   * those of the new chain.
   */
  readonly questions: string;
}

const BLOCKS = 300;
/** File with well-formed requests about the new chain. */
const CHAIN_QUESTIONS = 'questions.ndjson.gz';
/** Number of requests in the file `CHAIN_QUESTIONS`. */
const CHAIN_QUESTIONS_COUNT = 2000;
/** Number of blocks whose transactions are changed and submitted as pending transactions. */
const OFFERED_BLOCKS = 50;
const OFFERED_MAX = 60;

const OPEN_SERVERS = `http { fullNodeEnable = true, fullNodePort = 1, solidityEnable = true, solidityPort = 2, PBFTEnable = true, PBFTPort = 3 }
  rpc { enable = true, port = 4, solidityEnable = true, solidityPort = 5, PBFTEnable = true, PBFTPort = 6, minEffectiveConnection = 0
    reflectionService = true }
  jsonrpc { httpFullNodeEnable = true, httpFullNodePort = 7, httpSolidityEnable = true, httpSolidityPort = 8
    httpPBFTEnable = true, httpPBFTPort = 9 }`;

/**
 * Grows a random chain and writes a recording of it.
 * @returns the folder of the recording
 */
export async function recordRandomChain({
  seed,
  folder,
  reference,
  release,
  questions: requests,
}: ChainRecording): Promise<string> {
  const [grown, recording] = [join(folder, 'chain'), join(folder, 'recording')];
  mkdirSync(grown);
  mkdirSync(recording);
  await runChain({ seed, blocks: BLOCKS, folder: grown, reference, release }, new Map());
  const config = readFileSync(join(grown, 'config.conf'), 'utf8');
  writeFileSync(
    join(recording, 'config.conf'),
    config
      .replace(CLOSED_SERVERS, OPEN_SERVERS)
      .replace('supportConstant = true,', 'supportConstant = true, estimateEnergy = true,'),
  );
  const flags = [...(release === '4.7.2' ? [] : ['--release', release]), '--debug'];
  writeFileSync(join(recording, 'run.json'), JSON.stringify({ flags }));
  const keys = everybody.map(({ base58, key }) => [base58, toHex(key)]);
  writeFileSync(join(recording, 'keys.json'), JSON.stringify(Object.fromEntries(keys)));
  const chain = await openOurs(grown, 'ours', release);
  try {
    const things = thingsOf(chain);
    writeLines(join(recording, 'blocks.ndjson.gz'), things.blocks);
    const made = new ChainQuestions(chain, new RandomChoices(seed), apiRelease(release));
    const chainQuestions = Array.from({ length: CHAIN_QUESTIONS_COUNT }, () => made.make());
    writeLines(
      join(recording, CHAIN_QUESTIONS),
      chainQuestions.map(({ body, ...question }) => ({ ...question, body: body?.toString('hex') })),
    );
    const posted = [...settling(chain), ...things.offered.map((transaction) => broadcast('pending', transaction))];
    for (const name of ['http', 'jsonrpc', 'grpc'] as const) {
      const questions = questionsOf(join(requests, `${name}.ndjson.gz`), things);
      writeLines(join(recording, `${name}.ndjson.gz`), name === 'http' ? [...posted, ...questions] : questions);
    }
  } finally {
    await chain.ledger.close();
  }
  return recording;
}

/**
 * Reads the file with well-formed requests of a recording. Returns an empty list for a recording of java-tron, which
 * has no such file.
 */
export async function readChainQuestions(recording: string): Promise<Question[]> {
  const file = join(recording, CHAIN_QUESTIONS);
  const found: Question[] = [];
  if (!existsSync(file)) return found;
  for await (const { body, ...question } of readLines<Omit<Question, 'body'> & { readonly body?: string }>(file))
    found.push({ ...question, body: body === undefined ? undefined : Buffer.from(body, 'hex') });
  return found;
}

/** Parts of the new chain that requests can contain: blocks, addresses, ids and transactions. */
interface Things {
  readonly blocks: readonly object[];
  readonly addresses: readonly Address[];
  /** Ids of blocks and transactions, hex. */
  readonly ids: readonly string[];
  /** Encoded transactions to submit, hex. */
  readonly offered: readonly string[];
}

function thingsOf({ ledger, state }: Chain): Things {
  const { headNumber } = ledger.position;
  const [blocks, ids, offered]: [object[], string[], string[]] = [[], [], []];
  for (let number = 0; number <= headNumber; number++) {
    const { block } = present(ledger.block(number), 'the log has every block');
    const { idHex, timeMs, transactions } = decodeBlock(block);
    blocks.push({ num: number, id: idHex, time: timeMs, block: toHex(block) });
    ids.push(idHex, ...transactions.map((transaction) => transaction.idHex));
    if (number > headNumber - OFFERED_BLOCKS) offered.push(...transactions.map(({ bytes }) => toHex(bytes)));
  }
  const stored = [state.accounts, state.contracts].flatMap((table) =>
    [...table.range('')].map(([key]) => key as Address),
  );
  const addresses = [...everybody.map(({ address }) => address), ...stored];
  return { blocks, addresses, ids, offered: offered.slice(0, OFFERED_MAX) };
}

/**
 * Yields transfers of amount 0 for the phase `settle` of the recording. Nodes reject these transfers. After them,
 * java-tron serves the state of its newest solidified block. The owner of the transfers signs with its own key.
 */
function* settling(chain: Chain): Generator<object> {
  const owner = present(
    everybody.find((actor) => signsAlone(chain, actor)),
    'an account has its default permission',
  );
  const to = present(
    everybody.find((actor) => actor !== owner),
    'another account exists',
  );
  const made = draft(
    'TransferContract',
    TransferContract,
    { ownerAddress: owner.bytes, toAddress: to.bytes, amount: 0n },
    owner,
  );
  for (const seed of [1, 2])
    yield broadcast('settle', toHex(Transaction.encode(seal(chain, new RandomChoices(seed), made))));
}

function signsAlone({ state }: Chain, { address }: Actor): boolean {
  const account = state.account(address);
  const keys = account?.ownerPermission?.keys;
  return (
    account !== undefined && (keys === undefined || (keys.length === 1 && toHex(itemAt(keys, 0).address) === address))
  );
}

function broadcast(phase: string, transaction: string): object {
  return {
    phase,
    server: 'fullnode',
    method: 'POST',
    path: '/wallet/broadcasthex',
    body: JSON.stringify({ transaction }),
  };
}

const REQUEST_FIELDS = ['path', 'body', 'request', 'requestHex'] as const;

function* questionsOf(file: string, things: Things): Generator<object> {
  for (const line of gunzipSync(readFileSync(file)).toString().split('\n')) {
    const question = line === '' ? undefined : (JSON.parse(line) as { phase: string } & Record<string, unknown>);
    if (question?.phase !== 'query') continue;
    for (const name of REQUEST_FIELDS) {
      const text = question[name];
      if (typeof text === 'string') question[name] = about(text, things);
    }
    yield question;
  }
}

/**
 * Replaces the addresses and ids in a text by those of the new chain. Equal old values are replaced by equal new
 * values.
 */
function about(text: string, { addresses, ids }: Things): string {
  const address = (hex: string): Address => chosen(addresses, hex);
  return text
    .replace(/\b41[0-9a-f]{40}|(?<=15)41[0-9a-f]{40}/g, address)
    .replace(/0x[0-9a-f]{40}\b/g, (word) => `0x${address(`41${word.slice(2)}`).slice(2)}`)
    .replace(/\bT[1-9A-HJ-NP-Za-km-z]{33}\b/g, (word) => base58Of(word, address))
    .replace(/(?<![0-9a-f])[0-9a-f]{64}(?![0-9a-f])|(?<=20)[0-9a-f]{64}/g, (id) => chosen(ids, id));
}

function base58Of(word: string, address: (hex: string) => Address): string {
  const bytes = decodeBase58Check(word);
  return bytes === undefined ? word : encodeBase58Check(addressBytes(address(toHex(bytes))));
}

function chosen<T>(items: readonly T[], text: string): T {
  return itemAt(items, crc32c(Buffer.from(text)) % items.length);
}

function writeLines(file: string, lines: Iterable<object>): void {
  writeFileSync(file, gzipSync([...lines].map((line) => JSON.stringify(line)).join('\n')));
}
