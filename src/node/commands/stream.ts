import { existsSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { loadConfig } from '../../config/load-config.js';
import { ArgumentError, UsageError } from '../../primitives/errors.js';
import { TRIGGERS } from '../../streams/event-kinds.js';
import { readAdminToken } from '../admin/admin-token.js';
import { heightArgument, readArguments, wrongUsage } from '../command-line/read-arguments.js';
import { createLog } from '../logging.js';
import { openChain } from '../open-chain.js';
import { eventSinks } from '../sinks/event-sinks.js';
import { runBackfill } from '../sinks/run-backfill.js';
import { backfillSink } from '../sinks/sink-control.js';
import { SinkRegistry } from '../sinks/sink-registry.js';
import { type ListedSink, sinkTable } from '../sinks/sink-table.js';
import { executionNote } from '../threads/executed-changes/executed-changes.js';
import { untilStopped } from '../until-stopped.js';
import type { Command } from './command.js';

/** Lists and changes the sinks of a running node, backfills topics, and prints the schemas of records. */
export const stream: Command = {
  run,
};

async function run(args: readonly string[]): Promise<number> {
  const { options, flags, words } = readArguments(args, 'stream');
  const [verb, name, file] = words;
  if (words.length !== WORD_COUNTS[verb ?? '']) throw wrongUsage('stream', `cannot run 'stream ${words.join(' ')}'`);
  if (verb === 'schema') {
    print(await schemaOf(options.get('--topic'), options.has('--avro')));
    return 0;
  }
  const { config } = loadConfig({ flags: { ...flags, seedNodes: [] } });
  const dataDir = config.outputDirectory;
  const { address, port } = config.tronicle.admin;
  const requestNode = (method: string, path: string, body?: object): Promise<unknown> =>
    requestAdmin({ url: `http://${address}:${port}${path}`, method, body }, readAdminToken(config, dataDir));
  if (verb === 'list') await list(() => requestNode('GET', '/sinks'), options);
  else if (verb === 'add' && name !== undefined) print(await requestNode('POST', '/sinks', readJson(name)));
  else if (name !== undefined && (verb === 'pause' || verb === 'resume' || verb === 'remove'))
    print(await requestNode('POST', `/sinks/${encodeURIComponent(name)}/${verb}`));
  else if (verb === 'filter' && name !== undefined && file !== undefined)
    print(await requestNode('POST', `/sinks/${encodeURIComponent(name)}/filter`, readJson(file)));
  else if (verb === 'backfill') {
    const [from, to] = [heightArgument(options.get('--from'), '--from'), heightArgument(options.get('--to'), '--to')];
    const [topic, into] = [options.get('--topic'), options.get('--into')];
    if (from === undefined || topic === undefined) throw new ArgumentError('stream backfill needs --from and --topic');
    const configured = [...config.tronicle.sinks, ...eventSinks(config, 0, createLog())];
    const sink = options.get('--sink') ?? configured[0]?.name;
    if (sink === undefined)
      throw new UsageError(
        'the configuration has no sink; add a sink to tronicle.sinks, or pass the configuration file of the node with -c',
      );
    const request = { sink, topic, from, ...(to !== undefined && { to }), ...(into !== undefined && { into }) };
    const answer = await requestNode('POST', '/backfill', request).catch((error: unknown) => {
      if (error instanceof NoNodeError) return undefined;
      throw error;
    });
    if (answer !== undefined) print(answer);
    else {
      if (to === undefined)
        throw new UsageError(
          `no node listens at ${address}:${port}, so the newest block is unknown; start the node, or set --to`,
        );
      const registry = new SinkRegistry(configured, { dataDir, allowed: config.tronicle.admin.sinkFolders }, config);
      const log = createLog({ destination: 2 });
      const chain = await openChain({ config, dataDir, log });
      const filling = registry.newBackfill(backfillSink(registry.find(sink).options, request));
      const note = executionNote(chain.ledger, filling);
      if (note !== undefined) process.stderr.write(`${note}\n`);
      print(await runBackfill({ config, dataDir, chain, log }, filling));
    }
  }
  return 0;
}

/** Number of arguments of each action, including the action. */
const WORD_COUNTS: Readonly<Record<string, number>> = {
  list: 1,
  schema: 1,
  backfill: 1,
  add: 2,
  pause: 2,
  resume: 2,
  remove: 2,
  filter: 3,
};

/**
 * Returns the JSON Schema or the Avro schema of a trigger, or the AsyncAPI document.
 * @throws {ArgumentError} the trigger has no schema, or an Avro schema is requested without a trigger
 */
async function schemaOf(topic: string | undefined, isAvro: boolean): Promise<object> {
  if (topic === undefined && isAvro) throw new ArgumentError('stream schema --avro needs --topic');
  if (topic === undefined) return (await import('../../streams/sinks/kafka/async-api.js')).asyncApiDocument();
  const trigger = TRIGGERS.find((each) => each === topic);
  if (trigger === undefined) throw new ArgumentError(`no schema for topic ${topic}; use ${TRIGGERS.join(', ')}`);
  if (isAvro) return (await import('../../streams/records/avro/avro-schema.js')).avroSchemaOf(trigger);
  return (await import('../../streams/records/schema/json-schema.js')).jsonSchemaOf(trigger);
}

/** Prints the sinks once, as a table or as JSON. With `--watch`, repeats until the process is stopped. */
async function list(request: () => Promise<unknown>, options: ReadonlyMap<string, string>): Promise<void> {
  const isWatched = options.has('--watch');
  const isTable = !options.has('--json') && (isWatched || process.stdout.isTTY);
  const stopped = isWatched ? untilStopped().then(() => true) : true;
  do {
    const sinks = await request();
    if (isWatched && process.stdout.isTTY) process.stdout.write(CLEAR);
    if (isTable) process.stdout.write(`${sinkTable(sinks as readonly ListedSink[])}\n`);
    else print(sinks);
  } while (!(await Promise.race([stopped, sleep(WATCH_MS, false)])));
}

/** Escape sequence that clears the terminal and moves the cursor to its first line. */
const CLEAR = '\u001b[2J\u001b[H';
const WATCH_MS = 2000;

/** Thrown if no node listens at the admin address. */
class NoNodeError extends UsageError {}

interface AdminRequest {
  readonly url: string;
  readonly method: string;
  readonly body: object | undefined;
}

/**
 * Sends a request to the admin server. Returns the parsed JSON of the response.
 * @throws {UsageError} no response, or a rejected request; the message contains the address and the source of the token
 */
async function requestAdmin(
  { url, method, body }: AdminRequest,
  { token, source }: ReturnType<typeof readAdminToken>,
): Promise<unknown> {
  const headers = { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) };
  const signal = AbortSignal.timeout(ADMIN_TIMEOUT_MS);
  const reply = await fetch(url, { method, headers, signal, ...(body && { body: JSON.stringify(body) }) }).catch(
    (cause: unknown) => {
      if (signal.aborted) throw new UsageError(`no answer from ${url} in ${ADMIN_TIMEOUT_MS / 1000} s`, { cause });
      throw new NoNodeError(
        `no node listens at ${url}; start the node with tronicle.admin.enable = true, or pass the configuration file of the node with -c`,
        { cause },
      );
    },
  );
  const text = await reply.text();
  const answer = parsed(text);
  // An admin server responds to each path that this command requests. Another server of the node responds with JSON and
  // status 404.
  if (answer === undefined || reply.status === 404)
    throw new UsageError(
      `${url} is not a Tronicle admin server: the response has HTTP status ${reply.status}${answer === undefined ? ' and no JSON' : ''}; check tronicle.admin.port`,
    );
  if (reply.status === 401) throw new UsageError(`${url} rejected the admin token in ${tokenText(source, token)}`);
  if (!reply.ok)
    throw new UsageError(`${url}: ${answer.error ?? `admin request failed with HTTP status ${reply.status}`}`);
  return answer;
}

/** Time limit of a response in ms. The server responds after a sink has closed, which takes up to 4 s. */
const ADMIN_TIMEOUT_MS = 30_000;

function tokenText(source: string, token: string): string {
  return token === '' ? `${source}, because this file does not exist; set the data folder of the node with -d` : source;
}

function parsed(text: string): { readonly error?: string } | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

function readJson(file: string): object {
  if (!existsSync(file)) throw new UsageError(`file not found: ${file}`);
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as object;
  } catch (cause) {
    throw new UsageError(`invalid JSON in ${file}`, { cause });
  }
}

function print(answer: unknown): void {
  process.stdout.write(`${JSON.stringify(answer, undefined, 2)}\n`);
}
