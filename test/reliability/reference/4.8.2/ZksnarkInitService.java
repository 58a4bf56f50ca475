package org.tron.core.zen;

import org.springframework.stereotype.Component;

/** In place of the reference's own, which ends the node where the sources hold no parameters of shielded transactions. */
@Component
public class ZksnarkInitService {
  public static void librustzcashInitZksnarkParams() {
    // Nothing is loaded: proofs cannot be checked.
  }
}
