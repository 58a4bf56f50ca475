/** Result of one test in the report of its runner. */
export interface TestResult {
  /** Name of the test. It is unique in its suite, unless the suite itself has two tests with one name. */
  readonly name: string;
  readonly outcome: 'passed' | 'failed' | 'skipped';
  /** Reason of the failure. */
  readonly message?: string;
}

interface MochaTest {
  readonly fullTitle: string;
  readonly err?: { readonly message?: string };
}

/** Reads a report of mocha's `json` reporter. @throws {SyntaxError | TypeError} the text is not such a report */
export function readMocha(text: string): TestResult[] {
  const { passes, failures, pending } = JSON.parse(text) as Record<string, readonly MochaTest[]>;
  if (passes === undefined || failures === undefined || pending === undefined) throw new TypeError('no mocha report');
  return [
    ...passes.map(({ fullTitle }) => ({ name: fullTitle, outcome: 'passed' as const })),
    ...failures.map(({ fullTitle, err }) => ({
      name: fullTitle,
      outcome: 'failed' as const,
      message: err?.message ?? '',
    })),
    ...pending.map(({ fullTitle }) => ({ name: fullTitle, outcome: 'skipped' as const })),
  ];
}

/** Reads a report of `pytest_suite.py`, with one JSON object per line. @throws {SyntaxError} a line is not JSON */
export function readPytest(text: string): TestResult[] {
  return jsonLines(text) as TestResult[];
}

interface GoEvent {
  readonly Action: string;
  readonly Package?: string;
  readonly Test?: string;
  readonly Output?: string;
}

const GO_OUTCOMES: Readonly<Record<string, TestResult['outcome']>> = {
  pass: 'passed',
  fail: 'failed',
  skip: 'skipped',
};

/**
 * Reads the output of `go test -json`. If a package fails without a failed test, for example because it cannot be
 * built, the result has the name of the package.
 * @param module module path, which is removed from names
 */
export function readGoTest(text: string, module: string): TestResult[] {
  const output = new Map<string, string[]>();
  const results: TestResult[] = [];
  const failing = new Set<string>();
  for (const { Action, Package = '', Test, Output } of jsonLines(text) as GoEvent[]) {
    const place = Package.replace(`${module}/`, '');
    const name = Test === undefined ? place : `${place} ${Test}`;
    if (Output !== undefined) (output.get(name) ?? output.set(name, []).get(name))?.push(Output);
    const outcome = GO_OUTCOMES[Action];
    if (outcome === undefined) continue;
    if (Test === undefined && (outcome !== 'failed' || failing.has(place))) continue;
    if (outcome === 'failed') failing.add(place);
    results.push({ name, outcome, ...(outcome === 'failed' && { message: (output.get(name) ?? []).join('') }) });
  }
  return results;
}

/** Parses the lines that are JSON objects. Other lines are output of compilers and are ignored. */
function jsonLines(text: string): object[] {
  return text
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as object);
}
