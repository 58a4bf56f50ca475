// Installs packages, builds, and runs a private network on this machine.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { prepare, root } from './prepare.mjs';

prepare();
const node = spawn(process.execPath, [join(root, 'dist/node/main.js'), 'devnet', ...process.argv.slice(2)], {
  cwd: root,
  stdio: ['ignore', 'inherit', 'inherit'],
  // See deploy/README.md, section Memory. Options of the caller come later, so they take precedence.
  env: { ...process.env, NODE_OPTIONS: `--max-semi-space-size=64 ${process.env.NODE_OPTIONS ?? ''}` },
});
for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => node.kill('SIGTERM'));
node.on('exit', (code, signal) => process.exit(code ?? (signal === null ? 0 : 1)));
