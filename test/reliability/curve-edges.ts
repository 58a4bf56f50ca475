import assert from 'node:assert/strict';
import { present } from '../../src/primitives/assert.js';
import { releaseNamed } from '../../src/state-transition/releases/index.js';
import type { Release } from '../../src/state-transition/releases/release.js';
import { Random } from '../fuzz/random.js';
import { ourAnswer } from '../support/curve-edges/our-answers.js';
import { ProvenBlocks } from '../support/curve-edges/proven-blocks.js';
import { randomQuestion } from '../support/curve-edges/questions.js';
import { compiledReference, namedRelease } from './reference/compiled.js';
import { JavaProcess } from './reference/java-process.js';
import type { Measurement } from './run.js';

/** Number of questions in one command to java-tron. */
const CHUNK = 500;
/** Batch verification of signatures is tested with one block after every fifth chunk of questions. */
const PROVEN_EVERY = 5;
/** Maximum number of mismatches that are printed. */
const SHOWN = 10;

/**
 * Answer of the batch verification for a signature without a signer. java-tron's answer starts with the same character,
 * followed by an error text. The error texts are not compared.
 */
const NO_SIGNER = '!';

interface Answered {
  readonly question: string;
  readonly answer: string;
}

/**
 * Compares this node with java-tron on inputs at the limits of the elliptic curves: recovered keys, signers found by
 * batch verification, and weights of signatures. Also compares the precompiles for signatures, BN-128 and modular
 * exponentiation.
 */
export const curveEdges: Measurement = {
  title: 'matches java-tron on inputs at the edges of the curves',
  gate: 20_000,
  night: 1_000_000,
  async run({ count, folder, random }) {
    const source = new Random(Math.floor(random() * 2 ** 32), []);
    const release = present(releaseNamed(namedRelease()), 'known release');
    const proven = new ProvenBlocks();
    const java = new JavaProcess('CurveEdges', compiledReference(), folder, []);
    const done = new Map<string, number>();
    const differences: string[] = [];
    try {
      for (let chunk = 0, sent = 0; sent < count; chunk++) {
        const questions = Array.from({ length: Math.min(CHUNK, count - sent) }, () => randomQuestion(source));
        const row = java.request(questions.join(' '));
        differences.push(
          ...mismatched(
            questions.map((question) => withOurs(question, release)),
            await row,
          ),
        );
        if (chunk % PROVEN_EVERY === 0) {
          const signers = proven.next(source);
          differences.push(
            ...mismatched(signers, await java.request(signers.map(({ question }) => question).join(' '))),
          );
          note(
            done,
            signers.map(({ question }) => question.replace('signer', 'prover')),
          );
        }
        note(done, questions);
        sent += questions.length;
      }
    } finally {
      java.stop();
    }
    const figures = [...done].sort().map(([kind, times]) => `${kind} ${times}`);
    const shown = differences.slice(0, SHOWN).map((line) => `\n  ${line}`);
    assert.equal(differences.length, 0, `${differences.length} of ${count} differ${shown.join('')}\n `);
    return `${release.name}: 0 differences; ${figures.join(', ')}; ${proven.proven} signers proven`;
  },
};

function withOurs(question: string, release: Release): Answered {
  return { question, answer: ourAnswer(question, release) };
}

function mismatched(inputs: readonly Answered[], theirs: readonly string[]): string[] {
  assert.equal(theirs.length, inputs.length, 'an answer for each question');
  return inputs.flatMap(({ question, answer }, at) =>
    answer === theirs[at] || (answer === NO_SIGNER && theirs[at]?.startsWith(NO_SIGNER))
      ? []
      : [`${question}: ${answer}, java-tron ${theirs[at]}`],
  );
}

/** Counts the sent questions by kind, and those for precompiles by address. */
function note(done: Map<string, number>, questions: readonly string[]): void {
  for (const question of questions) {
    const [kind = '', address] = question.split(':');
    const name = kind === 'run' ? `0x${address}` : kind;
    done.set(name, (done.get(name) ?? 0) + 1);
  }
}
