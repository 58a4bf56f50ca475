import {
  TransactionContractContractType as ContractType,
  TransactionRet,
} from '../../../src/codec/generated/messages.js';
import { ADDRESS_BYTES, toAddress } from '../../../src/primitives/address.js';
import { equalBytes, utf8 } from '../../../src/primitives/bytes.js';
import { decodeBlock } from '../../../src/state-transition/block/decoded-block.js';
import type { DecodedTransaction } from '../../../src/state-transition/transaction.js';
import { actorOf } from './actors.js';
import { isProxy } from './families/contracts.js';
import { isLogEmitter } from './families/log-emitters.js';
import type { Scene } from './scene.js';

/** Note of an internal transaction that creates a contract. */
const CREATE_NOTE = utf8('create');
const RUNS_MAX = 30;

/** Adds the calls and the new contracts of the head block to the scene, so that later transactions can use them. */
export function noteBlock(scene: Scene): void {
  const { ledger } = scene.chain;
  const entry = ledger.block(ledger.position.headNumber);
  if (entry === undefined) return;
  const { transactions } = decodeBlock(entry.block);
  const infos = TransactionRet.decode(entry.results).transactioninfo;
  for (const [at, { contractAddress, internalTransactions, receipt }] of infos.entries()) {
    noteRun(scene, transactions[at], receipt?.energyUsageTotal ?? 0n);
    noteContract(scene, contractAddress);
    const created = internalTransactions.filter(({ note }) => equalBytes(note, CREATE_NOTE));
    for (const { transferToAddress } of created) noteContract(scene, transferToAddress);
  }
}

function noteRun({ runs }: Scene, transaction: DecodedTransaction | undefined, energy: bigint): void {
  const value = transaction?.raw.contract[0]?.parameter?.value;
  if (transaction === undefined || value === undefined || energy === 0n) return;
  const { contractType, owner } = transaction;
  const type = contractType === ContractType.CreateSmartContract ? 'CreateSmartContract' : 'TriggerSmartContract';
  runs.push({ type, value, owner, energy });
  if (runs.length > RUNS_MAX) runs.shift();
}

function noteContract(scene: Scene, bytes: Uint8Array): void {
  const { state, contracts, proxies, logEmitters } = scene;
  const address = toAddress(bytes);
  if (bytes.length !== ADDRESS_BYTES || actorOf(address) !== undefined || contracts.includes(address)) return;
  contracts.push(address);
  if (isProxy(state, bytes)) proxies.push(address);
  if (isLogEmitter(scene, address)) logEmitters.push(address);
}
