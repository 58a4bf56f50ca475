import { readFileSync } from 'node:fs';
import t from 'tap';
import { ourAnswer } from '../../support/curve-edges/our-answers.js';

interface Vectors {
  readonly recordedFrom: string;
  readonly cases: readonly (readonly [question: string, answer: string])[];
}

const file = new URL('./curve-edges.vectors.json', import.meta.url);
const { recordedFrom, cases }: Vectors = JSON.parse(readFileSync(file, 'utf8'));

t.test(`returns the recorded results for curve edge inputs (${recordedFrom})`, async (t) => {
  for (const [question, answer] of cases) t.equal(ourAnswer(question), answer, question.slice(0, 120));
  t.ok(cases.length > 300, `${cases.length} answers`);
});
