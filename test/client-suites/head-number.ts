import { until } from '../support/until.js';

/** Returns the height of the newest block. @param port port of `/wallet` */
export async function headNumber(port: number): Promise<number> {
  const reply = await fetch(`http://127.0.0.1:${port}/wallet/getnowblock`);
  const block = (await reply.json()) as { block_header: { raw_data: { number?: number } } };
  return block.block_header.raw_data.number ?? 0;
}

/** Waits until the chain has reached a height. @param port port of `/wallet` */
export async function untilHeight(port: number, height: number): Promise<void> {
  await until(`block ${height}`, async () => (await headNumber(port)) >= height);
}
