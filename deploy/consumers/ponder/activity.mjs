// Transfers tokens, creates a vault and makes deposits. Usage: npm run activity
import { readFileSync } from 'node:fs';
import { call, deploymentFile, tronWeb } from './chain.mjs';

const { token, factory } = JSON.parse(readFileSync(deploymentFile, 'utf8'));
/** Addresses of other funded accounts of `npm start`. */
const receivers = ['TTqc8d8pYhh6EBNrs8cBNdK36cbeRRrsau', 'TA6WkFYsoiVruHZ7kntqUcaqToDBusAj83'];

for (const [at, receiver] of receivers.entries()) {
  await call(token.address, 'transfer(address,uint256)', receiver, 1_000_000 * (at + 1));
  await call(token.address, 'transfer(address,uint256)', receiver, 250_000);
}
const { log } = await call(factory.address, 'createVault()');
const vault = `0x${log[0].topics[1].slice(-40)}`;
for (const value of [10, 20, 30]) await call(vault, 'deposit(uint256)', value);
const { number } = (await tronWeb.trx.getCurrentBlock()).block_header.raw_data;
console.log(`transfers and deposits are in blocks up to ${number}, the new vault is ${vault}`);
