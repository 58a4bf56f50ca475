// Makes `dist/`: types are erased file by file (`erasableSyntaxOnly`: nothing else is to be done), and the script of
// the page that follows a chain is bundled. Types are checked by `npm run check`; here they would cost a first start
// half a minute and the test tools.
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
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
// What `deploy/prepare.mjs` compares with the times of the sources; written last, so that half a build is none.
writeFileSync(join(dist, '.built'), '');
