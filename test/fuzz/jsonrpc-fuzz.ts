import type { FastifyInstance } from 'fastify';
import { JsonNumber, readFirstValue } from '../../src/api/jsonrpc/json-text.js';
import { mutateText, object, value } from './json-cases.js';
import type { Random } from './random.js';

const CALL = ['from', 'to', 'data', 'value', 'gas', 'gasPrice'];
const FILTER = ['fromBlock', 'toBlock', 'address', 'topics', 'blockHash'];

/**
 * Sends one malformed request over JSON-RPC.
 * @param methods names of all methods
 * @returns a text if the answer is wrong, otherwise undefined
 */
export async function tryJsonRpc(
  app: FastifyInstance,
  methods: readonly string[],
  random: Random,
): Promise<string | undefined> {
  const text = random.chance(0.15)
    ? `[${Array.from({ length: random.below(5) }, () => call(methods, random)).join(',')}]`
    : call(methods, random);
  const payload = mutateText(text, random);
  const reply = await app.inject({ method: 'POST', url: '/jsonrpc', payload });
  const shown = payload.toString('latin1').slice(0, 400);
  if (reply.statusCode !== 200) return `status ${reply.statusCode} for ${shown}`;
  if (reply.body.includes('internal error')) return `an internal error for ${shown}`;
  if (reply.body === '') return isUnanswered(payload.toString()) ? undefined : `no body for ${shown}`;
  try {
    JSON.parse(reply.body);
  } catch {
    return `an answer that is not JSON for ${shown}: ${reply.body.slice(0, 200)}`;
  }
  return undefined;
}

/**
 * Sends a well-formed request. It detects a server that rejects everything, which would pass all malformed requests.
 * @param head height of the chain
 * @returns a text if the answer is wrong, otherwise undefined
 */
export async function tryHeight(app: FastifyInstance, head: number): Promise<string | undefined> {
  const payload = '{"jsonrpc":"2.0","id":7,"method":"eth_blockNumber","params":[]}';
  const { body } = await app.inject({ method: 'POST', url: '/jsonrpc', payload });
  const expected = `{"jsonrpc":"2.0","id":7,"result":"0x${head.toString(16)}"}`;
  return body.trim() === expected ? undefined : `eth_blockNumber answers ${body.slice(0, 200)}, expected ${expected}`;
}

function call(methods: readonly string[], random: Random): string {
  const name = random.chance(0.97) ? random.pick(methods) : random.pick(['', 'x', '__proto__', 'toString']);
  const params = Array.from({ length: random.below(4) }, () => {
    if (random.chance(0.3)) return object(CALL, random);
    return random.chance(0.3) ? object(FILTER, random) : value(random);
  });
  const list = random.chance(0.95) ? `[${params.join(',')}]` : value(random);
  const id = random.chance(0.9) ? random.pick(['1', '"a"', '0', '18446744073709551616']) : value(random);
  return `{"jsonrpc":${random.chance(0.95) ? '"2.0"' : value(random)},"id":${id},"method":"${name}","params":${list}}`;
}

/**
 * Returns true if java-tron sends no response. This applies to a notification, and to parameters that are not a list.
 */
function isUnanswered(text: string): boolean {
  try {
    const first = readFirstValue(text);
    if (!(first instanceof Map)) return Array.isArray(first);
    const id = first.get('id') ?? null;
    const params = first.get('params') ?? null;
    const hasId = typeof id === 'string' || id instanceof JsonNumber;
    return !hasId || !(params === null || Array.isArray(params) || params instanceof Map);
  } catch {
    return false;
  }
}
