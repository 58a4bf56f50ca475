import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type DriverAnswer, TestDriverSession } from '../../src/node/test-driver/test-driver-session.js';
import type { Rows } from './compare-rows.js';
import { flagsOf, readLines } from './recording.js';
import { openRecorded, type Report } from './replay-session.js';
import { compareStep, ShadowState } from './shadow-state.js';

type Line = Record<string, unknown>;

/** Files with operations of `tronicle test-driver`, each with the function that replays one line. */
const FILES = {
  'pushes.ndjson.gz': replayPush,
  'invalid-blocks.ndjson.gz': replayPush,
  'invalid-transactions.ndjson.gz': replayMessage,
  'producing.ndjson.gz': replayProducing,
} as const;

interface Replay {
  readonly session: TestDriverSession;
  readonly expected: ShadowState;
  readonly actual: ShadowState;
  readonly differ: (text: string) => void;
}

export function hasDriveFiles(folder: string): boolean {
  return Object.keys(FILES).some((file) => existsSync(join(folder, file)));
}

/** Replays forks, invalid input and block production. The recorder used the same operations. */
export async function replayDrive(folder: string, name: string, onDifference: (text: string) => void): Promise<Report> {
  const report: Report = { name, operations: 0, mismatched: 0, first: undefined };
  const differ = (text: string): void => {
    report.mismatched++;
    report.first ??= text;
    onDifference(text);
  };
  const dataDir = mkdtempSync(join(tmpdir(), 'tronicle-'));
  const chain = await openRecorded(folder, dataDir);
  try {
    const keys = Object.values(JSON.parse(readFileSync(join(folder, 'keys.json'), 'utf8')) as Record<string, string>);
    const session = new TestDriverSession({
      chain,
      isSorted: chain.mempool.pending.isSorted,
      offersAgain: !flagsOf(folder).includes('--no-repush'),
      keys: keys.slice(0, -1),
    });
    const replay: Replay = { session, expected: new ShadowState(), actual: new ShadowState(), differ };
    for (const [file, step] of Object.entries(FILES)) {
      if (!existsSync(join(folder, file))) continue;
      for await (const line of readLines<Line>(join(folder, file))) {
        report.operations++;
        await step(replay, line, keys);
      }
    }
  } finally {
    await chain.ledger.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
  return report;
}

const STATUS = ['head', 'headId', 'time', 'solid', 'nextMaintenance'];

async function replayPush(replay: Replay, line: Line): Promise<void> {
  if (line['block'] === undefined) {
    compareRows(replay, 'genesis', line['diff'] as Rows, replay.session.takeChanges());
    return;
  }
  const where = `#${line['seq']} ${line['label'] ?? line['case']} (${line['mode']})`;
  await submitPending(replay, line, where);
  const isInvalid = line['case'] !== undefined;
  const answer = await replay.session.answer({
    op: 'push',
    hex: line['block'],
    mode: line['mode'],
    now: (line['now'] as number | undefined) ?? Number.MAX_SAFE_INTEGER / 2,
    diff: true,
    infos: true,
    clear: true,
    ...(isInvalid && line['mode'] === 'adv' ? { now: nowFor(line) } : {}),
  });
  const fields = [
    ...STATUS,
    'result',
    'stage',
    'error',
    'type',
    'message',
    'cause',
    'causeMessage',
    'moved',
    'broadcastFirst',
    'id',
    'num',
  ];
  for (const field of fields) compareField(replay, where, field, line, answer);
  // The pending transactions of the recorder had no time of arrival, so java-tron dropped them as expired after the
  // push. The queues are compared only if no such transaction was submitted.
  if (line['pending'] === undefined) compareQueues(replay, where, line, answer);
  if (line['infos'] !== undefined) {
    const expected = typeof line['infos'] === 'string' ? line['infos'] : JSON.stringify(line['infos']);
    const infos = answer['infos'] as Record<string, string | null>;
    const actual = typeof line['infos'] === 'string' ? (infos[String(line['num'])] ?? '') : JSON.stringify(infos);
    if (expected !== actual)
      replay.differ(`${where}: receipts\n   expected ${expected.slice(0, 400)}\n   here     ${actual.slice(0, 400)}`);
  }
  if (line['diff'] !== undefined) compareRows(replay, where, line['diff'] as Rows, answer['diff'] as Rows);
}

/**
 * Returns the time of the node's clock in ms. It is far after the block, except in the case with a block time far in
 * the future.
 */
function nowFor(line: Line): number {
  return String(line['case']).includes('2100') ? 2_000_000_000_000 : 4_000_000_000_000;
}

async function submitPending({ session, differ }: Replay, line: Line, where: string): Promise<void> {
  const pending = (line['pending'] ?? []) as (string | { tx: string })[];
  const accepted = line['pendingAccepted'] as boolean[] | boolean | undefined;
  for (const [at, item] of pending.entries()) {
    const answer = await session.answer({ op: 'tx', hex: typeof item === 'string' ? item : item.tx });
    const expected = Array.isArray(accepted) ? accepted[at] : accepted;
    if (expected !== undefined && (answer['ok'] === true) !== expected) {
      differ(`${where}: pending transaction ${at} ${JSON.stringify(answer)}, expected ${expected}`);
    }
  }
}

async function replayMessage(replay: Replay, line: Line): Promise<void> {
  const where = `transaction #${line['seq']} ${line['case']}`;
  const answer = await replay.session.answer({ op: 'txmsg', hex: line['tx'] });
  for (const field of ['id', 'result', 'stage', 'error', 'type', 'message', 'cause', 'causeMessage']) {
    if (field === 'result' && line['result'] === undefined) continue;
    if (field === 'stage' && line['stage'] === undefined) continue;
    compareField(replay, where, field, line, answer);
  }
  await replay.session.answer({ op: 'clear' });
}

async function replayProducing(replay: Replay, line: Line, keys: readonly string[]): Promise<void> {
  const { session, differ } = replay;
  if (line['seq'] === 0) {
    compareRows(replay, 'genesis', line['diff'] as Rows, session.takeChanges());
    return;
  }
  const where = `#${line['seq']} ${line['label']}`;
  if (line['label'] === 'between' || line['producedBlock'] === undefined) {
    if (line['block'] === undefined) return;
    const answer = await session.answer({ op: 'push', hex: line['block'], diff: true, clear: true });
    const push = line['push'] as Line | undefined;
    if (push?.['diff'] !== undefined) compareRows(replay, where, push['diff'] as Rows, answer['diff'] as Rows);
    return;
  }
  if (line['seq'] === 38) await session.answer({ op: 'key', key: keys.at(-1)! });
  await session.answer({ op: 'clear' });
  await fillQueues(session, line);
  const answer = await session.answer({ op: 'block', time: line['slot'], noPush: true });
  if (answer['block'] !== line['producedBlock']) {
    differ(
      `${where}: block\n   expected ${String(line['producedBlock']).slice(0, 300)}\n   here     ${String(answer['block'] ?? JSON.stringify(answer)).slice(0, 300)}`,
    );
  }
  compareQueues(replay, where, { queues: line['queuesAfter'] }, { queues: session.queueIds() });
  const push = line['push'] as Line;
  const pushed = await session.answer({ op: 'push', hex: line['producedBlock'], diff: true, clear: true });
  for (const field of ['head', 'headId', 'result']) compareField(replay, where, field, push, pushed);
  if (push['diff'] !== undefined) compareRows(replay, where, push['diff'] as Rows, pushed['diff'] as Rows);
}

async function fillQueues(session: TestDriverSession, line: Line): Promise<void> {
  if (line['via'] === 'tx') {
    for (const item of (line['submitted'] ?? []) as { tx: string }[]) await session.answer({ op: 'tx', hex: item.tx });
    return;
  }
  const orders = (line['orders'] ?? []) as number[];
  const byId = new Map<string, { id: string; tx: string; queue: string }>();
  for (const item of (line['pendingTxs'] ?? []) as { id: string; tx: string }[])
    byId.set(item.id, { ...item, queue: 'pending' });
  for (const item of (line['repushTxs'] ?? []) as { id: string; tx: string }[])
    byId.set(item.id, { ...item, queue: 'repush' });
  for (const [at, id] of (line['given'] as string[]).entries()) {
    const item = byId.get(id);
    if (item !== undefined)
      await session.answer({ op: 'inject', hex: item.tx, queue: item.queue, order: orders[at] ?? 0 });
  }
}

function compareField({ differ }: Replay, where: string, field: string, expected: Line, actual: DriverAnswer): void {
  const left = plain(expected[field]);
  const right = plain(actual[field]);
  if (left !== right) differ(`${where}: ${field} expected ${left}, here ${right}`);
}

function plain(value: unknown): string {
  if (value === undefined) return 'absent';
  if (typeof value !== 'string') return JSON.stringify(value);
  const name = /^[a-z]+(\.[a-z0-9]+)+\.([A-Z][A-Za-z]+(Exception|Error))$/.exec(value)?.[2];
  return JSON.stringify((name ?? value).replace(/@[0-9a-f]+/g, '@'));
}

function compareQueues({ differ }: Replay, where: string, expected: Line, actual: DriverAnswer): void {
  const text = (queues: unknown): string => {
    const { pending = [], repush = [] } = (queues ?? {}) as { pending?: string[]; repush?: string[] };
    return JSON.stringify({ pending, repush });
  };
  if (expected['queues'] === undefined) return;
  const left = text(expected['queues']);
  const right = text(actual['queues']);
  if (left !== right) differ(`${where}: queues expected ${left}, here ${right}`);
}

function compareRows({ expected, actual, differ }: Replay, where: string, left: Rows, right: Rows): void {
  const differences = compareStep(expected, actual, left, right);
  if (differences.length === 0) return;
  const lines = differences
    .slice(0, 4)
    .map((row) => `   ${row.store} ${row.key}\n      ${row.expected}\n      ${row.actual}`);
  differ(`${where}: ${differences.length} rows\n${lines.join('\n')}`);
}
