import { once } from 'node:events';
import { decodeBase58Check } from '../../../src/crypto/base58-check.js';
import { toHex } from '../../../src/primitives/bytes.js';

/** Init code of an endless loop: JUMPDEST PUSH1 0 JUMP. */
const ENDLESS = '5b600056';
/** Matches the error of a call that ended at its time limit, or earlier at its energy limit. */
const ENDED = /(CPU timeout|Not enough energy) for '\w+' operation executing/;
const OTHER_MAX = 5;

/**
 * Runs clients that send endless calls. The clients start at the first byte on standard input and stop at its end. Then
 * prints how the calls ended.
 */
const [, , port = '', clients = '1'] = process.argv;
const owner = toHex(decodeBase58Check('TDswJaq543vgYRYDSmuKoC2SB51fANQrRN')!);
let isOver = false;
let cut = 0;
const other: string[] = [];
await once(process.stdin, 'data');
process.stdin.resume();
process.stdin.once('end', () => {
  isOver = true;
});
await Promise.all(Array.from({ length: Number(clients) }, call));
process.stdout.write(`${JSON.stringify({ cut, other })}\n`);
process.exit(0);

async function call(): Promise<void> {
  const body = JSON.stringify({ owner_address: owner, data: ENDLESS });
  while (!isOver) {
    const text = await post(body).catch(String);
    if (!text.startsWith('{')) {
      other.push(text.slice(0, 200));
      return;
    }
    const { result } = JSON.parse(text) as { result?: { message?: string } };
    if (ENDED.test(Buffer.from(result?.message ?? '', 'hex').toString())) cut++;
    else if (other.length < OTHER_MAX) other.push(text.slice(0, 200));
  }
}

async function post(body: string): Promise<string> {
  const reply = await fetch(`http://127.0.0.1:${port}/wallet/triggerconstantcontract`, { method: 'POST', body });
  return reply.text();
}
