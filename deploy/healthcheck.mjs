// Health check. The exit code is 0 if the node answers with status 200. The argument is the URL; default: that of
// `/healthz`.
const [, , address = 'http://127.0.0.1:8080/healthz'] = process.argv;
try {
  const reply = await fetch(address, { signal: AbortSignal.timeout(4000) });
  const text = await reply.text();
  if (reply.status !== 200) throw new Error(`status ${reply.status}: ${text}`);
} catch (error) {
  console.error(`unhealthy: ${error.cause?.message ?? error.message}`);
  process.exitCode = 1;
}
