import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, credentials } from '@grpc/grpc-js';
import { encodeBase58Check } from '../../../src/crypto/base58-check.js';
import { fromHex } from '../../../src/primitives/bytes.js';
import { errorText } from '../../../src/primitives/errors.js';
import {
  type Account,
  type BuiltTransaction,
  buildTransaction,
  type Devnet,
  signAndBroadcast,
} from '../../support/devnet.js';
import { untilServed } from '../../support/until.js';
import { WebSocket } from '../../support/web-socket.js';

/**
 * Init code (12 bytes), then the 17 bytes of a contract that stores its argument under a key equal to the argument,
 * and logs it.
 */
const CONTRACT = '6011600c60003960116000f3600435808055600052604260206000a100';
/** Number of different arguments with which the contract is called. It limits the size of the state. */
const ARGUMENTS = 256;
const FEE_LIMIT = 1_000_000_000;
/** Number of newest blocks from which clients read. */
const RANGE = 20;
/** Time limit in ms of an incomplete request. A subscription stays open for up to twice this time. */
const OPEN_MS = 2000;
/** Number of newest accepted transactions that clients look up. */
const IDS = 200;

/** Number of requests by kind. */
export type LoadCounts = Readonly<Record<string, number>>;

/**
 * Clients of all interfaces of a private network. They send transactions, reads, subscriptions, and malformed or
 * incomplete requests. Each client sends its next request after the answer to the last one.
 */
export class MixedLoad {
  /** Ids of all accepted transactions. */
  readonly accepted: string[] = [];
  private readonly devnet: Devnet;
  private readonly random: () => number;
  private readonly counted: Record<string, number> = {};
  private readonly accounts: readonly Account[];
  private readonly grpc: Client;
  private contract = '';
  private isRunning = false;
  private clients: readonly Promise<void>[] = [];
  private readonly failures: unknown[] = [];

  constructor(devnet: Devnet, random: () => number) {
    this.devnet = devnet;
    this.random = random;
    this.accounts = devnet.accounts;
    this.grpc = new Client(`127.0.0.1:${devnet.port(50051)}`, credentials.createInsecure());
  }

  get counts(): LoadCounts {
    return this.counted;
  }

  /** Waits until the GraphQL port, the last one to open, is served. Deploys the contract that the clients call. */
  async prepare(): Promise<void> {
    await untilServed('GraphQL', async () => (await this.graphql('{ status { headNumber } }')).ok);
    const [owner] = this.accounts as [Account];
    const { contract_address } = await this.send('/wallet/deploycontract', owner, {
      bytecode: CONTRACT,
      abi: '[]',
      fee_limit: FEE_LIMIT,
      origin_energy_limit: 1,
      consume_user_resource_percent: 100,
    });
    this.contract = encodeBase58Check(fromHex(contract_address!));
    await untilServed('the contract', async () => {
      const { bytecode } = await this.devnet.post<{ readonly bytecode?: string }>('/wallet/getcontract', {
        value: this.contract,
        visible: true,
      });
      return bytecode !== undefined;
    });
  }

  start(clients: number): void {
    this.isRunning = true;
    this.clients = Array.from({ length: clients }, () =>
      this.run().catch((error: unknown) => {
        this.failures.push(error);
      }),
    );
  }

  /**
   * Stops all clients, and waits for their last answers.
   * @throws {Error} a client got a wrong answer
   */
  async stop(): Promise<void> {
    this.isRunning = false;
    await Promise.all(this.clients);
    if (this.failures.length > 0) throw this.failures[0];
  }

  close(): void {
    this.grpc.close();
  }

  private async run(): Promise<void> {
    const kinds = Object.entries(this.kinds);
    while (this.isRunning) {
      const [name, send] = this.one(kinds);
      await send().catch((cause: Error) => {
        throw new Error(`${name}: ${errorText(cause)}`, { cause });
      });
      this.counted[name] = (this.counted[name] ?? 0) + 1;
    }
  }

  /** Requests by kind. All kinds are equally frequent. */
  private readonly kinds: Readonly<Record<string, () => Promise<void>>> = {
    transfer: async () => {
      const [from, to] = [this.one(this.accounts), this.one(this.accounts)];
      if (from === to) return;
      const body = { to_address: to.address, amount: 1 + this.below(1e6) };
      await this.send('/wallet/createtransaction', from, body);
    },
    call: async () => {
      const from = this.one(this.accounts);
      const call = { ...this.contractCall(from), fee_limit: FEE_LIMIT };
      await this.send('/wallet/triggersmartcontract', from, call);
    },
    constant: async () => {
      const call = this.contractCall(this.one(this.accounts));
      const answer = await this.devnet.post<{ readonly result?: { readonly result?: boolean } }>(
        '/wallet/triggerconstantcontract',
        call,
      );
      if (answer.result?.result !== true) throw new Error(`the call failed: ${JSON.stringify(answer)}`);
    },
    read: async () => {
      const { address } = this.one(this.accounts);
      await this.devnet.post('/wallet/getaccount', { address, visible: true });
      await this.devnet.post('/wallet/getnowblock', {});
      if (this.accepted.length > 0)
        await this.devnet.post('/wallet/gettransactioninfobyid', { value: this.one(this.accepted.slice(-IDS)) });
    },
    page: async () => {
      const url = `http://127.0.0.1:${this.devnet.port(8090)}/v1/accounts/${this.one(this.accounts).address}`;
      await (await fetch(`${url}/transactions?limit=20`)).arrayBuffer();
    },
    jsonRpc: async () => {
      const head = Number(await this.devnet.rpc<string>('eth_blockNumber'));
      const number = `0x${(head - this.below(Math.min(head, RANGE))).toString(16)}`;
      await this.devnet.rpc('eth_getBlockByNumber', [number, true]);
      await this.devnet.rpc('eth_getLogs', [{ fromBlock: number, toBlock: 'latest' }]);
    },
    filter: async () => {
      const filter = await this.devnet.rpc<string>('eth_newFilter', [{}]);
      await this.devnet.rpc('eth_getFilterChanges', [filter]);
      // Some clients never delete their filter. The node deletes it when it has not been polled for some time.
      if (this.random() < 0.5) await this.devnet.rpc('eth_uninstallFilter', [filter]);
    },
    graphql: async () => {
      const query = `{ blocks(last: ${1 + this.below(RANGE)}) { nodes { number transactions { id } } } }`;
      await (await this.graphql(query)).arrayBuffer();
    },
    grpc: () =>
      new Promise((resolve, reject) => {
        const bytes = (value: Buffer): Buffer => value;
        const method = '/protocol.Wallet/GetNowBlock2';
        this.grpc.makeUnaryRequest(method, bytes, bytes, Buffer.alloc(0), (error) =>
          error ? reject(error) : resolve(),
        );
      }),
    subscription: async () => {
      const socket = new WebSocket(`ws://127.0.0.1:${this.devnet.port(8080)}/graphql`, 'graphql-transport-ws');
      socket.on('open', () => socket.send(JSON.stringify({ type: 'connection_init' })));
      socket.on('message', (message) => {
        if (!String(message).includes('connection_ack')) return;
        const query = 'subscription { transactions(finality: APPLIED) { cursor transaction { id data } } }';
        socket.send(JSON.stringify({ id: '1', type: 'subscribe', payload: { query } }));
      });
      await this.disconnectLater(socket);
    },
    heads: async () => {
      const socket = new WebSocket(`ws://127.0.0.1:${this.devnet.port(8545)}/jsonrpc`);
      socket.on('open', () =>
        socket.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_subscribe', params: ['newHeads'] })),
      );
      await this.disconnectLater(socket);
    },
    malformed: async () => {
      const port = this.devnet.port(this.one([8090, 8545, 8080]));
      const path = this.one(['wallet/getaccount', 'jsonrpc', 'graphql', 'no/such/path']);
      const body = this.one(['{', '[]', '{"address": 1e400}', '\u0000', '{"query": "{ a { b"}']);
      const headers = { 'content-type': 'application/json' };
      const answer = await fetch(`http://127.0.0.1:${port}/${path}`, { method: 'POST', body, headers });
      await answer.arrayBuffer();
    },
    incomplete: async () => {
      const socket = connect(this.devnet.port(this.one([8090, 8545, 50051])), '127.0.0.1');
      socket.on('error', () => undefined);
      socket.write('POST /wallet/getaccount HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\n{');
      await sleep(this.below(OPEN_MS));
      socket.destroy();
    },
  };

  private contractCall({ address }: Account): object {
    return {
      owner_address: address,
      contract_address: this.contract,
      function_selector: 'store(uint256)',
      parameter: this.below(ARGUMENTS).toString(16).padStart(64, '0'),
      visible: true,
    };
  }

  /** Builds, signs and sends a transaction. Records its id if the node accepts it. */
  private async send(path: string, owner: Account, body: object): Promise<BuiltTransaction> {
    const built = await buildTransaction(this.devnet, path, owner, body);
    const sent = await signAndBroadcast(this.devnet, built, owner);
    if (sent.result === true) this.accepted.push(built.txID);
    // Two clients can send the same transfer at the same time.
    else if (sent.code !== 'DUP_TRANSACTION_ERROR')
      throw new Error(`a transaction was refused: ${JSON.stringify(sent)}`);
    return built;
  }

  private graphql(query: string): Promise<Response> {
    return fetch(`http://127.0.0.1:${this.devnet.port(8080)}/graphql`, {
      method: 'POST',
      body: JSON.stringify({ query }),
      headers: { 'content-type': 'application/json' },
    });
  }

  /** Closes the connection of a subscriber after a random time. Half of the subscribers stop reading earlier. */
  private async disconnectLater(socket: WebSocket): Promise<void> {
    socket.on('error', () => undefined);
    await sleep(this.below(OPEN_MS));
    if (this.random() < 0.5) socket.pause();
    await sleep(this.below(OPEN_MS));
    socket.terminate();
  }

  private below(limit: number): number {
    return Math.floor(this.random() * limit);
  }

  private one<Item>(items: readonly Item[]): Item {
    return items[this.below(items.length)]!;
  }
}
