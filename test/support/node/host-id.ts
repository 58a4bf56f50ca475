import { privateKeyFromProtobuf } from '@libp2p/crypto/keys';
import { hostKey } from '../../../src/node/peers/host-key.js';

/** Id by which the node of a data folder is known on encrypted links. */
export async function hostId(dataDir: string): Promise<string> {
  const { publicKey } = privateKeyFromProtobuf(await hostKey(dataDir));
  return publicKey.toString();
}
