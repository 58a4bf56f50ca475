import type { FastifyInstance } from 'fastify';
import type { NetworkControl } from '../network-control.js';

/** Amount that the faucet sends by default, in TRX. */
const FUND_TRX = 10_000;

/**
 * Adds the routes `/devnet/…` of the status page: mine blocks, set the time, send TRX. Times are in seconds. A body
 * must be JSON, because a browser does not send JSON from a page of another site without the permission of this
 * server. A rejected command throws a ControlError.
 */
export function addNetworkRoutes(app: FastifyInstance, network: NetworkControl): void {
  app.post<{ Body: { blocks: number } }>('/devnet/mine', { schema: numbers('blocks') }, async ({ body }) => ({
    head: await network({ kind: 'mine', blocks: body.blocks }),
  }));
  app.post<{ Body: { seconds: number } }>('/devnet/increase-time', { schema: numbers('seconds') }, async ({ body }) => {
    await network({ kind: 'increaseTime', ms: 1000 * body.seconds });
    return { seconds: body.seconds };
  });
  app.post<{ Body: { address: string; trx?: number } }>('/devnet/faucet', { schema: fundSchema }, async ({ body }) => {
    const { address, trx = FUND_TRX } = body;
    return { transaction: await network({ kind: 'fund', to: address.trim(), trx }), trx };
  });
}

/**
 * Adds routes that create and restore snapshots, like `evm_snapshot`. The caller must protect these routes with the
 * admin token.
 */
export function addSnapshotRoutes(app: FastifyInstance, network: NetworkControl): void {
  app.post('/devnet/snapshot', async () => ({ snapshot: await network({ kind: 'snapshot' }) }));
  app.post<{ Body: { snapshot: number } }>('/devnet/revert', { schema: numbers('snapshot') }, async ({ body }) => ({
    reverted: await network({ kind: 'revert', id: body.snapshot }),
  }));
  app.post<{ Body: { time: number } }>('/devnet/next-block-time', { schema: numbers('time') }, async ({ body }) => {
    await network({ kind: 'setNextTime', timeMs: 1000 * body.time });
    return { time: body.time };
  });
}

/** Returns the JSON schema of a body with one non-negative integer. */
function numbers(name: string): object {
  const properties = { [name]: { type: 'integer', minimum: 0 } };
  return { body: { type: 'object', required: [name], additionalProperties: false, properties } };
}

const fundSchema = {
  body: {
    type: 'object',
    required: ['address'],
    additionalProperties: false,
    properties: { address: { type: 'string' }, trx: { type: 'integer' } },
  },
};
