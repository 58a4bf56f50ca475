import type { FastifyInstance } from 'fastify';
import type { NetworkControl } from '../network-control.js';

/** What the faucet gives where nobody says how much, TRX. */
const FUND_TRX = 10_000;

/**
 * `/devnet/…` as the status page uses it: blocks, time and TRX; times are seconds. Bodies are JSON, which a page of
 * another site cannot send unasked. What is refused rejects with a ControlError.
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

/** The rest of what `evm_snapshot` and its like do, behind the token of the admin interface. */
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

/** An object of one whole number. */
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
