import { readFileSync } from 'node:fs';
import t from 'tap';
import { type ExpectedFailure, judge } from './checker.js';
import type { TestResult } from './reports.js';

const row = (test: string, suite = 'one'): ExpectedFailure => ({
  suite,
  test,
  why: 'the same behaviour',
  reference: 'the same behaviour again',
});
const result = (name: string, outcome: TestResult['outcome']): TestResult => ({ name, outcome });

t.test('compares the expected results with the actual ones', async (t) => {
  const table = [
    row('known'),
    row('fixed'),
    row('gone'),
    { ...row('far'), asksOthers: true as const },
    row('new', 'two'),
  ];
  const results = [
    result('known', 'failed'),
    result('fixed', 'passed'),
    result('new', 'failed'),
    result('far', 'passed'),
    result('waits', 'skipped'),
  ];
  t.same(judge('one', results, table), {
    tests: 5,
    passed: 2,
    failed: 2,
    skipped: 1,
    unexpected: [result('new', 'failed')],
    fixed: ['fixed', 'gone'],
  });
  t.match(judge('one', [result('far', 'failed')], table), { unexpected: [], fixed: ['known', 'fixed', 'gone'] });
});

t.test('reports a failure if only one of two tests with the same name fails', async (t) => {
  const results = [result('twice', 'passed'), result('twice', 'failed')];
  t.match(judge('one', results, []), { unexpected: [{ name: 'twice' }], passed: 1, failed: 1 });
  t.match(judge('one', results, [row('twice')]), { unexpected: [], fixed: [] });
});

t.test('the table of expected failures has one row per test, with a reason', async (t) => {
  const table = JSON.parse(readFileSync(new URL('failures.json', import.meta.url), 'utf8')) as ExpectedFailure[];
  t.ok(table.length > 0);
  for (const { suite, test, why, reference } of table)
    t.ok(['tronweb', 'tronpy', 'gotron'].includes(suite) && why !== '' && reference !== '', test);
  t.equal(new Set(table.map(({ suite, test }) => `${suite} ${test}`)).size, table.length);
});
