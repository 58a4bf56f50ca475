import { connect, type OutgoingHttpHeaders } from 'node:http2';
import { gzipSync } from 'node:zlib';
import type { Random } from '../../../fuzz/random.js';

/** Headers and bytes of a call over HTTP/2. The call may be invalid. */
export interface RawCall {
  readonly headers: OutgoingHttpHeaders;
  /** Body of the call: gRPC messages, each with its prefix of five bytes. */
  readonly bytes: Buffer;
}

/** Time in ms after which a call is considered endless. */
const TIMEOUT_MS = 10_000;

/** Sends a call. @returns headers, bytes, trailers and reset code, as one text */
export function callRaw(port: number, { headers, bytes }: RawCall): Promise<string> {
  return new Promise((resolve) => {
    const session = connect(`http://127.0.0.1:${port}`);
    const parts: string[] = [];
    const chunks: Buffer[] = [];
    const end = (how: string): void => {
      clearTimeout(timer);
      session.destroy();
      resolve([...parts, Buffer.concat(chunks).toString('hex'), how].join(' | '));
    };
    const timer = setTimeout(end, TIMEOUT_MS, 'no end of the call');
    session.on('error', () => end('connection'));
    const stream = session.request(headers);
    stream.on('response', (found) => parts.push(shown(found)));
    stream.on('trailers', (found) => parts.push(shown(found)));
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    stream.on('error', () => undefined);
    stream.on('close', () => end(`reset ${stream.rstCode}`));
    stream.end(bytes);
  });
}

/**
 * Replaces the two possible results of a malformed message in java-tron 4.7.2 by one text. The result depends on
 * whether the end of the call arrives before java-tron decodes the message.
 */
export function inOneWay(text: string): string {
  return text.replace(
    /^.*grpc-message: Half-closed without a request, grpc-status: 13 \| {2}\| reset 0$/,
    ' | reset 8',
  );
}

function shown(headers: object): string {
  const names = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return names.sort().join(', ');
}

const TYPES = ['application/grpc', 'application/grpc+proto'];
const ENCODINGS = [undefined, undefined, undefined, 'identity', 'gzip', 'gzip', 'snappy', 'GZIP'];
const TIMEOUTS = [undefined, undefined, undefined, '10S', 'x', '1x', 'S', '123456789S', '99999999H'];
const ACCEPTED = [undefined, 'gzip', 'identity', 'identity,deflate,gzip'];

/**
 * Creates a call with gRPC headers. Its timeout, encoding and messages can be invalid. Equal random numbers result in
 * equal calls.
 * @param bytesMax maximum size of a message
 */
export function makeRawCall(methods: readonly string[], random: Random, bytesMax: number): RawCall {
  const fields = {
    ':method': 'POST',
    ':path': `/${random.chance(0.9) ? random.pick(methods) : random.pick(['protocol.Wallet/No', 'No/No', 'x', ''])}`,
    'content-type': random.pick(TYPES),
    te: random.chance(0.95) ? 'trailers' : undefined,
    'grpc-encoding': random.pick(ENCODINGS),
    'grpc-accept-encoding': random.pick(ACCEPTED),
    'grpc-timeout': random.pick(TIMEOUTS),
    'x-a': random.chance(0.1) ? 'b' : undefined,
  };
  const headers = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
  return { headers, bytes: framesOf(random, fields['grpc-encoding'] === 'gzip', bytesMax) };
}

const WINDOW_BYTES = 65_535;
const MESSAGES = ['', '0801', 'ff', '0a05', '0b', '00', '0a01ff', '0affffffff0f', '08ffffffffffffffffffff01'];

function framesOf(random: Random, isPacked: boolean, bytesMax: number): Buffer {
  const share = random.next();
  // If the server rejects a call early, it never reads the bytes after the flow-control window. Therefore, a message
  // exceeds the size limit only if the limit is below the window.
  const isLong = share < 0.1 && bytesMax < WINDOW_BYTES;
  const message = isLong ? Buffer.alloc(bytesMax + 1) : Buffer.from(random.pick(MESSAGES), 'hex');
  const packs = isPacked && share < 0.9;
  const frame = Buffer.concat([Buffer.alloc(5), packs ? gzipSync(message) : message]);
  frame[0] = packs ? 1 : random.chance(0.95) ? 0 : random.pick([1, 2, 255]);
  frame.writeUInt32BE(frame.length - 5, 1);
  if (random.chance(0.9)) return frame;
  const twice = message.length === 0 ? Buffer.concat([frame, frame]) : frame;
  return random.pick([frame.subarray(0, 3), twice, Buffer.alloc(0)]);
}
