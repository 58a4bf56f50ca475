import t from 'tap';
import { resolveTarget, targetRefusal, userRefusal } from '../../../src/api/request-path.js';

/** As java-tron 4.7.2 found its handlers. */
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
  ['*', '*'],
];

t.test('resolves request targets to paths', async (t) => {
  for (const [target, path, query] of PATHS) {
    const found = resolveTarget(target);
    t.same([found?.path, found?.query], [path, query], target);
  }
});

t.test('decodes an escaped question mark and digits beyond the hexadecimal ones', async (t) => {
  const raw = '/wallet/x%4?a=1';
  t.same(resolveTarget(raw), { raw, path: '/wallet/xO'.concat('a=1'), query: undefined });
  t.equal(resolveTarget('/wallet/%7;?b')?.path, '/wallet/{');
  t.equal(resolveTarget('/wallet/%:6')?.path, '/wallet/\ufffd');
});

t.test('rejects invalid paths with the error text of java-tron', async (t) => {
  const bad = ['/x%', '/x%4', '/x%zz?a', '/x%00', '/x%u6b', '/x%u000', '/../x', 'http://a:b/x', '*x'];
  for (const target of bad) {
    t.equal(resolveTarget(target), undefined, target);
    t.equal(targetRefusal(target), 'Bad Request', target);
  }
  for (const target of ['/x/..;a/y', '/x/%2E;a', '/x/.%u002e;']) {
    t.equal(resolveTarget(target), undefined, target);
    t.equal(targetRefusal(target), 'Ambiguous path parameters', target);
  }
});

// As java-tron 4.8.2 answered, 2026-11-26.
t.test('handles an absolute URL with user information', async (t) => {
  for (const authority of ['u:p@x', 'u@x', '@x', 'u:p@', 'u:p@x:80', 'u%40:p@x', ':@x', 'u:p@[::1]'])
    t.equal(userRefusal(`http://${authority}/wallet/x`), 'User info in Authority', authority);
  t.equal(userRefusal('http://a@b@c/'), 'Bad Request');
  for (const target of ['/a@b', 'http://x/a@b', '*']) t.equal(userRefusal(target), undefined, target);
});
