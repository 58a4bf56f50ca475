import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';

import type { FastifyInstance } from 'fastify';
import pino from 'pino';
import { TransactionRaw } from '../../src/codec/generated/messages.js';
import { parseFlags } from '../../src/config/flags.js';
import { loadConfig } from '../../src/config/load-config.js';
import { openChain } from '../../src/node/open-chain.js';
import { createHttpServers } from '../../src/node/serving/serve-http.js';
import { servedLocally } from '../../src/node/serving/served-node.js';
import { decodeBlock } from '../../src/state-transition/block/decoded-block.js';
import { flagsOf, readLines } from './recording.js';
import type { Report } from './replay-session.js';

interface ConstantLine {
  readonly label: string;
  readonly request: object;
  readonly answer: object;
  /** Status in the transaction of the answer; null if the answer has no transaction. */
  readonly ret: string | null;
  /** Transaction id. Set only if the answer depends on it. */
  readonly txid?: string;
  readonly raw_data_hex?: string;
}

interface Answer {
  readonly transaction?: { readonly txID: string; readonly ret?: readonly { readonly ret?: string }[] };
  readonly internal_transactions?: { hash?: string }[];
}

const FILE = 'constant.ndjson.gz';

export function hasConstantFile(folder: string): boolean {
  return existsSync(join(folder, FILE));
}

/** Imports the chain of a folder. Then sends the recorded constant calls over HTTP, at the head of this chain. */
export async function replayConstant(
  folder: string,
  name: string,
  onDifference: (text: string) => void,
): Promise<Report> {
  const report: Report = { name, operations: 0, mismatched: 0, first: undefined };
  const dataDir = mkdtempSync(join(tmpdir(), 'tronicle-'));
  const { config } = loadConfig({
    file: join(folder, 'config.conf'),
    flags: parseFlags(flagsOf(folder)).flags,
    defaults: {},
  });
  const log = pino({ level: 'fatal' });
  const chain = await openChain({ config, dataDir, log });
  let nowMs = 0;
  const servers = createHttpServers(servedLocally({ chain, config, log, now: () => nowMs }));
  try {
    for await (const { num, block } of readLines<{ num: number; block?: string }>(join(folder, 'blocks.ndjson.gz'))) {
      if (num > 0) chain.importBlock(decodeBlock(Buffer.from(block!, 'hex')));
    }
    for await (const line of readLines<ConstantLine>(join(folder, FILE))) {
      report.operations++;
      nowMs = timestampOf(line);
      const difference = await differenceOf(servers.get('fullnode')!, line);
      if (difference === undefined) continue;
      report.mismatched++;
      report.first ??= difference;
      onDifference(difference);
    }
  } finally {
    for (const server of servers.values()) await server.close();
    await chain.ledger.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
  return report;
}

/**
 * Returns the time of the recorded request in ms. The transaction id depends on the time, and addresses and hashes in
 * the answer depend on the id.
 */
function timestampOf({ raw_data_hex }: ConstantLine): number {
  return raw_data_hex === undefined ? 0 : Number(TransactionRaw.decode(Buffer.from(raw_data_hex, 'hex')).timestamp);
}

/** @returns the difference between both answers; undefined if they are equal */
async function differenceOf(server: FastifyInstance, line: ConstantLine): Promise<string | undefined> {
  const response = await server.inject({
    method: 'POST',
    url: '/wallet/triggerconstantcontract',
    headers: { 'content-type': 'application/json' },
    payload: JSON.stringify(line.request),
  });
  const { transaction, ...answer } = JSON.parse(response.body) as Answer;
  // Hashes of internal transactions depend on the transaction id. They are compared only if the recording has this id.
  if (line.txid === undefined) for (const internal of answer.internal_transactions ?? []) delete internal.hash;
  // An answer omits the default value SUCCESS, but the recording contains it.
  const outcome = transaction === undefined ? null : (transaction.ret?.[0]?.ret ?? 'SUCCESS');
  const actual = { answer, ret: outcome, ...(line.txid === undefined ? {} : { txid: transaction?.txID }) };
  const { answer: expectedAnswer, ret, txid: wantedId } = line;
  const expected = { answer: expectedAnswer, ret, ...(wantedId === undefined ? {} : { txid: wantedId }) };
  if (isDeepStrictEqual(actual, expected)) return undefined;
  const show = (value: object): string => JSON.stringify(value).slice(0, 1500);
  return `${line.label} ${show(line.request)}\n   expected ${show(expected)}\n   here     ${show(actual)}`;
}
