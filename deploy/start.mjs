// Runs `npm start`. Only a supported release of Node.js loads the other files.
import { readFileSync } from 'node:fs';
import { requireNode } from '../src/node-release.mjs';

const { engines } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
if (requireNode(engines.node)) void import('./start-network.mjs');
