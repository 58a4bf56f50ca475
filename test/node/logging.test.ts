import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { LogFile } from '../../src/node/logging.js';
import { temporaryFolder } from '../support/temporary-folder.js';

t.test('a log file goes on where it ended, and is bounded', async (t) => {
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
  t.equal(read(`${path}.1`), 'third line\nfourth line\n', 'the one before is gone');
});
