import type { FastifyInstance } from 'fastify';
import { decodeBase58Check } from '../../crypto/base58-check.js';
import type { OperatorAbis } from '../../encoding/abi/operator-abis.js';
import { addressText } from '../../encoding/address-text.js';
import { isAddress } from '../../primitives/address.js';
import { fromHex, toHex } from '../../primitives/bytes.js';
import { TronError } from '../../primitives/errors.js';

export interface AbiRoutesOptions {
  readonly operatorAbis: OperatorAbis;
  readonly addressPrefix: number;
}

/**
 * Maximum size of a request body, in bytes. The body may be a compiler artifact, which is much larger than the ABI
 * that it contains.
 */
const ABI_BYTES_MAX = 4 * 1024 * 1024;

type Named = { Params: { address: string } };

/**
 * Adds routes for ABIs that the operator sets. They take precedence over the ABI on the chain, which can be missing or
 * wrong. Routes: `GET /abis`, `PUT /abis/<address>` with the ABI or a compiler artifact, `DELETE /abis/<address>`.
 */
export function addAbiRoutes(app: FastifyInstance, { operatorAbis, addressPrefix }: AbiRoutesOptions): void {
  app.get('/abis', async () => operatorAbis.addresses().map((address) => addressText(fromHex(address))));
  app.put<Named>('/abis/:address', { bodyLimit: ABI_BYTES_MAX }, async ({ params, body }) => {
    operatorAbis.set(readAddress(params.address, addressPrefix), body);
    return { given: params.address };
  });
  app.delete<Named>('/abis/:address', async ({ params }, reply) => {
    if (operatorAbis.remove(readAddress(params.address, addressPrefix))) return { removed: params.address };
    return reply.code(404).send({ error: `no ABI set for ${params.address}` });
  });
}

/**
 * Parses an address in Base58Check or hex.
 * @returns the address in hex
 * @throws {TronError} BAD_ADDRESS: the text is not an address of this network
 */
function readAddress(text: string, addressPrefix: number): string {
  const bytes = /^[0-9a-f]{42}$/i.test(text) ? fromHex(text.toLowerCase()) : decodeBase58Check(text);
  if (bytes === undefined || !isAddress(bytes, addressPrefix))
    throw new TronError('BAD_ADDRESS', `not an address of this network: ${text.slice(0, 80)}`);
  return toHex(bytes);
}
