import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import t from 'tap';
import { CheckPace } from '../../../../src/projections/verify/check-pace.js';
import { CheckRecord } from '../../../../src/projections/verify/check-record.js';
import { verifyInChild } from '../../../../src/projections/verify/verify-in-child.js';
import { open, temporaryFolder } from '../../../support/projections/chain.js';
import { appendCounterBlock } from '../../../support/projections/counter-chain.js';

const HOUR_MS = 60 * 60 * 1000;

t.test('reuses a check for a day if the folder was closed cleanly', async (t) => {
  const folder = temporaryFolder(t);
  const now = 1_700_000_000_000;
  const first = new CheckRecord(folder);
  t.ok(first.begin(now), 'the folder was never checked');
  first.passed(now);
  first.close();
  t.ok(first.signal.aborted, 'closing the folder aborts a running check');
  const second = new CheckRecord(folder);
  t.notOk(second.begin(now + 23 * HOUR_MS), 'checked within a day');
  t.ok(new CheckRecord(folder).begin(now + 23 * HOUR_MS), 'not closed since the check');
  first.passed(now);
  first.close();
  t.ok(new CheckRecord(folder).begin(now + 25 * HOUR_MS), 'checked more than a day ago');
  writeFileSync(join(folder, 'checked'), 'no record');
  t.ok(new CheckRecord(folder).begin(now), 'an invalid record');
});

t.test('limits the read rate of a check', async (t) => {
  const reports: number[] = [];
  const pace = new CheckPace(10 * 1024 * 1024, (bytes) => reports.push(bytes));
  const started = Date.now();
  for (let piece = 0; piece < 4; piece++) pace.spend(1024 * 1024);
  t.ok(Date.now() - started >= 390, '0.4 s for 4 MiB at 10 MiB/s');
  t.same(reports, [], 'no progress is reported yet');
});

t.test('does not report a folder as damaged while it is written', async (t) => {
  const dataDir = temporaryFolder(t);
  const ledger = await open(dataDir);
  const append = async (): Promise<void> => {
    appendCounterBlock(ledger);
    await ledger.flush();
  };
  for (let block = 0; block < 200; block++) await append();
  let report: Awaited<ReturnType<typeof verifyInChild>> | undefined;
  const check = verifyInChild(dataDir, { isWritten: true, rate: 1024 * 1024 }).then((found) => {
    report = found;
  });
  const ended = check.then(() => true);
  // Each commit reuses database pages that were freed two commits before. So pages change while the child process reads
  // them.
  for (let isEnded = false; !isEnded; isEnded = await Promise.race([ended, sleep(1).then(() => false)])) await append();
  await check;
  const seen = report?.headNumber ?? 0;
  t.ok(seen >= 200 && seen < ledger.position.headNumber, `verified the state at block ${seen}`);
  t.equal(report?.rows, 1 + 1 + 7, 'the head, the counter and seven rows');
  await ledger.close();
});
