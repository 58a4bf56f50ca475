import t from 'tap';
import { P2pHelloMessage, P2pStatusMessage } from '../../../../src/codec/generated/messages.js';
import { unwrapMessage, wrapMessage } from '../../../../src/p2p/transport/compression.js';
import { encodeFrame, FRAME_BYTES_MAX, FrameDecoder } from '../../../../src/p2p/transport/frames.js';
import {
  decodeFramework,
  encodeHello,
  encodeKeepAlive,
  encodeStatus,
} from '../../../../src/p2p/transport/framework-message.js';
import { fromEndpoint, isValidEndpoint, toEndpoint } from '../../../../src/p2p/transport/node-address.js';
import { toHex, toUtf8 } from '../../../../src/primitives/bytes.js';
import { bytesOf, capture } from '../../../support/p2p/captures.js';

function frameOf(hex: string | undefined): Uint8Array {
  const decoder = new FrameDecoder();
  decoder.push(bytesOf(hex));
  return decoder.next()!;
}

t.test('decodes and encodes captured HELLO and STATUS byte for byte', async (t) => {
  for (const [label, hex] of [...capture('tcp-hello'), ...capture('tcp-status')]) {
    const frame = frameOf(hex);
    const decoded = decodeFramework(frame, Date.now());
    const again =
      decoded.kind === 'hello'
        ? encodeHello(decoded.message)
        : decoded.kind === 'status' && encodeStatus(decoded.message);
    t.equal(toHex(encodeFrame(again || new Uint8Array())), hex, label);
    if (decoded.kind !== 'hello' && decoded.kind !== 'status') return;
    const from = decoded.message.from!;
    // The captured node was configured with the short form of its IPv6 address. It sends this form unchanged.
    const ipv6 = toUtf8(from.addressIpv6) || undefined;
    const fields = { ...decoded.message, from: toEndpoint({ ...fromEndpoint(from), ipv6 }) };
    const made =
      decoded.kind === 'hello'
        ? encodeHello(Object.assign(new P2pHelloMessage(), fields))
        : encodeStatus(Object.assign(new P2pStatusMessage(), fields));
    t.equal(toHex(encodeFrame(made)), hex, `${label}, encoded from its address`);
  }
});

t.test('decodes a captured connection that is split at any byte', async (t) => {
  const plain = new Map(capture('tron-messages').map(([label, hex]) => [label, hex]));
  const lines = capture('tcp-connection').filter(([, , label]) => label !== 'TCP_FIN');
  const stream = Buffer.concat(lines.map(([, , , hex]) => bytesOf(hex)));
  for (const step of [1, 2, 7, 100, stream.length]) {
    const decoder = new FrameDecoder();
    const frames: Uint8Array[] = [];
    for (let at = 0; at < stream.length; at += step) {
      decoder.push(stream.subarray(at, at + step));
      for (let frame = decoder.next(); frame !== undefined; frame = decoder.next()) frames.push(frame);
    }
    t.equal(frames.length, lines.length, `chunks of ${step}`);
    lines.forEach(([, , label], at) => {
      if (label === 'HANDSHAKE_HELLO') return;
      const message = unwrapMessage(frames[at]!, FRAME_BYTES_MAX);
      if (label?.startsWith('KEEP_ALIVE')) {
        const { kind, message: body } = decodeFramework(message, Date.now());
        t.equal(toHex(encodeKeepAlive(kind as 'ping', Number('timestamp' in body && body.timestamp))), toHex(message));
      } else t.equal(toHex(message), plain.get(label ?? ''), label ?? '');
    });
  }
});

t.test('unwraps wrapped messages and compresses only if shorter', async (t) => {
  for (const [label, hex] of capture('tron-messages')) {
    const message = bytesOf(hex);
    const wrapped = Buffer.concat(wrapMessage(message));
    t.equal(toHex(unwrapMessage(wrapped, FRAME_BYTES_MAX)), hex, label);
    const captured = capture('tcp-compressed-frames').find(([name]) => name === label)!;
    t.equal(frameOf(captured[1])[0], wrapped[0], `${label}: compressed only if java-tron compresses it`);
  }
  t.equal(toHex(encodeFrame(...wrapMessage(bytesOf('22c0')))), '04120222c0');
});

t.test('rejects oversized frames and frames without a length before the body', async (t) => {
  const refusals: readonly (readonly [hex: string, code: string])[] = [
    ['8080c002', 'BIG_MESSAGE'],
    ['ffffffff7f', 'CORRUPTED_FRAME'],
    ['ffffffffff', 'CORRUPTED_FRAME'],
    ['8080808080', 'CORRUPTED_FRAME'],
  ];
  for (const [hex, code] of refusals) {
    const decoder = new FrameDecoder();
    decoder.push(bytesOf(hex));
    t.throws(() => decoder.next(), { code }, hex);
  }
  const decoder = new FrameDecoder();
  decoder.push(encodeFrame(new Uint8Array(FRAME_BYTES_MAX - 1)));
  t.equal(decoder.next()?.length, FRAME_BYTES_MAX - 1, 'the largest frame');
  decoder.push(bytesOf('00000121'));
  t.equal(toHex(decoder.next()!), '21', 'empty frames are skipped');
  t.equal(decoder.next(), undefined);
});

t.test('rejects a compressed message that expands beyond the limit', async (t) => {
  // A block of a few bytes that states a decompressed size of 256 MB.
  t.throws(() => unwrapMessage(bytesOf('08011206808080800100'), FRAME_BYTES_MAX), { code: 'BIG_MESSAGE' });
  t.throws(() => unwrapMessage(bytesOf('0801'), FRAME_BYTES_MAX), { code: 'CORRUPTED_FRAME' });
  t.throws(() => unwrapMessage(bytesOf('0801120305ffff'), FRAME_BYTES_MAX), { code: 'CORRUPTED_FRAME' });
});

t.test('checks endpoints for an id of 64 bytes and well-formed addresses', async (t) => {
  const id = '61'.repeat(64);
  const cases: readonly (readonly [ipv4: string, ipv6: string, isValid: boolean])[] = [
    ['127.0.0.1', '', true],
    ['1.0.0.0', '', true],
    ['0.0.0.1', '', false],
    ['256.0.0.1', '', false],
    ['1.2.3.04', '', false],
    ['1.2.3', '', false],
    ['', '', false],
    ['', '2001:db8::1', true],
    ['', '2001:db8:0:0:0:0:0:1', true],
    ['', 'fe80::1%2', true],
    ['', 'peer.example', false],
    ['1.2.3.4', 'no', false],
  ];
  for (const [ipv4, ipv6, isValid] of cases)
    t.equal(isValidEndpoint(toEndpoint({ id, ipv4, ipv6, port: 1 })), isValid, `${ipv4} ${ipv6}`);
  t.notOk(isValidEndpoint(toEndpoint({ id: '61'.repeat(63), ipv4: '1.2.3.4', ipv6: undefined, port: 1 })));
  t.notOk(isValidEndpoint(undefined));
});

t.test('accepts keep-alive times up to a second ahead', async (t) => {
  const now = 1_700_000_000_000;
  t.equal(decodeFramework(encodeKeepAlive('ping', now + 1000), now).kind, 'ping');
  t.throws(() => decodeFramework(encodeKeepAlive('ping', now + 1001), now), {
    code: 'CLOCK_AHEAD',
    message: 'peer clock is 1001 ms ahead',
  });
  t.throws(() => decodeFramework(bytesOf('fe'), now), { code: 'BAD_MESSAGE' });
  t.throws(() => decodeFramework(bytesOf('fa'), now), { code: 'NO_SUCH_MESSAGE' });
  t.match(decodeFramework(bytesOf('fb'), now), { kind: 'goodbye', message: { reason: 0 } });
});

t.test('reads a frame that arrives byte by byte in linear time', async (t) => {
  const body = Buffer.alloc(400_000, 7);
  const decoder = new FrameDecoder();
  const started = process.cpuUsage();
  for (const byte of encodeFrame(body)) decoder.push(Uint8Array.of(byte));
  t.same(decoder.next(), body);
  const ms = process.cpuUsage(started).user / 1000;
  t.ok(ms < 3000, `linear work: ${Math.round(ms)} ms of the processor`);
  decoder.push(encodeFrame(Uint8Array.of(1)));
  decoder.push(encodeFrame(Uint8Array.of(2)));
  t.same([decoder.next(), decoder.next(), decoder.next()], [Uint8Array.of(1), Uint8Array.of(2), undefined]);
});
