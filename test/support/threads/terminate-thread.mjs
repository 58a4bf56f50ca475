// The option `--import` loads this module into a node before the main module. Each SIGUSR2 terminates the next thread of
// the list in TERMINATED_THREADS, as if the thread had failed.
const threads = new Set();
const names = process.env['TERMINATED_THREADS'].split(',');

process.on('worker', (thread) => {
  threads.add(thread);
  thread.once('exit', () => threads.delete(thread));
});
process.on('SIGUSR2', () => {
  const name = names.shift();
  for (const thread of threads) if (thread.threadName === name) void thread.terminate();
});
