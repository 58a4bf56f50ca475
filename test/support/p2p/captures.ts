import { readFileSync } from 'node:fs';

type Line = readonly [first: string, ...others: string[]];

/** Reads a capture. Returns its lines, each split into fields. */
export function capture(name: string): Line[] {
  const text = readFileSync(new URL(`./captures/${name}.txt`, import.meta.url), 'utf8');
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return lines.map((line) => line.split(' ') as [string, ...string[]]);
}

export function bytesOf(hex: string | undefined): Uint8Array {
  return Buffer.from(hex ?? '', 'hex');
}
