import t from 'tap';
import { readGoTest, readMocha, readPytest } from './reports.js';

t.test('reads a report of mocha', async (t) => {
  const report = {
    stats: { tests: 4 },
    passes: [{ fullTitle: 'a passes', err: {} }],
    failures: [
      { fullTitle: 'a fails', err: { message: 'expected 1 to equal 2', stack: 'at x' } },
      { fullTitle: 'a "before all" hook for "b"', err: {} },
    ],
    pending: [{ fullTitle: 'a waits', err: {} }],
  };
  t.same(readMocha(JSON.stringify(report)), [
    { name: 'a passes', outcome: 'passed' },
    { name: 'a fails', outcome: 'failed', message: 'expected 1 to equal 2' },
    { name: 'a "before all" hook for "b"', outcome: 'failed', message: '' },
    { name: 'a waits', outcome: 'skipped' },
  ]);
  t.throws(() => readMocha('{"stats":{}}'), { message: 'no mocha report' });
  t.throws(() => readMocha(''), SyntaxError, 'a runner that ended before it wrote its report');
});

t.test('reads a report of pytest', async (t) => {
  const results = [
    { name: 'tests/test_a.py::test_b', outcome: 'passed' },
    { name: 'tests/test_a.py::test_c', outcome: 'failed', message: 'E  assert 1 == 2' },
  ];
  t.same(readPytest(`${results.map((one) => JSON.stringify(one)).join('\n')}\n`), results);
});

t.test('reads a report of go test', async (t) => {
  const module = 'example.com/a/b';
  const event = (Action: string, Package: string, Test?: string, Output?: string): string =>
    JSON.stringify({ Action, Package: `${module}/${Package}`, Test, Output });
  const text = [
    event('run', 'pkg/x', 'TestA'),
    event('output', 'pkg/x', 'TestA', 'line 1\n'),
    event('output', 'pkg/x', 'TestA/inner', 'of another\n'),
    event('output', 'pkg/x', 'TestA', 'line 2\n'),
    event('pass', 'pkg/x', 'TestA/inner'),
    event('fail', 'pkg/x', 'TestA'),
    event('skip', 'pkg/x', 'TestB'),
    event('fail', 'pkg/x'),
    'go: downloading example.com/c v1',
    event('output', 'pkg/y', undefined, 'undefined: z\n'),
    event('fail', 'pkg/y'),
    event('pass', 'pkg/z', 'TestA'),
    event('pass', 'pkg/z'),
  ].join('\n');
  t.same(readGoTest(text, module), [
    { name: 'pkg/x TestA/inner', outcome: 'passed' },
    { name: 'pkg/x TestA', outcome: 'failed', message: 'line 1\nline 2\n' },
    { name: 'pkg/x TestB', outcome: 'skipped' },
    { name: 'pkg/y', outcome: 'failed', message: 'undefined: z\n' },
    { name: 'pkg/z TestA', outcome: 'passed' },
  ]);
});
