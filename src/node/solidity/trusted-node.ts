import { Client, credentials } from '@grpc/grpc-js';
import { DynamicProperties, EmptyMessage, NumberMessage } from '../../codec/generated/messages.js';
import { type DecodedBlock, decodeBlock } from '../../vm/block/decoded-block.js';

const SERVICE = '/protocol.Database';

/** The node that a solidity node believes, over gRPC. Reference: DatabaseGrpcClient. */
export class TrustedNode {
  private readonly client: Client;

  /** @param address host:port */
  constructor(address: string) {
    this.client = new Client(address, credentials.createInsecure());
  }

  /** Height of its newest irreversible block. @throws {Error} of the call, or of an answer that is no message */
  async solidifiedNumber(): Promise<number> {
    const bytes = await this.ask('GetDynamicProperties', EmptyMessage.encode(new EmptyMessage()));
    return Number(DynamicProperties.decode(bytes).lastSolidityBlockNum);
  }

  /** A block of its chain; another one, or none, where it has none of that height. @throws {Error} as above */
  async block(number: number): Promise<DecodedBlock> {
    const request = new NumberMessage();
    request.num = BigInt(number);
    return decodeBlock(await this.ask('GetBlockByNum', NumberMessage.encode(request)));
  }

  close(): void {
    this.client.close();
  }

  private ask(rpc: string, request: Uint8Array): Promise<Buffer> {
    const same = (bytes: Buffer): Buffer => bytes;
    return new Promise((resolve, reject) => {
      this.client.makeUnaryRequest(`${SERVICE}/${rpc}`, same, same, Buffer.from(request), (error, bytes) => {
        if (error === null) resolve(bytes ?? Buffer.alloc(0));
        else reject(error);
      });
    });
  }
}
