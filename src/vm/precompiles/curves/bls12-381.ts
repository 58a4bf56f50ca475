import { Mcl } from './mcl.js';

/** BLS12-381, whose scalars are the coordinates of Jubjub. Points and numbers are read and written as Zcash does: highest byte first. */
export const bls12381 = await Mcl.load('BLS12_381');
bls12381.call._mclBn_setETHserialization(1);
bls12381.call._mclBn_verifyOrderG1(1);
bls12381.call._mclBn_verifyOrderG2(1);
