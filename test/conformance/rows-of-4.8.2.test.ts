import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import t from 'tap';

const tests = fileURLToPath(new URL('..', import.meta.url));
const text = readFileSync(new URL('rows-of-4.8.2.md', import.meta.url), 'utf8');
const rows = [...text.matchAll(/^\| ([A-K]\d+) \| (\w+) \| .* \| (.*) \|$/gm)].map(([, no, mark, holders]) => ({
  no: no!,
  mark: mark!,
  holders: holders!,
}));

/** Number of rows in each section of `rows-of-4.8.2.md`, the catalogue of the changes in java-tron 4.8.2. */
const SECTIONS = { A: 27, B: 32, C: 18, D: 16, E: 10, F1: 18, F2: 6, F3: 18, G: 10, H: 28, I: 12, J: 7, K: 8 };

t.test('lists every row of the catalogue', async (t) => {
  const expected = Object.entries(SECTIONS).flatMap(([section, count]) =>
    Array.from({ length: count }, (_, at) => `${section}${at + 1}`),
  );
  t.same(
    rows.map(({ no }) => no),
    expected,
  );
});

t.test('finds the files that test a row', async (t) => {
  for (const { no, holders } of rows) {
    const named = [...holders.matchAll(/`([^`]+\.ts)`/g)].map(([, path]) => path!);
    for (const path of named) t.ok(existsSync(`${tests}${path}`), `${no}: ${path}`);
    t.ok(
      named.length > 0 || /recording |\*(same|otherwise)\*: /.test(holders),
      `${no} has a test, a recording or a reason`,
    );
  }
});

t.test('links every change of state or blocks to a test, a recording or a reason', async (t) => {
  for (const { no, mark, holders } of rows) if (mark === 'MUST') t.match(holders, /`|recording|\*otherwise\*/, no);
});
