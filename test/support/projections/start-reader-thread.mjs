// Loads a TypeScript module in a worker thread, which does not inherit the loader of Node's option --import.
import { register } from 'tsx/esm/api';

register();
await import('./reader-thread.ts');
