import { createSocket } from 'node:dgram';
import { type Finding, finding, levelOf } from './finding.js';

/**
 * Bounds of the clock offset, in ms. With an offset of half a slot (1.5 s), a witness misses its slots and rejects
 * the blocks of other witnesses as too early.
 */
const OFFSET_MS = { warn: 250, bad: 1500 };
const TIMEOUT_MS = 2000;
/** Time from NTP's epoch (1900) to the Unix epoch, in ms. */
const EPOCH_MS = 2_208_988_800_000;
const PACKET_BYTES = 48;

/** Compares the machine's clock with an NTP server. @param server host or host:port */
export async function checkClock(server: string): Promise<Finding> {
  const remedy = 'run chrony or systemd-timesyncd';
  try {
    const offset = Math.round(await readOffset(server));
    return finding('clock', levelOf(Math.abs(offset), OFFSET_MS), `differs from ${server} by ${offset} ms`, remedy);
  } catch (error) {
    const found = `${server} is not reachable: ${(error as Error).message}`;
    return finding('clock', 'unknown', found, `${remedy}; use --ntp <host> to query another server`);
  }
}

/** Returns the time in ms by which the server is ahead of this machine. Reference: RFC 4330, section 5. */
function readOffset(server: string): Promise<number> {
  const [host = '', port = '123'] = server.split(':');
  const socket = createSocket('udp4');
  const sent = Buffer.alloc(PACKET_BYTES);
  sent[0] = 0x23; // Leap indicator 0, NTP version 4, mode 3 (client).
  return new Promise<number>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('no answer')), TIMEOUT_MS);
    const startMs = Date.now();
    writeTime(sent, 40, startMs);
    socket.once('error', reject);
    socket.on('message', (bytes) => {
      // Accepts only a reply that repeats the request's time, from a synchronized server (stratum above 0).
      if (bytes.length < PACKET_BYTES || bytes[1] === 0 || !bytes.subarray(24, 32).equals(sent.subarray(40, 48)))
        return;
      clearTimeout(timer);
      resolve((readTime(bytes, 32) - startMs + (readTime(bytes, 40) - Date.now())) / 2);
    });
    socket.send(sent, Number(port), host, (error) => error && reject(error));
  }).finally(() => socket.close());
}

const readTime = (bytes: Buffer, at: number): number =>
  bytes.readUInt32BE(at) * 1000 + (bytes.readUInt32BE(at + 4) * 1000) / 2 ** 32 - EPOCH_MS;

/**
 * Writes a time as an NTP timestamp (8 bytes).
 * @param at byte offset in the buffer
 * @param ms since 1970
 */
export function writeTime(bytes: Buffer, at: number, ms: number): void {
  const since = ms + EPOCH_MS;
  bytes.writeUInt32BE(Math.floor(since / 1000), at);
  bytes.writeUInt32BE(Math.floor(((since % 1000) / 1000) * 2 ** 32), at + 4);
}
