import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import { readHoconFile, readHoconText } from '../../../../src/config/hocon/hocon.js';
import { asInt32, asInt64, asTexts, type HoconValue, valueAt } from '../../../../src/config/hocon/hocon-value.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';
import recorded from './hocon.vectors.json' with { type: 'json' };

const env = { TRONICLE_TEST_HOME: '/home' };
const vectors = recorded.cases as readonly { text: string; json?: unknown; error?: true }[];

for (const { text, json, error } of vectors)
  t.test(`reads as typesafe config does: ${JSON.stringify(text).slice(0, 80)}`, async (t) => {
    const read = () => plain(readHoconText(text, 'case.conf', env));
    if (error) t.throws(read, { code: 'USAGE', message: /^case\.conf: \d+: / });
    else t.same(read(), json);
  });

t.test(
  'includes a file relative to the including one and resolves substitutions below the including object first',
  async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'hocon-'));
    t.teardown(() => rmSync(folder, { recursive: true }));
    writeFileSync(join(folder, 'inner.conf'), `v = 9, w = \${v}, home = \${TRONICLE_TEST_HOME}`);
    writeFileSync(join(folder, 'outer.conf'), 'v = 1\ns { include "inner" }\ninclude "missing.conf"\n');
    const expected = { v: 1, s: { v: 9, w: 9, home: '/home' } };
    t.same(plain(readHoconFile(join(folder, 'outer.conf'), env)), expected);
    writeFileSync(join(folder, 'loop.conf'), 'include "loop.conf"');
    t.throws(() => readHoconFile(join(folder, 'loop.conf')), { message: /includes itself/ });
    writeFileSync(join(folder, 'needs.conf'), 'include required("missing.conf")');
    t.throws(() => readHoconFile(join(folder, 'needs.conf')), { message: /included file not found/ });
  },
);

// The expected values are those of typesafe config in java-tron 4.7.2.
t.test('includes properties files, and merges them below JSON and HOCON files of the same name', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'hocon-'));
  t.teardown(() => rmSync(folder, { recursive: true }));
  const lines = [
    '# c',
    '! d',
    'a.tps=99',
    ' a.id : a b\\',
    '    c \\u0041 \\\\ x',
    'a.count 12',
    'a.web=x',
    'a.web.port = 7',
  ];
  writeFileSync(join(folder, 'more.properties'), lines.join('\n'));
  writeFileSync(join(folder, 'more.json'), '{"a":{"count":5}}');
  writeFileSync(join(folder, 'outer.conf'), 'include "more"');
  const expected = { tps: '99', id: 'a bc A \\ x', web: { port: '7' } };
  t.same(plain(readHoconFile(join(folder, 'outer.conf'), env)), { a: { ...expected, count: 5 } });
  writeFileSync(join(folder, 'outer.conf'), 's { include "more.properties" }');
  t.same(plain(readHoconFile(join(folder, 'outer.conf'), env)), { s: { a: { ...expected, count: '12' } } });
});

t.test('refuses a text in another encoding, and too deep nesting, in one sentence', async (t) => {
  const file = join(temporaryFolder(t), 'a.conf');
  writeFileSync(file, Buffer.from('\ufeffa = 1', 'utf16le'));
  t.throws(() => readHoconFile(file), {
    name: 'UsageError',
    message: /a\.conf is not UTF-8 text; save the file as UTF-8$/,
  });
  const deep = { name: 'UsageError', message: 'x.conf: objects or lists are nested too deeply' };
  t.throws(() => readHoconText(`x = ${'['.repeat(50_000)}`, 'x.conf'), deep);
  t.throws(() => readHoconText(`${'a.'.repeat(20_000)}a = 1`, 'x.conf'), deep);
});

t.test('warns of an included file that does not exist', async (t) => {
  const warnings: string[] = [];
  readHoconText('a = 1\ninclude "none.conf"', '/folder/x.conf', {}, (text) => warnings.push(text));
  t.strictSame(warnings, ['/folder/x.conf: 2: included file not found: /folder/none.conf']);
});

t.test('reports file and line of an error, and never prints a misplaced private key', async (t) => {
  const key = 'da146374a75310b9666e834ee4ad0866d6f4035967bfc76217c5a495fff9f0d0';
  t.throws(() => readHoconText(`a = 1\nlocalwitness\n${key}\n`, 'x.conf'), {
    message: "x.conf: 3: key 'localwitness' may not be followed by '<hidden>'",
  });
  t.throws(() => readHoconText(`a = 1\n\n${key}\n`, 'x.conf'), {
    message: "x.conf: 4: key '<hidden>' may not be followed by end of file",
  });
});

t.test('converts numbers and strings like java-tron', async (t) => {
  const root = readHoconText('i = "12", d = 2.7, big = 3000000000, o { "1" = b, "0" = a }, s = abc', 'x.conf');
  const at = (key: string) => valueAt(root, key)!;
  t.equal(asInt32(at('i'), 'i'), 12);
  t.equal(asInt32(at('d'), 'd'), 2);
  t.equal(asInt64(at('big'), 'big'), 3_000_000_000n);
  t.same(asTexts(at('o'), 'o'), ['a', 'b']);
  t.throws(() => asInt32(at('big'), 'big'), {
    message: 'x.conf: 1: big has type out-of-range value 3000000000 rather than 32-bit integer',
  });
  t.throws(() => asInt32(at('s'), 's'), { message: 'x.conf: 1: s has type STRING rather than NUMBER' });
});

function plain(value: HoconValue): unknown {
  if (value.kind === 'object')
    return Object.fromEntries([...value.fields].map(([name, member]) => [name, plain(member)]));
  if (value.kind === 'list') return value.items.map(plain);
  if (value.kind === 'number') return Number(value.text);
  if (value.kind === 'boolean') return value.text === 'true';
  return value.kind === 'null' ? null : value.text;
}
