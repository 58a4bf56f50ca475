import t from 'tap';
import { sinkTable } from '../../../../src/node/sinks/sink-table.js';

t.test('aligns the columns of all sinks', async (t) => {
  const table = sinkTable([
    { name: 'kafka', type: 'kafka', isPaused: false, lag: 19, status: { state: 'forwarding', number: 123_456 } },
    { name: 'file', type: 'ndjson', isPaused: true, lag: 3, status: { state: 'closed', number: 9 } },
    { name: 'bad', type: 'zeromq', lag: 11, status: { state: 'retrying', number: -1, problem: 'refused\n  twice' } },
    { name: 'new', type: 'ndjson' },
    { name: 'old', status: { state: 'done', number: 7 } },
  ]);
  t.same(table.split('\n'), [
    'NAME   KIND      STATE       POSITION  LAG  LAST ERROR',
    'kafka  kafka     forwarding    123456   19  -',
    'file   ndjson    paused             9    3  -',
    'bad    zeromq    retrying           -   11  refused twice',
    'new    ndjson    starting           -    -  -',
    'old    backfill  done               7    -  -',
  ]);
});
