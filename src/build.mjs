// Makes `dist/`: types are erased file by file (`erasableSyntaxOnly`: nothing else is to be done), and the script of
// the page that follows a chain is bundled. Types are checked by `npm run check`; here they would cost a first start
// half a minute and the test tools.
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const src = fileURLToPath(new URL('.', import.meta.url));
const dist = join(src, '../dist');
/** Runs in the browser, out of one file. */
const PAGE = 'light-client/page.ts';

rmSync(dist, { recursive: true, force: true });
const files = readdirSync(src, { recursive: true }).filter((file) => file.endsWith('.ts') && file !== PAGE);
await build({
  entryPoints: files.map((file) => join(src, file)),
  outdir: dist,
  outbase: src,
  tsconfig: join(src, '../tsconfig.json'),
  format: 'esm',
  sourcemap: true,
});
await build({
  entryPoints: [join(src, PAGE)],
  outfile: join(dist, 'light-client/follow.js'),
  bundle: true,
  format: 'esm',
  platform: 'browser',
  target: 'es2022',
  minify: true,
  legalComments: 'linked',
});
// `tronicle --version` prints the commit; a package or a source archive without git has none.
const { stdout } = spawnSync('git', ['rev-parse', '--short=12', 'HEAD'], { cwd: src, encoding: 'utf8' });
writeFileSync(join(dist, 'commit'), stdout ?? '');
// `man tronicle` after an installation of the package; the page is made from the rows of the commands.
const { manPage } = await import(pathToFileURL(join(dist, 'node/command-line/man-page.js')).href);
const { version } = JSON.parse(readFileSync(join(src, '../package.json'), 'utf8'));
writeFileSync(join(dist, 'tronicle.1'), manPage(version));
// `deploy/prepare.mjs` compares the time of this file with those of the sources. It is written last, so that an
// interrupted build counts as no build.
writeFileSync(join(dist, '.built'), '');
