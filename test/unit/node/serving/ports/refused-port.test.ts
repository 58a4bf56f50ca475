import pino from 'pino';
import t from 'tap';
import { apiRelease } from '../../../../../src/api/releases/releases.js';
import { refusePort } from '../../../../../src/node/serving/ports/refused-port.js';

t.test('logs an unavailable port, and exits since 4.8.2', async (t) => {
  const lines: string[] = [];
  const log = pino({ level: 'error' }, { write: (line: string) => lines.push(line) });
  const refuse = (release: string): void =>
    refusePort({ api: 'http pbft', port: 8092, release: apiRelease(release), log }, new Error('EADDRINUSE'));
  t.doesNotThrow(() => refuse('4.7.2'));
  t.throws(() => refuse('4.8.2'), {
    code: 'PORT_IN_USE',
    message: 'http pbft cannot listen on port 8092: EADDRINUSE',
  });
  t.equal(lines.filter((line) => line.includes('server not listening')).length, 2);
});
