/** Result of one test in the report of its runner. */
export interface TestResult {
  /** Unique in its suite, unless the suite names two tests alike. */
  readonly name: string;
  readonly outcome: 'passed' | 'failed' | 'skipped';
  /** Why it failed. */
  readonly message?: string;
}

interface MochaTest {
  readonly fullTitle: string;
  readonly err?: { readonly message?: string };
}

/** Reads what mocha's `json` reporter writes. @throws {SyntaxError | TypeError} it is no such report */
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

/** Reads the lines that `pytest_suite.py` writes. @throws {SyntaxError} */
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
 * Reads what `go test -json` prints. A package that fails without a test of its own that does (it could not be built)
 * is a result by the package's name. @param module whose path is left out of names
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

/** Compilers write between the lines: what is no object is passed over. */
function jsonLines(text: string): object[] {
  return text
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as object);
}
