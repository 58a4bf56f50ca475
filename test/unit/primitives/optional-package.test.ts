import t from 'tap';
import { loadOptional } from '../../../src/primitives/optional-package.js';

const MISSING = 'tronicle-missing-package';

t.test('returns the module of an installed package', async (t) => {
  const { Publisher } = await loadOptional('zeromq', 'the native queue', () => import('zeromq'));
  t.type(Publisher, 'function');
});

t.test('names the package that is not installed', async (t) => {
  await t.rejects(
    loadOptional(MISSING, 'the native queue', () => import(MISSING)),
    {
      code: 'USAGE',
      message: `the native queue needs the package ${MISSING}; in the folder of Tronicle, run: npm install --no-save ${MISSING}`,
    },
  );
});

t.test('rethrows every other error', async (t) => {
  await t.rejects(
    loadOptional('zeromq', 'the native queue', () => import(MISSING)),
    { code: 'ERR_MODULE_NOT_FOUND' },
  );
  await t.rejects(
    loadOptional('zeromq', 'the native queue', () => Promise.reject(new Error("no 'zeromq' for this processor"))),
    { message: "no 'zeromq' for this processor" },
  );
});
