import { createSocket, type Socket } from 'node:dgram';
import { isIPv6 } from 'node:net';
import type { Logger } from 'pino';
import { BackupMessage } from '../../codec/generated/messages.js';
import { ProtobufError } from '../../codec/reader.js';
import { mappedHost, plainHost } from '../transport/node-address.js';
import { BackupElection, type BackupKeepAlive, type BackupRole } from './backup-election.js';

/** First byte of the keep-alive message, the only message type. Reference: UdpMessageTypeEnum. */
const KEEP_ALIVE = 5;
/**
 * Datagrams of at least this size, in bytes, are dropped. Datagrams of one byte are also dropped. Reference:
 * PacketDecoder.
 */
const DATAGRAM_BYTES_MAX = 2048;
/** Delay before the first message, in ms. Reference: BackupManager.init. */
const FIRST_MS = 1000;

interface BackupOptions {
  readonly port: number;
  /** Local address to listen on; undefined for all addresses. */
  readonly listenHost?: string;
  /** Addresses of the other members. They use the same port as this node. */
  readonly members: readonly string[];
  readonly ownHost: string;
  readonly priority: number;
  readonly intervalMs: number;
  readonly log: Logger;
  readonly now: () => number;
}

/**
 * A member of a group of nodes with the same witness keys. The members exchange keep-alive messages over UDP.
 * Reference: BackupServer, BackupManager.
 */
export class Backup {
  private readonly options: BackupOptions;
  private readonly duty: BackupElection;
  private readonly socket: Socket;
  private readonly isDual: boolean;
  private members: readonly string[];
  private timer: NodeJS.Timeout | undefined;

  /**
   * Creates a member that uses a bound socket.
   * @param isDual true for an IPv6 socket, which also reaches IPv4 addresses
   */
  private constructor(options: BackupOptions, socket: Socket, isDual: boolean) {
    const { log } = options;
    this.options = options;
    this.isDual = isDual;
    this.members = options.members;
    this.socket = socket;
    this.duty = new BackupElection({
      ...options,
      changed: (role) => log.info({ role }, 'witness backup role changed'),
    });
    socket.on('message', (bytes, { address }) => this.take(bytes, plainHost(address)));
    socket.on('error', (error) => log.warn({ err: error }, 'witness backup socket failed'));
    const tick = (): void => {
      const word = this.duty.tick();
      if (word !== undefined) this.say(word);
    };
    this.timer = setTimeout(() => {
      tick();
      this.timer = setInterval(tick, options.intervalMs);
    }, FIRST_MS);
  }

  /** Binds the port and joins the group. Resolves when the port is bound. @throws the bind error */
  static start(options: BackupOptions): Promise<Backup> {
    const isDual = options.members.some(isIPv6);
    const socket = createSocket(isDual ? 'udp6' : 'udp4');
    return new Promise((resolve, reject) => {
      socket.once('error', reject);
      socket.bind(options.port, options.listenHost, () => {
        socket.off('error', reject);
        resolve(new Backup(options, socket, isDual));
      });
    });
  }

  get role(): BackupRole {
    return this.duty.role;
  }

  /** Replaces the addresses of the group members. */
  setMembers(members: readonly string[]): void {
    this.members = members;
  }

  async close(): Promise<void> {
    clearTimeout(this.timer);
    await new Promise<void>((resolve) => this.socket.close(resolve));
  }

  private say(word: BackupKeepAlive): void {
    const { port, log } = this.options;
    const bytes = encodeBackup(word);
    for (const host of this.members) {
      this.socket.send(bytes, port, this.isDual ? mappedHost(host) : host, (error) => {
        if (error !== null) log.debug({ member: host, reason: error.message }, 'witness backup member unreachable');
      });
    }
  }

  private take(bytes: Uint8Array, host: string): void {
    const { log } = this.options;
    const word = decodeBackup(bytes);
    if (word !== undefined && this.members.includes(host)) this.duty.take(word, host);
    else log.debug({ host, bytes: bytes.length }, 'witness backup datagram dropped: malformed, or sender not a member');
  }
}

export function encodeBackup({ isMaster, priority }: BackupKeepAlive): Uint8Array {
  const message = Object.assign(new BackupMessage(), { flag: isMaster, priority });
  return Buffer.concat([Uint8Array.of(KEEP_ALIVE), BackupMessage.encode(message)]);
}

/**
 * Decodes a keep-alive message. Returns undefined for a datagram that java-tron drops. java-tron also drops one valid
 * message: with flag false and priority 0, protobuf encodes no field, and the datagram has only one byte.
 */
export function decodeBackup(bytes: Uint8Array): BackupKeepAlive | undefined {
  if (bytes.length <= 1 || bytes.length >= DATAGRAM_BYTES_MAX || bytes[0] !== KEEP_ALIVE) return undefined;
  try {
    const { flag, priority } = BackupMessage.decode(bytes.subarray(1));
    return { isMaster: flag, priority };
  } catch (error) {
    if (error instanceof ProtobufError) return undefined;
    throw error;
  }
}
