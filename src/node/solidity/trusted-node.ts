import { Client, type ClientUnaryCall, credentials } from '@grpc/grpc-js';
import { DynamicProperties, EmptyMessage, NumberMessage } from '../../codec/generated/messages.js';
import { type DecodedBlock, decodeBlock } from '../../state-transition/block/decoded-block.js';

const SERVICE = '/protocol.Database';
/** Timeout of a request in ms. An answer contains at most one block of 2 MB. */
const ANSWER_MS = 30_000;

/** gRPC client for the node that a solidity node trusts. Sends one request at a time. Reference: DatabaseGrpcClient. */
export class TrustedNode {
  private readonly client: Client;
  private current: ClientUnaryCall | undefined;

  /** @param address host:port */
  constructor(address: string) {
    this.client = new Client(address, credentials.createInsecure());
  }

  /** Returns the solidified height of the trusted node. @throws {Error} failed call or malformed answer */
  async solidifiedNumber(): Promise<number> {
    const bytes = await this.call('GetDynamicProperties', EmptyMessage.encode(new EmptyMessage()));
    return Number(DynamicProperties.decode(bytes).lastSolidityBlockNum);
  }

  /**
   * Requests a block. The trusted node may return a block of a different height, or an empty block.
   * @throws {Error} failed call or malformed answer
   */
  async block(number: number): Promise<DecodedBlock> {
    const request = new NumberMessage();
    request.num = BigInt(number);
    return decodeBlock(await this.call('GetBlockByNum', NumberMessage.encode(request)));
  }

  /** Cancels the pending request. */
  close(): void {
    this.current?.cancel();
    this.client.close();
  }

  private call(rpc: string, request: Uint8Array): Promise<Buffer> {
    const same = (bytes: Buffer): Buffer => bytes;
    return new Promise((resolve, reject) => {
      const [path, options] = [`${SERVICE}/${rpc}`, { deadline: Date.now() + ANSWER_MS }];
      this.current = this.client.makeUnaryRequest(path, same, same, Buffer.from(request), options, (error, bytes) => {
        if (error === null) resolve(bytes ?? Buffer.alloc(0));
        else reject(error);
      });
    });
  }
}
