// Loaded into a node before its main module (`--import`): SIGUSR2 terminates the thread that TERMINATED_THREAD names, as
// a failure in it would.
const threads = new Set();

process.on('worker', (thread) => {
  threads.add(thread);
  thread.once('exit', () => threads.delete(thread));
});
process.on('SIGUSR2', () => {
  for (const thread of threads) if (thread.threadName === process.env['TERMINATED_THREAD']) void thread.terminate();
});
