// Makes the script of the page that follows a chain out of what it imports: `dist/browser/follow.js`.
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

await build({
  entryPoints: [fileURLToPath(new URL('page.ts', import.meta.url))],
  outfile: fileURLToPath(new URL('../../dist/browser/follow.js', import.meta.url)),
  bundle: true,
  format: 'esm',
  platform: 'browser',
  target: 'es2022',
  minify: true,
  legalComments: 'linked',
});
