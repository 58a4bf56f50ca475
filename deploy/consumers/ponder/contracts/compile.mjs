// Compiles Contracts.sol to contracts.json. This is needed only after a change of the contracts. Usage: npm run compile
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const solc = createRequire(import.meta.url)('solc');
const here = (name) => new URL(name, import.meta.url);
const { contracts, errors = [] } = JSON.parse(
  solc.compile(
    JSON.stringify({
      language: 'Solidity',
      sources: { 'Contracts.sol': { content: readFileSync(here('Contracts.sol'), 'utf8') } },
      settings: {
        evmVersion: 'shanghai',
        optimizer: { enabled: true, runs: 200 },
        metadata: { appendCBOR: false },
        outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object'] } },
      },
    }),
  ),
);
if (contracts === undefined) throw new Error(errors.map(({ formattedMessage }) => formattedMessage).join('\n'));
const compiled = Object.entries(contracts['Contracts.sol']).map(([name, { abi, evm }]) => [
  name,
  { abi, bytecode: evm.bytecode.object },
]);
writeFileSync(here('contracts.json'), `${JSON.stringify(Object.fromEntries(compiled), undefined, 1)}\n`);
