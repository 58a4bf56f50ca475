/** Both nodes said or did something else: what was done, and what came of it. */
export class Difference extends Error {}
