import { createServer, type Server } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { EXPOSITION_TYPE, exposition } from './exposition.js';
import type { MetricSnapshot } from './metric-set.js';

/** Returns the current metrics of a thread. */
export type MetricSource = () => Promise<MetricSnapshot>;

/** Maximum number of connections to the port of the exporter. */
const CONNECTIONS_MAX = 64;
const REQUEST_TIMEOUT_MS = 10_000;

/** Adds the path `/metrics` to the server of the status page. */
export function serveMetricsPath(app: FastifyInstance, sources: readonly MetricSource[]): void {
  app.get('/metrics', async (_, reply) => reply.type(EXPOSITION_TYPE).send(await metricsText(sources)));
}

/**
 * Creates the exporter for the port `node.metrics.prometheus.port`. The caller starts to listen. The response to
 * `/-/healthy` is a short text. The response to any other path is the metrics. Reference:
 * io.prometheus.client.exporter.HTTPServer.
 */
export function createExporter(sources: readonly MetricSource[]): Server {
  const server = createServer({ requestTimeout: REQUEST_TIMEOUT_MS, maxHeaderSize: 8192 }, (request, response) => {
    const end = (status: number, text: string): void => {
      response.writeHead(status, { 'content-type': EXPOSITION_TYPE, 'content-length': Buffer.byteLength(text) });
      response.end(request.method === 'HEAD' ? undefined : text);
    };
    if (request.url === '/-/healthy') return end(200, 'Exporter is Healthy.');
    metricsText(sources).then(
      (text) => end(200, text),
      () => end(500, ''),
    );
  });
  server.maxConnections = CONNECTIONS_MAX;
  return server;
}

async function metricsText(sources: readonly MetricSource[]): Promise<string> {
  return exposition(await Promise.all(sources.map((source) => source())));
}
