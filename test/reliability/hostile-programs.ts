import assert from 'node:assert/strict';
import { referenceInterpreter } from '../../src/vm/interpreter/reference-interpreter.js';
import { WasmInterpreter } from '../../src/vm/interpreter/wasm-interpreter.js';
import { outcome } from '../support/vm/random-outcome.js';
import type { Measurement } from './run.js';
import { runTests } from './support/run-tests.js';

/**
 * Test file with programs for both interpreters: endless loops, deep calls, large memory, nested creations and endless
 * precompile calls.
 */
const test = 'test/integration/vm/hostile.test.ts';
const TEST_S = 1800;

export const hostilePrograms: Measurement = {
  title: 'bounds endless programs and agrees in both interpreters on random ones',
  gate: 10_000,
  night: 1_000_000,
  async run({ count, random }) {
    const cases = (await runTests(test, {}, TEST_S)).match(/^ {4}ok \d+/gm)?.length ?? 0;
    assert.ok(cases > 0, 'no case was executed');
    const fast = new WasmInterpreter();
    const first = Math.floor(random() * 2 ** 30);
    const codes = new Set<string>();
    let slowest = { ms: 0, seed: first };
    for (let seed = first; seed < first + count; seed++) {
      const expected = outcome(seed, referenceInterpreter);
      const started = performance.now();
      assert.equal(outcome(seed, fast), expected, `FUZZ_SEED=${seed}`);
      const ms = performance.now() - started;
      if (ms > slowest.ms) slowest = { ms, seed };
      codes.add(expected.slice(0, expected.indexOf(' ')));
    }
    return (
      `${cases} hostile cases end by energy, depth or time; ${count} random programs, same result, energy and rows by both interpreters, ` +
      `${codes.size} kinds of results, slowest ${slowest.ms.toFixed(0)} ms (seed ${slowest.seed})`
    );
  },
};
