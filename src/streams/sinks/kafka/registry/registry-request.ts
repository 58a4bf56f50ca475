import { readFileSync } from 'node:fs';
import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { TlsFiles } from '../kafka-options.js';

interface RegistryRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: object;
  readonly tls: TlsFiles;
  /** Maximum time in ms from the request to the end of the response. */
  readonly timeoutMs: number;
}

interface RegistryResponse {
  readonly status: number;
  readonly text: string;
}

/** Maximum size of a response in bytes. Some registries return the schema, which has up to 20 kB. */
const RESPONSE_BYTES_MAX = 1024 * 1024;

/**
 * Sends a POST request. Does not use `fetch`, because Node's `fetch` supports no custom certificate authority.
 * @throws {Error} no complete response in time, or a PEM file cannot be read
 */
export async function postJson(options: RegistryRequest): Promise<RegistryResponse> {
  const { timeoutMs } = options;
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    return await exchange(options, signal);
  } catch (error) {
    if (signal.aborted) throw new Error(`no response in ${timeoutMs / 1000} s`, { cause: error });
    throw error;
  }
}

async function exchange({ url, headers, body, tls }: RegistryRequest, signal: AbortSignal): Promise<RegistryResponse> {
  const options = { method: 'POST', headers, signal };
  const text = JSON.stringify(body);
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const request = url.startsWith('https:')
      ? requestHttps(url, { ...options, ...pemOptions(tls) }, resolve)
      : requestHttp(url, options, resolve);
    request.on('error', reject).end(text);
  });
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > RESPONSE_BYTES_MAX) throw new Error(`response has more than ${RESPONSE_BYTES_MAX} bytes`);
    chunks.push(chunk);
  }
  return { status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString() };
}

/** Reads the PEM files. They are read for each request, so a renewed certificate needs no restart. */
function pemOptions({ ca, cert, key }: TlsFiles): { ca?: string; cert?: string; key?: string } {
  const read = (path: string): string => readFileSync(path, 'utf8');
  return { ...(ca && { ca: read(ca) }), ...(cert && { cert: read(cert) }), ...(key && { key: read(key) }) };
}
