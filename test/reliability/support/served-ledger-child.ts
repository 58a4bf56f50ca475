import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { serveLedger } from '../../support/graphql/served-ledger.js';
import { appendTransfers, type BlockOptions } from '../../support/streams/transfer-chain.js';

// GraphQL server of a node in a separate process, so that only the memory of the server is measured. Reads one
// command per line and writes one line per answer. A number appends blocks. `switch` replaces the newest block.
// `settle` appends a block that is solidified immediately. `usage` only returns memory and CPU time, which each
// answer contains.
const [, , dataDir = '', transactions = '1', memoBytes = '0'] = process.argv;
const { ledger, port } = await serveLedger(dataDir);
let switches = 0;
const answer = (value: object): boolean => process.stdout.write(`${JSON.stringify(value)}\n`);

/** Returns the anonymous memory of this process, in MiB. It excludes the mapped pages of the database. */
function anonymousMiB(): number {
  return Number(/RssAnon:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? 0) / 1024;
}

/** Returns the head, the anonymous memory in MiB, and the CPU time of this process so far, in ms. */
function usage(): object {
  const { user, system } = process.cpuUsage();
  return { head: ledger.position.headNumber, anonymousMiB: anonymousMiB(), cpuMs: (user + system) / 1000 };
}

answer({ port });
for await (const line of createInterface({ input: process.stdin })) {
  if (line === 'usage') {
    answer(usage());
    continue;
  }
  if (line === 'settle') append({ solidified: ledger.position.headNumber + 1 });
  else if (line === 'switch') switchHead();
  else for (let count = Number(line); count > 0; count--) append({ solidified: ledger.position.headNumber });
  await ledger.flush();
  answer(usage());
}
process.exit(0);

function append(options: BlockOptions): void {
  appendTransfers(ledger, { transactions: Number(transactions), memoBytes: Number(memoBytes), ...options });
}

function switchHead(): void {
  const { headNumber, solidifiedNumber } = ledger.position;
  if (headNumber <= solidifiedNumber) return;
  ledger.revert();
  append({ salt: `switch ${++switches}` });
}
