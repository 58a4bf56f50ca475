// Loads tsx in the programs that a test file starts with its own Node.js options, because these programs are TypeScript.
// The test file itself is compiled. With tsx it would take a second more to load tap.
import { isCompiledTest } from './bundle.mjs';

if (!isCompiledTest(process.argv[1] ?? '')) await import('tsx');
