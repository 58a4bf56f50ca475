// Loads tsx in programs that a test file starts with the Node.js options of its own process, because these programs are
// TypeScript. Does not load tsx in the test file itself, which is compiled: loading tap would take a second longer.
import { isCompiledTest } from './bundle.mjs';

if (!isCompiledTest(process.argv[1] ?? '')) await import('tsx');
