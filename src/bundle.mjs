import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

/**
 * Bundles programs with the modules that they import, without packages. Programs share the files of common modules.
 * @param urlOf returns an expression for the URL of a source file, which replaces `import.meta.url` in it
 * @param options other options of esbuild
 */
export async function bundle({ urlOf, ...options }) {
  const load = ({ path }) => ({
    contents: readFileSync(path, 'utf8').replaceAll('import.meta.url', urlOf(path)),
    loader: path.endsWith('ts') ? 'ts' : 'js',
  });
  await build({
    tsconfig: fileURLToPath(new URL('../tsconfig.json', import.meta.url)),
    bundle: true,
    splitting: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    plugins: [{ name: 'module-url', setup: ({ onLoad }) => onLoad({ filter: /\.m?[jt]s$/ }, load) }],
    ...options,
  });
}
