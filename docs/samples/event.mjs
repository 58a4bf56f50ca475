// Deploys a contract that emits `Counted(address indexed who, uint256 value)` at each call, and calls the contract once.
// Prints the address of the contract and the id of the call's transaction. Requires: npm install tronweb
import { TronWeb } from 'tronweb';

/** Private key of the first account of the private network. This key is public. */
const privateKey = process.argv[2];
const tronWeb = new TronWeb({ fullNode: 'http://127.0.0.1:8090', solidityNode: 'http://127.0.0.1:8091', eventServer: 'http://127.0.0.1:8090', privateKey });
const owner = tronWeb.defaultAddress.base58;
const abi = [
  {
    type: 'event',
    name: 'Counted',
    inputs: [
      { name: 'who', type: 'address', indexed: true },
      { name: 'value', type: 'uint256', indexed: false },
    ],
  },
  { type: 'function', name: 'count', inputs: [], outputs: [], stateMutability: 'nonpayable' },
];
const topic = tronWeb.sha3('Counted(address,uint256)', false);
// MSTORE(0, 42); LOG2(0, 32, topic, CALLER); STOP
const runtime = `602a60005233${`7f${topic}`}60206000a200`;
const size = (runtime.length / 2).toString(16);
// CODECOPY and RETURN of the code after these twelve bytes.
const bytecode = `60${size}600c60003960${size}6000f3${runtime}`;

const created = await tronWeb.transactionBuilder.createSmartContract(
  { abi, bytecode, feeLimit: 1_000_000_000, callValue: 0, name: 'Counter' },
  owner,
);
await confirmed(await tronWeb.trx.sign(created));
const contract = tronWeb.address.fromHex(created.contract_address);
const call = await tronWeb.transactionBuilder.triggerSmartContract(contract, 'count()', { feeLimit: 1e9 }, [], owner);
console.log(contract, await confirmed(await tronWeb.trx.sign(call.transaction)));

/** Sends a transaction, and waits until a solidified block contains it. */
async function confirmed(signed) {
  const { result, message } = await tronWeb.trx.sendRawTransaction(signed);
  if (!result) throw new Error(message);
  for (let tries = 0; tries < 100; tries++) {
    const info = await tronWeb.trx.getTransactionInfo(signed.txID);
    if (info.receipt?.result === 'SUCCESS') return signed.txID;
    if (info.receipt !== undefined) throw new Error(JSON.stringify(info));
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  throw new Error(`${signed.txID} was not confirmed`);
}
