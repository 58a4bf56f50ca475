import t from 'tap';
import { referenceInterpreter } from '../../../src/vm/interpreter/reference-interpreter.js';
import { WasmInterpreter } from '../../../src/vm/interpreter/wasm-interpreter.js';
import { outcome } from '../../support/vm/random-outcome.js';

// Random programs must have equal results, texts, energy and rows in both interpreters. FUZZ_SECONDS sets the duration,
// and FUZZ_SEED the first seed. A failure prints its seed.
const seconds = Number(process.env['FUZZ_SECONDS'] ?? 60);
const first = Number(process.env['FUZZ_SEED'] ?? 1);

t.test(
  'computes the same results for random programs in both interpreters',
  { timeout: (seconds + 60) * 1000 },
  async (t) => {
    const fast = new WasmInterpreter();
    const until = Date.now() + seconds * 1000;
    let seed = first;
    const results = new Map<string, number>();
    for (; Date.now() < until; seed++) {
      const expected = outcome(seed, referenceInterpreter);
      const found = outcome(seed, fast);
      const code = expected.slice(0, expected.indexOf(' '));
      results.set(code, (results.get(code) ?? 0) + 1);
      if (found !== expected) {
        t.equal(found, expected, `seed ${seed}`);
        break;
      }
    }
    t.comment(`${seed - first} programs; results by code ${[...results].map(([code, n]) => `${code}:${n}`).join(' ')}`);
    t.ok(results.size > 3, 'programs end in more than three ways');
  },
);
