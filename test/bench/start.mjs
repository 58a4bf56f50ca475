// Runs `npm run bench`: compiles the measurements as `src/build.mjs` compiles the node, and starts them. With tsx, the
// same code would take longer, because tsx names each function at run time.
import { spawn } from 'node:child_process';
import { bundleTests } from '../bundle.mjs';

const PROGRAM = 'test/bench/run.ts';
const loadTsx = new URL('../load-tsx.mjs', import.meta.url).href;

const compiled = await bundleTests([PROGRAM]);
try {
  const options = ['--max-semi-space-size=64', '--enable-source-maps', '--import', loadTsx];
  const bench = spawn(process.execPath, [...options, compiled.fileOf(PROGRAM), ...process.argv.slice(2)], {
    stdio: 'inherit',
    // `tronicle` also runs libraries in production mode.
    env: { NODE_ENV: 'production', ...process.env },
  });
  // Ctrl+C reaches both processes. This process ends after the other one, and removes the compiled files.
  process.on('SIGINT', () => {});
  process.exitCode = await new Promise((done) => bench.once('close', (code) => done(code ?? 1)));
} finally {
  compiled.remove();
}
