import { join } from 'node:path';
import pino from 'pino';
import type { Chain } from '../../../src/chain/chain.js';
import { produceBlock } from '../../../src/chain/production/produce-block.js';
import type { Transaction } from '../../../src/codec/generated/messages.js';
import { parseFlags } from '../../../src/config/flags.js';
import { loadConfig } from '../../../src/config/load-config.js';
import { openChain } from '../../../src/node/open-chain.js';
import { addressBytes, toAddress } from '../../../src/primitives/address.js';
import { present } from '../../../src/primitives/assert.js';
import { equalBytes, toHex } from '../../../src/primitives/bytes.js';
import { type DecodedBlock, decodeBlock } from '../../../src/state-transition/block/decoded-block.js';
import { scheduledWitness, slotAt } from '../../../src/state-transition/consensus/schedule.js';
import { ChainError } from '../../../src/state-transition/errors.js';
import { witnessKeyAddress } from '../../../src/state-transition/state/permissions.js';
import { decodeTransaction } from '../../../src/state-transition/transactions/decode-transaction.js';
import { type Actor, actorOf } from './actors.js';
import type { HeadFacts, Refusal } from './java-node.js';

/** Opens the chain of this node with the configuration file of both nodes. @param name name of the data folder */
export async function openOurs(folder: string, name: string, release: string): Promise<Chain> {
  const { config } = loadConfig({
    file: join(folder, 'config.conf'),
    flags: parseFlags(['--debug']).flags,
    defaults: { 'tronicle.history.retention': 'all', 'tronicle.release': release },
  });
  return openChain({ config, dataDir: join(folder, name), log: pino({ level: 'fatal' }) });
}

export function offerOurs(chain: Chain, transaction: Transaction): Refusal | undefined {
  return refusalOf(() => chain.mempool.add(decodeTransaction(transaction)));
}

/**
 * Pushes a block. The remaining transactions stay pending if `keeps` is true; otherwise they are deleted. Returns the
 * exception of a rejected block.
 */
export function pushOurs(chain: Chain, block: DecodedBlock, keeps = false): Refusal | undefined {
  const refusal = refusalOf(() => chain.importBlock(block));
  if (!keeps) chain.mempool.clear();
  return refusal;
}

/**
 * Submits the transactions again that were pending before the last block.
 * @returns ids of the pending transactions, in order
 */
export function offerOursAgain({ mempool }: Chain): string[] {
  mempool.reinject();
  return mempool.pending.values().map(({ transaction }) => transaction.idHex);
}

function refusalOf(run: () => void): Refusal | undefined {
  try {
    run();
    return undefined;
  } catch (error) {
    if (!(error instanceof ChainError)) throw error;
    return { error: error.exception, text: error.text };
  }
}

/**
 * Returns the scheduled witness and the signer of its block. The signer has the witness key, or else the key of the
 * witness address. It is undefined if neither key is known.
 */
export function turnAt({ state }: Chain, timeMs: number): { witness: Uint8Array; signer: Actor | undefined } {
  const address = scheduledWitness(state, slotAt(state, timeMs));
  const account = state.account(address);
  const key = account === undefined ? undefined : actorOf(toAddress(witnessKeyAddress(account)));
  return { witness: addressBytes(address), signer: key ?? actorOf(address) };
}

/**
 * Produces a block from the pending transactions without pushing it. Returns undefined if the signer may not sign for
 * the witness.
 */
export function makeOurs(chain: Chain, witness: Uint8Array, signer: Actor, timeMs: number): DecodedBlock | undefined {
  const { headNumber, headId } = chain.ledger.position;
  return produceBlock(chain.state, chain.mempool, {
    witness: toAddress(witness),
    key: { privateKey: signer.key, address: signer.bytes },
    timeMs,
    parent: { number: headNumber, id: headId, stateRoot: () => chain.headStateRoot() },
    isSorted: chain.mempool.pending.isSorted,
    isTimeUp: () => false,
  });
}

/** Pushes the blocks of another chain. Starts after block `base`, which both chains have. */
export function followOurs(chain: Chain, { ledger }: Chain, base: number): void {
  if (equalBytes(chain.ledger.position.headId, ledger.position.headId)) return;
  chain.rollback(base);
  for (let number = base + 1; number <= ledger.position.headNumber; number++) {
    pushOurs(chain, decodeBlock(present(ledger.block(number), 'the log has every block').block));
  }
}

export function headOfOurs({ ledger, solidifiedNumber }: Chain): HeadFacts {
  const { headNumber, headId } = ledger.position;
  const infos = toHex(ledger.block(headNumber)?.results ?? new Uint8Array(0));
  return { number: headNumber, id: toHex(headId), solidified: solidifiedNumber, infos };
}
