import { privateKeyFromProtobuf } from '@libp2p/crypto/keys';
import { hostKey } from '../../../src/node/peers/host-key.js';

/** Returns the id of a data folder's node on encrypted links. */
export async function hostId(dataDir: string): Promise<string> {
  const { publicKey } = privateKeyFromProtobuf(await hostKey(dataDir));
  return publicKey.toString();
}
