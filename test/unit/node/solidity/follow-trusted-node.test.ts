import { Server, ServerCredentials, type sendUnaryData } from '@grpc/grpc-js';
import t from 'tap';
import type { ImportOptions } from '../../../../src/chain/chain.js';
import { Block, BlockHeader, BlockHeaderRaw, DynamicProperties } from '../../../../src/codec/generated/messages.js';
import { FollowTrustedNode } from '../../../../src/node/solidity/follow-trusted-node.js';
import type { DecodedBlock } from '../../../../src/state-transition/block/decoded-block.js';
import { silent } from '../../../support/projections/chain.js';

const same = (bytes: Buffer): Buffer => bytes;

/** Responses of a node whose newest solidified block is 1. */
const ANSWERS = {
  getDynamicProperties: DynamicProperties.encode(Object.assign(new DynamicProperties(), { lastSolidityBlockNum: 1n })),
  getBlockByNum: Block.encode(
    Object.assign(new Block(), {
      blockHeader: Object.assign(new BlockHeader(), { rawData: Object.assign(new BlockHeaderRaw(), { number: 1n }) }),
    }),
  ),
};

function serveAnswers(server: Server): Promise<number> {
  const methods = Object.entries(ANSWERS).map(([name, answer]) => ({
    name,
    shape: {
      path: `/protocol.Database/${name[0]?.toUpperCase()}${name.slice(1)}`,
      ...{ requestStream: false, responseStream: false, requestSerialize: same, requestDeserialize: same },
      ...{ responseSerialize: same, responseDeserialize: same },
    },
    answer: (_call: unknown, done: sendUnaryData<Buffer>) => done(null, Buffer.from(answer)),
  }));
  server.addService(
    Object.fromEntries(methods.map(({ name, shape }) => [name, shape])),
    Object.fromEntries(methods.map(({ name, answer }) => [name, answer])),
  );
  return new Promise((resolve, reject) => {
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, port) =>
      error === null ? resolve(port) : reject(error),
    );
  });
}

// Reference: Manager.pushVerifiedBlock. java-tron 4.7.2 accepted a block in which a signature was changed, although
// this change made the Merkle root wrong.
t.test('applies blocks of the trusted node like local ones', async (t) => {
  const server = new Server();
  t.teardown(() => server.forceShutdown());
  const address = `127.0.0.1:${await serveAnswers(server)}`;
  const position = { seq: 0, headNumber: 0, solidifiedNumber: 0 } as const;
  const ids = { headId: new Uint8Array(32), digest: new Uint8Array(32), solidifiedId: new Uint8Array(32) };
  const ledger = { position: { ...position, ...ids }, flush: () => Promise.resolve() };
  const pushed = new Promise<readonly [number, ImportOptions | undefined]>((resolve) => {
    const importBlock = ({ number }: DecodedBlock, options?: ImportOptions): void => resolve([number, options]);
    const following = new FollowTrustedNode({ chain: { ledger, importBlock }, address, log: silent });
    t.teardown(() => following.close());
  });
  t.same(await pushed, [1, { isOwn: true }]);
});
