import { onFirstUse } from '../../../domain/on-first-use.js';
import { Mcl } from './mcl.js';

/** BLS12-381, whose scalars are the coordinates of Jubjub. Points and numbers are read and written as Zcash does: highest byte first. */
export const bls12381 = onFirstUse(() => {
  const mcl = new Mcl();
  mcl.call.mclBn_setETHserialization(1);
  mcl.call.mclBn_verifyOrderG1(1);
  mcl.call.mclBn_verifyOrderG2(1);
  return mcl;
});
