// Opens the LMDB environment in the folder of the first argument, prints a line, and keeps it open until the standard
// input ends. The second argument is `read` or `write`.
import { openEnvironment } from '../../../src/log/lmdb/environment.js';

const [, , folder = '', mode] = process.argv;
openEnvironment(folder, { readOnly: mode === 'read' });
process.stdout.write(`open as process ${process.pid}\n`);
process.stdin.resume();
process.stdin.once('end', () => process.exit(0));
