// Preload of a node (`--import`). After each SIGUSR2, it runs a garbage collection in every thread of the process. Then
// it appends a line to the file LIVE_MEMORY_FILE: a JSON object with the live bytes of each thread.
import { appendFileSync } from 'node:fs';
import { Session } from 'node:inspector';

/** Expression for the memory of a thread: its heap, and memory outside of the heap that its objects own. */
const LIVE_BYTES = '(({ heapUsed, external }) => heapUsed + external)(process.memoryUsage())';
/** Time limit for the answers of all threads, in ms. The line omits threads that do not answer in time. */
const ANSWER_MS = 5000;

const main = new Session();
main.connect();
/** Threads by inspector session: name, and callbacks of unanswered requests by message number. */
const workers = new Map();
let sent = 0;

main.on('NodeWorker.attachedToWorker', ({ params: { sessionId, workerInfo } }) =>
  workers.set(sessionId, { name: workerInfo.title, callbacks: new Map() }),
);
main.on('NodeWorker.detachedFromWorker', ({ params: { sessionId } }) => workers.delete(sessionId));
main.on('NodeWorker.receivedMessageFromWorker', ({ params: { sessionId, message } }) => {
  const { id, result } = JSON.parse(message);
  workers.get(sessionId)?.callbacks.get(id)?.(result);
});
main.post('NodeWorker.enable', { waitForDebuggerOnStart: false });

const requestMain = (method, params) =>
  new Promise((resolve, reject) => {
    main.post(method, params, (error, result) => (error ? reject(error) : resolve(result)));
  });
const requestWorker = (sessionId, callbacks) => (method, params) =>
  new Promise((resolve) => {
    const id = ++sent;
    callbacks.set(id, resolve);
    main.post('NodeWorker.sendMessageToWorker', { sessionId, message: JSON.stringify({ id, method, params }) });
  });

async function liveBytes(request) {
  // Objects with finalizers release their memory after the first collection.
  for (let i = 0; i < 2; i++) await request('HeapProfiler.collectGarbage', {});
  const { result } = await request('Runtime.evaluate', { expression: LIVE_BYTES });
  return result.value;
}

process.on('SIGUSR2', async () => {
  const threads = { main: await liveBytes(requestMain) };
  const answers = [...workers].map(async ([sessionId, { name, callbacks }]) => {
    threads[`${sessionId} ${name}`] = await liveBytes(requestWorker(sessionId, callbacks));
  });
  await Promise.race([Promise.all(answers), new Promise((resolve) => setTimeout(resolve, ANSWER_MS))]);
  appendFileSync(process.env.LIVE_MEMORY_FILE, `${JSON.stringify(threads)}\n`);
});
