import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { commandRows } from '../../../../src/node/command-line/command-rows.js';
import { manPage } from '../../../../src/node/command-line/man-page.js';
import { shownOptionsOf } from '../../../../src/node/command-line/options-of.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';

const page = manPage('1.2.3');

t.test('has a section per command with all its options', async (t) => {
  for (const row of commandRows) {
    const start = page.indexOf(`.SS "${row.name.replaceAll('-', '\\-')}"`);
    const section = page.slice(start, page.indexOf('\n.S', start + 1));
    t.ok(start > 0, row.name);
    for (const name of shownOptionsOf(row).flatMap(({ names }) => names))
      t.ok(section.includes(name.replaceAll('-', '\\-')), `${row.name} ${name}`);
  }
});

t.test('starts no line of text with a control character, and uses only known roff requests', async (t) => {
  const requests = new Set([...page.matchAll(/^([.'][A-Za-z]*)/gm)].map(([, request]) => request));
  t.same([...requests].sort(), ['.B', '.PP', '.RE', '.RS', '.SH', '.SS', '.TH', '.TP', '.fi', '.nf']);
  t.match(page, /^[\n -~]*$/, 'only printable ASCII characters');
});

const hasMan = spawnSync('man', ['--version']).status === 0 && spawnSync('groff', ['--version']).status === 0;
if (hasMan)
  t.test('is formatted by man without a warning', async (t) => {
    const file = join(temporaryFolder(t), 'tronicle.1');
    writeFileSync(file, page);
    const { status, stdout, stderr } = spawnSync('man', ['--warnings', '-l', file], {
      encoding: 'utf8',
      env: { ...process.env, MANPAGER: 'cat', MANWIDTH: '100', LC_ALL: 'C.UTF-8' },
    });
    t.equal(status, 0);
    t.equal(stderr, '');
    t.match(stdout, 'tronicle 1.2.3');
    t.match(stdout, '--output-directory <folder>');
  });
