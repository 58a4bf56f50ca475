// Compiles Contracts.sol to contracts.json. This is needed only after a change of the contracts, with solc in a folder
// of its own: npm install --prefix <folder> solc@0.8.37 && node compile.mjs <folder>
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';

const solc = createRequire(`${resolve(process.argv[2] ?? '.')}/`)('solc');
const here = (name) => new URL(name, import.meta.url);
const { contracts, errors = [] } = JSON.parse(
  solc.compile(
    JSON.stringify({
      language: 'Solidity',
      sources: { 'Contracts.sol': { content: readFileSync(here('Contracts.sol'), 'utf8') } },
      settings: {
        evmVersion: 'paris',
        optimizer: { enabled: true, runs: 200 },
        metadata: { appendCBOR: false },
        outputSelection: {
          '*': { '*': ['evm.deployedBytecode.object', 'evm.methodIdentifiers', 'storageLayout'] },
        },
      },
    }),
  ),
);
if (contracts === undefined) throw new Error(errors.map(({ formattedMessage }) => formattedMessage).join('\n'));
const compiled = Object.entries(contracts['Contracts.sol']).map(([name, { evm, storageLayout }]) => [
  name,
  {
    code: evm.deployedBytecode.object,
    methods: evm.methodIdentifiers,
    slots: Object.fromEntries(storageLayout.storage.map(({ label, slot, offset }) => [label, [Number(slot), offset]])),
  },
]);
writeFileSync(here('contracts.json'), `${JSON.stringify(Object.fromEntries(compiled), undefined, 1)}\n`);
