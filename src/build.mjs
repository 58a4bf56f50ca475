// Builds `dist/`. Compiles each file separately, without type checks (`npm run check` does those). Bundles the programs
// of the node into `dist/bundle`, because Node.js loads a bundle in two thirds of the time. Also bundles the browser
// script of the page that follows a chain, and copies the files of GraphiQL.
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { bundle } from './bundle.mjs';

const src = fileURLToPath(new URL('.', import.meta.url));
const dist = join(src, '../dist');
/** Browser script of the page that follows a chain. */
const PAGE = 'light-client/page.ts';
/** Files of GraphiQL: name in `dist/graphiql`, and path in `node_modules`. An installed node has only the copies. */
const GRAPHIQL = {
  'react.js': 'react/umd/react.production.min.js',
  'react-dom.js': 'react-dom/umd/react-dom.production.min.js',
  'graphiql.js': 'graphiql/graphiql.min.js',
  'graphiql.css': 'graphiql/graphiql.min.css',
};
/** Returns true for the entry point of a process or a thread. */
const isProgram = (file) => /^(node\/main|node\/threads\/.+-worker|projections\/verify\/verify-child)\.ts$/.test(file);

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
const programs = files.map((file) => file.replaceAll('\\', '/')).filter(isProgram);
await bundle({
  entryPoints: programs.map((file) => ({ in: join(src, file), out: basename(file, '.ts') })),
  outdir: join(dist, 'bundle'),
  sourcemap: true,
  // All bundled files are in one folder, so a module's original URL can be computed from the URL of its bundle.
  banner: "const moduleUrl = (file) => new URL('../' + file, import.meta.url).href;",
  urlOf: (path) => `moduleUrl('${relative(src, path).replaceAll('\\', '/').replace(/ts$/, 'js')}')`,
});
for (const program of programs) {
  const [firstLine] = readFileSync(join(src, program), 'utf8').split('\n', 1);
  const shebang = firstLine.startsWith('#!') ? `${firstLine}\n` : '';
  const bundled = relative(dirname(program), `bundle/${basename(program, '.ts')}.js`);
  writeFileSync(join(dist, program.replace(/ts$/, 'js')), `${shebang}import '${bundled}';\n`);
}
copyFileSync(join(src, 'node-release.mjs'), join(dist, 'node-release.mjs'));
const { version, engines } = JSON.parse(readFileSync(join(src, '../package.json'), 'utf8'));
// An old release of Node.js fails before the first line of a bundle, so the command line checks the release first. The
// exit code 13 remains if the program ends before its result is known; Node.js sets the same code in this case. In
// production mode, graphql-js omits a check of each value, which takes a tenth of the time of a subscription.
writeFileSync(
  join(dist, 'node/main.js'),
  `#!/usr/bin/env node
import { requireNode } from '../node-release.mjs';
if (requireNode('${engines.node}')) {
  process.exitCode = 13;
  process.env.NODE_ENV = process.env.NODE_ENV || 'production';
  import('../bundle/main.js');
}
`,
);
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
mkdirSync(join(dist, 'graphiql'));
for (const [name, path] of Object.entries(GRAPHIQL))
  copyFileSync(join(src, '../node_modules', path), join(dist, 'graphiql', name));
// `tronicle --version` prints the commit; a package or a source archive without git has none.
const { stdout } = spawnSync('git', ['rev-parse', '--short=12', 'HEAD'], { cwd: src, encoding: 'utf8' });
writeFileSync(join(dist, 'commit'), stdout ?? '');
// The manual page (`man tronicle` after an installation of the package), generated from the table of commands.
const { manPage } = await import(pathToFileURL(join(dist, 'node/command-line/man-page.js')).href);
writeFileSync(join(dist, 'tronicle.1'), manPage(version));
// `deploy/prepare.mjs` compares the time of this file with those of the sources. It is written last, so that an
// interrupted build counts as no build.
writeFileSync(join(dist, '.built'), '');
