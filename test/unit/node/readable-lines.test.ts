import pino from 'pino';
import t from 'tap';
import { readableLines } from '../../../src/node/readable-lines.js';

t.test('prints time, level, message and fields of a log line', async (t) => {
  const lines: string[] = [];
  const log = pino({ level: 'debug' }, readableLines({ write: (line) => lines.push(line) }));
  log.info({ head: 12, ports: { http: 8090 }, api: 'http fullnode', peer: '192.0.2.1:18888' }, 'node started');
  log.warn('disk nearly full');
  log.error({ err: new TypeError('bad value') }, 'sink stopped');
  t.equal(lines.length, 3);
  t.match(
    lines[0],
    /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3} INFO {2}node started head=12 ports=\{"http":8090\} api="http fullnode" peer=192\.0\.2\.1:18888\n$/,
  );
  t.match(lines[1], / WARN {2}disk nearly full\n$/);
  t.match(lines[2], / ERROR sink stopped\n {4}TypeError: bad value\n {8}at /);
});
