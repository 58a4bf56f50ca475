import t from 'tap';
import { UsageError } from '../../../src/primitives/errors.js';
import { maskKeys } from '../../../src/primitives/mask-keys.js';

const KEY = 'a1b2c3d4'.repeat(8);
const MASK = '<64 hex digits, not shown>';

t.test('masks each text that looks like a private key', async (t) => {
  for (const [text, masked] of [
    [KEY, MASK],
    [`file not found: ${KEY.toUpperCase()}`, `file not found: ${MASK}`],
    [`use 0x${KEY}, ${KEY}.`, `use 0x${MASK}, ${MASK}.`],
    [`-p${KEY}`, `-p${MASK}`],
    [KEY + KEY, '<128 hex digits, not shown>'],
    [KEY.slice(3), '<61 hex digits, not shown>'],
    [`0000${KEY}`, '<68 hex digits, not shown>'],
  ] as const)
    t.equal(maskKeys(text), masked);
});

t.test('keeps ids of blocks and addresses', async (t) => {
  const blockId = `0000000003b2c3d4${KEY.slice(16)}`;
  const address = `41${KEY.slice(0, 40)}`;
  for (const text of [`block 812 (${blockId}) is invalid`, `unknown address ${address}`, ''])
    t.equal(maskKeys(text), text);
});

t.test('an error of the operator contains no private key', async (t) => {
  t.equal(new UsageError(`unknown address: ${KEY}`).message, `unknown address: ${MASK}`);
});
