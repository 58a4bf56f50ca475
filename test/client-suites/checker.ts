import type { TestResult } from './reports.js';

/** A test that cannot pass on a node that answers like java-tron 4.7.2. */
export interface ExpectedFailure {
  readonly suite: string;
  readonly test: string;
  /** Expectation of the test. */
  readonly why: string;
  /** Behaviour of java-tron 4.7.2. */
  readonly reference: string;
  /** The test queries a public network. It may pass if that is reachable. */
  readonly asksOthers?: true;
}

export interface Judgement {
  readonly tests: number;
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  /** Failures that the table does not have. */
  readonly unexpected: readonly TestResult[];
  /** Tests of the table that passed, or that the suite does not have any more. */
  readonly mended: readonly string[];
}

/** Compares what a suite did with the table of expected failures. */
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
    mended: rows.filter(({ test, asksOthers }) => !failing.has(test) && asksOthers !== true).map(({ test }) => test),
  };
}
