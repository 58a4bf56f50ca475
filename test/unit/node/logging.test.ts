import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { createFileLog, ErrorTally, errorsOf, LogFile, logLevel } from '../../../src/node/logging.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

t.test('appends to an existing log file and bounds its size', async (t) => {
  const path = join(temporaryFolder(t), 'node.log');
  const read = (name = path): string => readFileSync(name, 'utf8');
  const log = new LogFile(path, 20);
  log.write('first line\n');
  log.write('second line\n');
  t.equal(read(), 'first line\nsecond line\n');
  log.write('third line\n');
  t.equal(read(), 'third line\n');
  t.equal(read(`${path}.1`), 'first line\nsecond line\n');
  const again = new LogFile(path, 20);
  again.write('fourth line\n');
  again.write('fifth line\n');
  t.equal(read(), 'fifth line\n');
  t.equal(read(`${path}.1`), 'third line\nfourth line\n', 'the older file was deleted');
});

t.test('drops and counts the lines that cannot be written', async (t) => {
  // Every write to this device fails with ENOSPC.
  const log = new LogFile('/dev/full');
  log.write('first line\n');
  log.write('second line\n');
  t.equal(log.droppedLines, 2);
});

t.test('continues after a rotation that failed', async (t) => {
  const path = join(temporaryFolder(t), 'lost.log');
  const log = new LogFile(path, 10);
  log.write('first line\n');
  // Simulates a failed rotation, after which no log file with this name exists.
  rmSync(path);
  log.write('second line\n');
  t.equal(readFileSync(path, 'utf8'), 'second line\n');
  t.equal(log.droppedLines, 0);
});

t.test('counts errors by subject and class', async (t) => {
  const tally = new ErrorTally();
  tally.note({ err: new TypeError('x'), api: 'http fullnode' });
  tally.note({ err: { type: 'RangeError', message: 'of another thread' }, sink: 'kafka' });
  tally.note({ err: { type: 'RangeError', message: 'again' }, sink: 'kafka' });
  tally.note('only words');
  t.same(tally.take(), [
    { topic: 'api', type: 'TypeError', count: 1 },
    { topic: 'sink', type: 'RangeError', count: 2 },
    { topic: 'node', type: 'undefined', count: 1 },
  ]);
  t.same(tally.take(), [], 'no error since the last call');
  for (let at = 0; at < 1000; at++) tally.note({ err: { type: `E${at}` } });
  t.equal(tally.take().length, 100, 'the number of classes is bounded');
  const log = createFileLog(join(temporaryFolder(t), 'node.log'));
  log.info('no error');
  log.fatal({ err: new RangeError('y') }, 'an error');
  t.same(errorsOf(log)?.take(), [{ topic: 'node', type: 'RangeError', count: 1 }]);
});

t.test(
  'prefers the command line option to the environment variable, and the variable to the configuration',
  async (t) => {
    const before = process.env['TRONICLE_LOG_LEVEL'];
    t.teardown(() => {
      if (before === undefined) delete process.env['TRONICLE_LOG_LEVEL'];
      else process.env['TRONICLE_LOG_LEVEL'] = before;
    });
    delete process.env['TRONICLE_LOG_LEVEL'];
    t.same(
      [logLevel(), logLevel({ key: 'warn' }), logLevel({ option: 'debug', key: 'warn' })],
      ['info', 'warn', 'debug'],
    );
    process.env['TRONICLE_LOG_LEVEL'] = 'error';
    t.same([logLevel({ key: 'warn' }), logLevel({ option: 'debug' })], ['error', 'debug']);
    t.throws(() => logLevel({ option: 'loud' }), { message: /^invalid --log-level: loud; use trace, /, exitCode: 2 });
    process.env['TRONICLE_LOG_LEVEL'] = 'loud';
    t.throws(() => logLevel(), { message: /^invalid TRONICLE_LOG_LEVEL: loud/, exitCode: 1 });
  },
);

t.test('writes no line to a file at level silent', async (t) => {
  const path = join(temporaryFolder(t), 'node.log');
  createFileLog(path, 'silent').fatal('line');
  createFileLog(path, 'warn').info('line');
  t.equal(readFileSync(path, 'utf8'), '');
});
