// Sends the transactions of the example with TronWeb. JSON-RPC cannot send TRON transactions.
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { TronWeb } from 'tronweb';

/** Private key of the first funded account of `npm start`. The key is public. */
const KEY = 'b9e04eab4fe9dc5eee2de3906d9336d57c509b6a729c5823d9b085c39b93f200';
const FEE_LIMIT = 1_000_000_000;

export const contracts = JSON.parse(readFileSync(new URL('contracts/contracts.json', import.meta.url), 'utf8'));
export const deploymentFile = new URL('deployment.json', import.meta.url);
export const tronWeb = new TronWeb({
  fullHost: process.env.TRON_NODE ?? 'http://localhost:8090',
  privateKey: KEY,
});
export const owner = tronWeb.defaultAddress.base58;

/** Deploys a contract. @returns its address (20 bytes) and the height of its block */
export async function deploy(name, parameters = []) {
  const { abi, bytecode } = contracts[name];
  const options = { abi, bytecode, name, feeLimit: FEE_LIMIT, parameters };
  const unsigned = await tronWeb.transactionBuilder.createSmartContract(options, owner);
  const { blockNumber } = await send(unsigned);
  return { address: `0x${unsigned.contract_address.slice(2)}`, block: blockNumber };
}

/** Calls a contract function in a transaction. @param address contract address, 20 bytes @returns the receipt */
export async function call(address, signature, ...values) {
  const types = /\((.*)\)/.exec(signature)[1].split(',').filter(Boolean);
  const { transaction } = await tronWeb.transactionBuilder.triggerSmartContract(
    `41${address.slice(2)}`,
    signature,
    { feeLimit: FEE_LIMIT },
    types.map((type, at) => ({ type, value: values[at] })),
    owner,
  );
  return send(transaction);
}

/** Sends a transaction and waits for its receipt. @throws {Error} the node rejects the transaction, or it fails */
async function send(unsigned) {
  const signed = await tronWeb.trx.sign(unsigned);
  const { result, code } = await tronWeb.trx.sendRawTransaction(signed);
  if (result !== true) throw new Error(`refused: ${code}`);
  for (;;) {
    const info = await tronWeb.trx.getUnconfirmedTransactionInfo(signed.txID);
    if (info.id !== undefined && info.receipt.result !== 'SUCCESS') throw new Error(`failed: ${info.receipt.result}`);
    if (info.id !== undefined) return info;
    await sleep(100);
  }
}
