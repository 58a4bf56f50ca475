import { createSocket, type Socket } from 'node:dgram';
import { isIPv6 } from 'node:net';
import type { Logger } from 'pino';
import { BackupMessage } from '../../codec/generated/messages.js';
import { ProtobufError } from '../../codec/reader.js';
import { mappedHost, plainHost } from '../transport/node-address.js';
import { BackupDuty, type BackupRole, type BackupWord } from './backup-role.js';

/** First byte of the one message there is. Reference: UdpMessageTypeEnum. */
const KEEP_ALIVE = 5;
/** Datagrams of this size or more are dropped, and those of one byte. Reference: PacketDecoder.MAXSIZE. */
const DATAGRAM_BYTES_MAX = 2048;
/** ms until the first word. Reference: BackupManager.init. */
const FIRST_MS = 1000;

interface BackupOptions {
  readonly port: number;
  /** Local address to listen on; absent: all. */
  readonly listenHost?: string;
  /** Addresses of the other members; their port is the own one. */
  readonly members: readonly string[];
  readonly ownHost: string;
  readonly priority: number;
  readonly intervalMs: number;
  readonly log: Logger;
  readonly now: () => number;
}

/** One member of a group of nodes with the same witness keys, over UDP. Reference: BackupServer, BackupManager. */
export class Backup {
  private readonly options: BackupOptions;
  private readonly duty: BackupDuty;
  private readonly socket: Socket;
  private readonly isDual: boolean;
  private members: readonly string[];
  private timer: NodeJS.Timeout | undefined;

  /** @param isDual the socket is one for IPv6 */
  private constructor(options: BackupOptions, socket: Socket, isDual: boolean) {
    const { log } = options;
    this.options = options;
    this.isDual = isDual;
    this.members = options.members;
    this.socket = socket;
    this.duty = new BackupDuty({ ...options, changed: (role) => log.info({ role }, 'backup role') });
    socket.on('message', (bytes, { address }) => this.take(bytes, plainHost(address)));
    socket.on('error', (error) => log.warn({ err: error }, 'the backup socket failed'));
    const tick = (): void => {
      const word = this.duty.tick();
      if (word !== undefined) this.say(word);
    };
    this.timer = setTimeout(() => {
      tick();
      this.timer = setInterval(tick, options.intervalMs);
    }, FIRST_MS);
  }

  /** Ends when the port is bound. @throws what keeps it from being bound */
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

  /** Other addresses belong to the group from now on. */
  setMembers(members: readonly string[]): void {
    this.members = members;
  }

  async close(): Promise<void> {
    clearTimeout(this.timer);
    await new Promise<void>((resolve) => this.socket.close(resolve));
  }

  private say(word: BackupWord): void {
    const { port, log } = this.options;
    const bytes = encodeBackup(word);
    for (const host of this.members) {
      this.socket.send(bytes, port, this.isDual ? mappedHost(host) : host, (error) => {
        if (error !== null) log.debug({ member: host, reason: error.message }, 'a backup member was not reached');
      });
    }
  }

  private take(bytes: Uint8Array, host: string): void {
    const { log } = this.options;
    const word = decodeBackup(bytes);
    if (word !== undefined && this.members.includes(host)) this.duty.take(word, host);
    else log.debug({ host, bytes: bytes.length }, 'a datagram is no word of a backup member');
  }
}

export function encodeBackup({ isMaster, priority }: BackupWord): Uint8Array {
  const message = Object.assign(new BackupMessage(), { flag: isMaster, priority });
  return Buffer.concat([Uint8Array.of(KEEP_ALIVE), BackupMessage.encode(message)]);
}

/** Undefined for what the reference drops; a word without flag and priority is one of these, being a single byte. */
export function decodeBackup(bytes: Uint8Array): BackupWord | undefined {
  if (bytes.length <= 1 || bytes.length >= DATAGRAM_BYTES_MAX || bytes[0] !== KEEP_ALIVE) return undefined;
  try {
    const { flag, priority } = BackupMessage.decode(bytes.subarray(1));
    return { isMaster: flag, priority };
  } catch (error) {
    if (error instanceof ProtobufError) return undefined;
    throw error;
  }
}
