// Common part of the JavaScript clients. Reads the request from standard input and prints the answer as one line of
// JSON. For each JSON-RPC method, the answer has the value that the client has read, or the error.
import { text } from 'node:stream/consumers';

/**
 * @param connect returns a function per JSON-RPC method that reads its value. Runs only the functions of methods that
 * the request names.
 */
export async function readChain(connect) {
  const request = JSON.parse(await text(process.stdin));
  const { readers, close } = await connect(request);
  const seen = {};
  for (const method of request.methods) {
    const read = readers[method];
    if (read === undefined) continue;
    seen[method] = await read().then(String, (error) => `error: ${error.stack ?? error.message}`);
  }
  process.stdout.write(JSON.stringify(seen));
  await close?.();
  process.exit();
}

/**
 * Reads every block up to the head and counts the transactions.
 * @param read returns the number of transactions of a block
 */
export async function countBlocks(head, read) {
  let transactions = 0;
  for (let number = 0; number <= head; number++) {
    transactions += await read(number).catch((error) => {
      throw new Error(`block ${number}: ${error.message}`, { cause: error });
    });
  }
  return `${head + 1} ${transactions}`;
}

/** Returns the figures of a fee history as text. */
export const feesOf = (oldest, base, used, reward) => `${oldest} ${base.length} ${used.length} ${reward.length}`;
