import { existsSync, readFileSync } from 'node:fs';
import { loadConfig } from '../../config/load-config.js';
import { ArgumentError, UsageError } from '../../primitives/errors.js';
import { readAdminToken } from '../admin/admin-token.js';
import { heightArgument, readArguments, wrongUsage } from '../command-line/read-arguments.js';
import { createLog } from '../logging.js';
import { openChain } from '../open-chain.js';
import { eventSinks } from '../sinks/event-sinks.js';
import { runBackfill } from '../sinks/run-backfill.js';
import { backfillSink } from '../sinks/sink-control.js';
import { SinkRegistry } from '../sinks/sink-registry.js';
import { executionNote } from '../threads/executed-changes/executed-changes.js';
import type { Command } from './command.js';

/** Lists and changes the sinks of a running node, and backfills topics. */
export const stream: Command = {
  run,
};

async function run(args: readonly string[]): Promise<number> {
  const { options, flags, words } = readArguments(args, 'stream');
  const [verb, name, file] = words;
  const { config } = loadConfig({ flags: { ...flags, seedNodes: [] } });
  const dataDir = config.outputDirectory;
  const { address, port } = config.tronicle.admin;
  const ask = (method: string, path: string, body?: object): Promise<unknown> =>
    askAdmin(`http://${address}:${port}${path}`, readAdminToken(config, dataDir).token, method, body);
  if (verb === 'list') print(await ask('GET', '/sinks'));
  else if (verb === 'add' && name !== undefined) print(await ask('POST', '/sinks', readJson(name)));
  else if (name !== undefined && (verb === 'pause' || verb === 'resume' || verb === 'remove'))
    print(await ask('POST', `/sinks/${encodeURIComponent(name)}/${verb}`));
  else if (verb === 'filter' && name !== undefined && file !== undefined)
    print(await ask('POST', `/sinks/${encodeURIComponent(name)}/filter`, readJson(file)));
  else if (verb === 'backfill') {
    const [from, to] = [heightArgument(options.get('--from'), '--from'), heightArgument(options.get('--to'), '--to')];
    const [topic, into] = [options.get('--topic'), options.get('--into')];
    if (from === undefined || topic === undefined) throw new ArgumentError('stream backfill needs --from and --topic');
    const configured = [...config.tronicle.sinks, ...eventSinks(config, 0, createLog())];
    const sink = options.get('--sink') ?? configured[0]?.name;
    if (sink === undefined) throw new UsageError('no sink to backfill; add one to tronicle.sinks');
    const request = { sink, topic, from, ...(to !== undefined && { to }), ...(into !== undefined && { into }) };
    const answer = await ask('POST', '/backfill', request).catch((error: unknown) => {
      if (error instanceof NobodyThere) return undefined;
      throw error;
    });
    if (answer !== undefined) print(answer);
    else {
      if (to === undefined)
        throw new UsageError('no node is running at the admin address; without one, stream backfill needs --to');
      const registry = new SinkRegistry(configured, { dataDir, allowed: config.tronicle.admin.sinkFolders });
      const log = createLog({ destination: 2 });
      const chain = await openChain({ config, dataDir, log });
      const filling = registry.newBackfill(backfillSink(registry.find(sink).options, request));
      const note = executionNote(chain.ledger, filling);
      if (note !== undefined) process.stderr.write(`${note}\n`);
      print(await runBackfill({ config, dataDir, chain, log }, filling));
    }
  } else throw wrongUsage('stream', `cannot run 'stream ${words.join(' ')}'`);
  return 0;
}

/** Thrown if no node listens at the admin address. */
class NobodyThere extends UsageError {}

async function askAdmin(url: string, token: string, method: string, body?: object): Promise<unknown> {
  const headers = { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) };
  const reply = await fetch(url, { method, headers, ...(body && { body: JSON.stringify(body) }) }).catch(
    (cause: unknown) => {
      throw new NobodyThere(`no node listens at ${url}; start it with tronicle.admin.enable = true`, { cause });
    },
  );
  const answer = (await reply.json()) as { error?: string };
  if (!reply.ok) throw new UsageError(answer.error ?? `admin request failed with HTTP status ${reply.status}`);
  return answer;
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
