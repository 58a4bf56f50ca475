import t from 'tap';
import { Account, Permission } from '../../../../src/codec/generated/messages.js';
import { printJson } from '../../../../src/encoding/json/json-value.js';
import { messageToJson, printMessage } from '../../../../src/encoding/json/print-message.js';

const named = (permissionName: string): Permission => Object.assign(new Permission(), { permissionName });

t.test('prints a text up to its first U+FFFF', async (t) => {
  // Source: answers of java-tron 4.7.2 and 4.8.2 (JsonFormat.escapeText)
  const cases = [
    ['', ''],
    ['\uffff', ''],
    ['a"\uffffb', 'a\\"'],
    ['\u{1f600}\uffff\uffff', '\\ud83d\\ude00'],
    ['\ufffe\ufffd', '\ufffe\ufffd'],
  ] as const;
  for (const [name, printed] of cases) {
    t.equal(printMessage(named(name), false, 'fastjson'), name === '' ? '{}' : `{"permission_name": "${printed}"}`);
    const parsed = messageToJson(named(name), false, 'fastjson').member('permission_name');
    t.equal(parsed ?? '', JSON.parse(`"${printed}"`));
  }
});

t.test('prints the keys of a map up to their first U+FFFF', async (t) => {
  const account = Object.assign(new Account(), { asset: new Map([['key\uffffrest', 7n]]) });
  t.equal(printMessage(account, false, 'fastjson'), '{"asset": [{"key": "key","value": 7}]}');
  t.equal(printJson(messageToJson(account, false, 'fastjson'), 'fastjson'), '{"asset":[{"value":7,"key":"key"}]}');
});
