import { Client, type ClientUnaryCall, credentials } from '@grpc/grpc-js';
import { DynamicProperties, EmptyMessage, NumberMessage } from '../../codec/generated/messages.js';
import { type DecodedBlock, decodeBlock } from '../../state-transition/block/decoded-block.js';

const SERVICE = '/protocol.Database';
/** ms that an answer may take: a block has 2 MB at most, and one that does not come is asked for again. */
const ANSWER_MS = 30_000;

/** The node that a solidity node believes, over gRPC, asked one question at a time. Reference: DatabaseGrpcClient. */
export class TrustedNode {
  private readonly client: Client;
  private asked: ClientUnaryCall | undefined;

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

  /** What is still asked fails. */
  close(): void {
    this.asked?.cancel();
    this.client.close();
  }

  private ask(rpc: string, request: Uint8Array): Promise<Buffer> {
    const same = (bytes: Buffer): Buffer => bytes;
    return new Promise((resolve, reject) => {
      const [path, options] = [`${SERVICE}/${rpc}`, { deadline: Date.now() + ANSWER_MS }];
      this.asked = this.client.makeUnaryRequest(path, same, same, Buffer.from(request), options, (error, bytes) => {
        if (error === null) resolve(bytes ?? Buffer.alloc(0));
        else reject(error);
      });
    });
  }
}
