// Writes the tables of README.md anew from the rows in src/node/config; needs `npm run build`.
import { readFileSync, writeFileSync } from 'node:fs';
import { configReference } from '../dist/node/config/document.js';

const file = new URL('README.md', import.meta.url);
const text = readFileSync(file, 'utf8');
writeFileSync(file, text.slice(0, text.indexOf('## Keys')) + configReference());
