/** First byte of application messages, without the types that release 4.7.2 rejects. Reference: MessageTypes. */
export const WireMessageType = {
  BLOCK: 0x02,
  TRXS: 0x03,
  INVENTORY: 0x06,
  FETCH_INV_DATA: 0x07,
  SYNC_BLOCK_CHAIN: 0x08,
  BLOCK_CHAIN_INVENTORY: 0x09,
  PBFT_COMMIT_MSG: 0x14,
  P2P_HELLO: 0x20,
  P2P_DISCONNECT: 0x21,
  P2P_PING: 0x22,
  P2P_PONG: 0x23,
  PBFT_MSG: 0x34,
} as const;

export type MessageName = keyof typeof WireMessageType;

const names = new Map(Object.entries(WireMessageType).map(([name, byte]) => [byte as number, name as MessageName]));

export function messageName(type: number): MessageName | undefined {
  return names.get(type);
}
