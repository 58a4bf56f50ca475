import t from 'tap';
import { utf8 } from '../../../../src/primitives/bytes.js';
import {
  isAccountId,
  isAccountName,
  isAssetDescription,
  isAssetName,
  isNumberText,
  isUrl,
} from '../../../../src/state-transition/system-contracts/byte-rules.js';

// Reference: TransactionUtil. The cases have lengths on both sides of each limit.
const rows: readonly (readonly [rule: (bytes: Uint8Array) => boolean, text: string, isGood: boolean])[] = [
  [isAccountName, '', true],
  [isAccountName, 'a'.repeat(200), true],
  [isAccountName, 'a'.repeat(201), false],
  [isAccountId, 'a'.repeat(7), false],
  [isAccountId, 'a'.repeat(8), true],
  [isAccountId, 'a'.repeat(32), true],
  [isAccountId, 'a'.repeat(33), false],
  [isAccountId, 'with space', false],
  [isAssetName, '', false],
  [isAssetName, '!~', true],
  [isAssetName, 'a b', false],
  [isAssetName, 'é', false],
  [isAssetName, 'a'.repeat(33), false],
  [isAssetDescription, '', true],
  [isAssetDescription, 'a'.repeat(201), false],
  [isUrl, '', false],
  [isUrl, 'a'.repeat(256), true],
  [isUrl, 'a'.repeat(257), false],
  [isNumberText, '', false],
  [isNumberText, '0', true],
  [isNumberText, '01', false],
  [isNumberText, '1000001', true],
  [isNumberText, '-1', false],
  [isNumberText, '1a', false],
];

t.test('bounds contract texts in length and characters', async (t) => {
  for (const [rule, text, isGood] of rows) t.equal(rule(utf8(text)), isGood, `${rule.name} of ${text.length}: ${text}`);
});
