import { privateKeyFromProtobuf } from '@libp2p/crypto/keys';
import { hostKey } from '../../../src/node/peers/host-key.js';

/** Returns the node id of a data folder, as peers see it on encrypted connections. */
export async function hostId(dataDir: string): Promise<string> {
  const { publicKey } = privateKeyFromProtobuf(await hostKey(dataDir));
  return publicKey.toString();
}
