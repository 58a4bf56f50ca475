// Loads a TypeScript module in a worker thread. A worker thread does not inherit the loader of the Node.js option
// --import.
import { register } from 'tsx/esm/api';

register();
await import('./reader-thread.ts');
