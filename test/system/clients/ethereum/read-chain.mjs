// Common part of the JavaScript clients. It reads the request from standard input and prints the answer as one line of
// JSON. The answer has, for each JSON-RPC method, the value that the client read or the error.
import { text } from 'node:stream/consumers';

/** @param connect makes the readers of a request, by the names of their methods; the request names those that run */
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

/** Every block up to the head. @param read number of transactions of a block */
export async function countBlocks(head, read) {
  let transactions = 0;
  for (let number = 0; number <= head; number++) {
    transactions += await read(number).catch((error) => {
      throw new Error(`block ${number}: ${error.message}`, { cause: error });
    });
  }
  return `${head + 1} ${transactions}`;
}

/** Text of figures of a history of fees. */
export const feesOf = (oldest, base, used, reward) => `${oldest} ${base.length} ${used.length} ${reward.length}`;
