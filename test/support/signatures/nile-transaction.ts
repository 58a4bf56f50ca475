import { fromHex } from '../../../src/primitives/bytes.js';

/**
 * Transaction in block 18,278,266 of the Nile test network. Its signature recovers the point at infinity. The owner
 * address is computed from this point.
 */
export const NILE_TRANSACTION = {
  id: '6ca2cf5c23523f6f5eb8283164c93bc039bc263ef4afb26cdfc18aea2cc33f27',
  rawData: fromHex(
    '0a02e7762208f4377c4b5da1842a4090b19ecfb02f5a67080112630a2d747970652e676f6f676c65617069732e636f6d2f70726f746f636f6c2e5472616e73666572436f6e747261637412320a1541dcc703c0e500b653ca82273b7bfad8045d85a47012154175f09e51f8ecb695a0be1701581ec9493b16449518c0843d70d2ec9acfb02f',
  ),
  signature: fromHex(
    'bdd60d53b9876fd4c2d3d142d43b60350e70dbc0554d4ec34c977518bda2db244cf392d2900d507cec8bcc9e7aae71f9267069c8a454aca0f637c6470e6cc2be00',
  ),
} as const;
