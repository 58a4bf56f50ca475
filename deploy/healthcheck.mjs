// Health check of the container: exit code 0 if the node returns its newest block. Argument: URL of its HTTP interface.
const [, , address = 'http://127.0.0.1:8090'] = process.argv;
try {
  const reply = await fetch(`${address}/wallet/getnowblock`, { signal: AbortSignal.timeout(4000) });
  const block = await reply.json();
  if (typeof block.blockID !== 'string') throw new Error(`status ${reply.status} without a block`);
} catch (error) {
  console.error(`no head block: ${error.cause?.message ?? error.message}`);
  process.exitCode = 1;
}
