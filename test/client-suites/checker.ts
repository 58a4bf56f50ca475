import type { TestResult } from './reports.js';

/** A test that fails on java-tron 4.7.2, and must therefore fail on this node. */
export interface ExpectedFailure {
  readonly suite: string;
  readonly test: string;
  /** Behaviour that the client's test expects, and that differs from java-tron. */
  readonly why: string;
  /** Behaviour of java-tron 4.7.2 instead. */
  readonly reference: string;
  /** Set if the test sends requests to a public network. It may pass if that network is reachable. */
  readonly asksOthers?: true;
}

export interface Judgement {
  readonly tests: number;
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  /** Tests that failed but are not in the table. */
  readonly unexpected: readonly TestResult[];
  /** Names of tests in the table that passed, or that the suite no longer has. */
  readonly fixed: readonly string[];
}

/** Compares the results of a suite with the table of expected failures. */
export function judge(suite: string, results: readonly TestResult[], table: readonly ExpectedFailure[]): Judgement {
  const rows = table.filter((row) => row.suite === suite);
  const expected = new Set(rows.map(({ test }) => test));
  const failures = results.filter(({ outcome }) => outcome === 'failed');
  const failing = new Set(failures.map(({ name }) => name));
  const count = (outcomeName: TestResult['outcome']): number =>
    results.filter(({ outcome }) => outcome === outcomeName).length;
  return {
    tests: results.length,
    passed: count('passed'),
    failed: failures.length,
    skipped: count('skipped'),
    unexpected: failures.filter(({ name }) => !expected.has(name)),
    fixed: rows.filter(({ test, asksOthers }) => !failing.has(test) && asksOthers !== true).map(({ test }) => test),
  };
}
