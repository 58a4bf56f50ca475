// Generates the tables of README.md, the tables of sinks and movements in ../docs/streams.md, the table of indexes in
// ../docs/indexes.md, the options in ../docs/commands.md, and the schemas of records in ../docs/public/schemas, from the
// rows in src. Run `npm run build` first.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { configReference, movementReference, schemaFiles, sinkReference } from '../dist/config/document.js';
import { withCommandReference } from '../dist/node/command-line/document.js';
import { indexReference } from '../dist/projections/indexes/indexes.js';

const keys = new URL('README.md', import.meta.url);
const text = readFileSync(keys, 'utf8');
writeFileSync(keys, text.slice(0, text.indexOf('## Keys')) + configReference());

const streams = new URL('../docs/streams.md', import.meta.url);
const replaced = readFileSync(streams, 'utf8').replace(/^\| `type` [^]*?(?=\n\n)/m, sinkReference);
writeFileSync(streams, replaced.replace(/^\| `kind` \| movement[^]*?(?=\n\n)/m, movementReference));

const indexes = new URL('../docs/indexes.md', import.meta.url);
writeFileSync(indexes, readFileSync(indexes, 'utf8').replace(/^\| name \| list [^]*?(?=\n\n)/m, indexReference));

const commands = new URL('../docs/commands.md', import.meta.url);
writeFileSync(commands, withCommandReference(readFileSync(commands, 'utf8')));

const schemas = new URL('../docs/public/schemas/', import.meta.url);
rmSync(schemas, { recursive: true, force: true });
mkdirSync(schemas, { recursive: true });
for (const [name, text] of schemaFiles()) writeFileSync(new URL(name, schemas), text);
