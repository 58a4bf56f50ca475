import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const tap = fileURLToPath(new URL('../../../node_modules/.bin/tap', import.meta.url));

/** Runs a test file. @returns the output @throws {Error} a test failed; the text contains the end of the output */
export async function runTests(file: string, env: NodeJS.ProcessEnv, timeoutS: number): Promise<string> {
  const options = ['--disable-coverage', '--allow-empty-coverage', '--timeout', String(timeoutS), file];
  const child = spawn(tap, options, { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.on('data', (chunk) => {
    output += chunk;
  });
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
  if (code !== 0) throw new Error(`${file}: ${output.slice(-2000)}`);
  return output;
}
