import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = new URL('..', import.meta.url);
const { devDependencies } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8'));
/**
 * Packages that stay outside of a bundle: they load native code or start threads from files of their own. The packages
 * of tests and the optional ones stay outside too.
 */
const OUTSIDE = ['lmdb', 'pino', 'secp256k1', 'snappy', ...Object.keys(devDependencies)];

const REQUIRE = "import { createRequire as requireOf } from 'node:module';const require = requireOf(import.meta.url);";

/**
 * Bundles programs with the modules and packages that they import. Programs share the files of common modules.
 * @param urlOf returns an expression for the URL of a source file, which replaces `import.meta.url` in it
 * @param banner first lines of each file
 * @param options other options of esbuild
 */
export async function bundle({ urlOf, banner = '', ...options }) {
  const load = ({ path }) => {
    if (path.includes('node_modules')) return undefined;
    return {
      contents: readFileSync(path, 'utf8').replaceAll('import.meta.url', urlOf(path)),
      loader: path.endsWith('ts') ? 'ts' : 'js',
    };
  };
  await build({
    tsconfig: fileURLToPath(new URL('tsconfig.json', root)),
    bundle: true,
    splitting: true,
    external: OUTSIDE.flatMap((name) => [name, `${name}/*`]),
    platform: 'node',
    format: 'esm',
    // CommonJS packages call `require` for the modules of Node.js.
    banner: { js: `${REQUIRE}${banner}` },
    plugins: [{ name: 'module-url', setup: ({ onLoad }) => onLoad({ filter: /\.m?[jt]s$/ }, load) }],
    ...options,
  });
}
