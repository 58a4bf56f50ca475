import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { errorCodes } from './error-codes.js';
import { ROOT } from './source-files.js';

const page = readFileSync(join(ROOT, 'docs/errors.md'), 'utf8');
/**
 * Section of docs/errors.md with the error codes of GraphQL. A function of the GraphQL module creates these codes, so
 * the list of `TronError` codes does not contain them.
 */
const GRAPHQL = page.slice(page.indexOf('## GraphQL only'));
const listed = new Set(
  [...page.slice(0, page.indexOf('## GraphQL only')).matchAll(/`([A-Z][A-Z0-9_]+)`/g)].map(([, code]) => code),
);

t.test('lists every error code in the catalogue with its cause and remedy', async (t) => {
  const codes = [...errorCodes().keys()].sort();
  t.same(
    codes.filter((code) => !listed.has(code)),
    [],
    'docs/errors.md describes the code',
  );
  t.same(
    [...listed].filter((code) => code !== undefined && !codes.includes(code)),
    [],
    'docs/errors.md lists no unused code',
  );
});

t.test('lists the GraphQL error codes', async (t) => {
  const source = readFileSync(join(ROOT, 'src/api/graphql/graphql-errors.ts'), 'utf8');
  const union = /type GraphqlErrorCode =([^;]+);/.exec(source)?.[1] ?? '';
  const codes = [...union.matchAll(/'([A-Z_]+)'/g)].map(([, code]) => code ?? '');
  t.ok(codes.length > 5);
  for (const code of codes) t.ok(page.includes(`\`${code}\``), code);
  t.ok(GRAPHQL.includes('`INTERNAL`') && GRAPHQL.includes('`REFUSED`'));
});
