import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import pino from 'pino';
import type { Chain } from '../../../src/chain/chain.js';
import {
  Any,
  Block,
  BlockHeader,
  BlockHeaderRaw,
  TransactionContractContractType as ContractType,
  DelegateResourceContract,
  Transaction,
  TransactionContract,
  TransactionRaw,
  TransactionRet,
  TransferContract,
  TriggerSmartContract,
} from '../../../src/codec/generated/messages.js';
import { parseFlags } from '../../../src/config/flags.js';
import { loadConfig } from '../../../src/config/load-config.js';
import { openChain } from '../../../src/node/open-chain.js';
import { addressBytes } from '../../../src/primitives/address.js';
import { fromInt64 } from '../../../src/primitives/bytes.js';
import { type DecodedBlock, toDecodedBlock } from '../../../src/state-transition/block/decoded-block.js';
import {
  SLOT_MS,
  scheduledWitness,
  slotAt as slotOfTime,
  slotTime,
} from '../../../src/state-transition/consensus/schedule.js';
import { cpuMs } from '../../support/cpu-clock.js';
import { seeded } from '../../support/projections/chain.js';
import type { ScaleFigures } from './scale-figures.js';
import { accountAt, CONTRACT, scaleChain, slotAt } from './scale-source.js';

const BLOCKS = 60;
const WARM_BLOCKS = 10;
const TRANSACTIONS = 200;
const SIGNATURE_BYTES = 65;

/** Two accounts, and their two storage slots of the contract. */
interface Pair {
  readonly from: Uint8Array;
  readonly to: Uint8Array;
  readonly slots: Uint8Array;
}

function pair(random: (below: number) => number, accounts: number): Pair {
  const [a, step] = [random(accounts), 1 + random(accounts - 1)];
  const b = (a + step) % accounts;
  const slots = Buffer.concat([slotAt(a, accounts), slotAt(b, accounts)]);
  return { from: accountAt(a, accounts), to: accountAt(b, accounts), slots };
}

/** Creates the fields of one transaction between a pair of accounts: contract type, encoded contract, fee limit. */
type Make = (pair: Pair) => readonly [type: keyof typeof ContractType, value: Uint8Array, feeLimit: bigint];

const kinds: Readonly<Record<string, Make>> = {
  transfers: ({ from, to }) => [
    'TransferContract',
    TransferContract.encode(
      Object.assign(new TransferContract(), {
        ownerAddress: from,
        toAddress: to,
        amount: 1n,
      }),
    ),
    0n,
  ],
  'token calls': ({ from, slots }) => [
    'TriggerSmartContract',
    TriggerSmartContract.encode(
      Object.assign(new TriggerSmartContract(), {
        ownerAddress: from,
        contractAddress: addressBytes(CONTRACT),
        data: slots,
      }),
    ),
    100_000_000n,
  ],
  delegations: ({ from, to }) => [
    'DelegateResourceContract',
    DelegateResourceContract.encode(
      Object.assign(new DelegateResourceContract(), {
        ownerAddress: from,
        receiverAddress: to,
        balance: 1_000_000n,
      }),
    ),
    0n,
  ],
};

/**
 * Measures blocks whose transactions are between random accounts of a large state. Reports the time, and the number of
 * database reads. Signatures are not checked.
 */
export async function measureBlocks(dataDir: string, accounts: number, figures: ScaleFigures): Promise<void> {
  // Disables the full data check. It would keep a snapshot open, and LMDB could not reuse pages.
  const { config } = loadConfig({
    file: join(scaleChain, 'config.conf'),
    flags: parseFlags([]).flags,
    defaults: { 'tronicle.check': 'off' },
  });
  const chain = await openChain({ config, dataDir, log: pino({ level: 'fatal' }) });
  const random = seeded(accounts);
  try {
    await measureMaintenance(chain, figures);
    await solidify(chain);
    for (const [kind, make] of Object.entries(kinds))
      await measureKind(chain, dataDir, { kind, make: () => make(pair(random, accounts)) }, figures);
  } finally {
    await chain.ledger.close();
  }
}

/** Measures a maintenance block. It counts up to a million changed votes for about 400 candidates. */
async function measureMaintenance(chain: Chain, figures: ScaleFigures): Promise<void> {
  const { properties } = chain.state;
  const next = properties.number('NEXT_MAINTENANCE_TIME');
  const block = blockOf(chain, [], next);
  const [started, cpuStarted] = [performance.now(), cpuMs()];
  chain.importBlock(block, { isOwn: true });
  const counted = performance.now();
  await chain.ledger.flush();
  const stored = performance.now();
  const seconds = (from: number, to: number): string => ((to - from) / 1000).toFixed(2);
  figures.note('maintenance', (stored - started) / 1000, 's', (stored - started) / SLOT_MS);
  console.log(
    `   maintenance: ${seconds(started, counted)} s to execute, ${seconds(counted, stored)} s to store, ` +
      `${((cpuMs() - cpuStarted) / 1000).toFixed(2)} s of processor, RssAnon ${(anonymousKb() / 1000).toFixed(0)} MB`,
  );
  if (properties.number('NEXT_MAINTENANCE_TIME') === next) throw new Error('the block was no maintenance');
}

/**
 * Appends empty blocks until the maintenance block is solidified. Other measurements then do not include its changes,
 * which were in memory before.
 */
async function solidify(chain: Chain): Promise<void> {
  const { properties } = chain.state;
  const counted = chain.ledger.position.headNumber;
  while (properties.number('LATEST_SOLIDIFIED_BLOCK_NUM') <= counted) {
    chain.importBlock(blockOf(chain, []), { isOwn: true });
    await chain.ledger.flush();
    await new Promise((resolve) => setImmediate(resolve));
  }
}

interface MeasuredKind {
  readonly kind: string;
  readonly make: () => ReturnType<Make>;
}

async function measureKind(
  chain: Chain,
  dataDir: string,
  { kind, make }: MeasuredKind,
  figures: ScaleFigures,
): Promise<void> {
  const reads = countReads(chain);
  const times: number[] = [];
  const cpuTimes: number[] = [];
  const before = { faults: faults(), bytes: fileBytes(dataDir) };
  let readsBefore = 0;
  for (let at = 0; at < BLOCKS; at++) {
    if (at === WARM_BLOCKS) readsBefore = reads.count;
    const block = blockOf(chain, Array.from({ length: TRANSACTIONS }, make));
    const [started, cpuStarted] = [performance.now(), cpuMs()];
    chain.importBlock(block, { isOwn: true });
    await chain.ledger.flush();
    if (at >= WARM_BLOCKS) {
      times.push(performance.now() - started);
      cpuTimes.push(cpuMs() - cpuStarted);
    }
    // A snapshot ends at the end of a turn of the event loop. Without another turn, LMDB could not reuse pages.
    await new Promise((resolve) => setImmediate(resolve));
  }
  reads.stop();
  requireSuccess(chain, kind);
  for (const list of [times, cpuTimes]) list.sort((a, b) => a - b);
  const count = (BLOCKS - WARM_BLOCKS) * TRANSACTIONS;
  const perSecond = (count * 1000) / times.reduce((sum, time) => sum + time, 0);
  const { major, minor } = faults();
  figures.compare(`blocks, ${kind}`, 1e6 / perSecond, 'µs/tx');
  console.log(
    `   ${kind}: ${perSecond.toFixed(0)} tx/s, block of ${TRANSACTIONS} median ${times[times.length >> 1]!.toFixed(1)} ms ` +
      `(${cpuTimes[cpuTimes.length >> 1]!.toFixed(1)} ms of processor on all threads), ` +
      `p99 ${times.at(-1)!.toFixed(1)} ms, ${((reads.count - readsBefore) / count).toFixed(1)} reads/tx, ` +
      `page faults ${major - before.faults.major} from disk and ${minor - before.faults.minor}, ` +
      `files +${((fileBytes(dataDir) - before.bytes) / BLOCKS / TRANSACTIONS).toFixed(0)} bytes/tx, ` +
      `RssAnon ${(anonymousKb() / 1000).toFixed(0)} MB`,
  );
}

/** Counts the reads of state rows from the database. Reads from the cache of decoded rows are not counted. */
function countReads({ ledger }: Chain): { readonly count: number; stop(): void } {
  const { head } = ledger;
  const { get } = head;
  const counter = {
    count: 0,
    stop: () => {
      head.get = get;
    },
  };
  head.get = (store, key) => {
    counter.count++;
    return get.call(head, store, key);
  };
  return counter;
}

/** Creates the next block with these transactions, as its witness would. @param notBefore earliest time of its slot */
function blockOf(chain: Chain, contracts: readonly ReturnType<Make>[], notBefore = 0): DecodedBlock {
  const { state, ledger } = chain;
  const { headNumber, headId } = ledger.position;
  const head = state.properties.get('latest_block_header_timestamp');
  const first = slotTime(state, 1);
  const time = slotTime(state, 1 + Math.max(0, Math.ceil((notBefore - first) / SLOT_MS)));
  const transactions = contracts.map(([type, value, feeLimit], at) => {
    const parameter = Object.assign(new Any(), { typeUrl: `type.googleapis.com/protocol.${type}`, value });
    const rawData = Object.assign(new TransactionRaw(), {
      refBlockBytes: fromInt64(BigInt(headNumber)).subarray(6),
      refBlockHash: headId.subarray(8, 16),
      expiration: head + 60_000n,
      timestamp: head + BigInt(at),
      feeLimit,
      contract: [Object.assign(new TransactionContract(), { type: ContractType[type], parameter })],
    });
    return Object.assign(new Transaction(), { rawData, signature: [new Uint8Array(SIGNATURE_BYTES)] });
  });
  const rawData = Object.assign(new BlockHeaderRaw(), {
    number: BigInt(headNumber + 1),
    timestamp: BigInt(time),
    parentHash: headId,
    witnessAddress: addressBytes(scheduledWitness(state, slotOfTime(state, time))),
    version: chain.state.rules.release.blockVersion,
  });
  return toDecodedBlock(
    Object.assign(new Block(), { transactions, blockHeader: Object.assign(new BlockHeader(), { rawData }) }),
  );
}

/**
 * Checks the results of a block, because the measurement is meaningless if a transaction failed.
 * @throws {Error} a transaction failed
 */
function requireSuccess({ ledger }: Chain, kind: string): void {
  const { transactioninfo } = TransactionRet.decode(ledger.block(ledger.position.headNumber)!.results);
  const failed = transactioninfo.find(({ result, receipt }) => result !== 0 || (receipt?.result ?? 0) > 1);
  if (failed !== undefined)
    throw new Error(`${kind}: a transaction failed: ${Buffer.from(failed.resMessage).toString()}`);
}

function faults(): { readonly major: number; readonly minor: number } {
  const { majorPageFault: major, minorPageFault: minor } = process.resourceUsage();
  return { major, minor };
}

function fileBytes(dataDir: string): number {
  return ['log', 'state'].reduce((sum, folder) => sum + statSync(join(dataDir, folder, 'data.mdb')).size, 0);
}

function anonymousKb(): number {
  return Number(/RssAnon:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? 0);
}
