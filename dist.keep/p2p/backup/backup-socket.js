import { createSocket } from 'node:dgram';
import { isIPv6 } from 'node:net';
import { BackupMessage } from '../../log/codec/generated/messages.js';
import { ProtobufError } from '../../log/codec/reader.js';
import { plainHost } from '../transport/node-address.js';
import { BackupDuty } from './backup-role.js';
/** First byte of the one message there is. Reference: UdpMessageTypeEnum. */
const KEEP_ALIVE = 5;
/** Datagrams of this size or more are dropped, and those of one byte. Reference: PacketDecoder.MAXSIZE. */
const DATAGRAM_BYTES_MAX = 2048;
/** ms until the first word. Reference: BackupManager.init. */
const FIRST_MS = 1000;
/** One member of a group of nodes with the same witness keys, over UDP. Reference: BackupServer, BackupManager. */
export class Backup {
    options;
    duty;
    socket;
    timer;
    constructor(options, socket) {
        const { log } = options;
        this.options = options;
        this.socket = socket;
        this.duty = new BackupDuty({ ...options, changed: (role) => log.info({ role }, 'backup role') });
        socket.on('message', (bytes, { address }) => this.take(bytes, plainHost(address)));
        socket.on('error', (error) => log.warn({ err: error }, 'the backup socket failed'));
        const tick = () => {
            const word = this.duty.tick();
            if (word !== undefined)
                this.say(word);
        };
        this.timer = setTimeout(() => {
            tick();
            this.timer = setInterval(tick, options.intervalMs);
        }, FIRST_MS);
    }
    /** Ends when the port is bound. @throws what keeps it from being bound */
    static start(options) {
        const hasIpv6 = options.members.some(isIPv6);
        const socket = createSocket(hasIpv6 ? 'udp6' : 'udp4');
        return new Promise((resolve, reject) => {
            socket.once('error', reject);
            socket.bind(options.port, options.listenHost, () => {
                socket.off('error', reject);
                resolve(new Backup(options, socket));
            });
        });
    }
    get role() {
        return this.duty.role;
    }
    async close() {
        clearTimeout(this.timer);
        await new Promise((resolve) => this.socket.close(resolve));
    }
    say(word) {
        const { members, port, log } = this.options;
        const bytes = encodeBackup(word);
        for (const host of members) {
            this.socket.send(bytes, port, host, (error) => {
                if (error !== null)
                    log.debug({ member: host, reason: error.message }, 'a backup member was not reached');
            });
        }
    }
    take(bytes, host) {
        const { members, log } = this.options;
        const word = decodeBackup(bytes);
        if (word !== undefined && members.includes(host))
            this.duty.take(word, host);
        else
            log.debug({ host, bytes: bytes.length }, 'a datagram is no word of a backup member');
    }
}
export function encodeBackup({ isMaster, priority }) {
    const message = Object.assign(new BackupMessage(), { flag: isMaster, priority });
    return Buffer.concat([Uint8Array.of(KEEP_ALIVE), BackupMessage.encode(message)]);
}
/** Undefined for what the reference drops; a word without flag and priority is one of these, being a single byte. */
export function decodeBackup(bytes) {
    if (bytes.length <= 1 || bytes.length >= DATAGRAM_BYTES_MAX || bytes[0] !== KEEP_ALIVE)
        return undefined;
    try {
        const { flag, priority } = BackupMessage.decode(bytes.subarray(1));
        return { isMaster: flag, priority };
    }
    catch (error) {
        if (error instanceof ProtobufError)
            return undefined;
        throw error;
    }
}
//# sourceMappingURL=backup-socket.js.map