// Locks the folder of the first argument, prints a line, and keeps the lock until its standard input ends.
import { lockFolder } from '../../../src/files/folder-lock.js';

const [, , folder = ''] = process.argv;
try {
  await lockFolder(folder);
  process.stdout.write('locked\n');
  process.stdin.resume();
  process.stdin.once('end', () => process.exit(0));
} catch {
  process.stdout.write('in use\n');
}
