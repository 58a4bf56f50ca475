import t from 'tap';
import { resolveTarget, routedTarget } from '../../../src/api/request-path.js';

/** Request targets, each with the handler path that java-tron 4.7.2 finds. */
const PATHS: readonly (readonly [target: string, path: string, query?: string])[] = [
  ['/wallet/x?', '/wallet/x', ''],
  ['/wallet/x?a#b?c', '/wallet/x', 'a'],
  ['/wallet/x#b?c', '/wallet/x'],
  ['/wallet/./x', '/wallet/x'],
  ['/wallet/%78', '/wallet/x'],
  ['/wallet/%u0078', '/wallet/x'],
  ['/wallet%2fx', '/wallet/x'],
  ['/wallet;p/x', '/wallet/x'],
  ['/wallet/x;a?b', '/wallet/x', 'b'],
  ['/wallet/x;%zz?b', '/wallet/x', 'b'],
  ['/wallet/x;a;b', '/wallet/x;a'],
  ['/wallet;c/x;a;b', '/wallet/x'],
  ['/wallet/a/../x', '/wallet/x'],
  ['/wallet/%2e%2e/x', '/x'],
  ['//wallet/x', '//wallet/x'],
  ['http://a:80/wallet/x', '/wallet/x'],
  ['http://a?x', '/'],
];

t.test('resolves request targets to paths', async (t) => {
  for (const [target, path, query] of PATHS) {
    const found = resolveTarget(target);
    t.same([found?.path, found?.query], [path, query], target);
  }
});

t.test('decodes an escaped question mark, and escapes with characters that are not hexadecimal digits', async (t) => {
  const raw = '/wallet/x%4?a=1';
  t.same(resolveTarget(raw), { path: '/wallet/xO'.concat('a=1'), query: undefined });
  t.equal(resolveTarget('/wallet/%7;?b')?.path, '/wallet/{');
  t.equal(resolveTarget('/wallet/%:6')?.path, '/wallet/\ufffd');
});

t.test('rejects invalid paths', async (t) => {
  const bad = ['/x%', '/x%4', '/x%zz?a', '/x%00', '/x%u6b', '/x%u000', '/../x', 'http://a:b/x', '*x', '*'];
  for (const target of [...bad, '/x/..;a/y', '/x/%2E;a', '/x/.%u002e;'])
    t.equal(resolveTarget(target), undefined, target);
});

t.test('passes targets to the router with a resolved path and the query as sent', async (t) => {
  for (const [target, routed] of [
    ['/wallet/x?a=%zz', '/wallet/x?a=%zz'],
    ['/wallet/./x?a=%zz#b', '/wallet/x?a=%zz'],
    ['/v1/assets/%41%20b/list', '/v1/assets/A%20b/list'],
    ['/wallet/x%3Fy', '/wallet/x%3Fy'],
    ['/../x', '/%'],
    ['*', '/%'],
  ] as const)
    t.equal(routedTarget(target), routed, target);
});
